/** Rows of SQLite's internal tables, as `sqlite3 .dump` writes them. */
import { StudioError } from '../../model/errors.ts';
import { setCounterOfRow } from './counters.ts';
import { keyOf } from './insert/row-groups.ts';
import { leftOutWarning, shadowedBy, virtualTableOf } from './virtual-tables.ts';
import type { ImportContext } from '../row-import.ts';
import type { SqlValue } from './values/literals.ts';
import type { FieldsOfRow, RowGroup, StatementHead } from './insert/row-groups.ts';
import type { Script } from './script/script.ts';

interface InternalContext {
  readonly script: Script;
  readonly context: ImportContext;
}

export type InternalGroup = Pick<RowGroup<SqlValue>, 'key' | 'add' | 'take'> & {
  readonly isInternal: true;
};

type AddRow = (row: FieldsOfRow<SqlValue>) => void;

/** A group whose rows are not imported as rows; undefined for any other table. */
export function openInternalGroup(
  head: StatementHead,
  internal: InternalContext,
): InternalGroup | undefined {
  const add = rowsOf(head, internal);
  return add && { key: keyOf(head), add, take: () => undefined, isInternal: true };
}

function rowsOf(head: StatementHead, internal: InternalContext): AddRow | undefined {
  const table = head.parts.at(-1)?.toLowerCase() ?? '';
  if (table === 'sqlite_sequence') return (row) => setCounterOfRow(internal, head, row);
  // Statistics of ANALYZE are not data.
  if (/^sqlite_stat\d$/.test(table)) return () => undefined;
  if (isSchemaTable(head)) return (row) => define(internal, row);
  const shadowed = shadowedBy(internal.script, table);
  return shadowed === undefined ? undefined : () => undefined;
}

export function isSchemaTable({ parts }: StatementHead): boolean {
  return /^sqlite_(?:temp_)?(?:master|schema)$/i.test(parts.at(-1) ?? '');
}

function define(
  { script, context }: InternalContext,
  { fields, line }: FieldsOfRow<SqlValue>,
): void {
  const table = virtualTableOf(fields);
  if (table === undefined) rejectDefinition(script, fields, line);
  script.virtualTables.push(table);
  if (!table.isCreated) context.warn(() => leftOutWarning(table, line));
}

function rejectDefinition(script: Script, [, name]: readonly SqlValue[], line: number): never {
  const action =
    name?.kind === 'text'
      ? `the file defines the virtual table ${JSON.stringify(Buffer.from(name.raw, 'latin1').toString())}`
      : 'the file writes to the schema of SQLite';
  const message = `${action} by a row of SQLite's schema, which only SQLite can run. Restore the file with the sqlite3 shell, or leave out this table and its shadow tables.`;
  throw new StudioError('import_failed', `${script.name}, line ${line}: ${message}`, {
    line,
    column: 1,
    errors: [{ code: 'statement_refused', message: `Line ${line}: ${message}`, line }],
  });
}
