/** Conditions and jumps of T-SQL scripts, evaluated against what the script has created so far. */
import { describe, expect, test } from 'vitest';
import { readDdl as read } from '../../sql/ddl/read-ddl.ts';

const base = `CREATE SCHEMA s
GO
CREATE TYPE dbo.code FROM varchar(9)
CREATE TYPE dbo.list AS TABLE (a int)
GO
CREATE TABLE t (a int NOT NULL CONSTRAINT pk PRIMARY KEY, b nvarchar(20) CONSTRAINT df DEFAULT N'x', c int DEFAULT 1, d int IDENTITY, e AS a + 1, [f g] varchar(max),
  CONSTRAINT uq UNIQUE (b), CONSTRAINT ck CHECK (a > 0), CONSTRAINT fk FOREIGN KEY (c) REFERENCES t (a), INDEX ix (c))
CREATE TABLE s.u (a int, UNIQUE (a))
GO
CREATE VIEW v AS SELECT a FROM t
GO
CREATE PROCEDURE p AS SELECT 1
GO
CREATE TABLE #temp (a int)
INSERT INTO s.u (a) VALUES (1), (2)
EXEC sp_addextendedproperty N'MS_Description', N'All', N'SCHEMA', N'dbo', N'TABLE', N't'
GO
`;

const holds = [
  "OBJECT_ID('t') IS NOT NULL",
  "OBJECT_ID(N'[dbo].[t]', N'U') > 0",
  "OBJECT_ID('t', 'V') IS NULL",
  "OBJECT_ID('s.u') IS NOT NULL AND OBJECT_ID('u') IS NULL",
  "OBJECT_ID('v', 'V') IS NOT NULL",
  "OBJECT_ID('p', 'P') IS NOT NULL",
  "OBJECT_ID('df', 'D') IS NOT NULL",
  "OBJECT_ID('tempdb..#temp') IS NOT NULL",
  "OBJECT_ID('tempdb..#other') IS NULL",
  "COL_LENGTH('dbo.t', 'b') = 40",
  "COL_LENGTH('t', 'f g') = -1",
  "COL_LENGTH('t', 'z') IS NULL",
  "COL_LENGTH('nowhere', 'a') IS NULL",
  "COLUMNPROPERTY(OBJECT_ID('t'), 'd', 'IsIdentity') = 1",
  "COLUMNPROPERTY(OBJECT_ID('t'), 'a', 'AllowsNull') = 0",
  "OBJECTPROPERTY(OBJECT_ID('t'), 'TableHasPrimaryKey') = 1",
  "SCHEMA_ID('s') IS NOT NULL AND SCHEMA_ID('z') IS NULL AND SCHEMA_ID('dbo') IS NOT NULL",
  "TYPE_ID('dbo.code') IS NOT NULL AND TYPE_ID('list') IS NOT NULL AND TYPE_ID('dbo.z') IS NULL",
  "EXISTS (SELECT * FROM sys.columns WHERE object_id = OBJECT_ID('t') AND name = 'B')",
  "EXISTS (SELECT 1 FROM sys.columns c JOIN sys.tables t ON t.object_id = c.object_id JOIN sys.schemas AS s ON s.schema_id = t.schema_id WHERE s.name = N's' AND t.name = N'u' AND c.name = N'a')",
  "NOT EXISTS (SELECT 1 FROM sys.tables t LEFT JOIN sys.columns c ON c.object_id = t.object_id AND c.name = 'a' WHERE c.name IS NULL)",
  "EXISTS (SELECT * FROM sys.indexes WHERE name = 'ix' AND is_unique = 0)",
  "EXISTS (SELECT * FROM sys.indexes WHERE object_id = OBJECT_ID('t') AND is_primary_key = 1)",
  "EXISTS (SELECT * FROM sys.index_columns ic JOIN sys.columns c ON c.object_id = ic.object_id AND c.column_id = ic.column_id WHERE c.name = 'b')",
  "EXISTS (SELECT * FROM sys.foreign_keys WHERE name = 'fk' AND referenced_object_id = OBJECT_ID('t'))",
  "EXISTS (SELECT * FROM sys.check_constraints WHERE name = 'ck' AND parent_object_id = OBJECT_ID('t'))",
  "EXISTS (SELECT * FROM sys.key_constraints WHERE type = 'UQ' AND name = 'uq')",
  "EXISTS (SELECT * FROM sys.default_constraints dc JOIN sys.columns c ON c.default_object_id = dc.object_id WHERE c.name = 'b' AND dc.name = 'df')",
  "EXISTS (SELECT * FROM sys.default_constraints d INNER JOIN sys.columns c ON d.parent_column_id = c.column_id AND d.parent_object_id = c.object_id WHERE c.name = 'c')",
  "NOT EXISTS (SELECT * FROM sys.default_constraints WHERE name = 'DF_t_c')",
  "NOT EXISTS (SELECT * FROM sys.objects WHERE name = 'UQ_u')",
  "EXISTS (SELECT * FROM INFORMATION_SCHEMA.TABLES WHERE TABLE_NAME = 't' AND TABLE_TYPE = 'BASE TABLE' AND TABLE_CATALOG = DB_NAME()) OR 1 = 1",
  "EXISTS (SELECT * FROM INFORMATION_SCHEMA.COLUMNS WHERE TABLE_SCHEMA = 'dbo' AND TABLE_NAME = 't' AND COLUMN_NAME = 'a' AND IS_NULLABLE = 'NO' AND DATA_TYPE IN ('int', 'bigint'))",
  "EXISTS (SELECT * FROM INFORMATION_SCHEMA.COLUMNS WHERE COLUMN_NAME = 'b' AND CHARACTER_MAXIMUM_LENGTH < 50)",
  "EXISTS (SELECT * FROM INFORMATION_SCHEMA.TABLE_CONSTRAINTS WHERE CONSTRAINT_TYPE = 'PRIMARY KEY' AND CONSTRAINT_NAME = 'pk')",
  "EXISTS (SELECT * FROM INFORMATION_SCHEMA.KEY_COLUMN_USAGE WHERE CONSTRAINT_NAME = 'fk' AND COLUMN_NAME = 'c')",
  "EXISTS (SELECT * FROM INFORMATION_SCHEMA.REFERENTIAL_CONSTRAINTS WHERE CONSTRAINT_NAME = 'fk')",
  "NOT EXISTS (SELECT schema_name FROM information_schema.schemata WHERE schema_name = 'z')",
  "EXISTS (SELECT 1 FROM syscolumns c, sysobjects o WHERE o.id = c.id AND o.name = 't' AND c.name = 'a')",
  "EXISTS (SELECT 1 FROM sys.tables WHERE name LIKE 't%' AND name NOT LIKE 'tt%')",
  "EXISTS (SELECT 1 FROM sys.columns WHERE name LIKE 'f[ ]g')",
  "(SELECT COUNT(*) FROM sys.tables WHERE name IN ('t', 'u', 'z')) = 2",
  "'t' = ANY_VALUE('t') OR EXISTS (SELECT COUNT(*) FROM sys.tables WHERE 1 = 0)",
  "'u' IN (SELECT name FROM sys.tables)",
  'EXISTS (SELECT 1 FROM s.u WHERE a = 2) AND NOT EXISTS (SELECT 1 FROM s.u WHERE a = 3)',
  'NOT EXISTS (SELECT 1 FROM t)',
  "EXISTS (SELECT * FROM fn_listextendedproperty(N'MS_Description', N'SCHEMA', N'dbo', N'TABLE', N't', NULL, NULL))",
  "EXISTS (SELECT 1 FROM sys.extended_properties WHERE major_id = OBJECT_ID('t') AND minor_id = 0 AND name = 'MS_Description')",
  '@@TRANCOUNT = 0 AND @@ERROR = 0',
  "CASE WHEN OBJECT_ID('t') IS NULL THEN 1 ELSE 2 END = 2",
  "ISNULL(OBJECT_ID('nowhere'), 0) = 0",
  'NOT (1 = 0 OR 2 BETWEEN 3 AND 4)',
  "'10' < '9' AND 10 > 9 AND '10' > 9 AND 'A' BETWEEN 'a ' AND 'b'",
  "EXISTS (SELECT 1 FROM sys.types WHERE name = 'nvarchar') AND TYPE_ID('int') IS NOT NULL",
  "CONVERT(int, '7') = 7 AND LEN(N'ab ') = 2",
];

describe('a condition is evaluated against what the script has created', () => {
  test.each(holds)('%s', async (condition) => {
    const script = `${base}IF ${condition} CREATE TABLE yes (a int)\nGO\nIF NOT (${condition}) CREATE TABLE no (a int)`;
    const { schema, warnings, problems } = await read('sqlserver', script, true);
    expect(problems).toEqual([]);
    expect(schema.tables.map(({ name }) => name)).toEqual(['t', 's.u', 'yes']);
    expect(warnings.filter((each) => each.includes('is assumed to be true'))).toEqual([]);
  });

  test.each([
    "SERVERPROPERTY('EngineEdition') = 3",
    'EXISTS (SELECT 1 FROM sys.partitions)',
    'EXISTS (SELECT 1 FROM v WHERE a = 1)',
    'EXISTS (SELECT name FROM tables.sys.x GROUP BY name)',
    "COL_LENGTH('v', 'a') IS NULL",
    'EXISTS (SELECT 1 FROM t WHERE a =',
  ])('or a warning names it: %s', async (condition) => {
    const script = `${base}IF ${condition.endsWith('=') ? `${condition} dbo.f())` : condition} CREATE TABLE x (a int)`;
    const { warnings, problems } = await read('sqlserver', script, true);
    expect(problems).toEqual([]);
    expect(warnings.at(-2)).toMatch(/is assumed to be (true|false)\.$/);
  });
});

test.each([
  ['DECLARE @v bit = 5', '@v = 1'],
  ["DECLARE @v varchar(3) = 'abcdef'", "@v = 'abc'"],
  ["DECLARE @v date = '20200101'", "@v = '2020-01-01'"],
])('a value that its variable may convert is not compared: %s', async (declaration, condition) => {
  const script = `${declaration}\nIF ${condition} CREATE TABLE a (x int) ELSE CREATE TABLE b (x int)`;
  const { schema, warnings } = await read('sqlserver', script);
  expect(schema.tables.map(({ name }) => name)).toEqual(['a']);
  expect(warnings[0]).toBe(`Line 2: the condition ${condition} is assumed to be true.`);
});

test('a false condition is named when ELSE runs instead', async () => {
  const script = 'IF 1 = 0 CREATE TABLE a (x int) ELSE CREATE TABLE b (x int)';
  const { schema, warnings } = await read('sqlserver', script);
  expect(schema.tables.map(({ name }) => name)).toEqual(['b']);
  expect(warnings).toEqual(['Line 1: the condition 1 = 0 is false.']);
});

describe('a statement that the script does not run', () => {
  test.each<readonly [script: string, tables: readonly string[], warnings: readonly string[]]>([
    [
      'CREATE TABLE a (x int)\nRETURN\nCREATE TABLE b (x int)\nINSERT a VALUES (1)\nGO\nCREATE TABLE c (x int)',
      ['a', 'c'],
      ['Line 3: the rest of the batch is left out: RETURN in line 2 ends it.'],
    ],
    [
      "CREATE TABLE a (x int)\nIF OBJECT_ID('a') IS NOT NULL BEGIN PRINT 'again'; RETURN END\nCREATE TABLE a (x int)",
      ['a'],
      ['Line 3: the rest of the batch is left out: RETURN in line 2 ends it.'],
    ],
    ["EXEC(N'CREATE TABLE a (x int); RETURN')\nCREATE TABLE b (x int)", ['a', 'b'], []],
    [
      'IF 1 = 0 CREATE TABLE a (x int)\nIF 0 = 1 EXEC dbo.p',
      [],
      ['Line 1: the condition 1 = 0 is false.', 'Line 2: the condition 0 = 1 is false.'],
    ],
    [
      "CREATE TABLE a (x int)\nDECLARE @s nvarchar(99)\nSELECT @s = N'DROP TABLE a' FROM sys.tables WHERE name = 'z'\nIF @s IS NOT NULL EXEC(@s)",
      ['a'],
      ['Line 4: the condition @s IS NOT NULL is false.'],
    ],
    [
      'DECLARE @i int = 1\nSET @i = @i + 1\nIF @i = 2 CREATE TABLE a (x int)\nWHILE @i < 0 CREATE TABLE b (x int)',
      ['a'],
      ['Line 4: the statement WHILE @i < 0 CREATE TABLE is left out.'],
    ],
    [
      'CREATE TABLE a (x int)\nIF @@ERROR <> 0 GOTO failed\nCREATE TABLE b (x int)\nfailed:\nIF @@TRANCOUNT > 0 ROLLBACK',
      ['a', 'b'],
      [],
    ],
  ])('%s', async (script, tables, warnings) => {
    const result = await read('sqlserver', script);
    expect(result.problems).toEqual([]);
    expect(result.schema.tables.map(({ name }) => name)).toEqual(tables);
    expect(result.warnings).toEqual(warnings);
  });

  test.each([
    ['PRINT 1\nGOTO there\nCREATE TABLE a (x int)', 2, /^GOTO jumps/],
    ['DECLARE @i int = 0\nWHILE @i < 3 CREATE TABLE a (x int)', 2, /^WHILE changes tables/],
    [
      "DECLARE @i int = 0\nWHILE @i < 3 BEGIN EXEC('CREATE TABLE a' + @i + ' (x int)') SET @i += 1 END",
      2,
      /^WHILE changes tables/,
    ],
    [
      'CREATE TABLE a (x int)\nWHILE @@FETCH_STATUS = 0 BEGIN EXEC sp_executesql @s FETCH NEXT FROM c INTO @s END',
      2,
      /^WHILE changes tables/,
    ],
    ["PRINT 1\nWHILE 1 = 1 EXEC sys.sp_rename 'a', 'b'", 2, /^WHILE changes tables/],
    [
      'BEGIN TRY\nCREATE TABLE a (x int)\nEND TRY\nBEGIN CATCH\nTHROW\nEND CATCH frob',
      6,
      /^"frob" was found/,
    ],
    ['BEGIN TRY PRINT 1 END TRY\nBEGIN CATCH THROW END CATCH\nEND', 3, /^"END" was found/],
    [
      "CREATE TABLE a (x int)\nEXEC('USE b; CREATE TABLE c (x int)')",
      2,
      /tables in the database b/,
    ],
    ['CREATE TABLE a (x int CONSTRAINT p PRIMARY KEY)\nDROP INDEX p ON a', 2, /belongs to a key/],
    ['CREATE TABLE a (x int)\n\nCREATE INDEX i ON a (y)', 3, /has no column y/],
    ['CREATE TABLE a (x int)\nALTER TABLE a ADD UNIQUE (y)', 2, /has no column y/],
  ])('or that cannot be followed is an error: %s', async (script, line, message) => {
    const { problems } = await read('sqlserver', script);
    expect(problems).toMatchObject([{ line }]);
    expect(problems[0]?.message).toMatch(message);
  });
});

test('a query finds the default constraint that a text drops, if there is one', async () => {
  const drop = (column: string): string =>
    `DECLARE @sql nvarchar(max)
SELECT @sql = N'ALTER TABLE [dbo].[t] DROP CONSTRAINT ' + QUOTENAME([df].[name]) FROM [sys].[columns] AS [c] INNER JOIN [sys].[default_constraints] AS [df] ON [df].[object_id] = [c].[default_object_id] WHERE [c].[object_id] = OBJECT_ID(N'[dbo].[t]') AND [c].[name] = N'${column}'
EXEC sp_executesql @sql
GO
`;
  const { schema, problems, warnings } = await read(
    'sqlserver',
    `CREATE TABLE t (a int DEFAULT 1, b int CONSTRAINT df DEFAULT 2, c int, d int DEFAULT 3)\nGO\n${drop('a')}${drop('b')}${drop('c')}`,
  );
  expect(problems).toEqual([]);
  expect(warnings).toEqual(['Line 1: t: the name df of the default of b is left out.']);
  expect(schema.tables[0]?.columns.map((column) => column.default)).toEqual([
    undefined,
    undefined,
    undefined,
    '3',
  ]);
});

test('a table is not dropped behind a condition that only a server can answer, without a warning', async () => {
  const { warnings } = await read(
    'sqlserver',
    "CREATE TABLE t (a int)\nIF SERVERPROPERTY('x') = 1 DROP TABLE t\nIF SERVERPROPERTY('x') = 1 DROP TABLE z",
  );
  expect(warnings).toEqual([
    "Line 2: the condition SERVERPROPERTY('x') = 1 is assumed to be true.",
  ]);
});

test('a text that EXEC runs has its own variables and database', async () => {
  const { schema, problems, warnings } = await read(
    'sqlserver',
    "USE a\nDECLARE @s nvarchar(99) = N'CREATE TABLE t (x int)'\nEXEC('USE b; CREATE USER u; DECLARE @s int = 1')\nEXEC(@s)",
  );
  expect(problems).toEqual([]);
  expect(schema.tables).toHaveLength(1);
  expect(warnings).toEqual(['Line 3: the user u is left out.']);
});

test('names in texts need no quotes around blanks', async () => {
  const { schema, problems } = await read(
    'sqlserver',
    "CREATE TABLE [my table] ([old name] int)\nGO\nEXEC sp_rename 'dbo.my table.old name', 'new name', 'COLUMN'\nEXEC sp_rename 'my table', 'your table'",
  );
  expect(problems).toEqual([]);
  expect(schema.tables).toMatchObject([{ name: 'your table', columns: [{ name: 'new name' }] }]);
});

test('a table that a guard would drop is named if the database may have it', async () => {
  const script =
    "IF OBJECT_ID('a') IS NOT NULL DROP TABLE a\nIF EXISTS (SELECT 1 FROM sys.tables WHERE name = 'b') BEGIN DROP TABLE IF EXISTS b, c END\nIF 1 = 0 DROP TABLE d";
  const { dropped } = await read('sqlserver', script);
  expect(dropped.map(({ name, line }) => [name, line])).toEqual([
    ['a', 1],
    ['b', 2],
    ['c', 2],
  ]);
});

test('a dropped and recreated table has neither rows nor names of defaults of the former one', async () => {
  const { schema, problems } = await read(
    'sqlserver',
    `CREATE TABLE h (id int CONSTRAINT df DEFAULT 1)
INSERT h (id) VALUES (1)
IF EXISTS (SELECT 1 FROM h WHERE id = 1) DROP TABLE h
CREATE TABLE h (id int DEFAULT 2)
IF NOT EXISTS (SELECT 1 FROM h WHERE id = 1) CREATE TABLE a (x int)
IF OBJECT_ID('df') IS NULL CREATE TABLE b (x int)
IF EXISTS (SELECT 1 FROM h) CREATE TABLE c (x int)
MERGE h USING a ON 1 = 1 WHEN NOT MATCHED THEN INSERT (id) VALUES (1);
IF NOT EXISTS (SELECT 1 FROM a) CREATE TABLE d (x int)`,
    true,
  );
  expect(problems).toEqual([]);
  expect(schema.tables.map(({ name }) => name)).toEqual(['h', 'a', 'b', 'd']);
});

test('the time for many guards over many tables does not grow with their product', async () => {
  const guards = Array.from(
    { length: 400 },
    (_, i) =>
      `IF NOT EXISTS (SELECT * FROM sys.objects o JOIN sys.columns c ON c.object_id = o.object_id JOIN sys.columns d ON d.object_id = o.object_id WHERE o.name = 't${i}' AND c.name = 'a') CREATE TABLE t${i} (a int, b int)`,
  );
  const { schema } = await read('sqlserver', guards.join('\n'));
  expect(schema.tables).toHaveLength(400);
});
