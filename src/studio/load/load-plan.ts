import { StudioError } from '../../model/errors.ts';
import { mustBeWritable } from '../core/must-be-writable.ts';
import { whyNotUndoable } from '../core/why-not-undoable.ts';
import type { Dialect } from '../../model/database.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { ConflictRule, InsertBatch, KeyPart } from '../../model/load-dialect.ts';
import type { LoadOptions, RowChunk } from '../../model/load.ts';
import type { Column, Index, Table } from '../../model/schema.ts';
import type { Row } from '../../model/values.ts';

/** How the rows of one table are written. */
export interface TablePlan {
  readonly table: Table;
  readonly conflict: ConflictRule;
  /** Removes the columns that the database generates. Returns the same batch for the same chunk. */
  toBatch(this: void, chunk: RowChunk): InsertBatch;
}

type PlanOptions = Pick<LoadOptions, 'onConflict' | 'conflictColumns'>;

/** Fails if the table cannot be written, or if it has no key with the requested columns. */
export function planTable(
  dialect: Dialect<LoadCapability>,
  table: Table,
  options: PlanOptions,
): TablePlan {
  mustBeWritable(table);
  const reason = whyNotUndoable(dialect, table);
  if (reason !== undefined) {
    throw new StudioError('not_writable', `${reason}: an import that fails could not be undone.`);
  }
  const conflict = conflictRule(table, options);
  const withoutGenerated = createColumnFilter();
  const batches = new WeakMap<RowChunk, InsertBatch>();
  const toBatch = (chunk: RowChunk): InsertBatch => {
    const batch = batches.get(chunk) ?? { ...withoutGenerated(chunk), conflict };
    batches.set(chunk, batch);
    return batch;
  };
  return { table, conflict, toBatch };
}

function conflictRule(table: Table, { onConflict, conflictColumns }: PlanOptions): ConflictRule {
  const requestedKey = conflictColumns === undefined ? undefined : namedKey(table, conflictColumns);
  if (onConflict === 'error') return { kind: 'error' };
  const key = requestedKey ?? keyParts(table, table.primaryKey?.columns ?? []);
  return key.length === 0 ? { kind: 'error' } : { kind: onConflict, key };
}

/** The key with exactly these columns, in its own order. */
function namedKey(table: Table, names: readonly string[]): readonly KeyPart[] {
  const key = uniqueKeys(table).find((parts) => isSame(parts, names));
  if (key !== undefined) return key;
  const keys = uniqueKeys(table).map((parts) => parts.map(({ column }) => column.name).join(', '));
  const keyList = keys.length === 0 ? 'it has none' : `its keys are (${keys.join('), (')})`;
  throw new StudioError(
    'invalid_parameter',
    `(${names.join(', ')}) is no unique key of table "${table.name}"; ${keyList}.`,
    { parameter: 'conflict_columns', table: table.name, keys },
  );
}

function isSame(parts: readonly KeyPart[], names: readonly string[]): boolean {
  return (
    parts.length === new Set(names).size && parts.every(({ column }) => names.includes(column.name))
  );
}

function uniqueKeys(table: Table): readonly (readonly KeyPart[])[] {
  const primary = keyParts(table, table.primaryKey?.columns ?? []);
  const otherKeys = table.indexes.filter(isWholeKey).map((index) => indexParts(table, index));
  const keys = [primary, ...otherKeys].filter((parts) => parts.length > 0);
  const texts = keys.map((parts) => parts.map(({ column }) => column.name).join());
  return keys.filter((_, i) => texts.indexOf(texts[i] ?? '') === i);
}

/** Whether the index is a unique key for all rows, and on whole columns. */
function isWholeKey({ unique, where, parts }: Index): boolean {
  return (
    unique &&
    where === undefined &&
    parts.every((part) => part.column !== undefined && part.prefixLength === undefined)
  );
}

function indexParts(table: Table, index: Index): readonly KeyPart[] {
  return index.parts.flatMap(({ column: name, collation }) =>
    keyParts(table, [name ?? '']).map((part) => ({
      ...part,
      ...(collation === undefined || collation === part.column.collation ? {} : { collation }),
    })),
  );
}

function keyParts({ columns }: Table, names: readonly string[]): readonly KeyPart[] {
  return names
    .flatMap((name) => columns.find((column) => column.name === name) ?? [])
    .map((column) => ({ column }));
}

/** Whether the column accepts values of the file. */
function acceptsValues({ generated, identityAlways, autoIncrement }: Column): boolean {
  return generated === undefined && (identityAlways !== true || autoIncrement === true);
}

interface InsertColumns {
  readonly columns: readonly Column[];
  /** The indexes of these columns in a row. Undefined for all columns. */
  readonly indexes: readonly number[] | undefined;
}

/** Returns the same list of columns for the same input, because prepared statements are cached by that list. */
function createColumnFilter(): (chunk: RowChunk) => RowChunk {
  const narrowedColumns = new WeakMap<readonly Column[], InsertColumns>();
  return (chunk) => {
    const narrowed = narrowedColumns.get(chunk.columns) ?? insertColumnsOf(chunk.columns);
    narrowedColumns.set(chunk.columns, narrowed);
    const { columns, indexes } = narrowed;
    if (indexes === undefined) return chunk;
    const pick = (row: Row): Row => indexes.map((i) => row[i] ?? null);
    return { ...chunk, columns, rows: chunk.rows.map(pick) };
  };
}

function insertColumnsOf(columns: readonly Column[]): InsertColumns {
  const insertable = columns.filter(acceptsValues);
  if (insertable.length === columns.length) return { columns, indexes: undefined };
  return { columns: insertable, indexes: insertable.map((column) => columns.indexOf(column)) };
}
