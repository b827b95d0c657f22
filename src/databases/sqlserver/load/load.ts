import { insertText } from '../../insert-text.ts';
import { insertByLookup, maxLookupRows } from '../../insert-by-lookup.ts';
import { insertInStatements } from '../../insert-in-statements.ts';
import { sqlserverDdl } from '../dialect/ddl.ts';
import { sqlserverDialect } from '../dialect/dialect.ts';
import type { RunOptions, Session, Transaction } from '../../../model/database.ts';
import type { InsertBatch, InsertCounts } from '../../../model/load-dialect.ts';
import type { Column } from '../../../model/schema.ts';

/** The server takes 2,100 parameters, two of which the call itself has. */
const limits = { rows: 1000, params: 2000, bytes: 8_000_000 };

/** A session within a transaction; all keys are looked at with each statement. */
export function loadingTransaction(session: Session): Transaction {
  return {
    run: session.run,
    stream: session.stream,
    insert: (batch, options = {}) => insert({ session, options }, batch),
    beforeEmptying: () => Promise.resolve(),
    checkKeys: () => Promise.resolve(),
  };
}

interface Loading {
  readonly session: Session;
  readonly options: RunOptions;
}

/** A bulk load would take dates by milliseconds and decimals by doubles. */
function insert(loading: Loading, batch: InsertBatch): Promise<InsertCounts> {
  const insertNew = async (piece: InsertBatch): Promise<number> => insertRows(loading, piece);
  const rows = rowsAtOnce(batch.columns);
  if (batch.conflict.kind === 'error') {
    return insertInStatements(batch, { ...limits, rows }, async (piece) => ({
      inserted: await insertNew(piece),
      updated: 0,
    }));
  }
  // The number of a row stays with it.
  const isFixed = (column: Column): boolean => column.autoIncrement === true;
  const tools = { ...loading, dialect: sqlserverDialect, insertNew, isFixed };
  return insertInStatements(batch, { ...limits, rows: Math.min(rows, maxLookupRows) }, (piece) =>
    insertByLookup(tools, piece),
  );
}

/** Of several rows the values of a column become of one type, which a sql_variant would then hold; rows of defaults alone come one by one. */
function rowsAtOnce(columns: readonly Column[]): number {
  return columns.length === 0 || columns.some((column) => column.dynamic === true)
    ? 1
    : limits.rows;
}

async function insertRows(
  { session, options }: Loading,
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
  const { rowsAffected } = await session.run(
    { text: numbersItself(columns) ? text : withNumbers(name, text), params: rows.flat() },
    options,
  );
  return rowsAffected;
}

function numbersItself(columns: readonly Column[]): boolean {
  return columns.every((column) => column.autoIncrement !== true);
}

function withNumbers(table: string, statement: string): string {
  return `SET IDENTITY_INSERT ${table} ON; ${statement}; SET IDENTITY_INSERT ${table} OFF`;
}
