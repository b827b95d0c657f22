/**
 * Exports of tables that another client changes after the studio has cached their structure, or during
 * the export. The reference is an export by a job that has cached nothing, before or after the change.
 */
import { array, assert, asyncProperty, constantFrom, record } from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { expect } from 'vitest';
import {
  cachedTablesOf,
  exportAll,
  exportAllFrom,
  exportOne,
  exportOneFrom,
} from '../exporting.ts';
import { typeChanges } from './changing-types.ts';
import type { JobContext } from '../../../src/studio/core/job.ts';
import type { Schema } from '../../../src/model/schema.ts';
import type { Exported } from '../exporting.ts';
import type { Typed } from './changing-types.ts';
import type { Harness } from './harness.ts';

const changes = [
  'nothing',
  'rows',
  'type',
  'swapped names',
  'new column',
  'dropped column',
  'recreated table',
  'replaced table',
  'other key',
  'dropped table',
] as const;

/**
 * `before`: between the caching and the export. `begun`: when the transaction has begun. `held`: when
 * the database has confirmed the structure; the change then waits for the export.
 */
const moments = ['before', 'begun', 'held'] as const;

interface Step {
  readonly change: (typeof changes)[number];
  readonly moment: (typeof moments)[number];
  readonly column: 'v' | 'w';
  readonly to: Typed;
  readonly format: 'csv' | 'json' | 'ndjson' | 'sql';
  readonly of: 'one table' | 'some tables';
}

const stepOf = (types: readonly Typed[]): Arbitrary<Step> =>
  record({
    change: constantFrom(...changes),
    moment: constantFrom(...moments),
    column: constantFrom('v', 'w'),
    to: constantFrom(...types),
    format: constantFrom('csv', 'json', 'ndjson', 'sql'),
    of: constantFrom('one table', 'some tables'),
  });

/** The statements of a change. */
function statementsOf(name: string, table: string, { change, column, to }: Step): string {
  const rename = (from: string, into: string): string =>
    `ALTER TABLE ${table} RENAME COLUMN ${from} TO ${into}`;
  const create = `
    CREATE TABLE ${table} (id int NOT NULL PRIMARY KEY, w ${to.type}, v varchar(9), n int);
    INSERT INTO ${table} (id, w, v, n) VALUES (3, ${to.value}, 'three', 3), (2, NULL, 'two', 9)`;
  const keys: Readonly<Record<string, string>> = {
    postgres: `ALTER TABLE ${table} DROP CONSTRAINT ${table}_pkey; ALTER TABLE ${table} ADD PRIMARY KEY (n)`,
    mysql: `ALTER TABLE ${table} DROP PRIMARY KEY, ADD PRIMARY KEY (n)`,
    sqlite: `DROP TABLE ${table}; CREATE TABLE ${table} (id int, v text, w text, n int PRIMARY KEY);
      INSERT INTO ${table} VALUES (1, 'a', 'b', 8), (2, 'c', 'd', 7)`,
  };
  const statements: Readonly<Record<Step['change'], string>> = {
    nothing: '',
    rows: `INSERT INTO ${table} (id, n) VALUES (9, 1)`,
    type: typeChanges[name]!.change(table, column, to),
    'swapped names': [rename('v', 'x'), rename('w', 'v'), rename('x', 'w')].join(';'),
    'new column': `ALTER TABLE ${table} ADD COLUMN extra int DEFAULT 5`,
    'dropped column': `ALTER TABLE ${table} DROP COLUMN ${column}`,
    'recreated table': `DROP TABLE ${table}; ${create}`,
    'replaced table': `ALTER TABLE ${table} RENAME TO ${table}_old; ${create}`,
    'other key': keys[name]!,
    'dropped table': `DROP TABLE ${table}`,
  };
  return statements[change];
}

interface Options {
  readonly runs: number;
  readonly steps: number;
}

/** Each step is a change of a table of its own. */
export async function checkExportsOfChangedTables(
  harness: Harness,
  { runs, steps }: Options,
): Promise<void> {
  const { database, underTest } = harness;
  const { setUp, typed: anyTyped } = typeChanges[underTest.name]!;
  // Messages of failures show all of them.
  const typed = anyTyped.filter(({ value }) => value.length < 100);
  for (const statement of setUp) await database.run(statement);
  await database.run(
    'CREATE TABLE beside (id int NOT NULL PRIMARY KEY); INSERT INTO beside VALUES (1)',
  );
  let number = 0;
  await assert(
    asyncProperty(
      array(stepOf(typed), { minLength: steps, maxLength: steps }),
      async (sequence) => {
        for (const step of sequence) await check(harness, `changed_${(number += 1)}`, step);
      },
    ),
    { numRuns: runs, endOnFailure: true },
  );
}

async function check({ database, underTest }: Harness, table: string, step: Step): Promise<void> {
  const { type, value } = typeChanges[underTest.name]!.typed[0]!;
  await database.run(`
    CREATE TABLE ${table} (id int NOT NULL PRIMARY KEY, n int NOT NULL, v ${type}, w ${type});
    INSERT INTO ${table} (id, n, v, w) VALUES (1, 8, ${value}, NULL), (2, 7, ${value}, ${value})`);
  const names = [table, 'beside'];
  const cachedTables = await cachedTablesOf(
    database.url,
    step.of === 'one table' ? [table] : names,
  );
  expect(cachedTables).toBeDefined();
  const exportReference = (): Promise<unknown> => outcomeOf(exportedBy(database.url, table, step));
  const before = await exportReference();
  // SQLite's own client cannot wait within the process of the export.
  const moment = step.moment === 'held' && underTest.name === 'sqlite' ? 'begun' : step.moment;
  let changed: Promise<void> | undefined;
  const change = (): Promise<void> =>
    (changed ??=
      step.change === 'nothing'
        ? Promise.resolve()
        : database.run(statementsOf(underTest.name, table, step)));
  if (moment === 'before') await change();
  const adapt = (context: JobContext): JobContext =>
    changing({ ...context, cachedTables: cachedTables! }, moment, change);
  const exported = await outcomeOf(exportedBy(database.url, table, step, adapt));
  await change();
  // A transaction of MySQL and MariaDB has its snapshot of the rows from its begin.
  const isAfterSnapshot =
    moment === 'held' ||
    (moment === 'begun' && step.change === 'rows' && underTest.name === 'mysql');
  const expected = isAfterSnapshot ? before : await exportReference();
  expect(exported, JSON.stringify(step)).toEqual(expected);
}

/** Changes the tables when the export holds them for the first time. */
function changing(
  context: JobContext,
  moment: Step['moment'],
  change: () => Promise<void>,
): JobContext {
  const { holdTables } = context.database;
  if (moment === 'before' || holdTables === undefined) return context;
  const database: JobContext['database'] = {
    ...context.database,
    holdTables: async (session, tables) => {
      if (moment === 'begun') await change();
      const isHeld = await holdTables(session, tables);
      if (moment === 'held') void change();
      return isHeld;
    },
  };
  return { ...context, database };
}

function exportedBy(
  url: string,
  table: string,
  { format, of }: Step,
  adapt?: (context: JobContext) => JobContext,
): Promise<Exported> {
  if (of === 'one table')
    return adapt === undefined
      ? exportOne(url, { table, format })
      : exportOneFrom(url, { table, format }, adapt);
  // The file of several tables is an archive if it is CSV.
  const input = { tables: [table, 'beside'], format: format === 'csv' ? 'json' : format };
  return adapt === undefined ? exportAll(url, input) : exportAllFrom(url, input, adapt);
}

/** The file, or the error without its suggestions. */
async function outcomeOf(exported: Promise<Exported>): Promise<unknown> {
  try {
    const { text, head } = await exported;
    return { text, head };
  } catch (error) {
    return String(error).replace(/ Did you mean.*/s, '');
  }
}

/** Fails if an export of unchanged tables reads the structure. */
export async function checkUnchangedTable({ database }: Harness, table: string): Promise<void> {
  await database.run(
    `CREATE TABLE ${table} (id int NOT NULL PRIMARY KEY, n int); INSERT INTO ${table} VALUES (1, 2)`,
  );
  const cachedTables = (await cachedTablesOf(database.url, [table])) as Schema;
  const isRead = (): Promise<never> => Promise.reject(new Error('The structure was read.'));
  const schemas = { current: isRead, verified: isRead, refresh: isRead };
  const adapt = (context: JobContext): JobContext => ({ ...context, schemas, cachedTables });
  const { text } = await exportOneFrom(database.url, { table, format: 'csv' }, adapt);
  expect(text).toBe('id,n\n1,2\n');
  await database.run(`ALTER TABLE ${table} ADD COLUMN more int`);
  await expect(exportOneFrom(database.url, { table }, adapt)).rejects.toThrow(
    'The structure was read.',
  );
}
