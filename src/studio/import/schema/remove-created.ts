/** Removes the tables and views of a failed import, but not those to which others have written since. */
import { StudioError } from '../../../model/errors.ts';
import { inKeyOrder } from '../../../sql/dependency-order.ts';
import { driverErrorOf, isSpecificError } from './structure-transaction.ts';
import type { Database, Session } from '../../../model/database.ts';
import type { DdlUndo } from '../../../model/ddl-dialect.ts';
import type { Table } from '../../../model/schema.ts';

export interface UndoSession {
  readonly database: Database<'ddl'>;
  readonly session: Session;
}

export interface Removal {
  /** Tables and views that were removed. */
  readonly removed: readonly string[];
  /** Tables that stay because others have inserted rows into them, reference them, or have created triggers on them. */
  readonly used: readonly string[];
}

/** Removes what an import has created that failed. Returns the tables that stay. */
export function removeAllCreated(
  database: Database<'ddl'>,
  names: readonly string[],
): Promise<readonly string[]> {
  return database.runOutsideTransaction(async (session) => {
    const { used } = await removeCreated({ database, session }, names);
    return used;
  });
}

/** Removes tables and views by name. A table stays if it has rows: the import has committed none. */
export async function removeCreated(
  { database, session }: UndoSession,
  names: readonly string[],
): Promise<Removal> {
  const { ddlUndo } = database.dialect.ddl;
  if (ddlUndo === undefined || names.length === 0) return { removed: [], used: [] };
  const schema = await database.introspect();
  const isCreated = ({ name }: Table): boolean => names.includes(name);
  const views = schema.views.filter(isCreated);
  for (const view of views) await session.run({ text: ddlUndo.dropView(view), params: [] });
  const tables = inKeyOrder(schema.tables.filter(isCreated)).toReversed();
  const used = await removeTables({ database, session }, { tables, all: schema.tables, ddlUndo });
  const removed = [...views, ...tables].map(({ name }) => name);
  return { removed: removed.filter((name) => !used.includes(name)), used };
}

/** Opens tables that stay, and that an undo which was interrupted has closed. */
export async function openTables(
  { database, session }: UndoSession,
  names: readonly string[],
): Promise<void> {
  const { ddlUndo } = database.dialect.ddl;
  if (ddlUndo === undefined || names.length === 0) return;
  const { tables } = await database.introspect();
  for (const table of tables)
    if (names.includes(table.name) && isClosed(table, ddlUndo))
      await session.run({ text: ddlUndo.openTable(table), params: [] });
}

interface TablesToRemove {
  /** Those that reference others come first. */
  readonly tables: readonly Table[];
  /** All tables of the database. */
  readonly all: readonly Table[];
  readonly ddlUndo: DdlUndo;
}

/**
 * Removes tables, and returns the names of those that stay. An empty table is closed before it is dropped: a transaction
 * that inserts rows could otherwise commit meanwhile, at another server of a cluster too.
 */
async function removeTables(
  undoSession: UndoSession,
  { tables, all, ddlUndo }: TablesToRemove,
): Promise<readonly string[]> {
  const { session, database } = undoSession;
  const run = (text: string): Promise<unknown> => session.run({ text, params: [] });
  const used = createUsedTables(tables);
  for (const { name, foreignKeys } of all)
    if (!tables.some((table) => table.name === name))
      for (const key of foreignKeys) used.add(key.table);
  for (const table of tables)
    if (!used.has(table.name) && (await hasRowsOrTriggers(undoSession, table, ddlUndo)))
      used.add(table.name);
  const closed = new Set(tables.filter((table) => isClosed(table, ddlUndo)));
  const unclosable: Table[] = [];
  for (const table of tables)
    if (!used.has(table.name) && !closed.has(table)) {
      const outcome = await closeTable(undoSession, table, ddlUndo);
      if (outcome === 'closed') closed.add(table);
      else if (outcome === 'used') used.add(table.name);
      else unclosable.push(table);
    }
  const open = unclosable.filter(({ name }) => !used.has(name));
  const isLocked = open.length > 0 && (await lockTables(undoSession, tables, ddlUndo));
  try {
    for (const table of open)
      if (!isLocked || !(await isEmpty(session, database, table))) used.add(table.name);
    for (const table of closed) if (used.has(table.name)) await run(ddlUndo.openTable(table));
    const unused = tables.filter(({ name }) => !used.has(name));
    for (const text of ddlUndo.dropKeys(keysOfCycles(unused))) await run(text);
    for (const table of unused) await run(ddlUndo.dropTable(table));
  } finally {
    if (isLocked) await run(ddlUndo.unlockTables);
  }
  return used.names();
}

/** Locks tables that the user may not close. Returns false if it may not lock them either. */
async function lockTables(
  { session }: UndoSession,
  tables: readonly Table[],
  ddlUndo: DdlUndo,
): Promise<boolean> {
  if (ddlUndo.lockTables === undefined) return false;
  try {
    await session.run({ text: ddlUndo.lockTables(tables), params: [] });
    return true;
  } catch (error) {
    if (isPermissionError(error)) return false;
    throw error;
  }
}

function isPermissionError(error: unknown): boolean {
  return error instanceof StudioError && error.code === 'permission_denied';
}

interface UsedTables {
  /** Adds a table, if it is one of those to remove, and the tables that it references. */
  add(name: string): void;
  has(name: string): boolean;
  names(): readonly string[];
}

function createUsedTables(tables: readonly Table[]): UsedTables {
  const used = new Set<string>();
  const add = (name: string): void => {
    const table = tables.find((each) => each.name === name);
    if (table === undefined || used.has(name)) return;
    used.add(name);
    for (const key of table.foreignKeys) add(key.table);
  };
  return { add, has: (name) => used.has(name), names: () => [...used] };
}

/** Whether an undo that was interrupted has closed the table. */
function isClosed(table: Table, { closingConstraint }: DdlUndo): boolean {
  const name = closingConstraint(table);
  return table.checks.some((check) => check.name === name);
}

async function closeTable(
  { session }: UndoSession,
  table: Table,
  ddlUndo: DdlUndo,
): Promise<'closed' | 'used' | 'not permitted'> {
  try {
    await session.run({ text: ddlUndo.closeTable(table), params: [] });
    return 'closed';
  } catch (error) {
    if (isPermissionError(error)) return 'not permitted';
    if (ddlUndo.isMissingError(driverErrorOf(error))) return 'closed';
    rethrowIfSpecific(error);
    // It has rows by now. A table that cannot be closed for another reason stays too.
    return 'used';
  }
}

/** The tables with keys that would keep a table before them from being dropped. */
function keysOfCycles(tables: readonly Table[]): readonly Table[] {
  const positions = new Map(tables.map(({ name }, position) => [name, position]));
  return tables.filter(({ foreignKeys }, position) =>
    foreignKeys.some((key) => (positions.get(key.table) ?? position) < position),
  );
}

/** The undo has dropped the triggers of the import: those that remain are of others. */
async function hasRowsOrTriggers(
  { session, database }: UndoSession,
  table: Table,
  ddlUndo: DdlUndo,
): Promise<boolean> {
  if (!(await isEmpty(session, database, table))) return true;
  return (await valueOf(session, ddlUndo.countTriggers(table))) !== '0';
}

/** A table that does not exist counts as empty. */
async function isEmpty(
  session: Session,
  { dialect }: Database<'ddl'>,
  table: Table,
): Promise<boolean> {
  try {
    return (await valueOf(session, `SELECT COUNT(*) FROM ${dialect.tableName(table)}`)) === '0';
  } catch (error) {
    rethrowUnlessMissing(error, dialect.ddl.ddlUndo);
    return true;
  }
}

export async function valueOf(session: Session, text: string): Promise<string> {
  const { rows } = await session.run({ text, params: [] });
  return String(rows[0]?.[0]);
}

/** Ignores the error of an object that does not exist, because a crash kept it from being created or others have dropped it. */
export function rethrowUnlessMissing(error: unknown, ddlUndo: DdlUndo | undefined): void {
  if (ddlUndo?.isMissingError(driverErrorOf(error)) !== true) throw error;
}

/** An error that does not depend on the object, such as a lost connection, ends the undo, which is then retried. */
export function rethrowIfSpecific(error: unknown): void {
  if (error instanceof StudioError && isSpecificError(error)) throw error;
}
