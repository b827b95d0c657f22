import { StudioError } from './errors.ts';
import type { Column, Table } from './schema.ts';
import type { Value } from './values.ts';

/** An ON CONFLICT clause of the table (`resolvesConflicts`) removed another row or skipped the new one. */
export function replacedRow({ name }: Table): StudioError {
  return new StudioError(
    'unique_violation',
    `Another row of "${name}" has the same unique values, and the ON CONFLICT clause of the constraint would replace that row or skip this one. Change the values, or delete the other row first.`,
    { table: name },
  );
}

/** ON CONFLICT REPLACE of a NOT NULL constraint would silently store the default instead of NULL. */
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
