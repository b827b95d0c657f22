/** Rejects reads of views and tables whose functions have effects outside the read-only transaction of a GET. */
import { StudioError } from '../../model/errors.ts';
import type { Database, StatementEffect } from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';

/** The database of a request or of a job. */
interface EffectsSource {
  readonly database: Pick<Database, 'effectsOfReading'>;
}

/**
 * Effects that a read-only transaction and its rollback do not prevent. They do prevent or revert
 * writes and changes of session settings.
 */
const uncontainedEffects: ReadonlySet<StatementEffect['kind']> = new Set([
  'external',
  'administration',
  'execute',
  'unknown',
]);

/** Results by table. Each version of the schema has new table objects, so a changed view is checked again. */
const errorsByTable = new WeakMap<Table, StudioError | null>();

/** Checks that are running. */
const pending = new WeakMap<Table, Promise<void>>();

/**
 * Checks all tables that are not checked yet with few queries: it checks groups, and halves a group
 * that has effects. Tables that are left when the time limit ends are checked when they are read.
 */
export async function checkReads(
  { database }: EffectsSource,
  tables: readonly Table[],
  limitMs = Infinity,
): Promise<void> {
  const startedAt = performance.now();
  const groups = [tables.filter((table) => !errorsByTable.has(table))];
  for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
    const [first] = group;
    if (first === undefined) continue;
    const effects = await database.effectsOfReading(group);
    const found = effects.filter(({ kind }) => uncontainedEffects.has(kind));
    if (found.length === 0) for (const table of group) errorsByTable.set(table, null);
    else if (group.length === 1) errorsByTable.set(first, effectsError(first, found));
    else {
      const middle = Math.ceil(group.length / 2);
      groups.push(group.slice(middle), group.slice(0, middle));
    }
    if (performance.now() - startedAt > limitMs) return;
  }
}

/** The error why a table or view must not be read. Undefined if it may be read. */
export async function findReadError(
  source: EffectsSource,
  table: Table,
): Promise<StudioError | undefined> {
  if (!errorsByTable.has(table)) {
    const check = pending.get(table) ?? checkReads(source, [table]);
    pending.set(table, check);
    await check.finally(() => pending.delete(table));
  }
  return errorsByTable.get(table) ?? undefined;
}

/** Fails if reading one of the tables does more than read. */
export async function mustOnlyRead(source: EffectsSource, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    const error = await findReadError(source, table);
    if (error !== undefined) throw error;
  }
}

const maxReasons = 3;

function effectsError({ name }: Table, effects: readonly StatementEffect[]): StudioError {
  const reasons = [...new Set(effects.map(({ reason }) => reason))].slice(0, maxReasons);
  return new StudioError(
    'table_unreadable',
    `"${name}" cannot be read. Reading it has effects that a read-only transaction does not prevent: ${reasons.join('; ')}.`,
    { table: name },
  );
}
