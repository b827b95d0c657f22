/** Undoes what a failed import has added to existing tables, but no column to which others have written since. */
import { countOf, rethrowUnlessMissing, valueOf } from './remove-created.ts';
import type { UndoSession } from './remove-created.ts';
import type { Addition } from './journal-files.ts';
import type { DdlUndo } from '../../../model/ddl-dialect.ts';
import type { Session } from '../../../model/database.ts';

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
    else if (!(await dropColumn(session, { table, column, ddlUndo })))
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
  session: Session,
  { table, column, ddlUndo }: AddedColumn,
): Promise<boolean> {
  const hidden = ddlUndo.hiddenColumn(column);
  const run = async (text: string): Promise<void> => {
    await session.run({ text, params: [] }).catch(rethrowUnlessMissing);
  };
  await run(ddlUndo.renameColumn(table, { from: column, to: hidden }));
  if ((await countWritten(session, { table, column: hidden, ddlUndo })) === '0')
    await run(ddlUndo.dropColumn(table, hidden));
  else await run(ddlUndo.renameColumn(table, { from: hidden, to: column }));
  return !(await exists(session, ddlUndo.countFilled(table, column)));
}

/** The number of rows in which the column has another value than the initial one. */
async function countWritten(
  session: Session,
  { table, column, ddlUndo }: AddedColumn,
): Promise<string> {
  try {
    return await valueOf(session, ddlUndo.countChanged(table, column));
  } catch (error) {
    rethrowUnlessMissing(error);
    return countOf(session, ddlUndo.countFilled(table, column));
  }
}

/** Whether the column that the query reads exists. */
async function exists(session: Session, text: string): Promise<boolean> {
  try {
    await valueOf(session, text);
    return true;
  } catch (error) {
    rethrowUnlessMissing(error);
    return false;
  }
}
