/** Random updates of referenced values, in files that also have new rows in cycles of foreign keys. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { importFile } from '../importing.ts';
import type { Harness } from './harness.ts';

/** A row of one of two tables. `u` is unique, and `p` references the `u` of the other table. */
interface Member {
  readonly table: 'a' | 'b';
  readonly id: number;
  readonly u: number;
  readonly p: number;
}

const member: fc.Arbitrary<Member> = fc.record({
  table: fc.constantFrom('a', 'b'),
  id: fc.integer({ min: 1, max: 6 }),
  u: fc.integer({ min: 1, max: 8 }),
  p: fc.integer({ min: 1, max: 8 }),
});

const files = fc.uniqueArray(member, {
  minLength: 1,
  maxLength: 5,
  selector: ({ table, id }) => `${table} ${id}`,
});

const existing: readonly Member[] = (['a', 'b'] as const).flatMap((table) =>
  [1, 2, 3].map((id) => ({ table, id, u: id, p: (id % 3) + 1 })),
);

/** A new row in a cycle gets the value that a row gives up, and both reference another new row. */
const reused: Member[] = [
  { table: 'a', id: 1, u: 7, p: 8 },
  { table: 'a', id: 4, u: 1, p: 8 },
  { table: 'b', id: 4, u: 8, p: 1 },
];

const withoutChecks: Readonly<Record<string, (texts: string) => string>> = {
  sqlite: (texts) => `PRAGMA foreign_keys = OFF; ${texts}; PRAGMA foreign_keys = ON`,
  postgres: (texts) =>
    `SET session_replication_role = replica; ${texts}; SET session_replication_role = DEFAULT`,
  mysql: (texts) => `SET foreign_key_checks = 0; ${texts}; SET foreign_key_checks = 1`,
};

/** Creates the tables. No column is nullable, so that a cycle needs its keys disabled. */
export async function createUpdateCycle({ database, underTest }: Harness): Promise<void> {
  const key = (table: string): string =>
    `CONSTRAINT upd_${table}_p FOREIGN KEY (p) REFERENCES upd_${table === 'a' ? 'b' : 'a'} (u) ON UPDATE CASCADE`;
  const isInline = underTest.name === 'sqlite';
  for (const table of ['a', 'b'])
    await database.run(
      `CREATE TABLE upd_${table} (id INT PRIMARY KEY, u INT NOT NULL UNIQUE, p INT NOT NULL${isInline ? `, ${key(table)}` : ''})`,
    );
  if (isInline) return;
  for (const table of ['a', 'b']) await database.run(`ALTER TABLE upd_${table} ADD ${key(table)}`);
}

function insertOf({ table, id, u, p }: Member): string {
  return `INSERT INTO upd_${table} (id, u, p) VALUES (${id}, ${u}, ${p})`;
}

/** The rows, ordered by table and id. */
async function contents({ database }: Harness): Promise<readonly Member[]> {
  const members: Member[] = [];
  for (const table of ['a', 'b'] as const)
    for (const row of await database.query(`SELECT id, u, p FROM upd_${table} ORDER BY id`)) {
      const [id = 0, u = 0, p = 0] = row.map(Number);
      members.push({ table, id, u, p });
    }
  return members;
}

function parentOf(rows: readonly Member[], { table, p }: Member): number | undefined {
  return rows.find((row) => row.table !== table && row.u === p)?.id;
}

/** An import leaves every row that it does not have with the parent that it had, or changes nothing. */
export async function checkUpdatesInCycles(harness: Harness, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(files, (file) => checkFile(harness, file)),
    { numRuns, examples: [[reused]] },
  );
}

async function checkFile(harness: Harness, file: readonly Member[]): Promise<void> {
  const reset = ['DELETE FROM upd_a', 'DELETE FROM upd_b', ...existing.map(insertOf)].join('; ');
  await harness.database.run(withoutChecks[harness.underTest.name]!(reset));
  const dry = await importCode(harness, file, true);
  expect(await contents(harness), 'after a dry run').toEqual(existing);
  const code = await importCode(harness, file, false);
  expect(code, 'as the dry run').toBe(dry);
  const rows = await contents(harness);
  if (code !== undefined) {
    expect(rows, 'after a failure').toEqual(existing);
    return;
  }
  const isInFile = ({ table, id }: Member): boolean =>
    file.some((each) => each.table === table && each.id === id);
  const added = file.filter(({ id }) => id > 3).length;
  expect(rows).toHaveLength(existing.length + added);
  for (const row of rows) expect(parentOf(rows, row), JSON.stringify(row)).toBeDefined();
  // A row of the file has the reference that the file says, unless no row has that value in the end.
  for (const row of file) {
    const stored = rows.find(({ table, id }) => table === row.table && id === row.id)!;
    const parent = parentOf(rows, row);
    if (parent !== undefined) expect(parentOf(rows, stored), JSON.stringify(stored)).toBe(parent);
  }
  for (const row of existing.filter((each) => !isInFile(each))) {
    const now = rows.find(({ table, id }) => table === row.table && id === row.id)!;
    expect(parentOf(rows, now), JSON.stringify(now)).toBe(parentOf(existing, row));
  }
}

/** The code of the error; undefined if the file was imported. */
async function importCode(
  { database }: Harness,
  file: readonly Member[],
  dryRun: boolean,
): Promise<string | undefined> {
  const text = file.map((each) => `${insertOf(each)};\n`).join('');
  try {
    await importFile(database.url, ['a.sql', text], { on_conflict: 'update', dry_run: dryRun });
    return undefined;
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return error.code;
  }
}
