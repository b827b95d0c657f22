/** Rows of T-SQL within IF, blocks and EXEC. SQLite itself evaluates the same conditions. */
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { exportOne } from '../../databases/exporting.ts';
import { importDumpFile } from '../../databases/importing.ts';
import { onNewDatabase } from '../../databases/on-new-database.ts';
import { allDatabasesUnderTest } from '../../databases/kit/databases-under-test.ts';

const sqliteUnderTest = allDatabasesUnderTest.find(({ name: each }) => each === 'sqlite')!;

interface Insert {
  readonly kind: 'insert';
  readonly id: number | undefined;
  readonly k: number | undefined;
  readonly name: string;
}

type Step =
  | Insert
  | { readonly kind: 'if'; readonly condition: string; readonly body: readonly Step[]; readonly otherwise: readonly Step[] | undefined } // prettier-ignore
  | { readonly kind: 'block' | 'try' | 'text'; readonly steps: readonly Step[] };

const name = fc.constantFrom('a', 'A', 'b', "it's", 'é', 'x;y');
const number = fc.integer({ min: 1, max: 12 });

const comparison = fc.oneof(
  fc.tuple(fc.constantFrom('id', 'k'), fc.constantFrom('=', '<>', '<', '>='), number).map((parts) => parts.join(' ')), // prettier-ignore
  name.map((each) => `name = N'${each.replaceAll("'", "''")}'`),
  fc.constantFrom('k IS NULL', 'k IS NOT NULL', 'k IN (1, 2, 3)'),
);

const where = fc.oneof(
  comparison,
  fc.tuple(comparison, fc.constantFrom('AND', 'OR'), comparison).map((parts) => parts.join(' ')),
);

const condition = fc.oneof(
  where.map((each) => `NOT EXISTS (SELECT 1 FROM t WHERE ${each})`),
  where.map((each) => `EXISTS (SELECT * FROM t WHERE ${each})`),
  fc.constant('NOT EXISTS (SELECT * FROM t)'),
  fc.tuple(where, number).map(([each, count]) => `(SELECT COUNT(*) FROM t WHERE ${each}) < ${count}`), // prettier-ignore
);

const { step } = fc.letrec<{ step: Step; steps: Step[] }>((tie) => ({
  step: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({
      kind: fc.constant('insert' as const),
      id: fc.option(fc.integer({ min: 100, max: 120 }), { nil: undefined, freq: 5 }),
      k: fc.option(number, { nil: undefined }),
      name,
    }),
    fc.record({
      kind: fc.constant('if' as const),
      condition,
      body: tie('steps'),
      otherwise: fc.option(tie('steps'), { nil: undefined }),
    }),
    fc.record({ kind: fc.constantFrom('block', 'try', 'text'), steps: tie('steps') }),
  ),
  steps: fc.array(tie('step'), { minLength: 1, maxLength: 3 }),
}));

const quoted = (text: string): string => `N'${text.replaceAll("'", "''")}'`;

function insertToSql({ id, k, name: text }: Insert): string {
  const columns = [...(id === undefined ? [] : ['id']), ...(k === undefined ? [] : ['k']), 'name'];
  const values = [id, k].filter((value) => value !== undefined);
  return `INSERT INTO t (${columns.join(', ')}) VALUES (${[...values, quoted(text)].join(', ')})`;
}

function toSql(of: Step): string {
  switch (of.kind) {
    case 'insert':
      return of.id === undefined
        ? insertToSql(of)
        : `SET IDENTITY_INSERT t ON\n${insertToSql(of)};\nSET IDENTITY_INSERT t OFF`;
    case 'if': {
      const body = (steps: readonly Step[]): string =>
        steps.length === 1 && steps[0]?.kind === 'insert' && steps[0].id === undefined
          ? `  ${toSql(steps[0])}`
          : blockOf(steps);
      const otherwise = of.otherwise === undefined ? '' : `\nELSE\n${body(of.otherwise)}`;
      return `IF ${of.condition}\n${body(of.body)}${otherwise}`;
    }
    case 'block':
      return blockOf(of.steps);
    case 'try':
      return `BEGIN TRY\n${of.steps.map(toSql).join('\n')}\nEND TRY\nBEGIN CATCH\n  THROW;\nEND CATCH`;
    case 'text':
      return `EXEC (${quoted(of.steps.map(toSql).join('\n'))})`;
  }
}

function blockOf(steps: readonly Step[]): string {
  return `BEGIN\nPRINT 'rows'\n${steps.map(toSql).join('\n')}\nEND`;
}

interface Numbers {
  last: number;
  readonly step: number;
}

/** Runs the step in SQLite. */
function run(database: DatabaseSync, of: Step, numbers: Numbers): void {
  if (of.kind === 'insert') {
    const id = of.id ?? numbers.last + numbers.step;
    numbers.last = Math.max(id, numbers.last);
    database.prepare('INSERT INTO t VALUES (?, ?, ?)').run(id, of.k ?? null, of.name);
    return;
  }
  if (of.kind !== 'if') {
    for (const each of of.steps) run(database, each, numbers);
    return;
  }
  const test = `SELECT ${of.condition.replaceAll("N'", "'")} AS truth`;
  const { truth } = database.prepare(test).get() as { truth: number };
  for (const each of truth === 1 ? of.body : (of.otherwise ?? [])) run(database, each, numbers);
}

test(
  'insert the rows that the same conditions insert in SQLite',
  { timeout: 120_000 },
  async () => {
    const script = fc.record({
      start: fc.integer({ min: 1, max: 20 }),
      increment: fc.constant(1),
      steps: fc.array(step, { minLength: 1, maxLength: 8 }),
      separator: fc.constantFrom('\nGO\n', '\n', ';\n'),
    });
    await fc.assert(
      fc.asyncProperty(script, async ({ start, increment, steps, separator }) => {
        const native = new DatabaseSync(':memory:');
        native.exec('CREATE TABLE t (id INTEGER, k int, name text COLLATE NOCASE)');
        const numbers: Numbers = { last: start - increment, step: increment };
        for (const each of steps) run(native, each, numbers);
        const expected = native.prepare('SELECT * FROM t ORDER BY id').all();
        native.close();
        fc.pre(new Set(expected.map(({ id }) => id)).size === expected.length);
        const dump = `CREATE TABLE [dbo].[t] (id int IDENTITY(${start},${increment}) PRIMARY KEY, k int NULL, name nvarchar(20))\nGO\n${steps.map(toSql).join(separator)}\nGO\n`;
        await onNewDatabase(
          () => sqliteUnderTest.makeDatabase(),
          async ({ url }) => {
            await importDumpFile(url, dump, {});
            const { text } = await exportOne(url, { table: 't', format: 'ndjson' });
            const lines = text.split('\n').filter((line) => line !== '');
            const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
            expect(rows.map(({ id, k, name: value }) => [id, k, value])).toEqual(
              expected.map(({ id, k, name: value }) => [id, k, value]),
            );
          },
        );
      }),
      { numRuns: 40 },
    );
  },
);

const rejected = {
  'that only SQL Server can evaluate': "IF EXISTS (SELECT 1 FROM t WHERE k > RAND()) INSERT t (k) VALUES (1)", // prettier-ignore
  'of a table that the file does not create': 'IF NOT EXISTS (SELECT 1 FROM other) INSERT t (k) VALUES (1)', // prettier-ignore
};

test.each(Object.entries(rejected))('reject conditions %s', async (_title, statement) => {
  const dump = `CREATE TABLE [dbo].[t] (k int NULL)\nINSERT t VALUES (1)\n${statement}\nGO\n`;
  await onNewDatabase(
    () => sqliteUnderTest.makeDatabase(),
    async ({ url }) => {
      await expect(importDumpFile(url, dump, {})).rejects.toMatchObject({
        message: expect.stringContaining('Line 3, column 1: The condition') as string,
      });
    },
  );
});

test.each([
  'IF NOT EXISTS (SELECT 1 FROM t) UPDATE t SET k = 2',
  'IF NOT EXISTS (SELECT 1 FROM t) EXEC dbo.fill_t',
  'WHILE (SELECT COUNT(*) FROM t) < 3 INSERT t (k) VALUES (1)',
  'IF NOT EXISTS (SELECT 1 FROM t) WHILE 1 = 1 INSERT t (k) VALUES (1)',
  'IF NOT EXISTS (SELECT 1 FROM t) INSERT t (k) SELECT 1 FROM t',
  'IF NOT EXISTS (SELECT 1 FROM t) GOTO done',
  'IF NOT EXISTS (SELECT 1 FROM t) RETURN\nINSERT t (k) VALUES (1)',
])('reject what an import does not run: %s', async (statement) => {
  const dump = `CREATE TABLE [dbo].[t] (k int NULL)\nGO\n${statement}\nGO\n`;
  await onNewDatabase(
    () => sqliteUnderTest.makeDatabase(),
    async ({ url }) => {
      await expect(importDumpFile(url, dump, {})).rejects.toThrow();
    },
  );
});

/** Columns and values whose comparison needs more than their texts, and a condition on them. */
const conversions = [
  ['d date', "'2020-01-02'", "d = '20200102'"],
  ['d datetime', "'2020-01-02T03:04:05'", "d = '2020-01-02 03:04:05'"],
  ['d time', "'01:02:00'", "d = '01:02'"],
  [
    'd uniqueidentifier',
    "'A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11'",
    "d = '{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}'",
  ],
  ['d varchar(5) COLLATE Latin1_General_CS_AS', "'a'", "d = 'A'"],
  ['d nvarchar(9)', "N'straße'", "d = N'strasse'"],
  ['d nvarchar(9)', "N'café'", "d = N'CAFE'"],
];

test.each(conversions)('reject a condition on %s that compares %s with %s', async (...texts) => {
  const [column, value, condition] = texts;
  const dump = `CREATE TABLE [dbo].[t] (k int NULL, ${column})\nINSERT t VALUES (1, ${value})\nIF NOT EXISTS (SELECT 1 FROM t WHERE ${condition}) INSERT t (k) VALUES (2)\nGO\n`;
  await onNewDatabase(
    () => sqliteUnderTest.makeDatabase(),
    async ({ url }) => {
      await expect(importDumpFile(url, dump, {})).rejects.toMatchObject({
        message: expect.stringContaining('Line 3, column 1: The condition') as string,
      });
    },
  );
});

test.each([
  'IF NOT EXISTS (SELECT 1 FROM other.dbo.t) INSERT t (k) VALUES (2)',
  "BEGIN TRY INSERT t (k) VALUES (2); RAISERROR('x', 16, 1); INSERT t (k) VALUES (3) END TRY BEGIN CATCH INSERT t (k) VALUES (4) END CATCH",
  "BEGIN TRY INSERT t (k) VALUES (2); THROW 50000, 'x', 1 END TRY BEGIN CATCH INSERT t (k) VALUES (4) END CATCH",
])('reject what only the server decides: %s', async (statement) => {
  const dump = `CREATE TABLE [dbo].[t] (k int NULL)\nINSERT t VALUES (1)\n${statement}\nGO\n`;
  await onNewDatabase(
    () => sqliteUnderTest.makeDatabase(),
    async ({ url }) => {
      await expect(importDumpFile(url, dump, {})).rejects.toThrow('Line 3');
    },
  );
});
