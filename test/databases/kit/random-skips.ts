/** Random rows of which some reference nothing, in imports that update existing rows and skip wrong ones. */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { importFile } from '../importing.ts';
import type { Harness } from './harness.ts';

interface SkipRow {
  readonly table: number;
  readonly id: number;
  /** The id of a row of the other table, or of the same one if there is only one. */
  readonly p: number | null;
  readonly n: number;
}

interface SkipImport {
  readonly tables: 1 | 2;
  readonly isNullable: boolean;
  readonly isComposite: boolean;
  readonly byCode: boolean;
  readonly deferrable: string;
  /** Rows with the same key, of which the last one wins. */
  readonly hasRepeated: boolean;
  readonly rows: readonly SkipRow[];
}

const skipRow: fc.Arbitrary<SkipRow> = fc.record({
  table: fc.nat(1),
  id: fc.integer({ min: 2, max: 12 }),
  // 1 and 2 exist, and 99 does not.
  p: fc.constantFrom(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 99, null),
  n: fc.constantFrom(0),
});

const skipImports: fc.Arbitrary<SkipImport> = fc.record({
  tables: fc.constantFrom(1, 2),
  isNullable: fc.constantFrom(true, true, false),
  isComposite: fc.boolean(),
  byCode: fc.boolean(),
  deferrable: fc.constantFrom('', '', 'DEFERRABLE', 'DEFERRABLE INITIALLY DEFERRED'),
  hasRepeated: fc.boolean(),
  rows: fc.array(skipRow, { minLength: 1, maxLength: 16, size: 'max' }),
});

/** Checks this many random imports. */
export async function checkSkippedUpdates(harness: Harness, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(skipImports, (skipImport) => checkImport(harness, skipImport)),
    { numRuns, endOnFailure: true },
  );
}

/** The rows before the import. */
const existingIds = [1, 2];

async function checkImport(harness: Harness, skipImport: SkipImport): Promise<void> {
  const { database } = harness;
  const rows = rowsOf(skipImport);
  const retained = retainedRows(skipImport.tables, rows);
  const lines = rows.flatMap((row, i) => (retained.includes(row) ? [] : [i + 1]));
  const file: readonly [string, string] = [
    'rows.sql',
    rows.map((row) => `${insertText(row)};\n`).join(''),
  ];
  await createTables(harness, skipImport);
  try {
    const before = await contents(harness, skipImport);
    const options = {
      on_conflict: 'update',
      on_error: 'skip',
      ...(skipImport.byCode ? { conflict_columns: ['code'] } : {}),
    } as const;
    const dry = await importFile(database.url, file, { ...options, dry_run: true });
    expect(await contents(harness, skipImport), 'after a dry run').toEqual(before);
    const real = await importFile(database.url, file, options);
    expect(await contents(harness, skipImport)).toEqual(expectedContents(skipImport, retained));
    expect(real.errors?.map(({ line }) => line).toSorted((a, b) => a! - b!) ?? []).toEqual(lines);
    const added = new Set(
      retained.flatMap(({ table, id }) => (existingIds.includes(id) ? [] : [`${table} ${id}`])),
    );
    expect(real.rows_imported).toBe(added.size);
    const counts = Object.values(real.tables);
    expect(counts.reduce((sum, each) => sum + each.rows_skipped, 0)).toBe(lines.length);
    expect(counts.reduce((sum, each) => sum + each.rows_updated, 0)).toBe(
      retained.length - added.size,
    );
    expect({ ...dry, dry_run: undefined }, 'as the dry run').toEqual({ ...real });
  } finally {
    await drop(harness, skipImport);
  }
}

function rowsOf(skipImport: SkipImport): readonly SkipRow[] {
  const { tables, rows, isNullable } = skipImport;
  const seen = new Set<string>();
  return rows
    .map((row, i) => {
      const p = row.p === null && !isNullable ? 1 : row.p;
      return { ...row, table: row.table % tables, p, n: i + 1 };
    })
    .filter(({ table, id }) => {
      const isFirst = !seen.has(`${table} ${id}`);
      seen.add(`${table} ${id}`);
      return isFirst || mayRepeat(skipImport);
    });
}

/** Where keys are checked for all rows at once, the reference of a row that another one replaces is not checked. */
function mayRepeat({ hasRepeated, isNullable, deferrable }: SkipImport): boolean {
  return hasRepeated && isNullable && deferrable === '';
}

/** The largest set of rows of which each references a row that exists or is in the set. */
function retainedRows(tables: number, rows: readonly SkipRow[]): readonly SkipRow[] {
  const isThere = (table: number, id: number): boolean =>
    existingIds.includes(id) || rows.some((row) => row.table === table && row.id === id);
  const retained = rows.filter(({ table, p }) => p === null || isThere(tables - 1 - table, p));
  return retained.length === rows.length ? retained : retainedRows(tables, retained);
}

function expectedContents(
  { tables }: SkipImport,
  retained: readonly SkipRow[],
): readonly (readonly string[])[] {
  return Array.from({ length: tables }, (_, table) => {
    const rows = existingIds.map((id) => ({ table, id, p: id as number | null, n: 0 }));
    const byId = new Map(
      [...rows, ...retained.filter((row) => row.table === table)].map((row) => [row.id, row]),
    );
    return [...byId.values()].map(({ id, p, n }) => `${id} ${p} ${n}`).toSorted();
  });
}

async function contents(
  { database }: Harness,
  { tables }: SkipImport,
): Promise<readonly (readonly string[])[]> {
  const found: (readonly string[])[] = [];
  for (let i = 0; i < tables; i++) {
    const rows = await database.query(`SELECT id, p, n FROM skip${i}`);
    found.push(rows.map((row) => row.map(String).join(' ')).toSorted());
  }
  return found;
}

function insertText({ table, id, p, n }: SkipRow): string {
  return `INSERT INTO skip${table} (g, id, code, p, n) VALUES (1, ${id}, 'c${id}', ${p ?? 'NULL'}, ${n})`;
}

async function createTables(
  { database, underTest }: Harness,
  skipImport: SkipImport,
): Promise<void> {
  const { tables, isNullable, isComposite, deferrable } = skipImport;
  const isInline = underTest.name === 'sqlite';
  const key = isComposite ? 'g, id' : 'id';
  const keyOf = (i: number): string =>
    `CONSTRAINT skip${i}_p FOREIGN KEY (${isComposite ? 'g, p' : 'p'}) REFERENCES skip${tables - 1 - i} (${key}) ${isInline || underTest.name === 'postgres' ? deferrable : ''}`;
  const all = Array.from({ length: tables }, (_, i) => i);
  for (const i of all)
    await database.run(
      `CREATE TABLE skip${i} (g INT NOT NULL, id INT NOT NULL, code VARCHAR(9) NOT NULL UNIQUE, p INT ${isNullable ? 'NULL' : 'NOT NULL'}, n INT, PRIMARY KEY (${key})${isInline ? `, ${keyOf(i)}` : ''})`,
    );
  // The rows that exist reference themselves or each other.
  const inserts = existingIds.flatMap((id) =>
    all.map((table) => insertText({ table, id, p: id, n: 0 })),
  );
  if (isInline) {
    await database.run(
      `PRAGMA foreign_keys = OFF; ${inserts.join('; ')}; PRAGMA foreign_keys = ON`,
    );
    return;
  }
  for (const text of inserts) await database.run(text);
  for (const i of all) await database.run(`ALTER TABLE skip${i} ADD ${keyOf(i)}`);
}

async function drop({ database, underTest }: Harness, { tables }: SkipImport): Promise<void> {
  const names = Array.from({ length: tables }, (_, i) => `skip${i}`);
  if (underTest.name === 'sqlite')
    await database.run(
      `PRAGMA foreign_keys = OFF; ${names.map((name) => `DROP TABLE ${name}`).join('; ')}; PRAGMA foreign_keys = ON`,
    );
  else {
    if (tables === 2)
      await database.run(
        `ALTER TABLE skip0 DROP ${underTest.name === 'mysql' ? 'FOREIGN KEY' : 'CONSTRAINT'} skip0_p`,
      );
    for (const name of names.toReversed()) await database.run(`DROP TABLE ${name}`);
  }
}
