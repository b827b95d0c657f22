/** Undoes what a failed import has added to existing tables, but no column to which others have written since. */
import { rethrowUnlessMissing, valueOf } from './remove-created.ts';
import type { UndoSession } from './remove-created.ts';
import type { Addition } from './journal-files.ts';
import type { DdlUndo } from '../../../model/ddl-dialect.ts';
import type { Column } from '../../../model/schema.ts';

/** Undoes the last addition first. Returns the columns that stay, as `table.column`. */
export async function undoAdditions(
  { database, session }: UndoSession,
  additions: readonly Addition[],
): Promise<readonly string[]> {
  const { ddlUndo } = database.dialect.ddl;
  if (ddlUndo === undefined) return [];
  const used: string[] = [];
  for (const { table, column, undo } of additions.toReversed()) {
    if (column === undefined)
      await session.run({ text: undo, params: [] }).catch(rethrowUnlessMissing);
    else if (!(await dropColumn({ database, session }, { table, column, ddlUndo })))
      used.push(`${table}.${column}`);
  }
  return used;
}

interface AddedColumn {
  readonly table: string;
  readonly column: string;
  readonly ddlUndo: DdlUndo;
}

/**
 * Returns false for a column that stays. It is renamed while its values are counted: a transaction that writes to it could
 * otherwise commit before it is dropped, at another server of a cluster too.
 */
async function dropColumn(
  undoSession: UndoSession,
  { table, column, ddlUndo }: AddedColumn,
): Promise<boolean> {
  const hidden = ddlUndo.hiddenColumn(column);
  const run = async (text: string): Promise<void> => {
    await undoSession.session.run({ text, params: [] }).catch(rethrowUnlessMissing);
  };
  await run(ddlUndo.renameColumn(table, { from: column, to: hidden }));
  if (await isWritten(undoSession, { table, column: hidden, ddlUndo }))
    await run(ddlUndo.renameColumn(table, { from: hidden, to: column }));
  else await run(ddlUndo.dropColumn(table, hidden));
  return (
    (await countRows(undoSession, ddlUndo.countFilled(table, unknownColumn(column)))) === undefined
  );
}

/** Whether a row has another value in the column than the initial one. False for a column that does not exist. */
async function isWritten(
  { database, session }: UndoSession,
  { table, column, ddlUndo }: AddedColumn,
): Promise<boolean> {
  const { tables } = await database.introspect();
  const columns = tables.find(({ name }) => name === table)?.columns ?? [];
  // A table that another session locks may be missing.
  const found = columns.find(({ name }) => name === column);
  const hasDefault = found !== undefined && (found.nullable || found.default !== undefined);
  const text = hasDefault
    ? ddlUndo.countChanged(table, column)
    : ddlUndo.countFilled(table, found ?? unknownColumn(column));
  const count = await countRows({ database, session }, text);
  return count !== undefined && count !== '0';
}

/** Of an unknown type, every row counts as filled. */
function unknownColumn(name: string): Pick<Column, 'name' | 'nativeType'> {
  return { name, nativeType: '' };
}

/** Undefined if the column does not exist. */
async function countRows({ session }: UndoSession, text: string): Promise<string | undefined> {
  try {
    return await valueOf(session, text);
  } catch (error) {
    rethrowUnlessMissing(error);
    return undefined;
  }
}
