/** Scripts as Management Studio, Entity Framework, Liquibase and the data tools write them. */
import { describe, expect, test } from 'vitest';
import { readDdl as read } from '../../sql/ddl/read-ddl.ts';

describe('statements within others', () => {
  test.each<readonly [script: string, tables: readonly string[], warnings: readonly string[]]>([
    ["EXEC(N'CREATE TABLE a (x int)')", ['a(x)'], []],
    [
      "EXECUTE sp_executesql @statement = N'CREATE TABLE a (x int DEFAULT N''it''''s'')'",
      ['a(x)'],
      [],
    ],
    [
      "DECLARE @s nvarchar(max) = N'CREATE '\nSET @s += N'TABLE a '\nSELECT @s = @s + N'(x int)'\nEXEC (@s)",
      ['a(x)'],
      [],
    ],
    [
      "DECLARE @h sysname = SCHEMA_NAME()\nEXEC(N'CREATE TABLE ' + QUOTENAME(@h) + N'.[a] (x int)')",
      ['a(x)'],
      [],
    ],
    [
      "CREATE TABLE a (x int)\nDECLARE @n sysname\nSELECT @n = name FROM sys.indexes\nEXEC(N'DROP INDEX [' + @n + N'] ON a')",
      ['a(x)'],
      ['Line 4: EXEC of a computed text (DROP INDEX [name] ON a) is left out.'],
    ],
    [
      "DECLARE @s nvarchar(9) = N'CREATE TABLE a (x int)'\nGO\nCREATE TABLE b (y int)\nEXEC(@s)",
      ['b(y)'],
      ['Line 4: EXEC of a computed text (@s) is left out.'],
    ],
    ['BEGIN CREATE TABLE a (x int); CREATE INDEX i ON a (x) END', ['a(x)'], []],
    [
      'BEGIN TRY CREATE TABLE a (x int) END TRY BEGIN CATCH DROP TABLE b; THROW END CATCH',
      ['a(x)'],
      ['Line 1: the CATCH block, which is for errors, is left out.'],
    ],
    [
      "WHILE @@FETCH_STATUS = 0 BEGIN EXEC ('ALTER TABLE ' + @t + ' DROP CONSTRAINT ' + @c) FETCH NEXT FROM c INTO @c END\nCREATE TABLE a (x int)",
      ['a(x)'],
      ['Line 1: the statement WHILE @@FETCH_STATUS = 0 BEGIN EXEC is left out.'],
    ],
    ["IF OBJECT_ID('a') IS NULL CREATE TABLE a (x int); ELSE PRINT 'there'", ['a(x)'], []],
    ["IF OBJECT_ID('a') IS NOT NULL DROP TABLE a ELSE CREATE TABLE b (y int)", ['b(y)'], []],
    [
      'CREATE TABLE a (x int)\nIF EXISTS (SELECT 1 FROM a WHERE x IS NULL) DROP TABLE a',
      ['a(x)'],
      ['Line 2: the condition EXISTS (SELECT 1 FROM a WHERE x IS NULL) is assumed to be false.'],
    ],
    ['IF NOT EXISTS (SELECT 1 FROM [dbo].[cfg]) CREATE TABLE a (x int)', ['a(x)'], []],
    [
      'IF EXISTS (SELECT 1 FROM sys.tables WHERE is_ms_shipped = 0) DROP TABLE a ELSE CREATE TABLE b (y int)',
      ['b(y)'],
      [],
    ],
    [
      "CREATE TABLE a (x int)\nIF EXISTS (SELECT 1 FROM tempdb..sysobjects WHERE name = 'a') DROP TABLE a",
      [],
      [],
    ],
    ['CREATE TABLE a (period int, connection varchar(9))', ['a(period,connection)'], []],
    ['CREATE TABLE a (x int)\nALTER TABLE a ADD period int', ['a(x,period)'], []],
    [
      'IF 1 = 1 IF 2 = 2 CREATE TABLE a (x int) ELSE CREATE TABLE b (y int)',
      ['a(x)'],
      ['Line 1: the ELSE branch is left out.'],
    ],
    ['CREATE TABLE a (x int)\nIF @@ERROR <> 0 SET NOEXEC ON', ['a(x)'], []],
    [
      "CREATE TABLE a (x int)\nIF DB_NAME() = 'b' BEGIN PRINT 'no' RETURN END",
      ['a(x)'],
      ["Line 2: the condition DB_NAME() = 'b' is assumed to be false."],
    ],
    ['BEGIN TRAN\nCREATE TABLE a (x int)\nIF @@TRANCOUNT > 0 COMMIT', ['a(x)'], []],
    [
      'IF 1 = 1 BEGIN CREATE TABLE a (x int, e datetime2 GENERATED ALWAYS AS ROW END NOT NULL) END\nCREATE TABLE b (y int)',
      ['a(x,e)', 'b(y)'],
      ['Line 1: a: e is an ordinary column: its period is left out.'],
    ],
    [
      'IF NOT EXISTS (SELECT 1 FROM m) ALTER TABLE nowhere ADD x int',
      [],
      ['Line 1: a change of a table that the file does not create is left out.'],
    ],
  ])('%s', async (script, tables, warnings) => {
    const result = await read('sqlserver', script);
    expect(result.problems).toEqual([]);
    const names = result.schema.tables.map(
      ({ name, columns }) => `${name}(${columns.map((each) => each.name).join(',')})`,
    );
    expect(names).toEqual(tables);
    expect(result.warnings).toEqual(warnings);
  });

  test.each([
    [
      "PRINT 'x'\nEXEC(N'CREATE TABLE a (\n  s nvarchar(9) DEFAULT N''it''''s'',\n  x nothing)')",
      4,
      5,
    ],
    ['IF 1 = 1\nBEGIN\n  CREATE TABLE a (x nothing)\nEND', 3, 21],
    ['BEGIN CREATE TABLE a (x int)', 1, 1],
    ['BEGIN TRY SELECT 1 END TRY', 1, 1],
    ["DECLARE @s nvarchar(99) =\n  N'CREATE TABLE a (x nothing)'\nEXEC (@s)", 2, 23],
  ])('have the position of an error in the file: %s', async (script, line, column) => {
    const { problems } = await read('sqlserver', script);
    expect(problems).toMatchObject([{ line, column }]);
  });

  test('that change data are counted', async () => {
    const script =
      "CREATE TABLE a (x int)\nIF 1 = 1\n  INSERT a VALUES (1)\nEXEC(N'UPDATE a SET x = 2')\nUPDATE STATISTICS a";
    const { problems } = await read('sqlserver', script);
    expect(problems).toMatchObject([{ code: 'statement_refused', line: 3, column: 3 }]);
    expect(problems[0]?.message).toMatch(/^2 statements change data/);
  });
});

describe('a change of an object', () => {
  const base =
    'CREATE TABLE t (a int, b int, CONSTRAINT p PRIMARY KEY (a), INDEX i (b) INCLUDE (a))\nGO\n';

  test.each<readonly [script: string, expected: object]>([
    [
      "EXECUTE [sys].[sp_addextendedproperty] N'MS_Description', N'All', N'SCHEMA', [dbo], N'TABLE', [t], NULL, NULL",
      { comment: 'All' },
    ],
    ['EXEC sp_rename t, u', { name: 'u' }],
    [
      'ALTER TABLE t ALTER COLUMN b DROP MASKED\nALTER TABLE t DROP COLUMN IF EXISTS b, nothing',
      { columns: [{ name: 'a' }], indexes: [] },
    ],
    [
      "EXEC sp_addtype code, 'varchar(6)', 'NOT NULL'\nALTER TABLE t ADD c code",
      { columns: [{}, {}, { nativeType: 'varchar(6)', nullable: false }] },
    ],
    [
      "EXEC sp_rename N't.a', N'z', N'COLUMN'",
      {
        columns: [{ name: 'z' }, {}],
        primaryKey: { columns: ['z'] },
        indexes: [{ included: ['z'] }],
      },
    ],
    ["EXEC sp_rename N'[dbo].[t].[i]', N'j', N'INDEX'", { indexes: [{ name: 'j' }] }],
    ["sp_rename '[t]', 'u'", { name: 'u' }],
    [
      "EXEC sys.sp_rename @objname = N'dbo.p', @newname = N'q', @objtype = N'OBJECT'",
      { primaryKey: { name: 'q' } },
    ],
    ['CREATE SCHEMA s\nGO\nALTER SCHEMA s TRANSFER OBJECT::dbo.t', { name: 's.t', namespace: 's' }],
    ['DROP INDEX i ON dbo.t', { indexes: [] }],
    ['DROP INDEX IF EXISTS t.i, t.j', { indexes: [] }],
    ['ALTER TABLE t DROP CONSTRAINT p, i', { primaryKey: undefined, indexes: [] }],
    [
      'ALTER TABLE t ADD c AS a + b\nALTER TABLE t ALTER COLUMN c ADD PERSISTED',
      { columns: [{}, {}, { generated: { stored: true } }] },
    ],
    [
      "DECLARE @s sysname = SCHEMA_NAME(), @d sql_variant; SET @d = N'All'; EXEC sp_addextendedproperty 'MS_Description', @d, 'SCHEMA', @s, 'TABLE', N't'",
      { comment: 'All' },
    ],
    [
      "DECLARE @n sysname;\nALTER TABLE t ADD DEFAULT 5 FOR b;\nSELECT @n = QUOTENAME([d].[name]) FROM [sys].[default_constraints] [d] INNER JOIN [sys].[columns] [c] ON 1 = 1 WHERE ([d].[parent_object_id] = OBJECT_ID(N'[t]') AND [c].[name] = N'b');\nIF @n IS NOT NULL EXEC(N'ALTER TABLE [t] DROP CONSTRAINT ' + @n + ';');\nALTER TABLE t ALTER COLUMN b bigint",
      { columns: [{}, { nativeType: 'bigint', default: undefined }] },
    ],
  ])('%s', async (script, expected) => {
    const { schema, problems } = await read('sqlserver', `${base}${script}`);
    expect(problems).toEqual([]);
    const [table] = schema.tables;
    const columns = table?.columns.map((column) => ({ default: undefined, ...column }));
    expect({ primaryKey: undefined, ...table, columns }).toMatchObject(expected);
  });
});

describe('what other databases do not have is named', () => {
  test.each([
    [
      'CREATE TABLE n (a int) AS NODE',
      'Line 1: n: it is a node table and becomes an ordinary one.',
    ],
    [
      'CREATE TABLE e AS EDGE',
      'Line 1: the edge table e, which has no columns of its own, is left out.',
    ],
    [
      'CREATE TABLE e (a int, CONSTRAINT c CONNECTION (n TO n) ON DELETE CASCADE)',
      'Line 1: e: the edge constraint c (n TO n) is left out.',
    ],
    [
      'CREATE VIEW v WITH SCHEMABINDING AS SELECT 1 AS a\nGO\nCREATE UNIQUE CLUSTERED INDEX i ON v (a) WITH (PAD_INDEX = OFF) ON [PRIMARY]',
      'Line 3: the index i of the view v is left out.',
    ],
    [
      'CREATE TABLE t (a int)\nCREATE CLUSTERED COLUMNSTORE INDEX i ON t ORDER (a)',
      'Line 2: the columnstore index i of t ORDER (a) is left out.',
    ],
    [
      'CREATE TABLE t (a int, INDEX i NONCLUSTERED COLUMNSTORE (a))',
      'Line 1: t: the columnstore index i (a) is left out.',
    ],
    [
      'CREATE TABLE t (a int)\nCREATE INDEX i ON t (a) WITH (ONLINE = ON (WAIT_AT_LOW_PRIORITY (MAX_DURATION = 1 MINUTES, ABORT_AFTER_WAIT = SELF)))',
      'Line 2: the index i: ONLINE = ON (WAIT_AT_LOW_PRIORITY (MAX_DURATION = 1 MINUTES, ABORT_AFTER_WAIT = SELF)) is left out.',
    ],
    [
      'CREATE TABLE t (a int) WITH (DISTRIBUTION = HASH(a))',
      'Line 1: t: DISTRIBUTION = HASH(a) is left out.',
    ],
    [
      "sys.sp_addrolemember @rolename = N'r', @membername = N'm'",
      'Line 1: the call of sys.sp_addrolemember is left out.',
    ],
  ])('%s', async (script, warning) => {
    const { warnings, problems } = await read('sqlserver', script);
    expect(problems).toEqual([]);
    expect(warnings).toContain(warning);
  });
});

describe('commands of sqlcmd', () => {
  test('set variables, which names, texts and comments contain', async () => {
    const { schema, warnings, problems } = await read(
      'sqlserver',
      `:setvar Schema "sales"
:setvar Default 5
:on error exit
GO
:setvar __IsSqlCmdEnabled "True"
GO
IF N'$(__IsSqlCmdEnabled)' NOT LIKE N'True' BEGIN PRINT N'no'; SET NOEXEC ON; END
GO
-- $(comment)
CREATE SCHEMA [$(Schema)]
GO
CREATE TABLE [$(schema)].[orders] (a int DEFAULT $(Default), b varchar(9) DEFAULT '$(Schema)$(x)')
GO
:r .\\Seed.sql
!!dir`,
    );
    expect(problems).toEqual([]);
    expect(schema.tables).toMatchObject([
      { name: 'sales.orders', columns: [{ default: '5' }, { default: "'sales$(x)'" }] },
    ]);
    expect(warnings).toEqual([
      String.raw`Line 14: the command :r .\Seed.sql of sqlcmd is left out.`,
      'Line 15: the command !!dir of sqlcmd is left out.',
    ]);
  });

  test('do not exist in a script without them', async () => {
    const { schema } = await read('sqlserver', 'CREATE TABLE [$(a)] (x int)');
    expect(schema.tables[0]?.name).toBe('$(a)');
  });

  test('leave no name with an unknown variable', async () => {
    const { problems } = await read(
      'sqlserver',
      ':setvar a b\nGO\nCREATE TABLE [$(a)].[$(c)] (x int)',
    );
    expect(problems).toEqual([
      {
        code: 'parse_failed',
        message: 'The variable $(c) of sqlcmd has no value. Add a line :setvar c "…".',
        line: 3,
        column: 22,
      },
    ]);
  });
});

describe('an object that an import does not create is named', () => {
  test.each([
    [
      "CREATE PARTITION FUNCTION [pf] (date) AS RANGE RIGHT FOR VALUES ('2020-01-01')",
      'the partition function [pf]',
    ],
    [
      'CREATE PARTITION SCHEME [ps] AS PARTITION [pf] ALL TO ([PRIMARY])',
      'the partition scheme [ps]',
    ],
    ['CREATE FULLTEXT CATALOG [ft] AS DEFAULT', 'the full-text catalog [ft]'],
    ['CREATE FULLTEXT INDEX ON [dbo].[t] (a) KEY INDEX k', 'the full-text index of [dbo].[t]'],
    ["CREATE XML SCHEMA COLLECTION [dbo].[x] AS N'<a/>'", 'the XML schema collection [dbo].[x]'],
    ['CREATE PRIMARY XML INDEX [i] ON t (a)', 'the XML index [i]'],
    ['CREATE JSON INDEX i ON t (a)', 'the JSON index i'],
    ['CREATE SERVER ROLE r', 'the server role r'],
    ['CREATE TYPE [dbo].[p] EXTERNAL NAME [asm].[p]', 'the type dbo.p'],
    ["CREATE EXTERNAL DATA SOURCE s WITH (LOCATION = 'https://x')", 'the external data source s'],
    [
      "CREATE EXTERNAL TABLE dbo.e (a int) WITH (LOCATION = '/x', DATA_SOURCE = s)",
      'the external table dbo.e',
    ],
    ['CREATE SYNONYM [dbo].[o] FOR [dbo].[t]', 'the synonym [dbo].[o]'],
    ['CREATE SEQUENCE dbo.s AS int START WITH 1', 'the sequence dbo.s'],
  ])('%s', async (script, omitted) => {
    const { warnings, problems } = await read('sqlserver', script);
    expect(problems).toEqual([]);
    expect(warnings).toEqual([`Line 1: ${omitted} is left out.`]);
  });
});

test('a partition function ends before the end of its batch, unlike a procedure', async () => {
  const { schema, problems } = await read(
    'sqlserver',
    "ALTER PARTITION FUNCTION pf() MERGE RANGE ('2020-01-01')\nCREATE TABLE t (a int)",
  );
  expect(problems).toEqual([]);
  expect(schema.tables.map(({ name }) => name)).toEqual(['t']);
});

test('the elements of CREATE SCHEMA are in the schema, up to a delimiter', async () => {
  const { schema } = await read(
    'sqlserver',
    'CREATE SCHEMA s CREATE TABLE a (x int PRIMARY KEY) CREATE TABLE b (y int REFERENCES a) GRANT SELECT ON a TO public;\nCREATE TABLE c (z int)\nGO\nCREATE TABLE #d (x int)\nCREATE TABLE tempdb..#e (x int)\nCREATE TABLE shop.dbo.f (x int)',
  );
  expect(schema.tables.map(({ name }) => name)).toEqual(['s.a', 's.b', 'c', 'f']);
  expect(schema.tables[1]?.foreignKeys[0]?.table).toBe('s.a');
});

test.each([
  ['levels of IF', `${'IF 1 = 1 '.repeat(500)} CREATE TABLE t (a int)`],
  ['levels of BEGIN', `${'BEGIN '.repeat(500)} CREATE TABLE t (a int) ${'END '.repeat(500)}`],
  ['parentheses', `EXEC(${'('.repeat(5000)}N'SELECT 1'${')'.repeat(5000)})`],
  ['time zones', `CREATE TABLE t (a int DEFAULT b${' AT TIME ZONE b'.repeat(5000)})`],
  ['signs', `CREATE TABLE t (a int DEFAULT ${'- '.repeat(5000)}1)`],
])('any number of %s is read without overflow', async (_, script) => {
  const { problems } = await read('sqlserver', script);
  for (const { message } of problems) expect(message).toContain('too many levels');
});
