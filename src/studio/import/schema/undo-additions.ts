/** Undoes what a failed import has added to existing tables, but no column to which others have written since. */
import { findColumnUses, hasKeys, isAdded } from './column-uses.ts';
import { rethrowIfSpecific, rethrowUnlessMissing, valueOf } from './remove-created.ts';
import { driverErrorOf } from './structure-transaction.ts';
import type { Removal, UndoSession } from './remove-created.ts';
import type { Addition } from './journal-files.ts';
import type { DdlUndo } from '../../../model/ddl-dialect.ts';
import type { Column, Table } from '../../../model/schema.ts';

/** Undoes the last addition first. Names columns as `table.column`, and indexes and the like as `index idx_users_note`. */
export async function undoAdditions(
  { database, session }: UndoSession,
  additions: readonly Addition[],
): Promise<Removal> {
  const { ddlUndo } = database.dialect.ddl;
  if (ddlUndo === undefined) return { removed: [], used: [] };
  const removed: string[] = [];
  const used: string[] = [];
  const isOwn = (index: string): boolean => isAdded(additions, index);
  const isUsed = await findColumnUses(database, additions);
  for (const addition of additions.toReversed()) {
    const { table, column, time } = addition;
    if (column === undefined) {
      const outcome = await undoOne({ database, session }, addition);
      if (outcome === 'removed') removed.push(nameOf(addition));
      if (outcome === 'used') used.push(nameOf(addition));
    } else if (isUsed(addition)) used.push(nameOf(addition));
    else {
      const added = { table, column, time, ddlUndo, isOwn };
      const outcome = await dropColumn({ database, session }, added);
      if (outcome === 'removed') removed.push(nameOf(addition));
      if (typeof outcome === 'object') used.push(`${table}.${outcome.staysAs}`);
    }
  }
  return { removed, used };
}

/** What is added, as in messages. */
export function nameOf({ table, column, object, isTemporary }: Addition): string {
  if (isTemporary === true) return 'the temporary database of a dry run';
  if (column !== undefined) return `${table}.${column}`;
  return object ?? `what was added to ${table}`;
}

/** Reverts an addition that is no column. It is `used` if others use it, so that it cannot be dropped. */
async function undoOne(
  { database, session }: UndoSession,
  { undo }: Addition,
): Promise<'removed' | 'missing' | 'used'> {
  try {
    await session.run({ text: undo, params: [] });
    return 'removed';
  } catch (error) {
    if (database.dialect.ddl.ddlUndo?.isMissingError(driverErrorOf(error)) === true)
      return 'missing';
    rethrowIfSpecific(error);
    return 'used';
  }
}

interface AddedColumn {
  readonly table: string;
  readonly column: string;
  readonly time: string | undefined;
  readonly ddlUndo: DdlUndo;
  /** Whether the import has added the index, by its name. The server keeps the index of a foreign key that is dropped. */
  readonly isOwn: (index: string) => boolean;
}

/**
 * Drops an added column, unless others use it. It is renamed while its values are counted: a transaction that writes to it
 * could otherwise commit before it is dropped, at another server of a cluster too.
 */
async function dropColumn(
  undoSession: UndoSession,
  { table, column, ...rest }: AddedColumn,
): Promise<'removed' | 'missing' | { readonly staysAs: string }> {
  const { ddlUndo } = rest;
  const hidden = ddlUndo.hiddenColumn(column);
  /** Something of others may keep a column from being renamed or dropped: a generated column, for example. */
  const run = async (text: string): Promise<void> => {
    await undoSession.session.run({ text, params: [] }).catch(rethrowIfSpecific);
  };
  const exists = (name: string): Promise<boolean> =>
    columnExists(undoSession, { ...rest, table, column: name });
  await run(ddlUndo.renameColumn(table, { from: column, to: hidden }));
  if (!(await exists(hidden))) return (await exists(column)) ? { staysAs: column } : 'missing';
  const found = { ...rest, table, column: hidden };
  const { tables } = await undoSession.database.introspect();
  const isUsed = hasKeys(tables, found) || (await isWritten(undoSession, tables, found));
  if (!isUsed) await run(ddlUndo.dropColumn(table, hidden));
  if (await exists(hidden)) await run(ddlUndo.renameColumn(table, { from: hidden, to: column }));
  // Others have added another column of the name meanwhile.
  if (await exists(hidden)) return { staysAs: hidden };
  return (await exists(column)) ? { staysAs: column } : 'removed';
}

/** Whether a row has another value in the column than the initial one. False for a column that does not exist. */
async function isWritten(
  undoSession: UndoSession,
  tables: readonly Table[],
  added: AddedColumn,
): Promise<boolean> {
  const { table, column, ddlUndo } = added;
  const columns = tables.find(({ name }) => name === table)?.columns ?? [];
  // A table that another session locks may be missing.
  const found = columns.find(({ name }) => name === column);
  const hasDefault = found !== undefined && (found.nullable || found.default !== undefined);
  const text = hasDefault
    ? ddlUndo.countChanged(table, found)
    : ddlUndo.countFilled(table, found ?? unknownColumn(column));
  const count = await countAtTime(undoSession, added, text);
  // Of some types, no value can be compared.
  if (count === undefined) return columnExists(undoSession, added);
  return count !== '0';
}

/** Undefined if the database rejects the query. */
async function countAtTime(
  { session }: UndoSession,
  { ddlUndo, time }: AddedColumn,
  text: string,
): Promise<string | undefined> {
  const run = (statement: string): Promise<unknown> => session.run({ text: statement, params: [] });
  try {
    if (time !== undefined) await run(ddlUndo.setTime(time));
    return await valueOf(session, text);
  } catch (error) {
    rethrowIfSpecific(error);
    return undefined;
  } finally {
    if (time !== undefined) await run(ddlUndo.resetTime);
  }
}

async function columnExists(
  { session }: UndoSession,
  { table, column, ddlUndo }: AddedColumn,
): Promise<boolean> {
  try {
    await valueOf(session, ddlUndo.countFilled(table, unknownColumn(column)));
    return true;
  } catch (error) {
    rethrowUnlessMissing(error, ddlUndo);
    return false;
  }
}

/** Of an unknown type, every row counts as filled. */
function unknownColumn(name: string): Pick<Column, 'name' | 'nativeType'> {
  return { name, nativeType: '' };
}
