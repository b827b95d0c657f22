import { describe, expect, test } from 'vitest';

import {
  readDdl as read,
  readSchema as schemaOf,
  readTable as tableOf,
} from '../../sql/ddl/reading.ts';
import { sqlserverDdlReader } from '../../../src/databases/sqlserver/ddl/read-ddl.ts';
import type { Column } from '../../../src/model/schema.ts';

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

  test("of the file's own are those under them", async () => {
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

test('a table as Management Studio scripts it', async () => {
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

test('several constraints are added at once, and columns altered', async () => {
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

test('what asks first whether something is there drops and alters it on no empty database', async () => {
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
    'Line 4: a change of a table that the file has not made is left out.',
    'Line 8: the procedure p is left out.',
  ]);
});

test('a timestamp is a row version only where the text says that it is T-SQL', () => {
  expect(sqlserverDdlReader.readType('timestamp')).toMatchObject({
    kind: 'binary',
    length: 8,
    fixed: true,
  });
  expect(sqlserverDdlReader.readType('timestamp', true)).toMatchObject({ kind: 'other' });
  expect(sqlserverDdlReader.readType('datetime', true)).toMatchObject({ kind: 'timestamp' });
});
