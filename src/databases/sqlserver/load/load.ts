import { afterSending } from '../../after-sending.ts';
import { insertText } from '../../insert-text.ts';
import { insertByLookup, maxLookupRows } from '../../insert-by-lookup.ts';
import { mayConstraintsRejectNull } from '../../constraints-on-null.ts';
import { runsTriggers } from './table-triggers.ts';
import { insertInStatements } from '../../insert-in-statements.ts';
import { sqlserverDdl } from '../dialect/ddl.ts';
import { sqlserverDialect } from '../dialect/dialect.ts';
import { sqlserverLoading } from '../dialect/load-dialect.ts';
import type { Capability } from '../../../model/capabilities.ts';
import type { Session, Transaction } from '../../../model/database.ts';
import type { InsertOptions } from '../../../model/load-session.ts';
import type { InsertBatch, InsertCounts } from '../../../model/load-dialect.ts';
import type { Column } from '../../../model/schema.ts';

/** The server allows 2,100 parameters, of which the call itself needs two. */
const limits = { rows: 1000, params: 2000, bytes: 8_000_000 };

/** A transaction for imports; foreign keys are checked with each statement. */
export function loadingTransaction(session: Session): Transaction<Capability> {
  return {
    run: session.run,
    stream: session.stream,
    insert: (batch, options = {}) => insert({ session, options }, batch),
    uncheckedIndirectlyWrittenTables: () => Promise.resolve([]),
    runsTriggers: (table, changes) => runsTriggers(session, table, changes),
    // Unique indexes of SQL Server treat NULLs as equal.
    mayRejectNull: (table, columns) =>
      Promise.resolve(mayConstraintsRejectNull(table, columns, true)),
    mayLeavePendingTriggers: () => Promise.resolve(false),
    beforeDeletingAllRows: () => Promise.resolve(),
    checkForeignKeys: () => Promise.resolve(),
  };
}

interface LoadContext {
  readonly session: Session;
  readonly options: InsertOptions;
}

/** Does not use bulk load, which would round dates to milliseconds and decimals to doubles. */
function insert(context: LoadContext, batch: InsertBatch): Promise<InsertCounts> {
  const insertNew = async (part: InsertBatch): Promise<number> => insertRows(context, part);
  const rows = rowsAtOnce(batch.columns);
  if (batch.conflict.kind === 'error') {
    return insertInStatements(batch, { ...limits, rows }, async (part) => ({
      inserted: await insertNew(part),
      updated: 0,
    }));
  }
  const { rejectsUpdates } = sqlserverLoading;
  const tools = { ...context, dialect: sqlserverDialect, insertNew, rejectsUpdates };
  return insertInStatements(batch, { ...limits, rows: Math.min(rows, maxLookupRows) }, (part) =>
    insertByLookup(tools, part),
  );
}

/** A multi-row VALUES converts a column to one type, which would change sql_variant values. DEFAULT VALUES inserts one row only. */
function rowsAtOnce(columns: readonly Column[]): number {
  return columns.length === 0 || columns.some((column) => column.dynamic === true)
    ? 1
    : limits.rows;
}

async function insertRows(
  { session, options }: LoadContext,
  { table, columns, rows }: InsertBatch,
): Promise<number> {
  const name = sqlserverDdl.tableName(table);
  const text =
    columns.length === 0
      ? `INSERT INTO ${name} DEFAULT VALUES`
      : insertText(sqlserverDialect, {
          table,
          columns,
          rows: rows.length,
          beforeValues: '',
          afterValues: '',
        });
  const statement = hasNoIdentity(columns) ? text : withIdentityInsert(name, text);
  const { rowsAffected } = await afterSending(
    session.run({ text: statement, params: rows.flat() }, options),
    options,
  );
  return rowsAffected;
}

function hasNoIdentity(columns: readonly Column[]): boolean {
  return columns.every((column) => column.autoIncrement !== true);
}

function withIdentityInsert(table: string, statement: string): string {
  return `SET IDENTITY_INSERT ${table} ON; ${statement}; SET IDENTITY_INSERT ${table} OFF`;
}
