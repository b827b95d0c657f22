import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { load, rowsOf } from '../kit/loading.ts';
import type { FileRows, LoadTestOptions, ValueRow } from '../kit/loading.ts';

interface OpenFile {
  readonly path: string;
  readonly raw: BetterSqlite3.Database;
}

async function withFile(ddl: string, work: (file: OpenFile) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-open-references-'));
  const path = join(folder, 'load.db');
  const raw = new BetterSqlite3(path);
  try {
    raw.exec(ddl);
    await work({ path, raw });
  } finally {
    raw.close();
    rmSync(folder, { recursive: true });
  }
}

const schemaText = 'SELECT * FROM sqlite_schema ORDER BY rowid';

// Each table references itself and the other one. No file contains rows of `outer_rows`.
const trials = fc.record({
  key: fc.constantFrom('INTEGER', 'TEXT', 'TEXT COLLATE NOCASE'),
  suffix: fc.constantFrom('', ' WITHOUT ROWID'),
  deferred: fc.constantFrom('', ' DEFERRABLE INITIALLY DEFERRED'),
  index: fc.constantFrom('', 'CREATE INDEX studio_load_1 ON a (other);'),
  storedRows: fc.nat(3),
  outerRows: fc.nat(3),
  rows: fc.array(
    fc.record({ inA: fc.boolean(), own: fc.option(fc.nat(69)), other: fc.option(fc.nat(69)) }),
    { minLength: 1, maxLength: 140 },
  ),
  chunk: fc.constantFrom(1, 30, 200),
  mode: fc.constantFrom('append', 'replace'),
  onConflict: fc.constantFrom('error', 'update'),
  isResolved: fc.boolean(),
  dryRun: fc.boolean(),
});
type Trial = typeof trials extends fc.Arbitrary<infer T> ? T : never;

function ddlOf({ key, suffix, deferred, index, storedRows, outerRows, mode }: Trial): string {
  const table = (name: string, other: string): string =>
    `CREATE TABLE ${name} (id ${key} PRIMARY KEY, own ${key} REFERENCES ${name}${deferred}, other ${key} REFERENCES ${other})${suffix};`;
  const before = Array.from({ length: storedRows }, (_, i) => {
    const number = mode === 'replace' ? i : 1000 + i;
    const id = key === 'INTEGER' ? String(number) : `'x${number}'`;
    return `INSERT INTO a VALUES (${id}, NULL, NULL); ${i < outerRows ? `INSERT INTO outer_rows VALUES (${i}, ${id});` : ''}`;
  });
  return `${table('a', 'b')} ${table('b', 'a')} ${index}
    CREATE TABLE outer_rows (id INTEGER PRIMARY KEY, a_id ${key} REFERENCES a); ${before.join(' ')}`;
}

/** Rows numbered from 0 in each table, in an order with references to earlier and later rows. */
function fileOf({ key, rows, chunk, isResolved }: Trial): readonly FileRows[] {
  const counts = { a: 0, b: 0 };
  for (const { inA } of rows) counts[inA ? 'a' : 'b']++;
  const keyOf = (n: number, isUpperCase: boolean): number | string =>
    key === 'INTEGER' ? n : key === 'TEXT' || !isUpperCase ? `x${n}` : `X${n}`;
  const to = (n: number | null, count: number, isUpperCase: boolean): number | string | null => {
    if (n === null || (isResolved && count === 0)) return null;
    return keyOf(isResolved ? n % count : n, isUpperCase);
  };
  const next = { a: 0, b: 0 };
  const file: [string, ValueRow[]][] = [];
  for (const { inA, own, other } of rows) {
    const [name, others] = inA ? (['a', 'b'] as const) : (['b', 'a'] as const);
    const row = {
      id: keyOf(next[name]++, false),
      // SQLite compares a row's reference to itself byte by byte, whatever the collation.
      own: to(own, counts[name], false),
      other: to(other, counts[others], true),
    };
    const last = file.at(-1);
    if (last?.[0] === name && last[1].length < chunk) last[1].push(row);
    else file.push([name, [row]]);
  }
  return file;
}

function dump(raw: BetterSqlite3.Database): unknown {
  return ['a', 'b', 'outer_rows'].map((name) => raw.prepare(`SELECT * FROM ${name}`).all());
}

/** The result of inserting the rows with the driver only. Undefined if the commit fails. */
function insertWithDriver(
  raw: BetterSqlite3.Database,
  trial: Trial,
  file: readonly FileRows[],
): unknown {
  raw.exec('PRAGMA foreign_keys = ON; BEGIN; PRAGMA defer_foreign_keys = ON');
  if (trial.mode === 'replace')
    for (const name of new Set(file.map(([table]) => table))) raw.exec(`DELETE FROM ${name}`);
  for (const [name, rows] of file)
    for (const row of rows)
      raw.prepare(`INSERT INTO ${name} VALUES (?, ?, ?)`).run(row['id'], row['own'], row['other']);
  try {
    raw.exec('COMMIT');
    return dump(raw);
  } catch {
    raw.exec('ROLLBACK');
    return undefined;
  }
}

const numRuns = process.env['STUDIO_TEST_LONG'] ? 300 : 40;

describe('references to rows that come later', () => {
  test('are accepted and rejected as SQLite does, and the structure is unchanged', async () => {
    await fc.assert(
      fc.asyncProperty(trials, async (trial) => {
        const file = fileOf(trial);
        const { mode, onConflict, dryRun } = trial;
        let expected: unknown;
        await withFile(ddlOf(trial), async ({ raw }) => {
          expected = insertWithDriver(raw, trial, file);
        });
        await withFile(ddlOf(trial), async ({ path, raw }) => {
          const [before, schema] = [dump(raw), raw.prepare(schemaText).all()];
          const outcome = await load(path, file, { mode, onConflict, dryRun }).then(
            () => 'loaded',
            (error: unknown) => (error as { code: unknown }).code,
          );
          expect(outcome).toBe(expected === undefined ? 'import_failed' : 'loaded');
          expect(dump(raw)).toEqual(dryRun ? before : (expected ?? before));
          expect(raw.prepare(schemaText).all()).toEqual(schema);
          expect(raw.pragma('integrity_check', { simple: true })).toBe('ok');
        });
      }),
      { numRuns },
    );
  });

  const count = 2000;
  const chunked = (rows: readonly ValueRow[]): FileRows[] =>
    Array.from({ length: rows.length / 500 }, (_, i): FileRows => [
      't',
      rows.slice(i * 500, (i + 1) * 500),
    ]);
  const selfReferring = (type: string): string =>
    `CREATE TABLE t (id ${type} PRIMARY KEY, parent ${type} REFERENCES t);`;

  // The pages of a temporary index stay in the file as free pages.
  async function usesIndex(
    ddl: string,
    rows: readonly FileRows[],
    options?: LoadTestOptions,
  ): Promise<boolean> {
    let freed = 0;
    await withFile(ddl, async ({ path, raw }) => {
      const before = Number(raw.pragma('freelist_count', { simple: true }));
      await load(path, rows, options);
      freed = Number(raw.pragma('freelist_count', { simple: true })) - before;
    });
    return freed > 0;
  }

  test('are found by a temporary index, which other loads do not create', async () => {
    const ahead = chunked(rowsOf(count, (id) => ({ id, parent: id < count ? id + 1 : null })));
    const back = chunked(rowsOf(count, (id) => ({ id, parent: id > 1 ? id - 1 : null })));
    const indexed = `${selfReferring('INTEGER')} CREATE INDEX i ON t (parent);`;
    expect(await usesIndex(selfReferring('INTEGER'), ahead)).toBe(true);
    expect(await usesIndex(selfReferring('INTEGER'), back)).toBe(false);
    expect(await usesIndex(indexed, ahead)).toBe(false);
    const text = chunked(rowsOf(count, (id) => ({ id: `k${id}`, parent: `K${(id % count) + 1}` })));
    expect(await usesIndex(selfReferring('TEXT COLLATE NOCASE'), text)).toBe(true);
  });

  test('are found by an index when a referenced table is emptied', async () => {
    const numbers = `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})`;
    const ddl = `${selfReferring('INTEGER')} CREATE TABLE child (t_id INTEGER REFERENCES t);
      ${numbers} INSERT INTO t SELECT i, NULL FROM n; ${numbers} INSERT INTO child SELECT i FROM n;`;
    await withFile(ddl, async ({ path, raw }) => {
      const schema = raw.prepare(schemaText).all();
      await load(path, chunked(rowsOf(count, (id) => ({ id, parent: null }))), { mode: 'replace' });
      expect(raw.prepare('SELECT count(*) FROM child').pluck().get()).toBe(count);
      expect(raw.prepare(schemaText).all()).toEqual(schema);
      expect(Number(raw.pragma('freelist_count', { simple: true }))).toBeGreaterThan(4);
    });
  });
});
