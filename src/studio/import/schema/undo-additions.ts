/** Undoes what a failed import has added to existing tables, but no column to which others have written since. */
import { rethrowUnlessMissing, valueOf } from './remove-created.ts';
import type { UndoSession } from './remove-created.ts';
import type { Addition } from './journal-files.ts';
import type { DdlUndo } from '../../../model/ddl-dialect.ts';
import type { Column, Table } from '../../../model/schema.ts';

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
    else {
      const isOwn = (index: string): boolean => additions.some((each) => each.undo.includes(index));
      const staying = await dropColumn({ database, session }, { table, column, ddlUndo, isOwn });
      if (staying !== undefined) used.push(`${table}.${staying}`);
    }
  }
  return used;
}

interface AddedColumn {
  readonly table: string;
  readonly column: string;
  readonly ddlUndo: DdlUndo;
  /** Whether the import has added the index, by its name. The server keeps the index of a foreign key that is dropped. */
  readonly isOwn: (index: string) => boolean;
}

/**
 * Returns the name of a column that stays. It is renamed while its values are counted: a transaction that writes to it
 * could otherwise commit before it is dropped, at another server of a cluster too.
 */
async function dropColumn(
  undoSession: UndoSession,
  { table, column, ...rest }: AddedColumn,
): Promise<string | undefined> {
  const { ddlUndo } = rest;
  const hidden = ddlUndo.hiddenColumn(column);
  const run = async (text: string): Promise<void> => {
    await undoSession.session.run({ text, params: [] }).catch(rethrowUnlessMissing);
  };
  const exists = (name: string): Promise<boolean> =>
    columnExists(undoSession, { ...rest, table, column: name });
  await run(ddlUndo.renameColumn(table, { from: column, to: hidden }));
  const found = { ...rest, table, column: hidden };
  const { tables } = await undoSession.database.introspect();
  const isUsed = hasKeys(tables, found) || (await isWritten(undoSession, tables, found));
  if (!isUsed) await run(ddlUndo.dropColumn(table, hidden));
  // A generated column of others, for example, keeps it from being dropped.
  if (await exists(hidden)) await run(ddlUndo.renameColumn(table, { from: hidden, to: column }));
  // Others have added another column of the name meanwhile.
  if (await exists(hidden)) return hidden;
  return (await exists(column)) ? column : undefined;
}

/** Whether an index or a foreign key uses the column. Those of the import are dropped before. */
function hasKeys(
  tables: readonly Table[],
  { table: tableName, column, isOwn }: AddedColumn,
): boolean {
  return tables.some((table) => {
    const isChanged = table.name === tableName;
    return (
      (isChanged &&
        table.indexes.some(
          ({ name, parts }) => !isOwn(name) && parts.some((part) => part.column === column),
        )) ||
      table.foreignKeys.some(
        (key) =>
          (isChanged && key.columns.includes(column)) ||
          (key.table === tableName && key.referencedColumns.includes(column)),
      )
    );
  });
}

/** Whether a row has another value in the column than the initial one. False for a column that does not exist. */
async function isWritten(
  undoSession: UndoSession,
  tables: readonly Table[],
  { table, column, ddlUndo }: AddedColumn,
): Promise<boolean> {
  const columns = tables.find(({ name }) => name === table)?.columns ?? [];
  // A table that another session locks may be missing.
  const found = columns.find(({ name }) => name === column);
  const hasDefault = found !== undefined && (found.nullable || found.default !== undefined);
  const text = hasDefault
    ? ddlUndo.countChanged(table, column)
    : ddlUndo.countFilled(table, found ?? unknownColumn(column));
  const count = await countRows(undoSession, text);
  // Of some types, no value can be compared.
  if (count === undefined) return columnExists(undoSession, { table, column, ddlUndo });
  return count !== '0';
}

async function columnExists(
  undoSession: UndoSession,
  { table, column, ddlUndo }: Omit<AddedColumn, 'isOwn'>,
): Promise<boolean> {
  const text = ddlUndo.countFilled(table, unknownColumn(column));
  return (await countRows(undoSession, text)) !== undefined;
}

/** Of an unknown type, every row counts as filled. */
function unknownColumn(name: string): Pick<Column, 'name' | 'nativeType'> {
  return { name, nativeType: '' };
}

/** Undefined if the database rejects the query. */
async function countRows({ session }: UndoSession, text: string): Promise<string | undefined> {
  try {
    return await valueOf(session, text);
  } catch (error) {
    rethrowUnlessMissing(error);
    return undefined;
  }
}
