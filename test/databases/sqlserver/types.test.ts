import { describe, expect, test } from 'vitest';

import {
  columnType,
  sqlTypeName,
  wireColumnInfo,
} from '../../../src/databases/sqlserver/dialect/types.ts';
import type { NativeType, WireColumn } from '../../../src/databases/sqlserver/dialect/types.ts';
import type { ColumnType } from '../../../src/model/schema.ts';

const native = (name: string, extras: Partial<NativeType> = {}): NativeType => ({
  name,
  length: 0,
  precision: 0,
  scale: 0,
  ...extras,
});

describe('a type of the catalog', () => {
  test.each<readonly [NativeType, string, ColumnType]>([
    [native('bit'), 'bit', { kind: 'boolean' }],
    [native('tinyint'), 'tinyint', { kind: 'integer', bits: 8, unsigned: true }],
    [native('bigint'), 'bigint', { kind: 'integer', bits: 64 }],
    [
      native('numeric', { precision: 38, scale: 10 }),
      'numeric(38,10)',
      { kind: 'decimal', precision: 38, scale: 10 },
    ],
    [native('money'), 'money', { kind: 'decimal', precision: 19, scale: 4 }],
    [native('real'), 'real', { kind: 'float', bits: 32 }],
    [native('nvarchar', { length: 200 }), 'nvarchar(100)', { kind: 'text', length: 100 }],
    [native('nvarchar', { length: -1 }), 'nvarchar(max)', { kind: 'text' }],
    [native('varchar', { length: 50 }), 'varchar(50)', { kind: 'text', length: 50 }],
    [native('nchar', { length: 10 }), 'nchar(5)', { kind: 'text', length: 5, fixed: true }],
    [native('sysname', { length: 256 }), 'sysname', { kind: 'text', length: 128 }],
    [native('ntext'), 'ntext', { kind: 'text' }],
    [native('varbinary', { length: -1 }), 'varbinary(max)', { kind: 'binary' }],
    [native('binary', { length: 16 }), 'binary(16)', { kind: 'binary', length: 16, fixed: true }],
    [native('timestamp', { length: 8 }), 'timestamp', { kind: 'binary', length: 8, fixed: true }],
    [native('uniqueidentifier'), 'uniqueidentifier', { kind: 'uuid' }],
    [native('time', { scale: 3 }), 'time(3)', { kind: 'time', precision: 3 }],
    [native('datetime2', { scale: 7 }), 'datetime2(7)', { kind: 'timestamp', precision: 7 }],
    [
      native('datetimeoffset', { scale: 7 }),
      'datetimeoffset(7)',
      { kind: 'timestamp', precision: 7, zone: true },
    ],
    [native('datetime', { scale: 3 }), 'datetime', { kind: 'timestamp', precision: 3 }],
    [native('xml'), 'xml', { kind: 'other', name: 'xml' }],
    [native('hierarchyid'), 'hierarchyid', { kind: 'other', name: 'hierarchyid' }],
    [native('sql_variant'), 'sql_variant', { kind: 'untyped' }],
  ])('%o is %s', (type, name, neutral) => {
    expect(sqlTypeName(type)).toBe(name);
    expect(columnType(type)).toMatchObject(neutral);
  });
});

describe('a column of a result', () => {
  const wire = (name: string, extras: Partial<WireColumn> = {}): WireColumn => ({
    colName: 'c',
    userType: 0,
    type: { name },
    dataLength: undefined,
    precision: undefined,
    scale: undefined,
    udtInfo: undefined,
    ...extras,
  });

  test.each<readonly [WireColumn, string]>([
    [wire('IntN', { dataLength: 1 }), 'tinyint'],
    [wire('IntN', { dataLength: 8 }), 'bigint'],
    [wire('BitN', { dataLength: 1 }), 'bit'],
    [wire('FloatN', { dataLength: 4 }), 'real'],
    [wire('MoneyN', { dataLength: 8 }), 'money'],
    [wire('DateTimeN', { dataLength: 4 }), 'smalldatetime'],
    [wire('DecimalN', { dataLength: 17, precision: 38, scale: 2 }), 'decimal(38,2)'],
    [wire('NVarChar', { dataLength: 65_535 }), 'nvarchar(max)'],
    [wire('VarChar', { dataLength: 50 }), 'varchar(50)'],
    [wire('Binary', { dataLength: 8, userType: 80 }), 'timestamp'],
    [wire('DateTime2', { scale: 7 }), 'datetime2(7)'],
    [wire('UniqueIdentifier', { dataLength: 16 }), 'uniqueidentifier'],
    [wire('Xml'), 'xml'],
    [wire('UDT', { udtInfo: { typeName: 'geography' } }), 'geography'],
    [wire('Variant'), 'sql_variant'],
  ])('%o is %s', (column, name) => {
    expect(wireColumnInfo(column)).toMatchObject({ name: 'c', nativeType: name });
  });

  test('of type sql_variant has values of different types', () => {
    expect(wireColumnInfo(wire('Variant'))).toMatchObject({ dynamic: true });
  });
});
