/** Finds the rows that foreign key actions would delete or update when rows of a table are deleted or updated. */
import { formatId, identityOf } from '../../../model/row-id.ts';
import { isOneOfKeys } from '../../../sql/compare-column.ts';
import { foreignKeysOfAndTo } from '../../core/foreign-key-groups.ts';
import { mustOnlyRead } from '../../core/check-reads.ts';
import { unreadReason } from '../read/labels.ts';
import { returningColumnsOf } from './lock-row.ts';
import { columnOf } from '../read/page-plan.ts';
import { readRows } from '../read/read-rows.ts';
import { selectColumns } from '../read/selection.ts';
import type { Session } from '../../../model/database.ts';
import type { Column, ForeignKeyAction, Schema, Table } from '../../../model/schema.ts';
import type { RowLock } from '../../../model/write-dialect.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Context, Invocation } from '../../core/context.ts';
import type { TableForeignKey } from '../../core/foreign-key-groups.ts';

/** What foreign key actions do to the rows of one table. */
export interface Cascade {
  readonly table: string;
  readonly action: CascadeAction;
  /** The columns that change; empty if the rows are deleted. */
  readonly columns: readonly string[];
  readonly rows: number;
  /** False if there may be more rows. */
  readonly exact: boolean;
  /** Why rows could not be counted. */
  readonly error?: string | undefined;
}

export type CascadeAction = 'delete' | 'update' | 'set_null' | 'set_default';

export type CascadeSubject = Pick<Cascade, 'table' | 'action' | 'columns'>;

export interface CascadeContext {
  readonly context: Context;
  readonly session: Session;
  readonly invocation: Invocation;
  readonly schema: Schema;
  /** Undefined for a preview. */
  readonly write?: CascadeWrite;
}

/**
 * The search belongs to the transaction that writes the rows: an error ends it, and reading takes as
 * long as it does, since the foreign keys read the same rows.
 */
export interface CascadeWrite {
  lockFor(table: Table): RowLock | undefined;
  /** Why these rows are not to be counted; undefined if they are. */
  uncountedReason(rows: CascadeSubject): string | undefined;
}

/** A row by its column names: at least the columns of `columnsToRead`. */
export type ValueOf = (column: Column) => Value;

/** Rows that are deleted or updated. */
export interface WrittenRows {
  readonly table: Table;
  readonly rows: readonly ValueOf[];
  /** The columns that the update changes. Undefined if the rows are deleted. */
  readonly changed?: readonly string[];
}

/** A table's rows are counted up to this number. */
export const maxRows = 1000;

/** The number of keys in one query. */
const maxKeys = 200;

/** All queries together may take this long, but each at least `minLimitMs`. */
const totalLimitMs = 2000;
const minLimitMs = 250;

interface Step extends WrittenRows {
  /** False if not all rows of the step are known. */
  readonly isComplete: boolean;
}

/** The rows of one table to which the same action applies. */
interface AffectedRows {
  readonly table: Table;
  readonly action: CascadeAction;
  readonly columns: readonly string[];
  /** By the id of the row. */
  readonly ids: Set<string>;
  /** The rows among them that the request itself deletes. */
  readonly ownRows: number;
  isComplete: boolean;
  error?: string;
}

interface Search extends CascadeContext {
  readonly found: Map<string, AffectedRows>;
  readonly startedAt: number;
}

/** Follows the foreign keys from the written rows until no more rows change. */
export async function findCascades(
  cascadeContext: CascadeContext,
  writtenRows: readonly WrittenRows[],
): Promise<readonly Cascade[]> {
  const search: Search = { ...cascadeContext, found: new Map(), startedAt: performance.now() };
  for (const { table, rows, changed } of writtenRows)
    if (changed === undefined) recordDeletedRows(search, table, rows);
  const steps: Step[] = writtenRows.map((each) => ({ ...each, isComplete: true }));
  for (let i = 0; i < steps.length; i++) {
    const step = steps[i]!;
    for (const each of foreignKeysOfAndTo(search.schema, [step.table])) {
      const action = actionOf(each, step);
      if (action !== undefined)
        steps.push(...(await findKeySteps(search, step, { ...each, action })));
    }
  }
  return [...search.found.values()].flatMap((found) => cascadeOf(search, found));
}

function recordDeletedRows(search: Search, table: Table, rows: readonly ValueOf[]): void {
  const found = affectedRowsOf(search, { table, action: 'delete', columns: [] });
  const columns = returningColumnsOf(table);
  for (const valueOf of rows) found.ids.add(formatId(columns.map(valueOf)));
  search.found.set(keyOf(found), { ...found, ownRows: found.ids.size });
}

type AffectedRowsKey = Pick<AffectedRows, 'table' | 'action' | 'columns'>;

function keyOf({ table, action, columns }: AffectedRowsKey): string {
  return JSON.stringify([table.name, action, columns]);
}

function affectedRowsOf(search: Search, key: AffectedRowsKey): AffectedRows {
  const found = search.found.get(keyOf(key)) ?? {
    ...key,
    ids: new Set<string>(),
    ownRows: 0,
    isComplete: true,
  };
  search.found.set(keyOf(key), found);
  return found;
}

const cascadeActions: Readonly<Partial<Record<ForeignKeyAction, CascadeAction>>> = {
  'set null': 'set_null',
  'set default': 'set_default',
};

/** What a foreign key does to its rows when the referenced rows are written. */
function actionOf({ key }: TableForeignKey, { table, changed }: Step): CascadeAction | undefined {
  if (key.table !== table.name) return undefined;
  if (changed === undefined)
    return key.onDelete === 'cascade' ? 'delete' : cascadeActions[key.onDelete];
  if (!key.referencedColumns.some((name) => changed.includes(name))) return undefined;
  return key.onUpdate === 'cascade' ? 'update' : cascadeActions[key.onUpdate];
}

interface ActingKey extends TableForeignKey {
  readonly action: CascadeAction;
}

/** Finds the rows that reference those of the step. Returns the step of the rows that were not found before. */
async function findKeySteps(
  search: Search,
  step: Step,
  { table, key, action }: ActingKey,
): Promise<readonly Step[]> {
  const columns = action === 'delete' ? [] : key.columns;
  const found = affectedRowsOf(search, { table, action, columns });
  const wasComplete = found.isComplete;
  found.isComplete &&= step.isComplete;
  const rows: ValueOf[] = [];
  try {
    const uncounted = search.write?.uncountedReason({ table: table.name, action, columns });
    if (uncounted !== undefined) markUncounted(found, uncounted);
    else
      for (const keys of keyBatches(step, key.referencedColumns)) {
        if (found.ids.size - found.ownRows >= maxRows) found.isComplete = false;
        else rows.push(...(await readReferencing(search, found, { columns: key.columns, keys })));
      }
  } catch (error) {
    if (search.write !== undefined) throw error;
    markUncounted(found, unreadReason(search, table, error));
  }
  if (rows.length === 0 && found.isComplete === wasComplete) return [];
  const next = { table, rows, isComplete: found.isComplete };
  return [action === 'delete' ? next : { ...next, changed: columns }];
}

function markUncounted(found: AffectedRows, reason: string): void {
  found.error = reason;
  found.isComplete = false;
}

/** The distinct keys of the rows. A key with a NULL is not referenced. */
function keyBatches({ table, rows }: Step, names: readonly string[]): readonly (readonly Row[])[] {
  const columns = names.map((name) => columnOf(table, name));
  const keys = rows.map((valueOf) => columns.map(valueOf)).filter((key) => !key.includes(null));
  const distinct = [...new Map(keys.map((key) => [formatId(key), key])).values()];
  return Array.from({ length: Math.ceil(distinct.length / maxKeys) }, (_, i) =>
    distinct.slice(i * maxKeys, (i + 1) * maxKeys),
  );
}

interface ReferencingKeys {
  /** The columns of the foreign key. */
  readonly columns: readonly string[];
  readonly keys: readonly Row[];
}

/** Reads the rows with these foreign keys, and returns those that were not found before. */
async function readReferencing(
  { context, session, schema, startedAt, write }: Search,
  found: AffectedRows,
  { columns: names, keys }: ReferencingKeys,
): Promise<readonly ValueOf[]> {
  const { dialect } = context.database;
  const { table, ids } = found;
  await mustOnlyRead(context, [table]);
  const columns = columnsToRead(schema, table);
  const foreignKey = names.map((name) => columnOf(table, name));
  const lock = write?.lockFor(table);
  const limitMs = Math.max(minLimitMs, totalLimitMs - (performance.now() - startedAt));
  const rows = await readRows(context, session, {
    ...selectColumns(dialect, columns),
    table,
    where: [isOneOfKeys(dialect, foreignKey, keys)],
    order: [],
    limit: maxRows + 1,
    offset: 0,
    ...(lock === undefined ? {} : { lock }),
    ...(write === undefined ? { limitMs } : {}),
  });
  const idLength = hasIds(table) ? returningColumnsOf(table).length : 0;
  const addedValues: ValueOf[] = [];
  for (const row of rows) {
    const id = idLength === 0 ? placeholderId(names, ids.size) : formatId(row.slice(0, idLength));
    if (ids.has(id)) continue;
    if (ids.size - found.ownRows >= maxRows) found.isComplete = false;
    else {
      ids.add(id);
      addedValues.push(
        ({ name }) => row[columns.findIndex((column) => column.name === name)] ?? null,
      );
    }
  }
  return addedValues;
}

/** The id of a row in a table without ids. Begins with the foreign key by which the row was found. */
function placeholderId(foreignKey: readonly string[], number: number): string {
  return `${JSON.stringify(foreignKey)} ${number}`;
}

function hasIds(table: Table): boolean {
  return identityOf(table).kind !== 'none';
}

/** The columns that identify a row of the table, and those that foreign keys reference. */
function columnsToRead(schema: Schema, table: Table): readonly Column[] {
  const ids = hasIds(table) ? returningColumnsOf(table) : [];
  const referenced = foreignKeysOfAndTo(schema, [table])
    .filter(({ key }) => key.table === table.name)
    .flatMap(({ key }) => key.referencedColumns)
    .filter((name) => !ids.some((column) => column.name === name));
  const columns = [...ids, ...[...new Set(referenced)].map((name) => columnOf(table, name))];
  return columns.length === 0 ? table.columns.slice(0, 1) : columns;
}

function cascadeOf(search: Search, found: AffectedRows): readonly Cascade[] {
  const { table, action, columns, ids, ownRows, error } = found;
  const deleted = search.found.get(keyOf({ table, action: 'delete', columns: [] }));
  const isDeleted = (id: string): boolean => action !== 'delete' && deleted?.ids.has(id) === true;
  const changedIds = [...ids].filter((id) => !isDeleted(id));
  const counts = hasIds(table) ? [changedIds.length - ownRows] : countsByKey(changedIds);
  const rows = Math.max(0, ...counts);
  const exact =
    found.isComplete &&
    counts.length <= 1 &&
    (action === 'delete' || deleted === undefined || deleted.isComplete);
  if (rows === 0 && error === undefined) return [];
  return [{ table: table.name, action, columns, rows, exact, error }];
}

/** The rows of a table without ids by foreign key: two keys may have found the same row. */
function countsByKey(ids: readonly string[]): readonly number[] {
  const keys = ids.map((id) => id.slice(0, id.lastIndexOf(' ')));
  return [...new Set(keys)].map((key) => keys.filter((each) => each === key).length);
}
