import { join, sql } from '../../model/fragment.ts';
import { InvalidText } from '../../model/values.ts';
import { render } from '../../sql/render.ts';
import type { Session } from '../../model/database.ts';
import type { Column } from '../../model/schema.ts';
import type { Row, Value } from '../../model/values.ts';
import type { Context } from '../core/context.ts';

export type Assignments = ReadonlyMap<Column, Value>;

/** The columns that address a row, with their values before the update. */
interface HeldKey {
  readonly told: readonly Column[];
  readonly values: Row;
}

interface HeldForUpdate {
  readonly told: readonly Column[];
  readonly has: (column: Column, value: Value) => boolean;
}

/**
 * Adds the key columns that ON UPDATE sets to the current time. The update assigns them explicitly,
 * so that the row can be found afterwards on databases without UPDATE RETURNING. The
 * database leaves the time of a row that the update does not change.
 */
export async function withKeyTimes(
  { context, session }: { readonly context: Context; readonly session: Session },
  { told, has }: HeldForUpdate,
  assignments: Assignments,
): Promise<Assignments> {
  const { dialect } = context.database;
  if (dialect.writing.tellsWrittenRows) return assignments;
  const given = new Set([...assignments.keys()].map(({ name }) => name));
  const times = told.filter(({ name, onUpdate }) => onUpdate !== undefined && !given.has(name));
  const changes = [...assignments].some(([column, value]) => !has(column, value));
  if (times.length === 0 || !changes) return assignments;
  const now = join(times.map(dialect.writing.currentTime), ', ');
  const { rows } = await session.run(render(dialect, sql`SELECT ${now}`, times));
  return new Map([...assignments, ...times.map((column, i) => [column, rows[0]![i]!] as const)]);
}

/** RETURNING loses the bytes of a text that is not UTF-8. They are taken from the row as it was locked. */
export function withHeldTexts(told: Row, { values }: HeldKey): Row {
  return told.map((value, i) => {
    const held = values[i];
    const isLossy = typeof value === 'string' && value.includes('\ufffd');
    return isLossy && held instanceof InvalidText ? held : value;
  });
}

/** The values of the key after the update. */
export function movedKey(held: HeldKey, assignments: Assignments): Row {
  const byName = new Map([...assignments].map(([column, value]) => [column.name, value]));
  return held.told.map((column, i) =>
    byName.has(column.name) ? byName.get(column.name)! : (held.values[i] ?? null),
  );
}
