/** Keeps reads from running functions that act outside the read-only transaction of a GET. */
import { StudioError } from '../../model/errors.ts';
import type { Database, StatementEffect } from '../../model/database.ts';
import type { Table } from '../../model/schema.ts';

/** Where relations are read: of a request or of a job. */
interface Reader {
  readonly database: Pick<Database, 'effectsOfReading'>;
}

/**
 * Effects that the database's read-only transaction and its rollback do not prevent. Writes, and
 * changes of the session, it prevents or takes back.
 */
const outside: ReadonlySet<StatementEffect['kind']> = new Set([
  'external',
  'administration',
  'execute',
  'unknown',
]);

/** Each structure has table objects of its own, so a changed function or view is judged again. */
const judged = new WeakMap<Table, StudioError | null>();

/** Questions that are being asked. */
const pending = new WeakMap<Table, Promise<void>>();

/**
 * Judges all that are not judged yet by few questions to the database: groups with effects are
 * halved. Beyond the limit, what is left is judged when it is read.
 */
export async function judgeReads(
  { database }: Reader,
  tables: readonly Table[],
  limitMs = Infinity,
): Promise<void> {
  const startedAt = performance.now();
  const groups = [tables.filter((table) => !judged.has(table))];
  for (let group = groups.pop(); group !== undefined; group = groups.pop()) {
    const [first] = group;
    if (first === undefined) continue;
    const effects = await database.effectsOfReading(group);
    const found = effects.filter(({ kind }) => outside.has(kind));
    if (found.length === 0) for (const table of group) judged.set(table, null);
    else if (group.length === 1) judged.set(first, errorOf(first, found));
    else {
      const middle = Math.ceil(group.length / 2);
      groups.push(group.slice(middle), group.slice(0, middle));
    }
    if (performance.now() - startedAt > limitMs) return;
  }
}

/** Why a table or view is not read; undefined where it is. */
export async function objectionTo(reader: Reader, table: Table): Promise<StudioError | undefined> {
  if (!judged.has(table)) {
    const question = pending.get(table) ?? judgeReads(reader, [table]);
    pending.set(table, question);
    await question.finally(() => pending.delete(table));
  }
  return judged.get(table) ?? undefined;
}

export async function mustOnlyRead(reader: Reader, tables: readonly Table[]): Promise<void> {
  for (const table of tables) {
    const objection = await objectionTo(reader, table);
    if (objection !== undefined) throw objection;
  }
}

const mostReasons = 3;

function errorOf({ name }: Table, effects: readonly StatementEffect[]): StudioError {
  const reasons = [...new Set(effects.map(({ reason }) => reason))].slice(0, mostReasons);
  return new StudioError(
    'table_unreadable',
    `"${name}" cannot be read. Reading it does more than read, which a read-only transaction does not prevent: ${reasons.join('; ')}.`,
    { table: name },
  );
}
