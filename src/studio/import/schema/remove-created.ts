/** Removes the tables and views of a failed import, but not those to which others have written since. */
import { copyError, StudioError } from '../../../model/errors.ts';
import { inKeyOrder } from '../../../sql/dependency-order.ts';
import { isSpecificError } from './structure-transaction.ts';
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
  /** Tables that stay because others have inserted rows into them, or into tables that reference them. */
  readonly used: readonly string[];
}

/** The number of rows that an import has committed to each of its tables, by name. */
export type OwnRows = ReadonlyMap<string, number>;

const noRows: OwnRows = new Map();

/** Removes what an import has created that failed. Returns the tables that stay. */
export function removeAllCreated(
  database: Database<'ddl'>,
  names: readonly string[],
  ownRows?: OwnRows,
): Promise<readonly string[]> {
  return database.runOutsideTransaction(async (session) => {
    const { used } = await removeCreated({ database, session }, names, ownRows);
    return used;
  });
}

/** Removes tables and views by name. A table stays if it has other rows than those of the import. */
export async function removeCreated(
  { database, session }: UndoSession,
  names: readonly string[],
  ownRows: OwnRows = noRows,
): Promise<Removal> {
  const { ddlUndo } = database.dialect.ddl;
  if (ddlUndo === undefined || names.length === 0) return { removed: [], used: [] };
  const schema = await database.introspect();
  const isCreated = ({ name }: Table): boolean => names.includes(name);
  const views = schema.views.filter(isCreated);
  for (const view of views) await session.run({ text: ddlUndo.dropView(view), params: [] });
  const tables = inKeyOrder(schema.tables.filter(isCreated)).toReversed();
  const used = await removeTables({ database, session }, tables, { ddlUndo, ownRows });
  const removed = [...views, ...tables].map(({ name }) => name);
  return { removed: removed.filter((name) => !used.includes(name)), used };
}

interface RemovalRules {
  readonly ddlUndo: DdlUndo;
  readonly ownRows: OwnRows;
}

/**
 * Removes tables, of which those that reference others come first. Returns the names of those that stay. The rows are
 * counted under a lock: a transaction that inserts rows could otherwise commit between the count and the DROP that
 * waits for it.
 */
async function removeTables(
  undoSession: UndoSession,
  tables: readonly Table[],
  { ddlUndo, ownRows }: RemovalRules,
): Promise<readonly string[]> {
  const run = (text: string): Promise<unknown> => undoSession.session.run({ text, params: [] });
  const usedBefore = await findUsed(undoSession, tables, ownRows);
  const unused = tables.filter(({ name }) => !usedBefore.has(name));
  if (unused.length === 0) return [...usedBefore];
  // Not possible under the lock.
  for (const text of ddlUndo.dropKeys(keysOfCycles(unused))) await run(text);
  await run(ddlUndo.lockTables(unused)).catch((error: unknown) => {
    // Without the privilege, the tables are removed without a lock.
    if (!(error instanceof StudioError) || error.code !== 'permission_denied')
      rethrowUnlessMissing(error);
  });
  try {
    const used = await findUsed(undoSession, unused, ownRows);
    for (const table of unused) if (!used.has(table.name)) await run(ddlUndo.dropTable(table));
    return [...usedBefore, ...used];
  } finally {
    await run(ddlUndo.unlockTables);
  }
}

/** The tables that have rows of others, and those that they reference. */
async function findUsed(
  { database, session }: UndoSession,
  tables: readonly Table[],
  ownRows: OwnRows,
): Promise<ReadonlySet<string>> {
  const used = new Set<string>();
  const add = ({ name, foreignKeys }: Table): void => {
    if (used.has(name)) return;
    used.add(name);
    for (const key of foreignKeys) tables.filter((table) => table.name === key.table).forEach(add);
  };
  for (const table of tables) {
    const count = await countRows(session, database, table);
    if (count !== '0' && count !== String(ownRows.get(table.name))) add(table);
  }
  return used;
}

/** The tables with keys that would keep a table before them from being dropped. */
function keysOfCycles(tables: readonly Table[]): readonly Table[] {
  const positions = new Map(tables.map(({ name }, position) => [name, position]));
  return tables.filter(({ foreignKeys }, position) =>
    foreignKeys.some((key) => (positions.get(key.table) ?? position) < position),
  );
}

export async function isEmpty(
  session: Session,
  database: Database,
  table: Table,
): Promise<boolean> {
  return (await countRows(session, database, table)) === '0';
}

function countRows(session: Session, { dialect }: Database, table: Table): Promise<string> {
  return countOf(session, `SELECT COUNT(*) FROM ${dialect.tableName(table)}`);
}

/** A table that does not exist counts as empty. */
export async function countOf(session: Session, text: string): Promise<string> {
  try {
    return await valueOf(session, text);
  } catch (error) {
    rethrowUnlessMissing(error);
    return '0';
  }
}

export async function valueOf(session: Session, text: string): Promise<string> {
  const { rows } = await session.run({ text, params: [] });
  return String(rows[0]?.[0]);
}

/** Says which tables of a failed import stay. */
export function withUsedTables(error: unknown, used: readonly string[]): unknown {
  if (used.length === 0 || !(error instanceof StudioError)) return error;
  const names = used.map((name) => JSON.stringify(name)).join(', ');
  const subject = used.length === 1 ? `The table ${names} stays` : `The tables ${names} stay`;
  return copyError(error, {
    message: `${error.message} ${subject}, because others have inserted rows since the import created ${used.length === 1 ? 'it' : 'them'}.`,
    details: { ...error.details, objectsLeft: used },
  });
}

/** Ignores the error of an object that the crash kept from being created. Any other error ends the undo, which is then retried. */
export function rethrowUnlessMissing(error: unknown): void {
  if (error instanceof StudioError && isSpecificError(error)) throw error;
}
