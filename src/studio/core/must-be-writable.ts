import { StudioError } from '../../model/errors.ts';
import type { Table } from '../../model/schema.ts';

/** Fails for a view. */
export function mustBeWritable({ kind, name }: Table): void {
  if (kind === 'table') return;
  throw new StudioError(
    'not_writable',
    `"${name}" is a view; rows are written to the tables under it.`,
  );
}
