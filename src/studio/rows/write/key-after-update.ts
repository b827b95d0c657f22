import { join, sql } from '../../../model/fragment.ts';
import { InvalidText } from '../../../model/values.ts';
import { render } from '../../../sql/render.ts';
import type { Session } from '../../../model/database.ts';
import type { Column } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Context } from '../../core/context.ts';

export type Assignments = ReadonlyMap<Column, Value>;

/** The columns that identify a row, with their values when it was locked for the update. */
interface LockedKey {
  readonly returningColumns: readonly Column[];
  readonly values: Row;
}

interface RowBeforeUpdate {
  readonly returningColumns: readonly Column[];
  /** Whether a column of the row already has the value. */
  readonly hasValue: (column: Column, value: Value) => boolean;
}

/**
 * Adds the key columns that ON UPDATE sets to the current time. The update assigns them explicitly,
 * so that the row can be found afterwards on databases without UPDATE RETURNING. The
 * database keeps the time of a row in which the update changes nothing.
 */
export async function withOnUpdateTimes(
  { context, session }: { readonly context: Context<'write'>; readonly session: Session },
  { returningColumns, hasValue }: RowBeforeUpdate,
  assignments: Assignments,
): Promise<Assignments> {
  const { dialect } = context.database;
  if (dialect.write.supportsUpdateReturning) return assignments;
  const assignedNames = new Set([...assignments.keys()].map(({ name }) => name));
  const timeColumns = returningColumns.filter(
    ({ name, onUpdate }) => onUpdate !== undefined && !assignedNames.has(name),
  );
  const changesRow = [...assignments].some(([column, value]) => !hasValue(column, value));
  if (timeColumns.length === 0 || !changesRow) return assignments;
  const currentTimes = join(timeColumns.map(dialect.write.currentTime), ', ');
  const { rows } = await session.run(render(dialect, sql`SELECT ${currentTimes}`, timeColumns));
  return new Map([
    ...assignments,
    ...timeColumns.map((column, i) => [column, rows[0]![i]!] as const),
  ]);
}

/** RETURNING loses the bytes of a text that is not UTF-8. The values that were read when the row was locked have them. */
export function restoreInvalidTexts(returned: Row, { values }: LockedKey): Row {
  return returned.map((value, i) => {
    const valueBefore = values[i];
    const isLossy = typeof value === 'string' && value.includes('\ufffd');
    return isLossy && valueBefore instanceof InvalidText ? valueBefore : value;
  });
}

/** The values of the key after the update. */
export function keyAfterUpdate(locked: LockedKey, assignments: Assignments): Row {
  const byName = new Map([...assignments].map(([column, value]) => [column.name, value]));
  return locked.returningColumns.map((column, i) =>
    byName.has(column.name) ? byName.get(column.name)! : (locked.values[i] ?? null),
  );
}
