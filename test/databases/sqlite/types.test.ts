import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { affinityOf } from '../../../src/databases/sqlite/dialect/affinity.ts';
import { columnType } from '../../../src/databases/sqlite/dialect/types.ts';
import type { Affinity } from '../../../src/databases/sqlite/dialect/affinity.ts';
import type { ColumnType } from '../../../src/model/schema.ts';

const integer = (bits: 8 | 16 | 24 | 32 | 64): ColumnType => ({ kind: 'integer', bits });

const declared: readonly (readonly [type: string, affinity: Affinity, kind: ColumnType])[] = [
  ['', 'blob', { kind: 'untyped' }],
  ['INTEGER', 'integer', integer(64)],
  ['integer', 'integer', integer(64)],
  ['INT', 'integer', integer(32)],
  ['TINYINT(1)', 'integer', integer(8)],
  ['SMALLINT', 'integer', integer(16)],
  ['MEDIUMINT', 'integer', integer(24)],
  ['BIGINT', 'integer', integer(64)],
  ['INT8', 'integer', integer(64)],
  ['INT2', 'integer', integer(16)],
  ['UNSIGNED BIG INT', 'integer', { kind: 'integer', bits: 64, unsigned: true }],
  ['INT UNSIGNED', 'integer', { kind: 'integer', bits: 32, unsigned: true }],
  ['int(10) unsigned', 'integer', { kind: 'integer', bits: 32, unsigned: true }],
  ['POINT', 'integer', integer(64)],
  ['CHARINT', 'integer', integer(64)],
  ['FLOATING POINT', 'integer', { kind: 'decimal' }],
  ['INTERVAL', 'integer', { kind: 'interval' }],
  ['TEXT', 'text', { kind: 'text' }],
  ['CLOB', 'text', { kind: 'text' }],
  ['CHARACTER(20)', 'text', { kind: 'text', length: 20, fixed: true }],
  ['CHAR', 'text', { kind: 'text' }],
  ['VARCHAR(255)', 'text', { kind: 'text', length: 255 }],
  ['VARYING CHARACTER(255)', 'text', { kind: 'text', length: 255 }],
  ['NVARCHAR (120)', 'text', { kind: 'text', length: 120 }],
  ['NATIVE CHARACTER(70)', 'text', { kind: 'text', length: 70, fixed: true }],
  ['BLOB SUB_TYPE TEXT', 'text', { kind: 'text' }],
  ['BLOB', 'blob', { kind: 'binary' }],
  ['LONGBLOB', 'blob', { kind: 'binary' }],
  ['BLOB(16)', 'blob', { kind: 'binary', length: 16 }],
  ['REAL', 'real', { kind: 'float', bits: 64 }],
  ['DOUBLE', 'real', { kind: 'float', bits: 64 }],
  ['DOUBLE PRECISION', 'real', { kind: 'float', bits: 64 }],
  ['FLOAT', 'real', { kind: 'float', bits: 64 }],
  ['FLOAT4', 'real', { kind: 'float', bits: 32 }],
  ['NUMERIC', 'numeric', { kind: 'decimal' }],
  ['DECIMAL(10,5)', 'numeric', { kind: 'decimal', precision: 10, scale: 5 }],
  ['decimal( 10 , 2 )', 'numeric', { kind: 'decimal', precision: 10, scale: 2 }],
  ['BOOLEAN', 'numeric', { kind: 'boolean' }],
  ['bool', 'numeric', { kind: 'boolean' }],
  ['BIT', 'numeric', integer(8)],
  ['DATE', 'numeric', { kind: 'date' }],
  ['TIME', 'numeric', { kind: 'time' }],
  ['DATETIME', 'numeric', { kind: 'timestamp' }],
  ['DATETIME(6)', 'numeric', { kind: 'timestamp', precision: 6 }],
  ['TIMESTAMP', 'numeric', { kind: 'timestamp' }],
  ['TIMESTAMP WITH TIME ZONE', 'numeric', { kind: 'timestamp', zone: true }],
  ['timestamp(3) with time zone', 'numeric', { kind: 'timestamp', precision: 3, zone: true }],
  ['JSON', 'numeric', { kind: 'json' }],
  ['JSONB', 'numeric', { kind: 'json', binary: true }],
  ['UUID', 'numeric', { kind: 'uuid' }],
  ['UNIQUEIDENTIFIER', 'numeric', { kind: 'uuid' }],
  ['VARBINARY(16)', 'numeric', { kind: 'binary', length: 16 }],
  ['STRING', 'numeric', { kind: 'text' }],
  ['ANY', 'numeric', { kind: 'other', name: 'ANY' }],
  ['geography', 'numeric', { kind: 'other', name: 'geography' }],
];

test.each(declared)('%j has affinity %s', (type, affinity, kind) => {
  expect(affinityOf(type)).toBe(affinity);
  expect(columnType(type)).toEqual(kind);
});

test.each<readonly [string, Affinity, ColumnType]>([
  ['ANY', 'blob', { kind: 'untyped' }],
  ['INT', 'integer', integer(64)],
  ['TEXT', 'text', { kind: 'text' }],
  ['BLOB', 'blob', { kind: 'binary' }],
  ['REAL', 'real', { kind: 'float', bits: 64 }],
])('in STRICT tables %s has affinity %s', (type, affinity, kind) => {
  expect(affinityOf(type, true)).toBe(affinity);
  expect(columnType(type, true)).toEqual(kind);
});

/** How SQLite stores '5', 5 and 5.0 reveals the affinity of a column. NUMERIC and INTEGER behave the same. */
const affinityByClasses: Readonly<Record<string, readonly Affinity[]>> = {
  'integer integer integer': ['integer', 'numeric'],
  'text text text': ['text'],
  'text integer real': ['blob'],
  'real real real': ['real'],
};

describe('any declared type', () => {
  const word = fc.constantFrom(
    'INT',
    'char',
    'Clob',
    'TEXT',
    'blob',
    'REAL',
    'floa',
    'DOUB',
    'num',
    'X',
    'xinty',
    'BLOBS',
  );
  const types = fc.tuple(
    fc.array(word, { maxLength: 4 }),
    fc.boolean(),
    fc.constantFrom('', '(3)', '(10, 2)'),
  );

  test('has the affinity that SQLite gives it, and only REAL affinity is read as float', () => {
    const raw = new BetterSqlite3(':memory:');
    fc.assert(
      fc.property(types, ([words, joined, size]) => {
        const type = words.length === 0 ? '' : words.join(joined ? '' : ' ') + size;
        raw.exec(
          `DROP TABLE IF EXISTS t; CREATE TABLE t (v ${type}); INSERT INTO t VALUES ('5'), (5), (5.0)`,
        );
        const classes = raw
          .prepare<[], string>('SELECT typeof(v) FROM t ORDER BY rowid')
          .pluck()
          .all()
          .join(' ');
        const stored =
          raw.prepare<[], string>(`SELECT type FROM pragma_table_xinfo('t')`).pluck().get() ?? '';
        expect(affinityByClasses[classes]).toContain(affinityOf(stored));
        expect(columnType(stored).kind === 'float').toBe(affinityOf(stored) === 'real');
      }),
      { numRuns: 300 },
    );
    raw.close();
  });
});
