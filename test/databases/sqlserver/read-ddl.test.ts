import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import {
  readDdl as read,
  readSchema as schemaOf,
  readTable as tableOf,
} from '../../sql/ddl/read-ddl.ts';
import { sqlserverDdlReader } from '../../../src/databases/sqlserver/ddl/read-ddl.ts';
import type { Column, Table } from '../../../src/model/schema.ts';

const readSchema = (text: string): ReturnType<typeof schemaOf> => schemaOf('sqlserver', text);
const readTable = (text: string, name?: string): ReturnType<typeof tableOf> =>
  tableOf('sqlserver', text, name);

async function readColumn(definition: string): Promise<Column> {
  const { columns } = await readTable(`CREATE TABLE t (${definition})`);
  return columns[0]!;
}

describe('types', () => {
  test.each([
    ['[int]', 'int', { kind: 'integer', bits: 32 }],
    ['INTEGER', 'int', { kind: 'integer', bits: 32 }],
    ['bit', 'bit', { kind: 'boolean' }],
    ['decimal', 'decimal(18,0)', { kind: 'decimal', precision: 18, scale: 0 }],
    ['[numeric](10, 2)', 'numeric(10,2)', { kind: 'decimal', precision: 10, scale: 2 }],
    ['[nvarchar](50)', 'nvarchar(50)', { kind: 'text', length: 50 }],
    ['NVARCHAR(MAX)', 'nvarchar(max)', { kind: 'text' }],
    ['varchar', 'varchar(1)', { kind: 'text', length: 1 }],
    ['national character varying(5)', 'nvarchar(5)', { kind: 'text', length: 5 }],
    ['varbinary(max)', 'varbinary(max)', { kind: 'binary' }],
    ['float(24)', 'real', { kind: 'float', bits: 32 }],
    ['double precision', 'float', { kind: 'float', bits: 64 }],
    ['datetime2', 'datetime2(7)', { kind: 'timestamp', precision: 7 }],
    ['datetimeoffset(3)', 'datetimeoffset(3)', { kind: 'timestamp', precision: 3, zone: true }],
    ['time(0)', 'time(0)', { kind: 'time', precision: 0 }],
    ['uniqueidentifier', 'uniqueidentifier', { kind: 'uuid' }],
    ['rowversion', 'timestamp', { kind: 'binary', length: 8, fixed: true }],
    ['[sys].[sysname]', 'sysname', { kind: 'text', length: 128 }],
    ['xml(CONTENT dbo.Rules)', 'xml', { kind: 'other', name: 'xml' }],
  ])('%s', async (written, nativeType, type) => {
    expect(await readColumn(`a ${written}`)).toMatchObject({ nativeType, type });
  });

  test('that the file declares are replaced by their base types', async () => {
    const { schema, warnings } = await read(
      'sqlserver',
      'CREATE TYPE [dbo].[Flag] FROM [bit] NOT NULL\nGO\nCREATE TABLE t (a [dbo].[Flag])',
    );
    expect(schema.tables[0]?.columns[0]).toMatchObject({ nativeType: 'bit', nullable: false });
    expect(warnings).toEqual(['Line 1: the type dbo.Flag is left out: its columns are bit.']);
  });

  test('that are unknown are reported with their position', async () => {
    const { problems } = await read('sqlserver', 'CREATE TABLE t (a int, b [dbo].[Nobody])');
    expect(problems).toEqual([
      {
        code: 'parse_failed',
        message: '"[dbo]" was found where a type is expected.',
        line: 1,
        column: 26,
      },
    ]);
  });
});

test('a table is read as Management Studio scripts it', async () => {
  const { tables } = await readSchema(`
USE [Shop]
GO
SET ANSI_NULLS ON
GO
IF NOT EXISTS (SELECT * FROM sys.objects WHERE object_id = OBJECT_ID(N'[dbo].[Odd ]] Name]'))
BEGIN
CREATE TABLE [dbo].[Odd ]] Name](
	[Id] [int] IDENTITY(1,1) NOT FOR REPLICATION NOT NULL,
	[Name] [nvarchar](50) COLLATE Latin1_General_CI_AS NULL CONSTRAINT [DF_Name] DEFAULT (N'x'),
	[Full] AS ([Name]+N'!') PERSISTED,
	[Kind] [char](1) NOT NULL,
	[Parent] [int] NULL,
 CONSTRAINT [PK_T] PRIMARY KEY CLUSTERED
(
	[Id] ASC
)WITH (PAD_INDEX = OFF, FILLFACTOR = 90) ON [PRIMARY],
 CONSTRAINT [UQ_T] UNIQUE NONCLUSTERED ([Name] ASC, [Kind] DESC) ON [PRIMARY],
 INDEX [IX_In] NONCLUSTERED ([Kind])
) ON [PRIMARY] TEXTIMAGE_ON [PRIMARY]
END
GO
ALTER TABLE [dbo].[Odd ]] Name] ADD  CONSTRAINT [DF_Kind]  DEFAULT ('a') FOR [Kind]
GO
ALTER TABLE [dbo].[Odd ]] Name]  WITH CHECK ADD  CONSTRAINT [FK_T] FOREIGN KEY([Parent])
REFERENCES [Shop].[dbo].[Odd ]] Name] ([Id])
ON DELETE SET NULL NOT FOR REPLICATION
GO
ALTER TABLE [dbo].[Odd ]] Name] CHECK CONSTRAINT [FK_T]
GO
ALTER TABLE [dbo].[Odd ]] Name] WITH NOCHECK ADD CONSTRAINT [CK_T] CHECK (([Kind]='a' OR [Kind]='b'))
GO
CREATE UNIQUE NONCLUSTERED INDEX [IX_T] ON [dbo].[Odd ]] Name] ([Kind] ASC) INCLUDE([Name]) WHERE ([Name] IS NOT NULL) WITH (ONLINE = OFF) ON [PRIMARY]
GO
EXEC sys.sp_addextendedproperty @name=N'MS_Description', @value=N'The owner''s' , @level0type=N'SCHEMA',@level0name=N'dbo', @level1type=N'TABLE',@level1name=N'Odd ] Name', @level2type=N'COLUMN',@level2name=N'Name'
GO
EXEC sp_addextendedproperty N'MS_Description', 'All', N'SCHEMA', N'dbo', N'TABLE', N'Odd ] Name'
GO`);
  const [table] = tables;
  expect(table).toMatchObject({
    name: 'Odd ] Name',
    comment: 'All',
    primaryKey: { name: 'PK_T', columns: ['Id'] },
    checks: [{ name: 'CK_T', expression: "([Kind]='a' OR [Kind]='b')" }],
    foreignKeys: [
      {
        name: 'FK_T',
        columns: ['Parent'],
        table: 'Odd ] Name',
        referencedColumns: ['Id'],
        onDelete: 'set null',
      },
    ],
  });
  expect(table?.columns).toMatchObject([
    { name: 'Id', autoIncrement: true, nullable: false },
    { name: 'Name', default: "(N'x')", collation: 'Latin1_General_CI_AS', comment: "The owner's" },
    { name: 'Full', generated: { expression: "[Name]+N'!'", stored: true } },
    { name: 'Kind', default: "('a')" },
    { name: 'Parent', nullable: true },
  ]);
  expect(table?.indexes).toEqual([
    {
      name: 'UQ_T',
      unique: true,
      parts: [{ column: 'Name' }, { column: 'Kind', descending: true }],
      nullsNotDistinct: true,
    },
    { name: 'IX_In', unique: false, parts: [{ column: 'Kind' }] },
    {
      name: 'IX_T',
      unique: true,
      parts: [{ column: 'Kind' }],
      included: ['Name'],
      where: '([Name] IS NOT NULL)',
    },
  ]);
});

test('ALTER TABLE adds several constraints and alters columns', async () => {
  const table = await readTable(`
    CREATE TABLE t (a int, b int, c varchar(5))
    ALTER TABLE t ADD CONSTRAINT u UNIQUE (a), d datetime NOT NULL DEFAULT getdate(), CONSTRAINT k CHECK (b > 0)
    ALTER TABLE t ALTER COLUMN c nvarchar(20) NOT NULL
    ALTER TABLE t DROP CONSTRAINT u, COLUMN b`);
  expect(
    table.columns.map(({ name, nativeType, nullable }) => [name, nativeType, nullable]),
  ).toEqual([
    ['a', 'int', true],
    ['c', 'nvarchar(20)', false],
    ['d', 'datetime', false],
  ]);
  expect(table.columns[2]?.default).toBe('getdate()');
  expect(table.indexes).toEqual([]);
});

test('namespaces other than dbo are kept', async () => {
  const { tables } = await readSchema(`
    CREATE SCHEMA sales
    GO
    CREATE TABLE sales.orders (id int PRIMARY KEY)
    CREATE TABLE dbo.lines (o int REFERENCES sales.orders)`);
  expect(tables.map(({ name, namespace, localName }) => [name, namespace, localName])).toEqual([
    ['sales.orders', 'sales', 'orders'],
    ['lines', undefined, 'lines'],
  ]);
  expect(tables[1]?.foreignKeys[0]).toMatchObject({
    table: 'sales.orders',
    referencedColumns: ['id'],
  });
});

test('statements guarded by an existence check do nothing in an empty database', async () => {
  const { schema, warnings, problems, dropped } = await read(
    'sqlserver',
    `
    IF EXISTS (SELECT * FROM sysobjects WHERE id = object_id('t')) DROP TABLE t
    GO
    IF OBJECT_ID('fk') IS NOT NULL ALTER TABLE other DROP CONSTRAINT fk
    GO
    CREATE VIEW v AS SELECT 1 AS a
    GO
    CREATE PROCEDURE p AS SELECT 1; DELETE FROM x
    GO`,
  );
  expect(problems).toEqual([]);
  expect(dropped).toMatchObject([{ name: 't' }]);
  expect(schema.views).toMatchObject([{ name: 'v', definition: 'SELECT 1 AS a' }]);
  expect(warnings).toEqual([
    "Line 4: the condition OBJECT_ID('fk') IS NOT NULL is false.",
    'Line 8: the procedure p is left out.',
  ]);
});

test('a timestamp is a row version only if the text is known to be T-SQL', () => {
  expect(sqlserverDdlReader.readType('timestamp')).toMatchObject({
    kind: 'binary',
    length: 8,
    fixed: true,
  });
  expect(sqlserverDdlReader.readType('timestamp', true)).toMatchObject({ kind: 'other' });
  expect(sqlserverDdlReader.readType('datetime', true)).toMatchObject({ kind: 'timestamp' });
});

describe('a computed column', () => {
  test.each([
    ['a + b', 'a + b', false],
    ['a * b PERSISTED NOT NULL', 'a * b', true],
    ['([a]*[b])', '[a]*[b]', false],
    ['(a + b) * 2 PERSISTED', '(a + b) * 2', true],
    ['-a % 2', '-a % 2', false],
    [
      "name + 'a, b)' COLLATE Latin1_General_BIN",
      "name + 'a, b)' COLLATE Latin1_General_BIN",
      false,
    ],
    ["CASE WHEN b IS NOT NULL THEN CASE a WHEN 1 THEN 'x' END ELSE 'y' END", "CASE WHEN b IS NOT NULL THEN CASE a WHEN 1 THEN 'x' END ELSE 'y' END", false], // prettier-ignore
    ["CONVERT(varchar(10), a) + '-' + dbo.f(a, b)", "CONVERT(varchar(10), a) + '-' + dbo.f(a, b)", false], // prettier-ignore
    ["JSON_VALUE(name, '$.x') PERSISTED CONSTRAINT u UNIQUE", "JSON_VALUE(name, '$.x')", true],
    ["location.STDistance(geography::Point(1, 2, 4326)) / 1000", "location.STDistance(geography::Point(1, 2, 4326)) / 1000", false], // prettier-ignore
  ])('AS %s', async (definition, expression, stored) => {
    const { columns } = await readTable(`CREATE TABLE t (c AS ${definition}, a int)`);
    expect(columns[0]).toMatchObject({ generated: { expression, stored } });
    expect(columns[0]?.nullable).toBe(!definition.endsWith('NOT NULL'));
    expect(columns[1]?.name).toBe('a');
  });
});

describe('a default', () => {
  test.each([
    '1 + 2',
    '-1',
    '~5',
    '(1) + (2)',
    "N'a' + N'b'",
    '$0.00',
    '-$5',
    "{ts '2020-01-01 00:00:00'}",
    '{fn CURRENT_TIMESTAMP()}',
    '0x',
    '.5e3',
    '@@SPID',
    'CURRENT_USER',
    'dbo.next_id()',
    '[dbo].[next_id] (1, 2) * 3',
    'NEXT VALUE FOR [dbo].[numbers]',
    "SYSUTCDATETIME() AT TIME ZONE 'UTC'",
    'dateadd(day, 1, getdate())',
    'CONVERT([varchar](10), getdate(), (112))',
    'CASE WHEN 1 = 1 THEN 1 ELSE 0 END',
    "CAST('a' AS varchar(5)) COLLATE Latin1_General_BIN + 'b'",
    '1 << 3',
  ])('%s ends where the next clause begins', async (expression) => {
    const clauses = ['', ' NOT NULL', ' UNIQUE', ' CHECK (a > 0)', ' CONSTRAINT k PRIMARY KEY'];
    for (const clause of clauses) {
      const table = await readTable(`CREATE TABLE t (a int DEFAULT ${expression}${clause}, b int)`);
      expect(table.columns).toMatchObject([{ name: 'a', default: expression }, { name: 'b' }]);
    }
    const { columns } = await readTable(`
      CREATE TABLE t (a int, b int)
      ALTER TABLE t ADD CONSTRAINT d DEFAULT ${expression} FOR a WITH VALUES`);
    expect(columns[0]?.default).toBe(expression);
  });

  test.each([
    ['a int DEFAULT', '")" was found where a default is expected.'],
    ['a int DEFAULT NOT NULL', '"NOT" was found where a default is expected.'],
    ['a int DEFAULT 1 +', '")" was found where an operand is expected.'],
    ['a int DEFAULT 1 2', '"2" was found where a clause of the column, "," or ")" is expected.'],
    ['a int DEFAULT CASE WHEN 1 = 1 THEN 1', 'The CASE that begins here has no END.'],
    ['a AS', '")" was found where an expression is expected.'],
    ['a AS b c', '"c" was found where a clause of the column, "," or ")" is expected.'],
  ])('is an error: %s', async (column, message) => {
    const { problems } = await read('sqlserver', `CREATE TABLE t (${column})`);
    expect(problems[0]?.message).toBe(message);
  });

  test('is dropped by the name of its constraint', async () => {
    const { columns } = await readTable(`
      CREATE TABLE t (a int CONSTRAINT d1 DEFAULT 1, b int, c int DEFAULT 3)
      ALTER TABLE t ADD CONSTRAINT [d2] DEFAULT 2 FOR b
      ALTER TABLE t DROP CONSTRAINT D1, d2`);
    expect(columns.map(({ default: defaultText }) => defaultText)).toEqual([
      undefined,
      undefined,
      '3',
    ]);
  });

  test('has no collation of its own', async () => {
    const { schema, warnings } = await read(
      'sqlserver',
      "CREATE TABLE t (a varchar(9) DEFAULT '' COLLATE Latin1_General_BIN NOT NULL)",
    );
    expect(schema.tables[0]?.columns[0]).toMatchObject({ default: "''", nullable: false });
    expect(schema.tables[0]?.columns[0]?.collation).toBeUndefined();
    expect(warnings).toEqual([
      'Line 1: t: COLLATE Latin1_General_BIN of the default of a is left out.',
    ]);
  });
});

describe('the clauses of a column', () => {
  interface Clause {
    readonly text: string;
    readonly isHandled: (table: Table, warnings: string) => boolean;
  }
  const column = ({ columns }: Table): Column => columns[1]!;
  const clauses: readonly Clause[] = [
    { text: 'NOT NULL', isHandled: (table) => !column(table).nullable },
    {
      text: 'DEFAULT 1 + dbo.f(2)',
      isHandled: (table) => column(table).default === '1 + dbo.f(2)',
    },
    { text: 'CONSTRAINT d DEFAULT (7)', isHandled: (table, warnings) => column(table).default === '(7)' && warnings.includes('the name d') }, // prettier-ignore
    { text: 'ROWGUIDCOL', isHandled: (_, warnings) => warnings.includes('ROWGUIDCOL of c') },
    { text: 'SPARSE', isHandled: (_, warnings) => warnings.includes('SPARSE of c') },
    { text: 'FILESTREAM', isHandled: (_, warnings) => warnings.includes('FILESTREAM of c') },
    { text: "MASKED WITH (FUNCTION = 'email()')", isHandled: (_, warnings) => warnings.includes('email()') }, // prettier-ignore
    { text: "ENCRYPTED WITH (COLUMN_ENCRYPTION_KEY = k1, ENCRYPTION_TYPE = RANDOMIZED, ALGORITHM = 'x')", isHandled: (_, warnings) => warnings.includes('k1') }, // prettier-ignore
    { text: 'COLUMN_SET FOR ALL_SPARSE_COLUMNS', isHandled: (_, warnings) => warnings.includes('COLUMN_SET') }, // prettier-ignore
    { text: 'GENERATED ALWAYS AS ROW END HIDDEN', isHandled: (_, warnings) => warnings.includes('c is an ordinary column') && warnings.includes('HIDDEN') }, // prettier-ignore
    { text: 'IDENTITY(1,1) NOT FOR REPLICATION', isHandled: (table, warnings) => column(table).autoIncrement === true && warnings.includes('NOT FOR REPLICATION') }, // prettier-ignore
    { text: 'CONSTRAINT p PRIMARY KEY NONCLUSTERED WITH (FILLFACTOR = 70)', isHandled: ({ primaryKey }, warnings) => primaryKey?.name === 'p' && warnings.includes('FILLFACTOR = 70') }, // prettier-ignore
    { text: 'UNIQUE', isHandled: ({ indexes }) => indexes.some(({ unique }) => unique) },
    { text: 'INDEX i NONCLUSTERED', isHandled: ({ indexes }) => indexes.some(({ name }) => name === 'i') }, // prettier-ignore
    { text: 'INDEX h HASH WITH (BUCKET_COUNT = 512)', isHandled: ({ indexes }, warnings) => indexes.some(({ name }) => name === 'h') && warnings.includes('BUCKET_COUNT = 512') }, // prettier-ignore
    {
      text: 'CONSTRAINT k CHECK (c > 0)',
      isHandled: ({ checks }) => checks[0]?.expression === 'c > 0',
    },
    { text: 'CONSTRAINT f FOREIGN KEY REFERENCES t (a) ON DELETE CASCADE', isHandled: ({ foreignKeys }) => foreignKeys[0]?.onDelete === 'cascade' }, // prettier-ignore
  ];
  const isNullable = (text: string): boolean => !/^NOT NULL|IDENTITY|PRIMARY/.test(text);

  test('are read in any order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray([...clauses]), async (picked) => {
        const defaults = picked.filter(({ text }) => text.includes('DEFAULT'));
        const usedClauses = picked.filter((clause) => !defaults.slice(1).includes(clause));
        const texts = usedClauses.map(({ text }) => text);
        const { schema, warnings, problems } = await read(
          'sqlserver',
          `CREATE TABLE t (a int, c int ${texts.join(' ')}, z AS c + 1)`,
        );
        expect(problems, texts.join(' ')).toEqual([]);
        const table = schema.tables[0]!;
        const unhandled = usedClauses.filter(
          ({ isHandled }) => !isHandled(table, warnings.join('\n')),
        );
        expect(unhandled.map(({ text }) => text)).toEqual([]);
        expect(column(table).nullable).toBe(texts.every(isNullable));
        expect(table.columns.map(({ name }) => name)).toEqual(['a', 'c', 'z']);
      }),
      { numRuns: 300 },
    );
  });
});
