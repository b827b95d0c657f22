/** Deletes all rows of the tables of a file before its rows are loaded. */
import { copyError, StudioError } from '../../model/errors.ts';
import { raw, sql } from '../../model/fragment.ts';
import { render } from '../../sql/render.ts';
import { importError, releaseSavepoint, runText, undoSavepoint } from './load-batch.ts';
import { groupInKeyOrder, keysWithin } from '../core/foreign-key-groups.ts';
import { areVerifiedByDatabase, disableConstraints } from './disable-constraints.ts';
import type { ForeignKeyAction, Schema, Table } from '../../model/schema.ts';
import type { LoadSession } from './load-batch.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';
import type { DisabledConstraints } from './disable-constraints.ts';

/**
 * Empties child tables first. If rows are still referenced, the constraints are disabled and returned:
 * they must hold again after the load.
 */
export async function emptyTables(
  loadSession: LoadSession,
  tables: readonly Table[],
  schema: Schema,
): Promise<DisabledConstraints | undefined> {
  const [inner, outer] = [keysWithin(tables), incomingKeys(schema, tables)];
  for (const each of outer) await mustNotCascade(loadSession, each, schema);
  const order = groupInKeyOrder(tables, inner).flat().toReversed();
  const empty = async (): Promise<void> => {
    for (const table of order) await emptyTable(loadSession, table);
  };
  const violation = await trySavepoint(loadSession, empty);
  if (violation === undefined) return undefined;
  mustBeDeferrable(loadSession, [...inner, ...outer], violation);
  const scope = { schema, emptied: tables };
  const emptyTogether = async (): Promise<void> => {
    const disabled = await disableConstraints(loadSession, inner, scope);
    await empty();
    await disabled.verifyAndEnable();
  };
  if (
    areVerifiedByDatabase(loadSession, inner) &&
    (await trySavepoint(loadSession, emptyTogether)) === undefined
  )
    return undefined;
  const disabled = await disableConstraints(loadSession, [...inner, ...outer], scope);
  try {
    await empty();
    await disabled.enforceForNewRows();
    return disabled;
  } catch (error) {
    await disabled.enableAfterFailure();
    throw error;
  }
}

/** The foreign keys of other tables that reference these tables. */
export function incomingKeys(schema: Schema, tables: readonly Table[]): readonly TableForeignKey[] {
  const names = new Set(tables.map(({ name }) => name));
  return schema.tables
    .filter(({ name }) => !names.has(name))
    .flatMap((table) =>
      table.foreignKeys.filter((key) => names.has(key.table)).map((key) => ({ table, key })),
    );
}

const cascades: ReadonlySet<ForeignKeyAction> = new Set<ForeignKeyAction>([
  'cascade',
  'set null',
  'set default',
]);

async function mustNotCascade(
  { session, dialect }: LoadSession,
  { table, key }: TableForeignKey,
  schema: Schema,
): Promise<void> {
  const parent = schema.tables.find(({ name }) => name === key.table);
  if (!cascades.has(key.onDelete) || parent === undefined) return;
  // The cascade does not change rows with dangling references, so they do not count.
  const referencesParent = key.columns
    .map((column, i) => {
      const referenced = dialect.quoteName(key.referencedColumns[i] ?? '');
      return `parent.${referenced} = child.${dialect.quoteName(column)}`;
    })
    .join(' AND ');
  const count = sql`SELECT COUNT(*) FROM ${dialect.tableName(table)} child WHERE EXISTS (SELECT 1 FROM ${dialect.tableName(parent)} parent WHERE ${raw(referencesParent)})`;
  const { rows } = await session.run(render(dialect, count));
  if (Number(rows[0]?.[0] ?? 0) === 0) return;
  throw new StudioError(
    'foreign_key_violation',
    `Emptying table "${key.table}" would change rows of table "${table.name}", which is not in the file ` +
      `(ON DELETE ${key.onDelete.toUpperCase()}); nothing was changed.`,
    { table: table.name, ...(key.name === undefined ? {} : { constraint: key.name }) },
  );
}

/** Fails with the key that was violated if the database cannot defer it. */
function mustBeDeferrable(
  { dialect }: LoadSession,
  keys: readonly TableForeignKey[],
  { details }: StudioError,
): void {
  const obstacleOf = ({ table, key }: TableForeignKey): string | undefined =>
    dialect.load.deferralObstacle?.(table, key);
  const obstructed = keys.filter((each) => obstacleOf(each) !== undefined);
  const violated = obstructed.find(
    ({ table, key }) => key.name === details['constraint'] && table.localName === details['table'],
  );
  const found = violated ?? obstructed[0];
  if (found === undefined) return;
  const { table, key } = found;
  throw new StudioError(
    'foreign_key_violation',
    `mode=replace cannot empty table "${key.table}": rows of table "${table.name}" reference its rows by (${key.columns.join(', ')}), and ${obstacleOf(found)}. Change or delete these rows first.`,
    { table: table.name, ...(key.name === undefined ? {} : { constraint: key.name }) },
  );
}

/** Runs the work in a savepoint. Rolls it back and returns the error if other rows still reference the deleted ones. */
async function trySavepoint(
  { session, dialect, defers, preparedKeys, beforeCommit }: LoadSession,
  work: () => Promise<void>,
): Promise<StudioError | undefined> {
  const { savepoint } = dialect.load;
  const [prepared, pending] = [[...preparedKeys], [...beforeCommit]];
  await runText(session, savepoint.set);
  try {
    await work();
    await releaseSavepoint(session, savepoint);
    return undefined;
  } catch (error) {
    const isStillReferenced =
      error instanceof StudioError && error.code === 'foreign_key_violation';
    if (!isStillReferenced || defers) throw error;
    await undoSavepoint(session, savepoint);
    restore(preparedKeys, prepared);
    restore(beforeCommit, pending);
    return error;
  }
}

function restore(set: Set<string>, texts: readonly string[]): void {
  set.clear();
  for (const text of texts) set.add(text);
}

async function emptyTable({ session, dialect, tally }: LoadSession, table: Table): Promise<void> {
  await session.beforeDeletingAllRows(table);
  const deletion = { text: `DELETE FROM ${dialect.tableWithoutChildren(table)}`, params: [] };
  const { rowsAffected } = await session.run(deletion).catch((error: unknown) => {
    throw unsupportedDeletion(table, error) ?? error;
  });
  tally.deleted(table, rowsAffected);
  const count = { text: `SELECT COUNT(*) FROM ${dialect.tableWithoutChildren(table)}`, params: [] };
  const retained = Number((await session.run(count)).rows[0]?.[0] ?? 0);
  if (retained === 0) return;
  const message = `A trigger, rule or policy of table "${table.name}" keeps ${retained === 1 ? 'a row' : `${retained} rows`} from being deleted; mode=replace deletes all rows first.`;
  throw importError([{ code: 'write_suppressed', table: table.name, message }]);
}

/** The error of a table whose rows the database never deletes, with its name. */
function unsupportedDeletion({ name }: Table, error: unknown): StudioError | undefined {
  if (!(error instanceof StudioError) || error.code !== 'not_writable') return undefined;
  return copyError(error, {
    message: `mode=replace cannot empty table "${name}". ${error.message}`,
    details: { ...error.details, table: name },
  });
}
