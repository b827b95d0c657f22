import { StudioError } from './errors.ts';
import type { Column, Table } from './schema.ts';
import type { Value } from './values.ts';

/** A rule of the table (`resolvesConflicts`) removed another row, or left the new one out. */
export function replacedRow({ name }: Table): StudioError {
  return new StudioError(
    'unique_violation',
    `Another row of "${name}" has the same unique values; by ON CONFLICT of its constraint that row would be replaced, or this one left out.`,
    { table: name },
  );
}

/** A rule would put the default in the place of a value that is missing. */
export function missingValue(
  { name }: Table,
  assignments: ReadonlyMap<Column, Value>,
): StudioError | undefined {
  const entry = [...assignments].find(([{ nullable }, value]) => value === null && !nullable);
  if (entry === undefined) return undefined;
  const [column] = entry;
  return new StudioError('not_null_violation', `Column "${column.name}" must have a value.`, {
    table: name,
    column: column.name,
  });
}
