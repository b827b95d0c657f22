/**
 * Row writes and imports into tables with `ON CONFLICT` clauses. The reference is SQLite itself with
 * the same table without those clauses: the studio must leave the same rows and fail in the same
 * cases.
 */
import BetterSqlite3 from 'better-sqlite3';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { createStudio } from '../../../src/studio/studio.ts';
import { load } from '../kit/loading.ts';
import { makeFile, openRaw } from './fixture.ts';
import type { Studio } from '../../../src/studio/studio.ts';
import type { LoadOptions } from '../../../src/model/load.ts';

const clause = fc.constantFrom(
  '',
  ' ON CONFLICT REPLACE',
  ' ON CONFLICT IGNORE',
  ' ON CONFLICT FAIL',
);

const structure = fc.record({
  key: fc.constantFrom(
    'id INTEGER PRIMARY KEY',
    'id TEXT NOT NULL PRIMARY KEY',
    'id INT NOT NULL UNIQUE',
  ),
  ofKey: clause,
  ofA: clause,
  ofPair: clause,
  collation: fc.constantFrom('', ' COLLATE NOCASE'),
  notNull: clause,
  trigger: fc.constantFrom(undefined, 'BEFORE', 'AFTER'),
  triggerRule: fc.constantFrom('IGNORE', 'REPLACE'),
});
type Structure = typeof structure extends fc.Arbitrary<infer T> ? T : never;

/**
 * An example that once lost an update without an error: an import first updates with the error behavior of
 * ABORT, which fails in the trigger, and then with the table's own clause, by which ON CONFLICT IGNORE
 * skips the row.
 */
const skippedUpdate: readonly [Structure, readonly Step[]] = [
  {
    ...{ key: 'id TEXT NOT NULL PRIMARY KEY', ofKey: '', ofA: '', ofPair: ' ON CONFLICT IGNORE' },
    ...{ collation: '', notNull: '', trigger: 'BEFORE', triggerRule: 'REPLACE' },
  },
  [
    { load: [{ id: '1', a: null, b: 'a', c: 'x' }], onConflict: 'update', dryRun: false },
    { create: { id: '2', a: null, b: 'b', c: 'x' } },
    { load: [{ id: '2', a: null, b: 'a', c: 'x' }], onConflict: 'update', dryRun: false },
  ],
];

const small = fc.constantFrom('1', '2', '3', '4');
const word = fc.constantFrom('a', 'A', 'b', '1', null);
const row = fc.record({ id: small, a: word, b: word, c: fc.constantFrom('x', 'y', 'X', null) });
type Row = typeof row extends fc.Arbitrary<infer T> ? T : never;

type LoadedRow = Omit<Row, 'c'> & { readonly c: string | null };

const step = fc.oneof(
  fc.record({ create: row }),
  fc.record({
    update: small,
    values: fc.record({ a: word, b: word, c: word, id: small }, { requiredKeys: [] }),
  }),
  fc.record({
    load: fc.array(row, { minLength: 1, maxLength: 4 }),
    onConflict: fc.constantFrom('error', 'skip', 'update'),
    dryRun: fc.boolean(),
  }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function ddlOf(shape: Structure, withClauses: boolean): string {
  const rule = (text: string): string => (withClauses ? text : '');
  const columns = [
    `${shape.key}${rule(shape.ofKey)}`,
    `a TEXT UNIQUE${rule(shape.ofA)}`,
    `b TEXT${shape.collation}`,
    `c TEXT NOT NULL${rule(shape.notNull)} DEFAULT 'd'`,
    `UNIQUE (b, c)${rule(shape.ofPair)}`,
  ];
  const on = (event: string): string =>
    shape.trigger === undefined
      ? ''
      : `CREATE TRIGGER on_${event} ${shape.trigger} ${event} ON t BEGIN
           INSERT OR ${shape.triggerRule} INTO log (w, n) VALUES (new.b, new.id); END;`;
  return `CREATE TABLE t (${columns.join(', ')});
    CREATE TABLE log (w TEXT PRIMARY KEY, n) WITHOUT ROWID;
    ${on('INSERT')} ${on('UPDATE')}`;
}

interface Pair {
  readonly studio: Studio;
  readonly path: string;
  readonly studioFile: BetterSqlite3.Database;
  readonly reference: BetterSqlite3.Database;
  readonly hasTrigger: boolean;
}

function stored(database: BetterSqlite3.Database): unknown {
  const all = (text: string): unknown[] => database.prepare(text).raw().all();
  return {
    t: all('SELECT id, a, b, c FROM t ORDER BY id'),
    log: all('SELECT * FROM log ORDER BY w'),
  };
}

const codes: Readonly<Record<string, string>> = {
  SQLITE_CONSTRAINT_UNIQUE: 'unique_violation',
  SQLITE_CONSTRAINT_PRIMARYKEY: 'unique_violation',
  SQLITE_CONSTRAINT_ROWID: 'unique_violation',
  SQLITE_CONSTRAINT_NOTNULL: 'not_null_violation',
};

/** All of it or nothing; the code of the failure. */
function runOnReference(
  database: BetterSqlite3.Database,
  work: () => void,
  keep = true,
): string | undefined {
  database.exec('BEGIN');
  try {
    work();
    database.exec(keep ? 'COMMIT' : 'ROLLBACK');
    return undefined;
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    const { code } = error as { code: string };
    return codes[code] ?? code;
  }
}

async function outcome(work: Promise<unknown>): Promise<string | undefined> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return undefined;
  if (!(error instanceof StudioError)) throw error;
  const { errors } = error.details as { readonly errors?: readonly { readonly code: string }[] };
  return errors?.[0]?.code ?? error.code;
}

const insertText = 'INSERT INTO t (id, a, b, c) VALUES (?, ?, ?, ?)';

/** A row that conflicts by its key alone: with two conflicts, either error is right. */
function conflictingByKey(existingRow: Row, index: number): LoadedRow {
  return { ...existingRow, a: null, c: `only ${index}` };
}

async function perform(
  { studio, path, reference, hasTrigger }: Pair,
  action: Step,
): Promise<[unknown, unknown]> {
  if ('create' in action) {
    const { id, a, b, c } = action.create;
    const body = JSON.stringify(action.create);
    return [
      await outcome(studio.perform('create-row', { table: 't', body })),
      runOnReference(reference, () => reference.prepare(insertText).run(id, a, b, c)),
    ];
  }
  if ('update' in action) {
    const { update: id, values } = action;
    if (Object.keys(values).length === 0) return [undefined, undefined];
    if (reference.prepare('SELECT 1 FROM t WHERE id = ?').get(id) === undefined)
      return [undefined, undefined];
    const body = JSON.stringify(values);
    const set = Object.keys(values).map((name) => `${name} = ?`);
    return [
      await outcome(studio.perform('update-row', { table: 't', id, body, showDeleted: false })),
      runOnReference(reference, () =>
        reference
          .prepare(`UPDATE t SET ${set.join(', ')} WHERE id = ?`)
          .run(...Object.values(values), id),
      ),
    ];
  }
  const { onConflict, dryRun } = action;
  const rows: readonly LoadedRow[] =
    hasTrigger && onConflict !== 'error' ? action.load.map(conflictingByKey) : action.load;
  const options: Partial<LoadOptions> = { onConflict, dryRun, conflictColumns: ['id'] };
  return [
    await outcome(load(path, [['t', rows]], options)),
    runOnReference(reference, () => importInto(reference, rows, onConflict), !dryRun),
  ];
}

function importInto(
  reference: BetterSqlite3.Database,
  rows: readonly LoadedRow[],
  onConflict: string,
): void {
  const behind = onConflict === 'error' ? '' : ' ON CONFLICT (id) DO NOTHING';
  for (const { id, a, b, c } of rows) {
    const { changes } = reference.prepare(insertText + behind).run(id, a, b, c);
    if (changes === 0 && onConflict === 'update')
      reference.prepare('UPDATE t SET a = ?, b = ?, c = ? WHERE id = ?').run(a, b, c, id);
  }
}

const rejection = /^(?:unique|not_null)_violation$/;

function isRejection(found: unknown): boolean {
  return typeof found === 'string' && rejection.test(found);
}

async function check(shape: Structure, steps: readonly Step[]): Promise<void> {
  const path = makeFile(ddlOf(shape, true));
  const reference = new BetterSqlite3(':memory:');
  reference.exec(ddlOf(shape, false));
  const studio = await createStudio({ url: path });
  const pair = {
    studio,
    path,
    studioFile: openRaw(path),
    reference,
    hasTrigger: shape.trigger !== undefined,
  };
  try {
    for (const action of steps) {
      const [found, expected] = await perform(pair, action);
      expect(stored(pair.studioFile)).toEqual(stored(reference));
      // A row that violates several constraints is rejected for any of them.
      expect(found).toEqual(isRejection(expected) ? expect.stringMatching(rejection) : expected);
    }
  } finally {
    pair.studioFile.close();
    reference.close();
    await studio.close();
  }
}

test('a write changes only its own row, whatever the ON CONFLICT clauses', async () => {
  await fc.assert(
    fc.asyncProperty(structure, fc.array(step, { minLength: 12, maxLength: 12 }), check),
    { numRuns: 12, endOnFailure: true, examples: [skippedUpdate] },
  );
});
