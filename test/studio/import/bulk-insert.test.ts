/** Scripts of sqlcmd with BULK INSERT, and the files that they name in one archive. */
import { expect, test } from 'vitest';
import { importDumpArchive } from '../../databases/importing.ts';
import { onNewDatabase } from '../../databases/on-new-database.ts';
import { allDatabasesUnderTest } from '../../databases/kit/databases-under-test.ts';
import type { FileToPack } from '../../formats/write-zip.ts';

const sqliteUnderTest = allDatabasesUnderTest.find(({ name }) => name === 'sqlite')!;

async function rowsOf(files: readonly FileToPack[]): Promise<unknown> {
  let rows: unknown;
  await onNewDatabase(
    () => sqliteUnderTest.makeDatabase(),
    async ({ url, query }) => {
      await importDumpArchive(url, files);
      rows = await query('SELECT * FROM t ORDER BY 1');
    },
  );
  return rows;
}

const tableOf = (columns: string): string => `CREATE TABLE [dbo].[t] (${columns});\nGO\n`;

const script = (columns: string, options: string): string =>
  `:setvar Folder "C:\\data\\"\n:setvar Table t\nGO\n${tableOf(columns)}BULK INSERT [dbo].[$(Table)] FROM '$(Folder)rows.csv'\nWITH (${options})\nGO\nSELECT 1\nGO\n`;

test.each([
  {
    title: 'with line breaks in fields, defaults and computed columns',
    columns:
      "[id] int IDENTITY(1,1) NOT NULL, [a] nvarchar(50) NULL, [n] AS [id] + 1, [b] nvarchar(9) NOT NULL DEFAULT (N'x'), [c] varbinary(9) NULL",
    options: "CODEPAGE = '65001', FIELDTERMINATOR = '+|', ROWTERMINATOR = '&|\\n', KEEPIDENTITY",
    content: '7+|é\n"b"+|8+|+|0aff&|\n9+|+|10+|\0+|&|\n',
    expected: [
      [7, 'é\n"b"', 8, 'x', Buffer.from([10, 255])],
      [9, null, 10, '', null],
    ],
  },
  {
    title: 'with numbers of the database, and rows from the second on',
    columns: '[id] int IDENTITY(5,1) NOT NULL PRIMARY KEY, [a] char(4) NULL',
    options: "DATAFILETYPE = 'widechar', FIRSTROW = 2, ROWTERMINATOR = '\\n'",
    content: Buffer.from('\ufeffid\ta\r\n1\tx   \r\n1\ty\r\n', 'utf16le'),
    expected: [
      [5, 'x'],
      [6, 'y'],
    ],
  },
  {
    title: 'as CSV',
    columns: '[id] int NOT NULL, [a] nvarchar(50) NULL',
    options: "FORMAT = 'CSV', FIELDQUOTE = '\"', ROWTERMINATOR = '0x0a', LASTROW = 2",
    content: '1,"a ""b"",\nc"\n2,\n3,x\n',
    expected: [
      [1, 'a "b",\nc'],
      [2, null],
    ],
  },
])('reads rows $title', async ({ columns, options, content, expected }) => {
  const rows = await rowsOf([
    { name: 'install/load.sql', content: script(columns, options) },
    { name: 'install/rows.csv', content },
  ]);
  expect(rows).toEqual(expected);
});

test.each([
  ["FORMATFILE = 'f.xml'", 'this option of BULK INSERT is not supported'],
  ["DATAFILETYPE = 'native'", 'of DATAFILETYPE, char and widechar are supported'],
  ["CODEPAGE = 'OEM'", 'the encoding "OEM" of a file is not supported'],
  ['TABLOCK', 'The text is not ASCII: name the code page of the file with CODEPAGE'],
])('rejects a file with %s', async (options, message) => {
  const files = [
    { name: 'load.sql', content: script('[a] nvarchar(50)', options) },
    { name: 'rows.csv', content: 'é\n' },
  ];
  await expect(rowsOf(files)).rejects.toThrow(message);
});

test.each([
  "BULK INSERT t FROM 'rows.csv' WITH (FIRSTROW = 2, FIELDTERMINATOR = ',')\nGO",
  "BULK INSERT t FROM 'rows.csv' WITH (FIRSTROW = 2, FORMAT = 'CSV')\nGO",
  "LOAD DATA LOCAL INFILE 'rows.csv' INTO TABLE t FIELDS TERMINATED BY ',' IGNORE 1 LINES;",
  "LOAD DATA LOCAL INFILE 'rows.csv' INTO TABLE t LINES STARTING BY '>>';",
])('says that no row was found by %j', async (statement) => {
  const warningsOf = async (content: string): Promise<readonly string[]> => {
    let found: readonly string[] = [];
    await onNewDatabase(
      () => sqliteUnderTest.makeDatabase(),
      async ({ url }) => {
        const load = `CREATE TABLE t (a int, b int);\n${statement}\n`;
        const files = [
          { name: 'load.sql', content: load },
          { name: 'rows.csv', content },
        ];
        found = (await importDumpArchive(url, files)).warnings;
      },
    );
    return found;
  };
  const warning = expect.stringContaining('rows.csv is not empty, but no row of it was found');
  expect(await warningsOf('a,b\r1,2\r')).toContainEqual(warning);
  expect(await warningsOf('')).not.toContainEqual(warning);
});

test('rejects a condition after rows of a file, which it may read', async () => {
  const condition =
    "IF NOT EXISTS (SELECT * FROM [dbo].[t]) INSERT INTO [dbo].[t] VALUES (N'x')\nGO\n";
  const files = [
    {
      name: 'load.sql',
      content: `${script('[a] nvarchar(50)', "CODEPAGE = '65001'")}${condition}`,
    },
    { name: 'rows.csv', content: 'a\n' },
  ];
  await expect(rowsOf(files)).rejects.toThrow('may depend on rows that are in a file');
});

test('leaves out by name a row of a property of the server', async () => {
  await onNewDatabase(
    () => sqliteUnderTest.makeDatabase(),
    async ({ url, query }) => {
      const insert = `INSERT INTO [dbo].[t] VALUES (CONVERT(nvarchar(25), SERVERPROPERTY('ProductVersion')), 1), (N'x', 2);\n`;
      const content = `${tableOf('[a] nvarchar(25) NOT NULL, [b] int')}${insert}`;
      const { warnings } = await importDumpArchive(url, [{ name: 'load.sql', content }]);
      expect(warnings).toContainEqual(
        "Line 3: the row is left out: SERVERPROPERTY('ProductVersion') is a value of the server that runs the script.",
      );
      expect(await query('SELECT * FROM t')).toEqual([['x', 2]]);
    },
  );
});

test.each([
  ["CREATE TABLE t (a int);\n\\copy t FROM './rows.csv' CSV\n"],
  ["CREATE TABLE t (a int);\nCOPY t (a) FROM 'rows.csv';\n"],
  ['CREATE TABLE t (a int);\n\\i rows.sql\n'],
  ["CREATE TABLE t (a int);\nLOAD DATA LOCAL INFILE 'rows.csv' INTO TABLE t;\n"],
  ['CREATE TABLE t (a int);\nsource rows.sql\n'],
  ["CREATE TABLE t (a int);\nBULK INSERT t FROM 'rows.csv' WITH (ROWTERMINATOR = '0x0a');\n"],
])('finds the dialect of %j', async (content) => {
  const files = [
    { name: 'load.sql', content },
    { name: 'rows.csv', content: '1\n' },
    ...(content.includes('.sql')
      ? [{ name: 'rows.sql', content: 'INSERT INTO t VALUES (1);\n' }]
      : []),
  ];
  expect(await rowsOf(files)).toEqual([[1]]);
});
