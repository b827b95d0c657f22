import { afterSending } from '../../after-sending.ts';
import { createEncodedBatches } from '../../encoded-batches.ts';
import { insertText } from '../../insert-text.ts';
import { insertByLookup, maxLookupRows } from '../../insert-by-lookup.ts';
import { mayRejectNull, runsTriggers } from './table-triggers.ts';
import { insertInStatements } from '../../insert-in-statements.ts';
import { mysqlLoading } from '../dialect/load-dialect.ts';
import { fileText, fitsFile, loadStatement } from './load-file.ts';
import type { Capability } from '../../../model/capabilities.ts';
import type { Dialect, Transaction } from '../../../model/database.ts';
import type { InsertOptions } from '../../../model/load-session.ts';
import type { InsertBatch, InsertCounts } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { EncodedBatches } from '../../encoded-batches.ts';
import type { Connection } from '../driver/connection.ts';

/** The default packet limit is 16 MB. A statement has at most 65,535 parameters, and a geometry needs three. */
const limits = { rows: 1000, params: Math.floor(65_535 / 3), bytes: 4_000_000 };

/** A transaction for imports; foreign keys are checked row by row. */
export function loadingTransaction(
  connection: Connection,
  dialect: Dialect<'write'>,
): Transaction<Capability> {
  const files: FileLoading = {
    isAllowed: undefined,
    misses: new Map(),
    encoded: createEncodedBatches(fileText),
  };
  return {
    run: connection.run,
    stream: connection.stream,
    insert: (batch, options = {}) => insert({ connection, dialect, files, options }, batch),
    encodeAhead: (batch) => {
      const { conflict, table } = batch;
      const isLikely = files.isAllowed === true && conflict.kind === 'error';
      if (isLikely && !missesOften(files, table) && isLoadable(batch))
        files.encoded.encodeAhead(batch);
    },
    uncheckedIndirectlyWrittenTables: () => Promise.resolve([]),
    runsTriggers: (table, changes) => runsTriggers(connection, table, changes),
    mayRejectNull: (table, columns) => mayRejectNull(connection, table, columns),
    mayLeavePendingTriggers: () => Promise.resolve(false),
    beforeDeletingAllRows: () => Promise.resolve(),
    checkForeignKeys: () => Promise.resolve(),
  };
}

interface FileLoading {
  /** Whether the server allows LOAD DATA LOCAL; undefined until it was queried. */
  isAllowed: boolean | undefined;
  /** By table: how often LOAD DATA skipped or changed rows. */
  readonly misses: Map<string, number>;
  readonly encoded: EncodedBatches;
}

interface LoadContext {
  readonly connection: Connection;
  readonly dialect: Dialect<'write'>;
  readonly files: FileLoading;
  readonly options: InsertOptions;
}

async function insert(context: LoadContext, batch: InsertBatch): Promise<InsertCounts> {
  if (batch.conflict.kind === 'error') return insertNew(context, batch);
  const tools = {
    session: context.connection,
    dialect: context.dialect,
    options: context.options,
    insertNew: async (part: InsertBatch) => insertRows(context, part),
    rejectsUpdates: mysqlLoading.rejectsUpdates,
  };
  return insertInStatements(batch, { ...limits, rows: maxLookupRows }, (part) =>
    insertByLookup(tools, part),
  );
}

async function insertNew(context: LoadContext, batch: InsertBatch): Promise<InsertCounts> {
  const isLoadedByFile = (await canLoadFile(context, batch)) && (await loadFile(context, batch));
  if (isLoadedByFile) return { inserted: batch.rows.length, updated: 0 };
  return insertInStatements(batch, limits, async (part) => ({
    inserted: await insertRows(context, part),
    updated: 0,
  }));
}

const minRowsForFile = 50;
const maxMisses = 3;

async function canLoadFile(
  { connection, files }: LoadContext,
  batch: InsertBatch,
): Promise<boolean> {
  if (missesOften(files, batch.table)) return false;
  if (!files.encoded.has(batch) && !isLoadable(batch)) return false;
  if (files.isAllowed === undefined) {
    const { rows } = await connection.run({ text: 'SELECT @@GLOBAL.local_infile', params: [] });
    files.isAllowed = Number(rows[0]?.[0]) === 1;
  }
  return files.isAllowed;
}

function missesOften({ misses }: FileLoading, { name }: Table): boolean {
  return (misses.get(name) ?? 0) >= maxMisses;
}

function isLoadable(batch: InsertBatch): boolean {
  return batch.rows.length >= minRowsForFile && fitsFile(batch) && !isNumbered(batch);
}

/** LOAD DATA and an attempt that fails leave gaps between the numbers, which INSERT does not. */
function isNumbered({ table, columns, rows }: InsertBatch): boolean {
  const numbered = table.columns.find(({ autoIncrement }) => autoIncrement === true);
  if (numbered === undefined) return false;
  const at = columns.findIndex(({ name }) => name === numbered.name);
  return at === -1 || rows.some((row) => row[at] === null);
}

const undo = 'ROLLBACK TO SAVEPOINT studio_file';

/** Undoes LOAD DATA if it skipped a row or changed a value; INSERT then reports the actual error. */
async function loadFile(
  { connection, files, options }: LoadContext,
  batch: InsertBatch,
): Promise<boolean> {
  options.signal?.throwIfAborted();
  await connection.command('SAVEPOINT studio_file');
  const outcome = await connection
    .load({ text: loadStatement(batch), file: files.encoded.take(batch), onSent: options.onSent })
    .catch((error: unknown) => ({ error }));
  const isWhole = 'rowsAffected' in outcome && outcome.rowsAffected === batch.rows.length;
  if (isWhole && outcome.warnings === 0) return true;
  files.misses.set(batch.table.name, (files.misses.get(batch.table.name) ?? 0) + 1);
  // If the savepoint is gone, the server has ended the transaction.
  await connection.command(undo).catch((error: unknown) => {
    throw 'error' in outcome ? outcome.error : error;
  });
  return false;
}

async function insertRows(
  { connection, dialect, options }: LoadContext,
  batch: InsertBatch,
): Promise<number> {
  const { table, columns, rows } = batch;
  const text = insertText(dialect, {
    table,
    columns,
    rows: rows.length,
    beforeValues: '',
    afterValues: '',
  });
  const { rowsAffected } = await afterSending(
    connection.run({ text, params: rows.flat() }, options),
    options,
  );
  return rowsAffected;
}
