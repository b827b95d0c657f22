import { insertByLookup, maxLookupRows, updateRowAt } from '../../insert-by-lookup.ts';
import { lacksRequiredValues } from '../../lacks-required-values.ts';
import { insertInStatements } from '../../insert-in-statements.ts';
import { StudioError } from '../../../model/errors.ts';
import { afterSending } from '../../after-sending.ts';
import { createEncodedBatches } from '../../encoded-batches.ts';
import { insertText } from '../../insert-text.ts';
import { isAtOtherNodes, oneConnectionPerNode } from '../dialect/distributed-table.ts';
import { postgresDdl } from '../dialect/ddl.ts';
import { postgresDialect } from '../dialect/dialect.ts';
import { postgresLoading } from '../dialect/load-dialect.ts';
import { mayLeavePendingTriggers, mayRejectNull, runsTriggers } from './table-triggers.ts';
import { createDrawnValues } from './draw-values.ts';
import { copyFailure, copyStatement, copyText } from './load-copy.ts';
import { serverError } from '../dialect/errors.ts';
import { nativeTag } from '../dialect/types.ts';
import type { Capability } from '../../../model/capabilities.ts';
import type { Transaction } from '../../../model/database.ts';
import type { InsertOptions } from '../../../model/load-session.ts';
import type { ConflictRule, InsertBatch, InsertCounts } from '../../../model/load-dialect.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/connection.ts';
import type { EncodedBatches } from '../../encoded-batches.ts';
import type { DrawnValues } from './draw-values.ts';

const { quoteName, quoteText } = postgresDdl;

export function loadingTransaction(connection: Connection): Transaction<Capability> {
  const supportsCopyByTable = new Map<string, boolean>();
  const encoded = createEncodedBatches(copyText);
  const drawn = createDrawnValues(connection);
  return {
    run: connection.run,
    stream: connection.stream,
    runAll: connection.runAll,
    insert: async (batch, options = {}) => {
      await useOneConnectionPerNode(connection, batch.table);
      return insert({ connection, supportsCopyByTable, encoded, drawn, options }, batch);
    },
    encodeAhead: (batch) => {
      const isCopied =
        batch.conflict.kind === 'error' && supportsCopyByTable.get(batch.table.name) === true;
      // Rows whose values are drawn are others by the time they are inserted.
      if (isCopied && canBeCopied(batch) && !drawn.mayFill(batch)) encoded.encodeAhead(batch);
    },
    countDrawnValues: drawn.count,
    uncheckedIndirectlyWrittenTables: () => Promise.resolve([]),
    runsTriggers: (table, changes) => runsTriggers(connection, table, changes),
    mayRejectNull: (table, columns) => mayRejectNull(connection, table, columns),
    mayLeavePendingTriggers: (table) => mayLeavePendingTriggers(connection, table),
    beforeDeletingAllRows: (table) => useOneConnectionPerNode(connection, table),
    checkForeignKeys: async () =>
      void (await connection.run({ text: 'SET CONSTRAINTS ALL IMMEDIATE', params: [] })),
  };
}

/** A savepoint that is rolled back takes the setting back, so it is sent before each batch. */
async function useOneConnectionPerNode(connection: Connection, table: Table): Promise<void> {
  if (!isAtOtherNodes(table)) return;
  await connection.run({ text: oneConnectionPerNode, params: [] });
}

interface LoadContext {
  readonly connection: Connection;
  /** Whether a table supports COPY, by its name. */
  readonly supportsCopyByTable: Map<string, boolean>;
  readonly encoded: EncodedBatches;
  readonly drawn: DrawnValues;
  readonly options: InsertOptions;
}

async function insert(context: LoadContext, requestedBatch: InsertBatch): Promise<InsertCounts> {
  const batch = await context.drawn.fill(requestedBatch);
  if (batch.columns.length === 0)
    return insertInStatements(batch, oneByOne, () => insertDefaults(context, batch));
  if (batch.conflict.kind === 'error' && (await supportsCopy(context, batch)))
    return copy(context, batch);
  if (batch.conflict.kind !== 'error' && lacksRequiredValues(batch))
    return insertMissing(context, batch, requestedBatch.columns);
  if (batch.conflict.kind === 'update' && isPartitioned(batch))
    return insertInStatements(batch, oneByOne, (part) =>
      upsertRow(context, part, requestedBatch.columns),
    );
  return insertInStatements(batch, limits, (part) =>
    insertValues(context, part, requestedBatch.columns),
  );
}

function insertMissing(
  context: LoadContext,
  batch: InsertBatch,
  columns: readonly Column[],
): Promise<InsertCounts> {
  const { rejectsUpdates } = postgresLoading;
  const tools = {
    session: context.connection,
    dialect: postgresDialect,
    options: context.options,
    derivesLockedRows: true as const,
    insertNew: async (part: InsertBatch) =>
      (await insertValues(context, { ...part, conflict: { kind: 'error' } }, columns)).inserted,
    // Values that were drawn for new rows are none for existing ones.
    rejectsUpdates: (column: Column) => rejectsUpdates(column) || !columns.includes(column),
  };
  return insertInStatements(batch, { ...limits, rows: maxLookupRows }, (part) =>
    insertByLookup(tools, part),
  );
}

/** INSERT into a partitioned table cannot return xmax, which shows whether a row is new. */
function isPartitioned({ table }: InsertBatch): boolean {
  return table.options?.['partition_by'] !== undefined;
}

async function upsertRow(
  context: LoadContext,
  batch: InsertBatch,
  columns: readonly Column[],
): Promise<InsertCounts> {
  const key = batch.conflict.kind === 'error' ? [] : batch.conflict.key;
  const counts = await insertValues(
    context,
    { ...batch, conflict: { kind: 'skip', key } },
    columns,
  );
  if (counts.inserted > 0) return counts;
  const { connection: session, options } = context;
  const { rejectsUpdates } = postgresLoading;
  return {
    inserted: 0,
    updated: await updateRowAt(
      { session, dialect: postgresDialect, options, rejectsUpdates },
      { ...batch, columns },
      0,
    ),
  };
}

const oneByOne = { rows: 1, params: Infinity, bytes: Infinity };
const limits = { rows: 1000, params: 65_535, bytes: 8_000_000 };

async function insertDefaults(
  { connection, options }: LoadContext,
  { table }: InsertBatch,
): Promise<InsertCounts> {
  const text = `INSERT INTO ${postgresDdl.tableName(table)} DEFAULT VALUES`;
  const { rowsAffected } = await connection.run({ text, params: [] }, options);
  return { inserted: rowsAffected, updated: 0 };
}

async function copy(
  { connection, encoded, options }: LoadContext,
  batch: InsertBatch,
): Promise<InsertCounts> {
  const data = encoded.take(batch);
  const inserted = await connection
    .copyIn(copyStatement(batch), data, options)
    .catch((error: unknown) => {
      throw copyFailure(error, batch);
    });
  return { inserted, updated: 0 };
}

/** COPY does not support rules and row-level security, and reads money in the format of the server's locale. */
async function supportsCopy(
  { connection, supportsCopyByTable }: LoadContext,
  batch: InsertBatch,
): Promise<boolean> {
  const { table } = batch;
  if (!canBeCopied(batch)) return false;
  const cached = supportsCopyByTable.get(table.name);
  if (cached !== undefined) return cached;
  const name = quoteText(postgresDdl.tableName(table));
  const { rows } = await connection.run({ text: supportsCopyQuery(name), params: [] });
  const isSupported = rows[0]?.[0] === true;
  supportsCopyByTable.set(table.name, isSupported);
  return isSupported;
}

function supportsCopyQuery(name: string): string {
  return `SELECT NOT row_security_active(${name}::regclass)
    AND NOT EXISTS (SELECT FROM pg_catalog.pg_rewrite WHERE ev_class = ${name}::regclass AND ev_type = '3')`;
}

function canBeCopied({ columns }: InsertBatch): boolean {
  return columns.length > 0 && !columns.some(isMoney);
}

function isMoney({ type }: Column): boolean {
  return nativeTag(type.kind === 'array' ? type.of : type) === 'money';
}

/** ON CONFLICT DO UPDATE locks the existing row, which sets xmax of its new version. An inserted row has 0. */
const returningInserted = ' RETURNING xmax = 0';

/** An existing row is updated in the columns of the file only. */
async function insertValues(
  { connection, options }: LoadContext,
  batch: InsertBatch,
  updated: readonly Column[],
): Promise<InsertCounts> {
  const { table, columns, rows, conflict } = batch;
  const text = insertText(postgresDialect, {
    table,
    columns,
    rows: rows.length,
    beforeValues: ' OVERRIDING SYSTEM VALUE',
    afterValues: conflictClause(conflict, updated),
  });
  const running = connection.run({ text, params: rows.flat() }, options);
  const result = await afterSending(running, options).catch((error: unknown) => {
    throw unsupportedKeyError(error, batch) ?? error;
  });
  if (!text.endsWith(returningInserted)) return { inserted: result.rowsAffected, updated: 0 };
  const inserted = result.rows.filter(([isNew]) => isNew === true).length;
  return { inserted, updated: result.rows.length - inserted };
}

/** ON CONFLICT does not support deferrable keys. That is an error of the request, not of its rows. */
function unsupportedKeyError(
  error: unknown,
  { table, conflict }: InsertBatch,
): StudioError | undefined {
  const found = serverError(error);
  // Triggers use this code too; no translation of the message lacks the keyword.
  const isUnsupported = found?.code === '55000' && found.message.includes('ON CONFLICT');
  if (!isUnsupported || conflict.kind === 'error') return undefined;
  const key = conflict.key.map(({ column }) => column.name).join(', ');
  return new StudioError(
    'invalid_parameter',
    `on_conflict=${conflict.kind} cannot use the key (${key}) of table "${table.name}", which is DEFERRABLE. Name another unique key in conflict_columns, or leave on_conflict out.`,
    { parameter: 'on_conflict', table: table.name },
  );
}

function conflictClause(conflict: ConflictRule, columns: readonly Column[]): string {
  if (conflict.kind === 'error') return '';
  const key = conflict.key.map(({ column }) => column.name);
  const target = ` ON CONFLICT (${key.map(quoteName).join(', ')})`;
  // OVERRIDING SYSTEM VALUE applies to the INSERT only.
  const set = columns.filter(
    (column) => !key.includes(column.name) && !postgresLoading.rejectsUpdates(column),
  );
  if (conflict.kind === 'skip' || set.length === 0) return `${target} DO NOTHING`;
  const assignments = set.map(({ name }) => `${quoteName(name)} = EXCLUDED.${quoteName(name)}`);
  return `${target} DO UPDATE SET ${assignments.join(', ')}${returningInserted}`;
}
