import type { Table } from '../../model/schema.ts';

/** Whether an extension of the database has created the table or view, as it would in another database. */
export function isOfExtension({ options }: Table): boolean {
  return options?.['extension'] !== undefined;
}
