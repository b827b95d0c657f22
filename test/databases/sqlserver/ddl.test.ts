import { assert, constantFrom, property, string } from 'fast-check';
import { describe, expect, test } from 'vitest';

import { sqlserverDdl as ddl } from '../../../src/databases/sqlserver/dialect/ddl.ts';
import { sqlserverLanguage } from '../../../src/databases/sqlserver/language/language.ts';
import { createSchema } from '../../../src/sql/create-schema.ts';
import { split } from '../../../src/portable/lexer/split.ts';
import { columnOf, schemaOf, tableOf } from '../../sql/neutral-schema.ts';
import { nativeColumn } from './native-column.ts';
import type { ColumnType } from '../../../src/model/schema.ts';

describe('a neutral type', () => {
  test.each<readonly [ColumnType, string]>([
    [{ kind: 'boolean' }, 'bit'],
    [{ kind: 'integer', bits: 8 }, 'smallint'],
    [{ kind: 'integer', bits: 8, unsigned: true }, 'tinyint'],
    [{ kind: 'integer', bits: 64, unsigned: true }, 'decimal(20,0)'],
    [{ kind: 'decimal' }, 'decimal(38,10)'],
    [{ kind: 'decimal', precision: 65, scale: 30 }, 'decimal(38,30)'],
    [{ kind: 'float', bits: 32 }, 'real'],
    [{ kind: 'text' }, 'nvarchar(max)'],
    [{ kind: 'text', length: 100 }, 'nvarchar(100)'],
    [{ kind: 'text', length: 4001 }, 'nvarchar(max)'],
    [{ kind: 'text', length: 2, fixed: true }, 'nchar(2)'],
    [{ kind: 'enum', values: ['a', 'bcd'] }, 'nvarchar(3)'],
    [{ kind: 'uuid' }, 'uniqueidentifier'],
    [{ kind: 'time' }, 'time(7)'],
    [{ kind: 'timestamp', precision: 9 }, 'datetime2(7)'],
    [{ kind: 'timestamp', precision: 3, zone: true }, 'datetimeoffset(3)'],
    [{ kind: 'json' }, 'nvarchar(max)'],
    [{ kind: 'binary', length: 16, fixed: true }, 'binary(16)'],
    [{ kind: 'binary' }, 'varbinary(max)'],
    [{ kind: 'bits', length: 5 }, 'varchar(5)'],
    [{ kind: 'array', of: { kind: 'uuid' } }, 'nvarchar(max)'],
    [{ kind: 'untyped' }, 'nvarchar(max)'],
  ])('%o is %s', (type, text) => {
    expect(ddl.columnType({ type })).toBe(text);
  });

  test('of an identity column is one that supports identity', () => {
    expect(ddl.columnType({ type: { kind: 'text' }, autoIncrement: true })).toBe('bigint');
  });

  test('of an enum has a check of its values', () => {
    expect(ddl.typeCheck('[m]', { kind: 'enum', values: ['a', "b'c"] })).toBe(
      "[m] = N'a' OR [m] = N'b''c'",
    );
  });
});

describe('a neutral default', () => {
  test.each([
    ['TRUE', '1'],
    ["'it''s'", "N'it''s'"],
    ["'a' || 'b||c'", "N'a' + N'b||c'"],
    ['CURRENT_DATE', 'CAST(SYSDATETIME() AS date)'],
    ['7', '7'],
  ])('%s is %s', (expression, text) => {
    expect(ddl.neutralDefault(expression, { kind: 'text' })).toBe(text);
  });

  test('of the current time has the precision and the offset of its column', () => {
    expect(ddl.neutralDefault('CURRENT_TIMESTAMP', { kind: 'timestamp' })).toBe('SYSDATETIME()');
    expect(ddl.neutralDefault('CURRENT_TIMESTAMP', { kind: 'timestamp', zone: true })).toBe(
      'SYSDATETIMEOFFSET()',
    );
  });
});

describe('a schema', () => {
  test('of another database is created', () => {
    const authors = tableOf(
      'authors',
      [
        columnOf('id', { kind: 'integer', bits: 64 }, { autoIncrement: true }),
        columnOf('name', { kind: 'text', length: 50 }, { default: "'x'", comment: "Who's" }),
        columnOf('loud', { kind: 'text' }, { nullable: true, generated: { expression: 'upper(name)', stored: true } }), // prettier-ignore
      ],
      {
        primaryKey: { columns: ['id'] },
        namespace: 'app',
        name: 'app.authors',
        localName: 'authors',
      },
    );
    expect(createSchema(schemaOf([authors]), ddl, { native: false }).statements).toEqual([
      "IF SCHEMA_ID(N'app') IS NULL EXEC (N'CREATE SCHEMA [app]')",
      `CREATE TABLE [app].[authors] (
  [id] bigint NOT NULL IDENTITY(1,1),
  [name] nvarchar(50) NOT NULL DEFAULT (N'x'),
  [loud] AS (upper(name)) PERSISTED,
  PRIMARY KEY ([id])
)`,
      "BEGIN DECLARE @schema sysname = N'app'; EXEC sys.sp_addextendedproperty N'MS_Description', N'Who''s', N'SCHEMA', @schema, N'TABLE', N'authors', N'COLUMN', N'name' END",
    ]);
  });

  test('is created by statements that imports allow, and no others with parts of them', () => {
    const name = string({
      unit: constantFrom('a', "'", ']', '[', ';', ' ', '\n', '\\', 'N', 'é'),
      minLength: 1,
    });
    assert(
      property(name, name, name, (namespace, table, comment) => {
        const { statements } = createSchema(
          schemaOf([
            tableOf(table, [columnOf('id', { kind: 'integer', bits: 32 }, { comment })], {
              ...{ namespace, name: `${namespace}.${table}`, localName: table, comment },
            }),
          ]),
          ddl,
          { native: false },
        );
        const { written } = sqlserverLanguage.statements;
        const [createNamespace, createTable, ...commentStatements] = statements;
        expect(commentStatements).toHaveLength(2);
        expect(createTable).toMatch(/^CREATE TABLE/);
        for (const statement of [createNamespace!, ...commentStatements]) {
          expect(statement).toMatch(written!);
          for (const other of [
            `${statement}; DROP TABLE t`,
            statement.replace(/ END$/, '; DROP TABLE t END'),
            statement.replace("N'", "N''; DROP TABLE t; SELECT N'"),
            statement.replace('sys.sp_addextendedproperty', 'sys.sp_configure'),
            statement.replace('CREATE SCHEMA', 'DROP SCHEMA'),
          ])
            if (other !== statement) expect(other).not.toMatch(written!);
        }
      }),
    );
  });

  test('of SQL Server keeps its native types and expressions', () => {
    const table = tableOf(
      'a]b',
      [
        nativeColumn('id', 'int', { autoIncrement: true }),
        nativeColumn('total', 'money', { nullable: true, default: '((0))' }),
        nativeColumn('twice', 'money', { nullable: true, generated: { expression: '[total]*(2)', stored: false } }), // prettier-ignore
        nativeColumn('v', 'timestamp', { identityAlways: true }),
      ],
      {
        primaryKey: { name: 'pk', columns: ['id'] },
        indexes: [
          {
            name: 'ix',
            unique: true,
            parts: [{ column: 'total', descending: true }],
            where: '([total] IS NOT NULL)',
            included: ['twice'],
            nullsNotDistinct: true,
          },
        ],
        checks: [{ name: 'ck', expression: '[total]>(0)' }],
      },
    );
    expect(createSchema(schemaOf([table]), ddl, { native: true }).statements).toEqual([
      `CREATE TABLE [a]]b] (
  [id] int NOT NULL IDENTITY(1,1),
  [total] money NULL DEFAULT ((0)),
  [twice] AS ([total]*(2)),
  [v] timestamp NOT NULL,
  CONSTRAINT [pk] PRIMARY KEY ([id]),
  CONSTRAINT [ck] CHECK ([total]>(0))
)`,
      'CREATE UNIQUE INDEX [ix] ON [a]]b] ([total] DESC) INCLUDE ([twice]) WHERE ([total] IS NOT NULL)',
    ]);
  });

  test('comments are one statement each, also for hostile names', () => {
    const comment = "'; DROP TABLE x; --\nGO";
    const [statement = ''] = ddl.comments(tableOf("t'];--", [], { comment }));
    expect(split(statement, sqlserverLanguage)).toHaveLength(1);
    expect(statement).toContain("N'''; DROP TABLE x; --\nGO'");
  });
});
