import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSql } from '../../src/formats/sql/read.ts';
import { readAll, column, sourceOf, table, textColumn } from './run-reader.ts';
import type { SqlOptions } from '../../src/formats/sql/read.ts';
import type { ColumnType } from '../../src/model/schema.ts';
import type { Value } from '../../src/model/values.ts';
import type { ReadFile, Tables } from './run-reader.ts';
import { databaseKinds } from '../databases/registered-databases.ts';

const dialectChoices = databaseKinds.map(({ dialect, language, dataScript }) => ({
  name: dialect.name,
  language,
  dataScript,
}));

interface ReadOptions extends Partial<SqlOptions> {
  readonly tables?: Tables;
  readonly chunkBytes?: number;
}

function read(script: string | Uint8Array, options: ReadOptions = {}): Promise<ReadFile> {
  const { tables = 'any', chunkBytes = Infinity, ...sql } = options;
  const source = sourceOf(script, { name: 'f.sql', chunkBytes });
  return readAll(tables, (reading) =>
    readSql(source, reading, {
      dialect: undefined,
      ddl: 'refuse',
      ownDialect: 'sqlite',
      choices: dialectChoices,
      ...sql,
    }),
  );
}

/** The value that the reader yields for an expression in a column. */
async function valueOf(
  expression: string,
  {
    type = { kind: 'text' },
    dialect,
    dynamic = false,
  }: { type?: ColumnType; dialect?: string; dynamic?: boolean } = {},
): Promise<Value> {
  const tables = [table('t', [column('v', type, dynamic ? { dynamic } : {})])];
  const { rows, errors, failure } = await read(`INSERT INTO t (v) VALUES (${expression});`, {
    tables,
    dialect,
  });
  if (failure !== undefined) throw failure as Error;
  if (errors.length > 0) throw new Error(errors[0]?.message);
  return rows[0]!.values['v']!;
}

const bytesInBits = fc.oneof(
  fc
    .tuple(
      fc.constantFrom('0x?', "x'?'", "unhex('?')"),
      fc.uint8Array({ minLength: 1, maxLength: 4 }),
    )
    .map(([form, bytes]) => {
      const hex = Buffer.from(bytes).toString('hex');
      return { expression: form.replace('?', hex), hex };
    }),
  fc
    .stringMatching(/^[\w ]{1,4}$/)
    .map((text) => ({ expression: `'${text}'`, hex: Buffer.from(text).toString('hex') })),
);

const int: ColumnType = { kind: 'integer', bits: 64 };
const decimal: ColumnType = { kind: 'decimal' };
const float: ColumnType = { kind: 'float', bits: 64 };
const binary: ColumnType = { kind: 'binary' };
const boolean: ColumnType = { kind: 'boolean' };
const untyped: ColumnType = { kind: 'untyped' };

describe('literals', () => {
  test.each<[string, string, Value]>([
    ['sqlite', "'it''s'", "it's"],
    ['sqlite', String.raw`'a\nb'`, String.raw`a\nb`],
    ['mysql', String.raw`'a\nb\\c\'d\"e\0f\Zg\%h\_i\xj'`, 'a\nb\\c\'d"e\0f\u001ag\\%h\\_ixj'],
    ['mysql', '"it""s \'q\'"', "it\"s 'q'"],
    ['mysql', "'a' 'b'", 'ab'],
    ['mysql', "_utf8mb4'é'", 'é'],
    ['mysql', "N'é'", 'é'],
    ['postgres', String.raw`'a\nb'`, String.raw`a\nb`],
    ['postgres', String.raw`E'a\nb\\c\'d\x41\101\u00e9\U0001F600'`, "a\nb\\c'dAAé😀"],
    ['postgres', "'a'\n  'b'", 'ab'],
    ['postgres', "$$it's$$", "it's"],
    ['postgres', '$q$a$$b$q$', 'a$$b'],
    ['postgres', String.raw`U&'d\0061t\+000061 \\'`, 'data \\'],
    ['postgres', "'x'::character varying(10)::text", 'x'],
    ['postgres', "('x')", 'x'],
    ['sqlserver', "N'it''s é'", "it's é"],
    ['sqlserver', "N'a' + N'b' + NCHAR(55357) + NCHAR(56832)", 'ab😀'],
    ['sqlserver', "CAST(N'a' AS nvarchar(max)) + NCHAR(0) + N'b'", 'a\0b'],
    ['sqlserver', "CONVERT(nvarchar(10), N'x', 126)", 'x'],
    ['sqlite', "replace('a\\nb','\\n',char(10))", 'a\nb'],
    ['sqlite', "replace(replace('a\\nb\\rc','\\n',char(10)),'\\r',char(13))", 'a\nb\rc'],
    ['sqlite', String.raw`unistr('a\u000ab\\c\U0001F600')`, 'a\nb\\c😀'],
    ['sqlite', "'a' || 'b' || char(233)", 'abé'],
    ['sqlite', 'NULL', null],
    ['sqlite', "'a' || NULL", null],
  ])('of %s have their value: %s', async (dialect, expression, expected) => {
    expect(await valueOf(expression, { dialect })).toBe(expected);
  });

  test.each<[string, ColumnType, Value]>([
    ['42', int, 42n],
    ['-9223372036854775808', int, -9223372036854775808n],
    ["'42'", int, 42],
    ['0x1F', int, 31n],
    ['TRUE', int, 1n],
    ["b'101'", int, 5n],
    ['12345678901234567890.10', decimal, '12345678901234567890.10'],
    ['.5', decimal, '.5'],
    ['+1_000', decimal, '1000'],
    ['1e-3', float, 0.001],
    ["'NaN'", float, NaN],
    ['1', boolean, true],
    ["'f'", boolean, false],
    ['FALSE', boolean, false],
    ["b'1'", boolean, true],
    ["'\u0000'", boolean, false],
    ["'\u0001'", boolean, true],
    ["'2026-01-31 13:05:00'", { kind: 'timestamp' }, '2026-01-31 13:05:00'],
    ["TIMESTAMP '2026-01-31 13:05:00'", { kind: 'timestamp' }, '2026-01-31 13:05:00'],
    ['\'{"a":1}\'', { kind: 'json' }, '{"a":1}'],
    [
      "ARRAY[1, NULL, 'x''y', ARRAY[TRUE]]",
      { kind: 'array', of: { kind: 'text' } },
      '["1",null,"x\'y",[true]]',
    ],
    ["'{1,2}'", { kind: 'array', of: int }, '{1,2}'],
    ["B'0101'", { kind: 'bits', length: 4 }, '0101'],
    ['7', { kind: 'text' }, '7'],
    ["ST_GeomFromText('POINT(1 2)', 0)", { kind: 'other', name: 'point' }, 'POINT(1 2)'],
  ])('have the value of their column: %s', async (expression, type, expected) => {
    expect(await valueOf(expression, { type, dialect: 'postgres' })).toEqual(expected);
  });

  test.each<[string, string, ColumnType, Value]>([
    [
      'sqlserver',
      'CAST(0x0000901A00000000 AS DateTime)',
      { kind: 'timestamp' },
      '2001-01-01T00:00:00',
    ],
    [
      'sqlserver',
      'CAST(0x0000901A00C5C100 AS DateTime)',
      { kind: 'timestamp' },
      '2001-01-01T12:00:00',
    ],
    [
      'sqlserver',
      'CAST(0x901A02D0 AS SmallDateTime)',
      { kind: 'timestamp' },
      '2001-01-01T12:00:00',
    ],
    ['mysql', '0x05', { kind: 'bits', length: 3 }, '101'],
  ])('of %s have the value of their column: %s', async (dialect, expression, type, expected) => {
    expect(await valueOf(expression, { type, dialect })).toEqual(expected);
  });

  test('of bytes in a column of bits have the same number, or are an error', async () => {
    const lengths = fc.integer({ min: 2, max: 34 });
    await fc.assert(
      fc.asyncProperty(bytesInBits, lengths, async ({ expression, hex }, length) => {
        const digits = BigInt(`0x${hex}`).toString(2);
        const value = valueOf(expression, { type: { kind: 'bits', length }, dialect: 'mysql' });
        if (digits.length > length) await expect(value).rejects.toThrow('do not fit');
        else expect(await value).toBe(digits.padStart(length, '0'));
      }),
    );
  });

  test.each<[string, string, string]>([
    ['sqlite', "X'00ff'", '00ff'],
    ['mysql', '0x00FF', '00ff'],
    ['mysql', "_binary 'a\\0\\'b'", '61002762'],
    ['mysql', "UNHEX('00ff')", '00ff'],
    ['postgres', "'\\x00ff'", '00ff'],
    ['postgres', "decode('AP8=', 'base64')", '00ff'],
    ['sqlserver', '0x00FF', '00ff'],
    ['sqlserver', 'CONVERT(varbinary(10), 0x00FF)', '00ff'],
    ['mysql', "'abc'", '616263'],
  ])('of %s in a column of binary are bytes: %s', async (dialect, expression, hex) => {
    expect(await valueOf(expression, { type: binary, dialect })).toEqual(Buffer.from(hex, 'hex'));
  });

  test('have the value that SQLite would store in a dynamically typed column', async () => {
    const storedValue = (expression: string, type: ColumnType = untyped): Promise<Value> =>
      valueOf(expression, { type, dynamic: true });
    expect(await storedValue('1')).toBe(1n);
    expect(await storedValue('1.0')).toBe(1);
    expect(await storedValue("'1'")).toBe('1');
    expect(await storedValue('1e999')).toBe(Infinity);
    expect(await storedValue('-9.0e+999', float)).toBe(-Infinity);
    expect(await storedValue("X'31'")).toEqual(Buffer.from('1'));
    expect(await storedValue("X'31'", { kind: 'text' })).toEqual(Buffer.from('1'));
    expect(await storedValue('0.10000000000000000555', decimal)).toBe(0.1);
    expect(await storedValue('5', { kind: 'text' })).toBe('5');
    expect(await storedValue('TRUE')).toBe(1n);
    expect(await storedValue('10.499999999999999999', decimal)).toBe(10.5);
    await expect(
      valueOf('0.1234567890123456789', { type: decimal, dynamic: true, dialect: 'mysql' }),
    ).rejects.toThrow('exactly');
  });

  test('in double quotes are rejected as names', async () => {
    for (const dialect of ['sqlite', 'postgres'])
      await expect(valueOf('"a"', { dialect })).rejects.toThrow('write texts in single quotes');
    expect(await valueOf('"a"', { dialect: 'mysql' })).toBe('a');
  });

  test('that only a database could compute are rejected', async () => {
    for (const expression of [
      '1 / 2',
      '@last',
      '(SELECT 1)',
      "SELECT 'x'",
      'random()',
      "pg_read_file('/etc/passwd')",
      "load_extension('x')",
      "nextval('s')",
      'id',
      '?',
      `${'('.repeat(60)}1${')'.repeat(60)}`,
    ]) {
      await expect(valueOf(expression), expression).rejects.toMatchObject({ code: 'parse_failed' });
    }
  });

  test('of the current time are in UTC', async () => {
    const before = Date.now();
    const text = await valueOf('CURRENT_TIMESTAMP', { type: { kind: 'timestamp', zone: true } });
    expect(text).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\+00:00$/);
    expect(Date.parse(String(text).replace(' ', 'T'))).toBeGreaterThan(before - 2000);
    for (const call of ['now()', 'GETDATE()', "datetime('now')", 'SYSDATETIME()'])
      expect(await valueOf(call, { type: { kind: 'timestamp' } })).toMatch(
        /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/,
      );
    expect(await valueOf('CURRENT_DATE', { type: { kind: 'date' } })).toMatch(/^\d{4}-\d\d-\d\d$/);
  });
});

const rowsOf = ({ rows }: ReadFile): readonly object[] => rows.map(({ values }) => values);

describe('statements', () => {
  test('INSERT and REPLACE are read as rows', async () => {
    const file = await read(
      "INSERT INTO t (a, b) VALUES (1, 'x'), (2, 'y');\nreplace into t (a, b) values (3, ');');\nINSERT INTO u (c) VALUES (4);INSERT INTO t (a, b) VALUES (5, NULL)",
    );
    expect(file.failure).toBeUndefined();
    expect(file.rows.map(({ table: name, number, line }) => [name, number, line])).toEqual([
      ['t', 1, 1],
      ['t', 2, 1],
      ['t', 3, 2],
      ['u', 1, 3],
      ['t', 4, 3],
    ]);
    expect(rowsOf(file)).toEqual([
      { a: '1', b: 'x' },
      { a: '2', b: 'y' },
      { a: '3', b: ');' },
      { c: '4' },
      { a: '5', b: null },
    ]);
  });

  test('that say what happens to existing rows are named in one warning', async () => {
    const file = await read(
      "REPLACE INTO t (a, b) VALUES (1, 'x'), (2, 'x');\nINSERT IGNORE INTO t (a, b) VALUES (3, 'y');\nINSERT INTO t (a, b) VALUES (4, 'z');",
      { dialect: 'mysql' },
    );
    expect(file.failure).toBeUndefined();
    expect(file.rows).toHaveLength(4);
    expect(file.warnings.join()).toMatch(/^2 statements say what happens to existing rows/);
  });

  test('without columns fill all of them, and DEFAULT leaves one out', async () => {
    const tables = [table('t', [textColumn('a'), textColumn('b')])];
    const script =
      "INSERT INTO t VALUES ('1','2'),(DEFAULT,'3'),('4',DEFAULT),('5','6');INSERT INTO t DEFAULT VALUES;";
    const file = await read(script, { tables });
    expect(rowsOf(file)).toEqual([
      { a: '1', b: '2' },
      { b: '3' },
      { a: '4' },
      { a: '5', b: '6' },
      {},
    ]);
    expect(file.rows.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5]);
  });

  test('with rows of another length are reported', async () => {
    const { errors, rows } = await read('INSERT INTO t (a,b) VALUES\n(1),\n(1,2),\n(1,2,3);');
    expect(rows).toHaveLength(1);
    expect(errors).toMatchObject([
      { row: 1, line: 2, code: 'parse_failed' },
      { row: 3, line: 4, code: 'parse_failed' },
    ]);
  });

  test('of COPY are read as rows of its text format', async () => {
    const script =
      "--\n-- PostgreSQL database dump\n--\n\\restrict abc\nSET client_encoding = 'UTF8';\n" +
      'COPY public.t (a, b) FROM stdin;\n1\tx\\ty\\\\z\\nw\n2\t\\N\n3\t\\x41\\101é\r\n\t\n\\.\n\n' +
      "SELECT pg_catalog.setval('public.t_a_seq', 3, true);\n\\unrestrict abc\n";
    const file = await read(script);
    expect(file.failure).toBeUndefined();
    expect(rowsOf(file)).toEqual([
      { a: '1', b: 'x\ty\\z\nw' },
      { a: '2', b: null },
      { a: '3', b: 'AAé' },
      { a: '', b: '' },
    ]);
    expect(file.rows.map(({ line }) => line)).toEqual([7, 8, 9, 10]);
  });

  test('of COPY without an end are rejected', async () => {
    const { failure } = await read('COPY t (a) FROM stdin;\n1\n2\n', { dialect: 'postgres' });
    expect(failure).toMatchObject({ code: 'parse_failed', details: { line: 4 } });
  });

  test.each([
    [
      'mysql',
      '/*!40101 SET NAMES utf8 */;\n/*M!999999\\- enable the sandbox mode */\nLOCK TABLES `t` WRITE;\n/*!40000 ALTER TABLE `t` DISABLE KEYS */;\nINSERT INTO `t` (`a`) VALUES (1);\n/*!40000 ALTER TABLE `t` ENABLE KEYS */;\nUNLOCK TABLES;\nset autocommit=0;\nCOMMIT;\nUSE db;\n-- done\n# done',
    ],
    [
      'sqlite',
      "PRAGMA foreign_keys=OFF;\nBEGIN TRANSACTION;\nINSERT INTO t (a) VALUES (1);\nDELETE FROM sqlite_sequence;\nINSERT INTO sqlite_sequence VALUES('t',1);\nCOMMIT;\nANALYZE sqlite_schema;",
    ],
    [
      'postgres',
      "SET search_path = '';\nSELECT pg_catalog.set_config('search_path', '', false);\nBEGIN;\nALTER TABLE public.t DISABLE TRIGGER ALL;\nINSERT INTO public.t (a) OVERRIDING SYSTEM VALUE VALUES (1) ON CONFLICT DO NOTHING;\nALTER TABLE public.t ENABLE TRIGGER ALL;\nCOMMIT;\n\\connect x\nVACUUM;",
    ],
    [
      'sqlserver',
      ":on error exit\nUSE [x]\nGO\nSET NOCOUNT ON\nSET IDENTITY_INSERT [dbo].[t] ON \nGO\nINSERT [dbo].[t] ([a]) VALUES (1)\nGO\nSET IDENTITY_INSERT [dbo].[t] OFF\nGO\nALTER TABLE [dbo].[t] WITH CHECK CHECK CONSTRAINT [x]\nUPDATE STATISTICS [dbo].[t] WITH FULLSCAN\nPRINT 'done'\nGO 2\n",
    ],
  ])('that dump tools write around rows are ignored: %s', async (dialect, script) => {
    for (const requestedDialect of [dialect, undefined]) {
      const file = await read(script, { dialect: requestedDialect });
      expect(file.failure).toBeUndefined();
      expect(rowsOf(file)).toEqual([{ a: '1' }]);
    }
  });

  test.each([
    ['mysql', 'USE a;\nINSERT INTO t (a) VALUES (1);\nUSE `b`;\nINSERT INTO t (a) VALUES (2);', 4],
    ['mysql', 'INSERT INTO t (a) VALUES (1);\nUSE b;\nINSERT INTO u (a) VALUES (2);', 3],
    ['mysql', 'INSERT INTO a.t (a) VALUES (1);\nINSERT INTO b.u (a) VALUES (2);', 2],
    ['mysql', 'USE a;\nINSERT INTO t (a) VALUES (1);\nINSERT INTO b.t (a) VALUES (2);', 3],
    ['sqlite', 'INSERT INTO main.t (a) VALUES (1);\nINSERT INTO other.t (a) VALUES (2);', 2],
    [
      'sqlserver',
      'USE [a]\nGO\nINSERT [dbo].[t] ([a]) VALUES (1)\nGO\nUSE [b]\nGO\nINSERT [dbo].[t] ([a]) VALUES (2)\nGO\n',
      7,
    ],
    [
      'postgres',
      '\\connect a\nCOPY t (a) FROM stdin;\n1\n\\.\n\\connect b\nCOPY t (a) FROM stdin;\n2\n\\.\n',
      6,
    ],
  ])('for a second database are rejected: %s, %j', async (dialect, script, line) => {
    expect((await read(script, { dialect })).failure).toMatchObject({
      code: 'import_failed',
      message: expect.stringContaining('database') as string,
      details: { line, errors: [{ code: 'statement_refused', line }] },
    });
  });

  test.each([
    [
      'mysql',
      'USE a;\nUSE b;\nINSERT INTO t (a) VALUES (1);\nINSERT INTO b.t (a) VALUES (2);\nUSE a;',
    ],
    ['mysql', 'INSERT INTO t (a) VALUES (1);\nINSERT INTO a.t (a) VALUES (2);'],
    ['mysql', 'INSERT INTO a.t (a) VALUES (1);\nINSERT INTO t (a) VALUES (2);'],
    ['postgres', 'INSERT INTO x.t (a) VALUES (1);\nINSERT INTO x.t (a) VALUES (2);'],
    [
      'sqlserver',
      'USE [master]\nGO\nUSE [x]\nGO\nINSERT [dbo].[t] ([a]) VALUES (1)\nINSERT [x].[dbo].[t] ([a]) VALUES (2)\nGO\nUSE [master]\nGO\n',
    ],
  ])('for one database, however it is named, are read: %s, %j', async (dialect, script) => {
    expect(rowsOf(await read(script, { dialect }))).toEqual([{ a: '1' }, { a: '2' }]);
  });

  test.each(['postgres', 'sqlite', 'mysql', 'sqlserver'])(
    'in a transaction that are not rows are rejected, and BEGIN is not read as a block: %s',
    async (targetDialect) => {
      for (const statement of ['UPDATE t SET a = 2', 'ROLLBACK', 'DELETE FROM t', 'TRUNCATE t']) {
        const begin = targetDialect === 'sqlserver' ? 'BEGIN TRAN;' : 'begin;';
        const script = `${begin}\nINSERT INTO t (a) VALUES (1),(2);\n${statement};\ncommit;\n`;
        expect([
          statement,
          (await read(script, { ownDialect: targetDialect })).failure,
        ]).toMatchObject([
          statement,
          { code: 'import_failed', details: { errors: [{ code: 'statement_refused', line: 3 }] } },
        ]);
      }
    },
  );

  test('that contain statements with rows are rejected', async () => {
    const statement = 'SET STATEMENT sql_mode = 0 FOR INSERT INTO t (a) VALUES (1);';
    expect((await read(statement, { dialect: 'mysql' })).failure).toMatchObject({
      code: 'import_failed',
      details: { line: 1 },
    });
  });

  test('that change how strings are read take effect', async () => {
    const postgres =
      "SET standard_conforming_strings = off;\nINSERT INTO t (a) VALUES ('it\\'s');\nSET standard_conforming_strings = on;\nINSERT INTO t (a) VALUES ('a\\');";
    expect(rowsOf(await read(postgres, { dialect: 'postgres' }))).toEqual([
      { a: "it's" },
      { a: 'a\\' },
    ]);
    const mysql = "SET sql_mode = 'NO_BACKSLASH_ESCAPES';\nINSERT INTO t (a) VALUES ('a\\');";
    expect(rowsOf(await read(mysql, { dialect: 'mysql' }))).toEqual([{ a: 'a\\' }]);
  });

  test.each([
    'DELETE FROM t',
    'UPDATE t SET a = 1',
    'UPDATE statistics SET a = 1',
    ':r other.sql',
    '!!dir',
    'TRUNCATE t',
    'INSERT INTO t SELECT * FROM u',
    'INSERT INTO t SET a = (SELECT 1)',
    'WITH x AS (SELECT 1) INSERT INTO t SELECT * FROM x',
    'INSERT INTO t (a) VALUES (1) RETURNING a',
    'INSERT INTO t (a) VALUES (1) ON CONFLICT (a) DO UPDATE SET a = 2',
    'INSERT INTO t (a) VALUES (1) ON DUPLICATE KEY UPDATE a = 2',
    'ROLLBACK',
    "ATTACH 'x' AS y",
    'CALL p()',
    'EXEC p',
    'EXEC sp_executesql @text',
    "EXEC ('DELETE FROM t')",
    "BEGIN EXEC ('EXEC (''INSERT INTO t (a) VALUES (2)'')') END",
    'IF 1 = 1 RETURN',
    'IF @@ERROR = 0 INSERT INTO t (a) VALUES (2)',
    'BEGIN DELETE FROM t; END',
    'SELECT 1',
    "COPY t FROM '/etc/passwd'",
    "LOAD DATA INFILE 'x' INTO TABLE t",
    '\\i other.sql',
    "\\copy t from 'x'",
    '\\! rm -rf x',
  ])('that are not rows are rejected: %s', async (statement) => {
    for (const { name } of dialectChoices) {
      const { failure } = await read(`INSERT INTO t (a) VALUES (1);\n${statement};\n`, {
        dialect: name,
        ddl: 'skip',
      });
      expect([name, failure]).toMatchObject([
        name,
        { code: expect.stringMatching(/^(?:import|parse)_failed$/) },
      ]);
    }
  });

  test('of MySQL may assign their values with SET', async () => {
    for (const { name } of dialectChoices) {
      const script = 'INSERT INTO t SET a = 1, b := DEFAULT;';
      const { rows, failure } = await read(script, { dialect: name });
      expect([name, failure === undefined]).toEqual([name, name === 'mysql']);
      if (name === 'mysql') expect(rows.map(({ values }) => values)).toEqual([{ a: '1' }]);
    }
  });

  test('that change structure are rejected with a hint, or skipped on request', async () => {
    const script =
      "CREATE TABLE t (a TEXT DEFAULT ';');\nCREATE TRIGGER x AFTER INSERT ON t BEGIN DELETE FROM t; SELECT 1; END;\nINSERT INTO t (a) VALUES (1);\nDROP TABLE IF EXISTS u;";
    const { failure } = await read(script);
    expect(failure).toMatchObject({
      code: 'import_failed',
      message: expect.stringContaining('ddl=skip'),
      details: { line: 1, errors: [{ code: 'statement_refused', line: 1 }] },
    });
    const file = await read(script, { ddl: 'skip' });
    expect(file.failure).toBeUndefined();
    expect(rowsOf(file)).toEqual([{ a: '1' }]);
    expect(file.warnings).toEqual(['3 schema statements were skipped.']);
  });

  test('with bodies and delimiters of their own are skipped completely', async () => {
    const script =
      'DELIMITER $$\nCREATE PROCEDURE p()\nBEGIN\n  INSERT INTO t (a) VALUES (9);\nEND$$\nDELIMITER ;\nINSERT INTO t (a) VALUES (1);';
    expect(rowsOf(await read(script, { dialect: 'mysql', ddl: 'skip' }))).toEqual([{ a: '1' }]);
    const go =
      'CREATE PROCEDURE p AS\nINSERT INTO t (a) VALUES (9)\nGO\nINSERT INTO t (a) VALUES (1)\nGO\n';
    expect(rowsOf(await read(go, { dialect: 'sqlserver', ddl: 'skip' }))).toEqual([{ a: '1' }]);
  });

  test('that the mysql client sends together are read one by one', async () => {
    const script =
      'DELIMITER //\nCREATE TABLE t (a TEXT);\nINSERT INTO t (a) VALUES (1), (2);\nSET @x = 1; INSERT INTO t (a) VALUES (3)\n//\nDELIMITER ;\nINSERT INTO t (a) VALUES (4);';
    const file = await read(script, { dialect: 'mysql', ddl: 'skip' });
    expect(file.failure).toBeUndefined();
    expect(rowsOf(file)).toEqual([{ a: '1' }, { a: '2' }, { a: '3' }, { a: '4' }]);
  });

  test('after lines of dashes are read, and quoted without the comments before them', async () => {
    const dashes = '-'.repeat(59);
    const script = `${dashes}\n-- a\n${dashes};'\nINSERT INTO t (a) VALUES (1);\n  # b\n ${dashes}\r\n--\n${dashes}\nINSERT INTO t (a)\nVALUES (2), (3);\n${dashes}`;
    const file = await read(script, { dialect: 'mysql' });
    expect(file.failure).toBeUndefined();
    expect(rowsOf(file)).toEqual([{ a: '1' }, { a: '2' }, { a: '3' }]);
    const { failure } = await read(`${dashes}\nUPDATE t SET a = 1;`, { dialect: 'mysql' });
    expect(failure).toMatchObject({
      message: expect.stringContaining('line 2: "UPDATE t SET a = 1" is not'),
    });
    const { failure: other } = await read('# a\nUPDATE t SET a = 1;', { dialect: 'sqlite' });
    expect(other).toMatchObject({
      message: expect.stringContaining('"UPDATE t SET a = 1" is not'),
    });
  });

  test('that are truncated are rejected with their position', async () => {
    for (const [script, line] of [
      ["INSERT INTO t (a) VALUES ('x", 1],
      ['INSERT INTO t (a) VALUES (1),\n', 2],
      ['INSERT INTO t (a) VALUES (1\n', 2],
      ['INSERT INTO t (a)', 1],
      ['INSERT INTO t (a) VALUES (1) nonsense;', 1],
      ['-- rows\n/* INSERT INTO t (a) VALUES (1);', 2],
      ['INSERT INTO t (a) VALUES (1);\n/* the end', 2],
      ["SET a = 'x;\nINSERT INTO t (a) VALUES (1);", 1],
      ['SET a = 1 /*;\nINSERT INTO t (a) VALUES (1);', 1],
    ] as const) {
      const { failure } = await read(script);
      expect([script, failure]).toMatchObject([
        script,
        { code: 'parse_failed', details: { line } },
      ]);
    }
  });

  test('after `/* /* */` are in an unterminated comment where comments nest, and read elsewhere', async () => {
    const script = '/* out /* in */\nINSERT INTO t (a) VALUES (1);\n';
    expect((await read(script, { dialect: 'postgres' })).failure).toMatchObject({
      code: 'parse_failed',
      details: { line: 1, column: 1 },
    });
    expect(rowsOf(await read(script, { dialect: 'mysql' }))).toEqual([{ a: '1' }]);
  });

  test('keep binary in strings, and decode other text by its bytes', async () => {
    const tables = [table('t', [column('b', binary), textColumn('s')])];
    const script = Buffer.concat([
      Buffer.from("INSERT INTO `t` (b, s) VALUES (_binary '"),
      Buffer.from([0xff, 0xfe, 0x5c, 0x30, 0x80]),
      Buffer.from("','é'),(NULL,'"),
      Buffer.from([0xe9, 0x80]),
      Buffer.from("');"),
    ]);
    const file = await read(script, { tables });
    expect(rowsOf(file)).toEqual([
      { b: Buffer.from([0xff, 0xfe, 0x00, 0x80]), s: 'é' },
      { b: null, s: 'é€' },
    ]);
    expect(file.warnings).toEqual([
      expect.stringContaining('was read as SQL of mysql'),
      expect.stringContaining('windows-1252'),
    ]);
  });

  test('in UTF-16 are read', async () => {
    const script = "INSERT [dbo].[t] ([a]) VALUES (N'日本')\nGO\n";
    for (const bytes of [
      Buffer.from(`\ufeff${script}`, 'utf16le'),
      Buffer.from(`\ufeff${script}`, 'utf16le').swap16(),
    ])
      expect(rowsOf(await read(bytes))).toEqual([{ a: '日本' }]);
  });
});

const text = fc.oneof(
  fc.string({ maxLength: 10 }),
  fc.string({ unit: 'grapheme', maxLength: 5 }),
  fc.constantFrom("'", '\\', "\\'", ';', '--', '/*', '\n', 'GO', '$$', '\\.'),
);
const literalWriters: Readonly<Record<string, (value: string) => string>> = {
  sqlite: (value) => `'${value.replaceAll("'", "''")}'`,
  postgres: (value) => `'${value.replaceAll("'", "''")}'`,
  sqlserver: (value) => `N'${value.replaceAll("'", "''")}'`,
  mysql: (value) => `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`,
};

describe('any texts', () => {
  test.each(Object.entries(literalWriters))(
    'are read back from %s, in chunks of any size',
    async (dialect, toLiteral) => {
      const rows = fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 30 });
      await fc.assert(
        fc.asyncProperty(
          rows,
          fc.integer({ min: 1, max: 400 }),
          fc.integer({ min: 1, max: 4 }),
          async (values, chunkBytes, group) => {
            const statements: string[] = [];
            for (let i = 0; i < values.length; i += group) {
              const tuples = values
                .slice(i, i + group)
                .map(([a, b]) => `(${toLiteral(a)}, ${toLiteral(b)})`);
              statements.push(`INSERT INTO t (a, b) VALUES\n${tuples.join(',\n')};\n`);
            }
            const file = await read(statements.join(''), { dialect, chunkBytes });
            expect(file.failure).toBeUndefined();
            expect(rowsOf(file)).toEqual(values.map(([a, b]) => ({ a, b })));
          },
        ),
      );
    },
  );

  test('are read back from COPY', async () => {
    const rows = fc.array(fc.tuple(text, fc.option(text)), { minLength: 1, maxLength: 30 });
    const toCopyText = (value: string | null): string =>
      value === null
        ? '\\N'
        : value
            .replaceAll('\\', '\\\\')
            .replaceAll('\t', '\\t')
            .replaceAll('\n', '\\n')
            .replaceAll('\r', '\\r');
    await fc.assert(
      fc.asyncProperty(rows, fc.integer({ min: 1, max: 400 }), async (values, chunkBytes) => {
        const lines = values.map(([a, b]) => `${toCopyText(a)}\t${toCopyText(b)}\n`);
        const script = `COPY t (a, b) FROM stdin;\n${lines.join('')}\\.\n`;
        const file = await read(script, { dialect: 'postgres', chunkBytes });
        expect(file.failure).toBeUndefined();
        expect(rowsOf(file)).toEqual(values.map(([a, b]) => ({ a, b })));
      }),
    );
  });

  test('are read back from COPY with options', async () => {
    const layout = fc.record({
      isCsv: fc.boolean(),
      delimiter: fc.constantFrom('|', ';', '^'),
      nullText: fc.constantFrom('', 'nil', '-'),
      quote: fc.constantFrom('"', "'", '~'),
      escape: fc.constantFrom('quote', '!'),
      hasHeader: fc.boolean(),
      isOld: fc.boolean(),
    });
    const letter = fc.constantFrom(
      'a',
      '|',
      ';',
      '^',
      '"',
      "'",
      '~',
      '!',
      '\\',
      '\n',
      '\t',
      'é',
      '-',
    );
    const value = fc.array(letter, { maxLength: 6 }).map((letters) => letters.join(''));
    const rows = fc.array(fc.tuple(value, fc.option(value)), { minLength: 1, maxLength: 20 });
    const sqlText = (raw: string): string => `'${raw.replaceAll("'", "''")}'`;
    await fc.assert(
      fc.asyncProperty(
        layout,
        rows,
        fc.integer({ min: 1, max: 200 }),
        async (each, values, chunkBytes) => {
          const { isCsv, delimiter, nullText, quote, hasHeader, isOld } = each;
          const escape = each.escape === 'quote' ? quote : each.escape;
          const csvField = (raw: string): string => {
            const escaped = [...raw].map((sign) => sign === quote || sign === escape ? escape + sign : sign); // prettier-ignore
            return `${quote}${escaped.join('')}${quote}`;
          };
          const textField = (raw: string): string =>
          [...raw].map((sign) => ({ '\\': '\\\\', '\n': '\\n', [delimiter]: `\\${delimiter}`, '-': '\\-', n: '\\x6e' })[sign] ?? sign).join(''); // prettier-ignore
          // An empty text would be NULL where that is empty.
          const written = isCsv ? values : values.map(([a, b]) => [a + 'x', b === null ? null : b + 'x'] as const); // prettier-ignore
          const field = (raw: string | null): string =>
            raw === null ? nullText : isCsv ? csvField(raw) : textField(raw);
          const lines = written.map((row) => `${row.map(field).join(delimiter)}\n`);
          const options = [
            ...(isCsv && !isOld ? ['FORMAT csv'] : []),
            ...(isCsv && isOld ? ['CSV'] : []),
            `DELIMITER ${isOld ? 'AS ' : ''}${sqlText(delimiter)}`,
            `NULL ${sqlText(nullText)}`,
            ...(isCsv ? [`QUOTE ${sqlText(quote)}`, `ESCAPE ${sqlText(escape)}`] : []),
            ...(hasHeader ? ['HEADER'] : []),
          ];
          const clause = isOld ? options.join(' ') : `WITH (${options.join(', ')})`;
          const header = hasHeader ? `a${delimiter}b\n` : '';
          const script = `COPY t (a, b) FROM stdin ${clause};\n${header}${lines.join('')}\\.\n`;
          const file = await read(script, { dialect: 'postgres', chunkBytes });
          expect(file.failure).toBeUndefined();
          expect(rowsOf(file)).toEqual(written.map(([a, b]) => ({ a, b })));
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    'BINARY',
    '(FORMAT binary)',
    "(ENCODING 'latin1')",
    '(DELIMITER)',
    "(DELIMITER 'ab')",
  ])('of COPY with other options are rejected: %s', async (options) => {
    const script = `COPY t (a) FROM stdin ${options};\n1\n\\.\n`;
    const { failure } = await read(script, { dialect: 'postgres' });
    expect(failure).toMatchObject({ code: 'parse_failed', details: { line: 1 } });
  });

  test('that are not scripts cause a StudioError or no rows', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary', maxLength: 80 }),
        fc.constantFrom(...dialectChoices),
        async (script, { name: dialect }) => {
          const { failure } = await read(`INSERT INTO t (a) VALUES ${script}`, { dialect });
          if (failure !== undefined) expect(failure).toMatchObject({ name: 'StudioError' });
        },
      ),
    );
  });
});
