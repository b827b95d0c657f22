import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readSql } from '../../src/formats/sql/read.ts';
import { databaseKinds } from '../databases/registered-databases.ts';
import { column, readAll, sourceOf, table } from './run-reader.ts';
import type { ReadFile, ReadRow } from './run-reader.ts';

const choices = databaseKinds.map(({ dialect, language, dataScript, expressions }) => ({
  name: dialect.name,
  language,
  dataScript: { ...dataScript, times: expressions?.times },
}));

const tables = [
  table('t', [
    column('n', { kind: 'integer', bits: 64 }),
    column('s', { kind: 'text' }),
    column('d', { kind: 'decimal' }),
  ]),
];

/** As by an import of a dump, which has read the structure before. */
function read(script: string, dialect: string, chunkBytes = Infinity): Promise<ReadFile> {
  return readAll(tables, (reading) =>
    readSql(sourceOf(script, { name: 'f.sql', chunkBytes }), reading, {
      dialect,
      ddl: 'applied',
      ownDialect: 'sqlite',
      choices,
    }),
  );
}

async function rowsOf(
  script: string,
  dialect: string,
  chunkBytes?: number,
): Promise<ReadRow['values'][]> {
  const { rows, errors, failure } = await read(script, dialect, chunkBytes);
  if (failure !== undefined) throw failure as Error;
  expect(errors).toEqual([]);
  return rows.map(({ values }) => values);
}

interface Literals {
  readonly n: string;
  readonly s: string;
  readonly d: string;
}

const literals: fc.Arbitrary<Literals> = fc.record({
  n: fc.oneof(fc.integer().map(String), fc.constant('NULL')),
  s: fc.oneof(
    fc.stringMatching(/^[a-z '@;]{0,12}$/).map((text) => `'${text.replaceAll("'", "''")}'`),
    fc.constant('NULL'),
  ),
  d: fc.tuple(fc.nat(99_999), fc.nat(99)).map(([whole, rest]) => `${whole}.${String(rest).padStart(2, '0')}`), // prettier-ignore
});

const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('assign' as const), values: literals, inSelect: fc.boolean() }),
    fc.record({ kind: fc.constant('insert' as const) }),
  ),
  { minLength: 1, maxLength: 12 },
);

describe('variables of scripts', () => {
  test.each(['sqlserver', 'mysql'])(
    'of %s have the last literal that was assigned',
    async (dialect) => {
      const isDeclared = dialect === 'sqlserver';
      await fc.assert(
        fc.asyncProperty(
          literals,
          steps,
          fc.integer({ min: 40, max: 4000 }),
          async (first, parts, chunkBytes) => {
            let current = first;
            const script: string[] = [
              isDeclared
                ? `DECLARE @n bigint = ${first.n}, @S nvarchar(100) = ${first.s}, @d AS decimal(18, 2)\nSET @d = ${first.d}`
                : `SET @n = ${first.n}, @s := ${first.s}, @d = ${first.d};`,
            ];
            const expected: string[] = [];
            for (const part of parts) {
              if (part.kind === 'insert') {
                script.push('INSERT INTO t (n, s, d) VALUES (@n, @s, @D);');
                expected.push(
                  `INSERT INTO t (n, s, d) VALUES (${current.n}, ${current.s}, ${current.d});`,
                );
                continue;
              }
              current = part.values;
              const operator = isDeclared || !part.inSelect ? '=' : ':=';
              const assignments = Object.entries(current).map(
                ([name, text]) => `@${name} ${operator} ${text}`,
              );
              script.push(
                part.inSelect || !isDeclared
                  ? `${part.inSelect ? 'SELECT' : 'SET'} ${assignments.join(', ')};`
                  : assignments.map((assignment) => `SET ${assignment}`).join('\n'),
              );
            }
            expect(await rowsOf(script.join('\n'), dialect, chunkBytes)).toEqual(
              await rowsOf(expected.join('\n'), dialect),
            );
          },
        ),
        { numRuns: 60 },
      );
    },
  );

  test.each([
    ['sqlserver', 'DECLARE @n int = (SELECT MAX(n) FROM t)'],
    ['sqlserver', 'DECLARE @n int = 1; SELECT @n = n FROM t'],
    ['sqlserver', 'DECLARE @n int = 1; SELECT TOP 1 @n = n FROM t'],
    ['sqlserver', 'DECLARE @n int = 1; SET @n += 1'],
    ['sqlserver', 'DECLARE @n int = 1; IF EXISTS (SELECT * FROM t) SET @n = 2'],
    [
      'sqlserver',
      "DECLARE @n int = 1; EXEC sp_executesql N'SELECT @n', N'@n int OUTPUT', @n OUTPUT",
    ],
    ['sqlserver', 'DECLARE @n int = 1\nGO'],
    ['sqlserver', 'SET @n = SCOPE_IDENTITY()'],
    ['mysql', 'SET @n = LAST_INSERT_ID()'],
    ['mysql', 'SET @n = 1; SELECT @n := MAX(n) FROM t'],
    ['mysql', 'SET @n = 1; SET @n = @n / 2'],
  ])('of %s that only a database can compute are no values: %s', async (dialect, statements) => {
    const { failure } = await read(`${statements};\nINSERT INTO t (n) VALUES (@n);`, dialect);
    expect(failure).toMatchObject({
      code: 'parse_failed',
      message: expect.stringContaining('the value of this variable is not known'),
      details: { line: statements.split('\n').length + 1 },
    });
  });

  test('keep their values where statements only compare them', async () => {
    const script = `DECLARE @n int = 3
IF @n = 2 PRINT 'two'
IF @n > 1 AND @n = 3 RAISERROR('three', 10, 1)
PRINT @n
INSERT INTO t (n) VALUES (@n)`;
    expect(await rowsOf(script, 'sqlserver')).toEqual([{ n: 3n }]);
  });

  test('are converted to their type', async () => {
    const script = `DECLARE @n int = '42', @s varchar(10) = 7;
INSERT INTO t (n, s) VALUES (@n, @s);`;
    expect(await rowsOf(script, 'sqlserver')).toEqual([{ n: 42n, s: '7' }]);
    const cut = `DECLARE @s varchar(2) = 'abc';\nINSERT INTO t (s) VALUES (@s);`;
    const { errors, failure } = await read(cut, 'sqlserver');
    expect([failure, errors.length]).toEqual([undefined, 1]);
  });
});

describe('statements of T-SQL without rows', () => {
  test.each([
    "if exists (select * from sysdatabases where name='a')\nbegin\n  raiserror('x', 0, 1)\n  DROP database a\nend",
    "IF OBJECT_ID('u') IS NULL CREATE TABLE u (a int REFERENCES t (n) ON DELETE CASCADE)",
    "IF db_name() <> 'a' RAISERROR('x', 22, 127) WITH LOG",
    "BEGIN\n EXEC sp_dboption 'a', 'x', 'true'\n EXEC [a].[dbo].[sp_fulltext_database] @action = 'enable'\nEND",
    "BEGIN TRY EXEC sp_updatestats END TRY BEGIN CATCH PRINT 'x' END CATCH",
    "DECLARE @p nvarchar(9) EXECUTE (N'CREATE DATABASE a ON PRIMARY (FILENAME = N''' + @p + N'a.mdf'')')",
    "IF NOT EXISTS (SELECT * FROM sys.objects) EXEC dbo.sp_executesql @statement = N'CREATE PROC p AS DELETE FROM t'",
    "EXEC sp_MSforeachtable 'ALTER TABLE ? NOCHECK CONSTRAINT ALL'",
    'IF @@ERROR <> 0 SET NOEXEC ON',
    'DISABLE TRIGGER x ON t',
    'DBCC FREEPROCCACHE',
    "WAITFOR DELAY '00:00:01'",
    'RECONFIGURE WITH OVERRIDE',
    'GRANT SELECT, INSERT ON t TO a',
    'BEGIN TRAN\nINSERT INTO t (n) VALUES (0)\nIF @@ERROR <> 0 ROLLBACK\nIF @@TRANCOUNT > 0 COMMIT',
    'IF 1 = 1 GRANT SELECT, INSERT ON t TO a',
  ])('are skipped: %s', async (statement) => {
    const script = `${statement}\nGO\nINSERT INTO t (n) VALUES (1)\nGO\n`;
    expect(await rowsOf(script, 'sqlserver')).toContainEqual({ n: 1n });
  });

  test.each([
    'EXEC p',
    "EXEC sp_MSforeachtable 'DELETE FROM ?'",
    'EXEC sp_executesql @s',
    "DECLARE @s nvarchar(99) = N'DELETE FROM t' EXEC sp_executesql @s",
    "EXEC ('IF 1 = 1 EXEC (''TRUNCATE TABLE t'')')",
    "DECLARE @s nvarchar(99) = N'EXEC (@s)' EXEC (@s)",
    'IF 1 = 1 RETURN',
    'IF @@ERROR = 0 RETURN',
    'BEGIN UPDATE t SET n = 2 END',
    'IF NOT EXISTS (SELECT * FROM t) INSERT INTO t (n) VALUES (2)',
    'DBCC CHECKDB (a, REPAIR_ALLOW_DATA_LOSS)',
    'DECLARE @i int = 0 WHILE @i < 3 INSERT INTO t (n) VALUES (2)',
  ])('are none of these, which are rejected by their line: %s', async (statement) => {
    const { failure } = await read(`\nGO\n${statement}\nGO\n`, 'sqlserver');
    expect(failure).toMatchObject({
      code: 'import_failed',
      details: { errors: [{ code: 'statement_refused', line: 3 }] },
    });
  });
});

test('variables of T-SQL without a length have one character', async () => {
  const script = (text: string): string =>
    `DECLARE @a varchar = '${text}'; INSERT INTO t (s) VALUES (@a);`;
  expect((await rowsOf(script('x'), 'sqlserver'))[0]).toMatchObject({ s: 'x' });
  await expect(rowsOf(script('xy'), 'sqlserver')).rejects.toThrow();
});

test('INSERT of T-SQL without a column list has no value for the numbered column', async () => {
  const numbered = [
    table('j', [
      column('id', { kind: 'integer', bits: 32 }, { autoIncrement: true }),
      column('a', { kind: 'integer', bits: 32 }),
    ]),
  ];
  const script = 'INSERT j VALUES (5)\nINSERT INTO j (a) VALUES (6)\nGO\n';
  const { rows, failure } = await readAll(numbered, (reading) =>
    readSql(sourceOf(script, { name: 'f.sql' }), reading, {
      dialect: 'sqlserver',
      ddl: 'applied',
      ownDialect: 'sqlite',
      choices,
    }),
  );
  expect(failure).toBeUndefined();
  expect(rows.map(({ values }) => values)).toEqual([{ a: 5n }, { a: 6n }]);
});

test('dates of two digits have the century of SQL Server, where the script sets the order', async () => {
  const days = [table('d', [column('d', { kind: 'date' }, { dynamic: true })])];
  const script = (order: string): string =>
    `SET DATEFORMAT ${order}\nGO\nINSERT d VALUES ('06/12/94')\nINSERT d VALUES ('1-2-49')\nINSERT d VALUES ('1.2.50')\nGO\n`;
  const readDays = (text: string): Promise<ReadFile> =>
    readAll(days, (reading) =>
      readSql(sourceOf(text, { name: 'f.sql' }), reading, {
        dialect: 'sqlserver',
        ddl: 'applied',
        ownDialect: 'sqlite',
        choices,
      }),
    );
  const { rows, errors } = await readDays(script('mdy'));
  expect(errors).toEqual([]);
  expect(rows.map(({ values }) => values['d'])).toEqual(['1994-06-12', '2049-01-02', '1950-01-02']);
  expect((await readDays(script('dmy'))).errors).toHaveLength(3);
});
