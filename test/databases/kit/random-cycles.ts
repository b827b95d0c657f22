/**
 * Random tables whose rows reference each other in cycles, with constraints and triggers that see the
 * referencing column: an import stores what the database's own client stores with deferred checks.
 */
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { StudioError } from '../../../src/model/errors.ts';
import { importFile } from '../importing.ts';
import { isOldestPostgres } from '../../servers/oldest-postgres.ts';
import type { Harness } from './harness.ts';

const features = ['check', 'equal nulls', 'expression', 'generated'] as const;
const triggers = ['log', 'level', 'reject', 'revise', 'deferred'] as const;

type Feature = (typeof features)[number];
type Trigger = (typeof triggers)[number];

interface CycleTable {
  readonly isNullable: boolean;
  readonly deferrable: '' | 'DEFERRABLE' | 'DEFERRABLE INITIALLY DEFERRED';
  readonly features: readonly Feature[];
  readonly triggers: readonly Trigger[];
}

interface CycleRow {
  readonly table: number;
  readonly id: number;
  readonly p: number | null;
  readonly r: number;
}

interface CycleImport {
  readonly tables: readonly CycleTable[];
  readonly rows: readonly CycleRow[];
  readonly onError: 'abort' | 'skip';
  readonly mode: 'append' | 'replace';
}

const cycleTable: fc.Arbitrary<CycleTable> = fc.record({
  isNullable: fc.constantFrom(true, true, true, false),
  deferrable: fc.constantFrom('', '', '', 'DEFERRABLE', 'DEFERRABLE INITIALLY DEFERRED'),
  features: fc.subarray([...features], { maxLength: 2 }),
  triggers: fc.subarray([...triggers], { maxLength: 2 }),
});

/** Few references are NULL or dangling. */
const cycleRow: fc.Arbitrary<CycleRow> = fc.record({
  table: fc.nat(1),
  id: fc.integer({ min: 1, max: 6 }),
  p: fc.constantFrom(1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6, null, 9),
  r: fc.constantFrom(1, 1, 0),
});

const cycleImports: fc.Arbitrary<CycleImport> = fc.record({
  tables: fc.oneof(fc.tuple(cycleTable), fc.tuple(cycleTable, cycleTable)),
  rows: fc.uniqueArray(cycleRow, {
    minLength: 2,
    maxLength: 12,
    size: 'max',
    selector: ({ table, id }) => `${table} ${id}`,
  }),
  onError: fc.constantFrom('abort', 'abort', 'abort', 'skip'),
  mode: fc.constantFrom('append', 'append', 'replace'),
});

/** Checks this many random imports. */
export async function checkImportsOfCycles(harness: Harness, numRuns: number): Promise<void> {
  await fc.assert(
    fc.asyncProperty(cycleImports, (cycleImport) => checkImport(harness, cycleImport)),
    { numRuns, endOnFailure: true },
  );
}

async function checkImport(harness: Harness, cycleImport: CycleImport): Promise<void> {
  const { database } = harness;
  await database.run(createTables(harness, cycleImport).join(';\n'));
  for (const text of triggerTexts(harness, cycleImport)) await database.run(text);
  try {
    const all = rowsOf(cycleImport);
    const isStored = await insertNatively(harness, cycleImport, all);
    const expected = await contents(harness, cycleImport);
    await empty(harness, cycleImport);
    const dry = await outcome(harness, cycleImport, true);
    expect(await contents(harness, cycleImport), 'after a dry run').toEqual(nothing(cycleImport));
    const real = await outcome(harness, cycleImport, false);
    expect(real, 'as the dry run').toEqual(dry);
    const found = await contents(harness, cycleImport);
    if ('code' in real) {
      expect(found, 'after a failure').toEqual(nothing(cycleImport));
      // Rows whose triggers have run cannot be skipped.
      const canSkip = cycleImport.tables.every((table) => table.triggers.length === 0);
      if (cycleImport.onError === 'abort' || canSkip)
        expect([cycleImport.onError, isStored], JSON.stringify(real)).toEqual(['abort', false]);
      return;
    }
    if (cycleImport.onError === 'abort') {
      expect(isStored, 'the database rejects the rows').toBe(true);
      expect(found).toEqual(expected);
      return;
    }
    const ids = cycleImport.tables.map((_, i) => found[i]!.map(([id]) => Number(id)));
    await empty(harness, cycleImport);
    const loaded = all.filter(({ table, id }) => ids[table]!.includes(id));
    expect(
      await insertNatively(harness, cycleImport, loaded),
      'the rows that were not skipped',
    ).toBe(true);
    expect(found).toEqual(await contents(harness, cycleImport));
  } finally {
    await drop(harness, cycleImport);
  }
}

/** The rows of a file. With one table, all rows are its own. */
function rowsOf({ tables, rows }: CycleImport): readonly CycleRow[] {
  const seenKeys = new Set<string>();
  return rows
    .map((row) => {
      const table = row.table % tables.length;
      return { ...row, table, p: row.p === null && !tables[table]!.isNullable ? 1 : row.p };
    })
    .filter(({ table, id }) => {
      const key = `${table} ${id}`;
      return !seenKeys.has(key) && seenKeys.add(key);
    });
}

function insertTexts(rows: readonly CycleRow[]): readonly string[] {
  // Rows without a value for the column are batches of their own.
  return rows.map(({ table, id, p, r }) =>
    p === null
      ? `INSERT INTO cyc${table} (id, r) VALUES (${id}, ${r})`
      : `INSERT INTO cyc${table} (id, p, r) VALUES (${id}, ${p}, ${r})`,
  );
}

// Tables

const databasesWithTriggers: ReadonlySet<string> = new Set(['sqlite', 'postgres', 'mysql']);

function parentOf(tables: readonly CycleTable[], i: number): string {
  return `cyc${tables.length - 1 - i}`;
}

function createTables({ underTest }: Harness, { tables }: CycleImport): readonly string[] {
  const isInline = underTest.name === 'sqlite';
  const canDefer = isInline || underTest.name === 'postgres';
  const keyOf = (i: number): string =>
    `CONSTRAINT cyc${i}_p FOREIGN KEY (p) REFERENCES ${parentOf(tables, i)} (id) ${canDefer ? tables[i]!.deferrable : ''}`;
  const created = tables.map((table, i) => {
    const parts = table.features.flatMap(
      (feature) => definitionsOf(underTest.name, i)[feature] ?? [],
    );
    const columns = [
      'id INT PRIMARY KEY',
      `p INT ${table.isNullable ? 'NULL' : 'NOT NULL'}`,
      'r INT NOT NULL',
      'lvl INT DEFAULT 0 NOT NULL',
      ...parts.filter((part) => !isConstraint(part)),
      ...parts.filter(isConstraint),
      ...(isInline ? [keyOf(i)] : []),
    ];
    return `CREATE TABLE cyc${i} (${columns.join(', ')})`;
  });
  const indexes = tables.flatMap((table, i) =>
    table.features.includes('expression') && ['sqlite', 'postgres'].includes(underTest.name)
      ? [`CREATE UNIQUE INDEX cyc${i}_e ON cyc${i} (coalesce(p, 0))`]
      : [],
  );
  const keys = isInline ? [] : tables.map((_, i) => `ALTER TABLE cyc${i} ADD ${keyOf(i)}`);
  const log = 'CREATE TABLE cyclog (t INT, id INT, p INT, what INT)';
  return [...created, ...indexes, ...keys, log];
}

/** SQLite accepts no column after a constraint. */
function isConstraint(part: string): boolean {
  return /^(?:CONSTRAINT|UNIQUE) /.test(part);
}

/** What each feature adds to CREATE TABLE. */
function definitionsOf(
  name: string,
  i: number,
): Readonly<Partial<Record<Feature, readonly string[]>>> {
  const check = `CONSTRAINT cyc${i}_c CHECK (p IS NOT NULL OR r > 0)`;
  if (name === 'sqlserver') return { check: [check], 'equal nulls': ['UNIQUE (p)'] };
  const generated = 'INT GENERATED ALWAYS AS (coalesce(p, -1))';
  if (name === 'mysql')
    return {
      check: [check],
      expression: [`e ${generated} VIRTUAL`, 'UNIQUE (e)'],
      generated: [`g ${generated} STORED CHECK (g > 0 OR r > 0)`],
    };
  return {
    check: [check],
    generated: [`g ${generated} STORED CHECK (g > 0 OR r > 0)`],
    ...(name === 'postgres' && !isOldestPostgres
      ? { 'equal nulls': ['UNIQUE NULLS NOT DISTINCT (p)'] }
      : {}),
  };
}

interface TriggerText {
  readonly when: string;
  readonly body: string;
}

function triggerText(name: string, trigger: Trigger, i: number): TriggerText | undefined {
  const log = (change: number): string =>
    `INSERT INTO cyclog VALUES (${i}, NEW.id, NEW.p, ${change})`;
  if (trigger === 'log') return { when: 'AFTER INSERT', body: log(1) };
  if (trigger === 'revise' && name === 'sqlite') return { when: 'AFTER UPDATE', body: log(2) };
  const set = name === 'postgres' ? 'NEW.lvl :=' : 'SET NEW.lvl =';
  if (trigger === 'revise') return { when: 'BEFORE UPDATE', body: `${set} NEW.lvl + 10` };
  if (trigger === 'level')
    return name === 'sqlite'
      ? undefined
      : { when: 'BEFORE INSERT', body: `${set} CASE WHEN NEW.p IS NULL THEN 1 ELSE 2 END` };
  if (trigger === 'deferred')
    return name === 'postgres' ? { when: 'AFTER INSERT', body: log(3) } : undefined;
  const raise: Readonly<Record<string, string>> = {
    sqlite: "SELECT RAISE(ABORT, 'no update')",
    postgres: "RAISE 'no update'",
    mysql: "SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'no update'",
  };
  return { when: 'BEFORE UPDATE', body: raise[name]! };
}

function triggerTexts({ underTest }: Harness, { tables }: CycleImport): readonly string[] {
  if (!databasesWithTriggers.has(underTest.name)) return [];
  return tables.flatMap((table, i) =>
    table.triggers.flatMap((trigger) => {
      const found = triggerText(underTest.name, trigger, i);
      return found === undefined ? [] : [createTrigger(underTest.name, { ...found, trigger, i })];
    }),
  );
}

function createTrigger(
  database: string,
  { when, body, trigger, i }: TriggerText & { readonly trigger: Trigger; readonly i: number },
): string {
  const name = `cyc_${trigger}${i}`;
  if (database === 'sqlite') return `CREATE TRIGGER ${name} ${when} ON cyc${i} BEGIN ${body}; END`;
  if (database === 'mysql') return `CREATE TRIGGER ${name} ${when} ON cyc${i} FOR EACH ROW ${body}`;
  const [kind, timing] =
    trigger === 'deferred'
      ? ['CONSTRAINT TRIGGER', 'DEFERRABLE INITIALLY DEFERRED']
      : ['TRIGGER', ''];
  return (
    `CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${body}; RETURN NEW; END $$; ` +
    `CREATE ${kind} ${name} ${when} ON cyc${i} ${timing} FOR EACH ROW EXECUTE FUNCTION ${name}()`
  );
}

// The database's own client

/** Inserts the rows in one transaction that checks foreign keys at its end. Returns whether the database accepts them. */
async function insertNatively(
  harness: Harness,
  { tables }: CycleImport,
  rows: readonly CycleRow[],
): Promise<boolean> {
  const inserts = insertTexts(rows).join(';\n');
  const eachKey = (render: (table: string, key: string) => string): string =>
    tables.map((_, i) => render(`cyc${i}`, `cyc${i}_p`)).join('; ');
  const texts: Readonly<Record<string, string>> = {
    sqlite: `BEGIN; PRAGMA defer_foreign_keys = ON; ${inserts}; COMMIT`,
    postgres:
      `BEGIN; ${eachKey((table, key) => `ALTER TABLE ${table} ALTER CONSTRAINT ${key} DEFERRABLE INITIALLY DEFERRED`)}; ` +
      `${inserts}; COMMIT`,
    mysql: `SET foreign_key_checks = 0; ${inserts}`,
    sqlserver: `${eachKey((table) => `ALTER TABLE ${table} NOCHECK CONSTRAINT ALL`)}; ${inserts}; ${eachKey((table) => `ALTER TABLE ${table} WITH CHECK CHECK CONSTRAINT ALL`)}`,
  };
  const { database, underTest } = harness;
  try {
    await database.run(texts[underTest.name]!);
  } catch {
    if (['sqlite', 'postgres'].includes(underTest.name))
      await database.run('ROLLBACK').catch(() => {});
    return false;
  } finally {
    if (underTest.name === 'postgres')
      await database.run(
        tables
          .map(
            (table, i) =>
              `ALTER TABLE cyc${i} ALTER CONSTRAINT cyc${i}_p ${table.deferrable === '' ? 'NOT DEFERRABLE' : table.deferrable.endsWith('DEFERRED') ? table.deferrable : 'DEFERRABLE INITIALLY IMMEDIATE'}`,
          )
          .join('; '),
      );
  }
  const dangling = await Promise.all(
    tables.map((_, i) =>
      database.query(
        `SELECT c.id FROM cyc${i} c LEFT JOIN ${parentOf(tables, i)} q ON q.id = c.p WHERE c.p IS NOT NULL AND q.id IS NULL`,
      ),
    ),
  );
  return dangling.every((found) => found.length === 0);
}

type Contents = readonly (readonly (readonly unknown[])[])[];

/** The rows of each table, then those of the log. */
async function contents({ database }: Harness, { tables }: CycleImport): Promise<Contents> {
  const found: (readonly (readonly unknown[])[])[] = [];
  for (const i of tables.keys())
    found.push(await database.query(`SELECT id, p, r, lvl FROM cyc${i} ORDER BY id`));
  found.push(await database.query('SELECT t, id, p, what FROM cyclog ORDER BY t, id, what, p'));
  return found.map((rows) =>
    rows.map((row) => row.map((value) => (value === null ? null : Number(value)))),
  );
}

function nothing({ tables }: CycleImport): Contents {
  return [...tables.map(() => []), []];
}

async function empty({ database, underTest }: Harness, { tables }: CycleImport): Promise<void> {
  const names = [...tables.map((_, i) => `cyc${i}`), 'cyclog'];
  const deletes = names.map((name) => `DELETE FROM ${name}`).join('; ');
  const texts: Readonly<Record<string, string>> = {
    sqlite: `PRAGMA foreign_keys = OFF; ${deletes}; PRAGMA foreign_keys = ON`,
    postgres: `TRUNCATE ${names.join(', ')}`,
    mysql: `SET foreign_key_checks = 0; ${deletes}`,
    sqlserver: `${names.map((name) => `ALTER TABLE ${name} NOCHECK CONSTRAINT ALL`).join('; ')}; ${deletes}; ${names.map((name) => `ALTER TABLE ${name} WITH CHECK CHECK CONSTRAINT ALL`).join('; ')}`,
  };
  await database.run(texts[underTest.name]!);
}

async function drop({ database, underTest }: Harness, { tables }: CycleImport): Promise<void> {
  const names = [...tables.map((_, i) => `cyc${i}`), 'cyclog'];
  const drops = names.map((name) => `DROP TABLE IF EXISTS ${name}`).join('; ');
  const functions = tables.flatMap((_, i) =>
    triggers.map((trigger) => `DROP FUNCTION IF EXISTS cyc_${trigger}${i}()`),
  );
  const texts: Readonly<Record<string, string>> = {
    sqlite: `PRAGMA foreign_keys = OFF; ${drops}; PRAGMA foreign_keys = ON`,
    postgres: `DROP TABLE IF EXISTS ${names.join(', ')} CASCADE; ${functions.join('; ')}`,
    mysql: `SET foreign_key_checks = 0; ${drops}`,
    sqlserver: `${tables.map((_, i) => `ALTER TABLE cyc${i} DROP CONSTRAINT cyc${i}_p`).join('; ')}; ${drops}`,
  };
  await database.run(texts[underTest.name]!);
}

/** The counts of the import, or its error. */
async function outcome(
  harness: Harness,
  cycleImport: CycleImport,
  dryRun: boolean,
): Promise<object> {
  const content = insertTexts(rowsOf(cycleImport)).map((text) => `${text};\n`);
  try {
    const { dry_run: _, ...response } = await importFile(
      harness.database.url,
      ['rows.sql', content.join('')],
      { on_error: cycleImport.onError, mode: cycleImport.mode, dry_run: dryRun },
    );
    return response;
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    expect(error.code, error.message).not.toBe('internal');
    return { ...error.details, code: error.code, message: error.message };
  }
}
