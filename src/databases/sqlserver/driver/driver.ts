import { Connection as Wire, Request, TYPES } from 'tedious';
import { StudioError } from '../../../model/errors.ts';
import { cancelMs, openWithin, runCancelable, runToEnd } from '../../cancel-statement.ts';
import { streamingError } from '../../streaming-error.ts';
import { closeWithTimeout } from '../../connection-loss.ts';
import { withTraceComment } from '../../trace-comment.ts';
import { transferredBytes } from '../../transferred-bytes.ts';
import { connectionError, isLostError } from './connection-error.ts';
import { withSetupErrors } from '../../session-setup-error.ts';
import { markIfRead } from '../../errors-of-reads.ts';
import { messageOf, serverError, translateError } from '../dialect/errors.ts';
import { createRowQueue, type RowQueue } from './row-queue.ts';
import { wireColumnInfo } from '../dialect/types.ts';
import { toParameters } from '../dialect/values.ts';
import { readValuesExactly } from './exact-values.ts';
import type { ConnectionConfiguration } from 'tedious';
import type { Query, Result, RunOptions } from '../../../model/database.ts';
import type { RowStream } from '../../../model/rows.ts';
import type { ColumnInfo } from '../../../model/schema.ts';
import type { Row, Value } from '../../../model/values.ts';
import type { Connection } from './connection.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { WireColumn } from '../dialect/types.ts';
import type { Parameter, Sent } from '../dialect/values.ts';

/** A connection after session setup, and the row that the setup statement returned. */
export interface Opened {
  readonly connection: Connection;
  readonly settings: Row;
}

readValuesExactly();

/** The setup batch of a session, which returns one row. */
export interface SetUp {
  readonly text: string;
  /** Aborts connecting. */
  readonly signal: AbortSignal;
}

/** `connectMs` limits the login and the setup together. */
export async function connect(
  options: ConnectionOptions,
  { text, signal }: SetUp,
): Promise<Opened> {
  const wire = new Wire(configOf(options));
  const destroy = (): void => wire.close();
  const bounds = { limitMs: options.connectMs, signal };
  try {
    return await openWithin({ destroy }, bounds, async () => {
      await startConnecting(wire);
      const connection = createConnection(wire);
      const [settings = []] = await withSetupErrors({ translateError, messageOf }, () =>
        connection.command(text),
      );
      return { connection, settings };
    });
  } catch (error) {
    destroy();
    throw signal.aborted ? signal.reason : connectionError(error);
  }
}

function startConnecting(wire: Wire): Promise<void> {
  let loginError: unknown;
  // The driver drops the number of a login error.
  wire.on(
    'errorMessage',
    ({ number, message }) => (loginError ??= Object.assign(new Error(message), { number })),
  );
  // `isUsable` detects connections that break while they are idle.
  wire.on('error', () => {});
  return new Promise((resolve, reject) => {
    wire.connect((error) => {
      if (error == null) resolve();
      else reject(connectionError(serverError(loginError) === undefined ? error : loginError));
    });
  });
}

function configOf(options: ConnectionOptions): ConnectionConfiguration {
  const { host, port, instance, user, password, database, authority, certificateHost } = options;
  return {
    server: host,
    authentication: { type: 'default', options: { userName: user, password } },
    options: {
      ...(instance === undefined ? { port: port ?? 1433 } : { instanceName: instance }),
      ...(database === undefined ? {} : { database }),
      encrypt: options.encrypt,
      trustServerCertificate: options.trustServerCertificate,
      ...(certificateHost === undefined ? {} : { serverName: certificateHost }),
      ...(authority === undefined ? {} : { cryptoCredentialsDetails: { ca: authority } }),
      appName: options.applicationName,
      lowerCaseGuids: true,
      readOnlyIntent: options.readOnlyIntent,
      multiSubnetFailover: options.multiSubnetFailover,
      connectTimeout: options.connectMs,
      cancelTimeout: cancelMs,
      // Each statement has its own time limit. The driver's limit would end with the first byte of the response.
      requestTimeout: 0,
    },
  };
}

function createConnection(wire: Wire): Connection {
  let broken = false;
  let streaming = false;
  let last: Promise<unknown> = Promise.resolve();
  const onBroken = (): void => void (broken = true);
  wire.on('error', onBroken);
  wire.on('end', onBroken);
  const isLost = (): boolean => broken || wire.closed;
  const destroy = (): void => wire.close();
  const attempt = withConnectionErrors(isLost);

  /** Runs statements one after the other, as the protocol requires. */
  const queue = <T>(work: () => Promise<T>): Promise<T> => {
    if (streaming) return Promise.reject(streamingError());
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };
  const openStream = async (query: Query, options: RunOptions): Promise<RowStream> => {
    streaming = true;
    return streamStatement(wire, query, { ...options, attempt, done: () => (streaming = false) });
  };

  return {
    run: (query, options = {}) =>
      queue(() => attempt(query, () => runStatement(wire, query, options))),
    stream: (query, options = {}) => queue(() => attempt(query, () => openStream(query, options))),
    command: (text, options = {}) =>
      queue(() =>
        attempt({ text, params: [] }, () =>
          runToEnd({ destroy }, options, () => runBatch(wire, withTraceComment(text, options))),
        ),
      ),
    isUsable: () => !isLost() && !streaming && !wire.inTransaction,
    isLost,
    transferredBytes: () => transferredBytes(wire.socket),
    destroy,
    close: () => closeWithTimeout(() => closeSocket(wire), destroy),
  };
}

type Attempt = <T>(query: Query, work: () => Promise<T>) => Promise<T>;

/** Reports errors of a lost connection as `database_unavailable`. */
function withConnectionErrors(isBroken: () => boolean): Attempt {
  return async (query, work) => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof StudioError) throw error;
      if (serverError(error) === undefined && (isBroken() || isLostError(error)))
        throw connectionError(error);
      throw markIfRead(query.text, error);
    }
  };
}

async function closeSocket(wire: Wire): Promise<void> {
  if (wire.closed) return;
  await new Promise<void>((resolve) => {
    wire.once('end', resolve);
    wire.close();
  });
}

/** Receives the server's response to a statement. */
interface Listener {
  columns(columns: readonly WireColumn[]): void;
  row(row: Row): void;
  ended(rowsAffected: number): void;
  failed(error: unknown): void;
}

function createRequest(text: string, listener: Listener): Request {
  let rowsAffected = 0;
  const request = new Request(text, (error) => {
    if (error == null) listener.ended(rowsAffected);
    else listener.failed(error);
  });
  // Triggers report row counts too, before the statement that fired them. The last count is the statement's.
  const onCount = (count: number | undefined): void => void (rowsAffected = count ?? rowsAffected);
  request.on('columnMetadata', (columns) => listener.columns(Object.values(columns)));
  request.on('row', (cells: readonly { readonly value: Value }[]) =>
    listener.row(cells.map(({ value }) => value)),
  );
  request.on('doneInProc', onCount);
  request.on('done', onCount);
  return request;
}

function prepareRequest(
  { query: { text, params }, options }: SentQuery,
  listener: Listener,
): Request {
  const request = createRequest(withTraceComment(text, options), listener);
  toParameters(text, params).forEach((parameter, i) => {
    request.addParameter(
      `p${i + 1}`,
      wireType(parameter),
      parameter.sent.value,
      lengthOf(parameter.sent),
    );
  });
  return request;
}

interface SentQuery {
  readonly query: Query;
  readonly options: RunOptions;
}

type DataType = Parameters<Request['addParameter']>[1];

const wireTypes = {
  text: TYPES.NVarChar,
  bytes: TYPES.VarBinary,
  integer: TYPES.BigInt,
  double: TYPES.Float,
  bit: TYPES.Bit,
} as const satisfies Record<Sent['as'], DataType>;

/** The driver's type for sending the value, declared with the type name of the parameter. */
function wireType({ declared, sent }: Parameter): DataType {
  const type: DataType = { ...wireTypes[sent.as], declaration: () => declared };
  // The driver's validation would lose the sign of -0.
  return sent.as === 'double' ? { ...type, validate: (value) => value } : type;
}

/** The driver derives the length from the value, but the protocol does not allow a length of 0. */
function lengthOf(sent: Sent): { readonly length?: number } {
  return sent.as === 'bytes' && sent.value?.length === 0 ? { length: 1 } : {};
}

function cancelableOf(wire: Wire, request: Request) {
  return {
    cancel: () => {
      request.cancel();
      return Promise.resolve();
    },
    destroy: () => wire.close(),
  };
}

async function runStatement(wire: Wire, query: Query, options: RunOptions): Promise<Result> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const rows: Row[] = [];
  let wireColumns: readonly ColumnInfo[] = [];
  const request = prepareRequest(
    { query, options },
    {
      columns: (columns) => (wireColumns = columns.map(wireColumnInfo)),
      row: (row) => rows.push(row),
      ended: resolve,
      failed: reject,
    },
  );
  const rowsAffected = await runCancelable(cancelableOf(wire, request), options, () => {
    wire.execSql(request);
    return promise;
  });
  if (query.columns === undefined) return { columns: wireColumns, rows, rowsAffected };
  const fieldTypes = wireColumns.map(({ nativeType }) => nativeType).join(', ');
  return { columns: query.columns, rows, rowsAffected, fieldTypes };
}

/** Runs a batch outside sp_executesql, where transactions and settings would end with the call. */
async function runBatch(wire: Wire, text: string): Promise<readonly Row[]> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const rows: Row[] = [];
  const request = createRequest(text, {
    columns: () => {},
    row: (row) => rows.push(row),
    ended: resolve,
    failed: reject,
  });
  wire.execSqlBatch(request);
  await promise;
  return rows;
}

interface StreamOptions extends RunOptions {
  readonly attempt: Attempt;
  /** Called when the connection is idle again. */
  done(): void;
}

async function streamStatement(
  wire: Wire,
  query: Query,
  options: StreamOptions,
): Promise<RowStream> {
  const { request, queue, columns, completed, affected } = startRequest({ query, options });
  const run = (): Promise<void> => {
    wire.execSql(request);
    return completed;
  };
  const target = cancelableOf(wire, request);
  const running = options.attempt(query, () => runCancelable(target, options, run));
  const settled = running
    .then(
      () => queue.end(),
      (error: unknown) => queue.end({ error }),
    )
    .finally(options.done);
  // A statement that fails immediately or returns no rows has no columns.
  const found = await Promise.race([columns, settled.then(() => running.then(() => []))]);
  const cancelRest = async (): Promise<void> => {
    if (!queue.isOver()) request.cancel();
    queue.discard();
    await settled;
  };
  return {
    columns: query.columns ?? found,
    batches: batchesOf(queue, cancelRest),
    rowsAffected: () => (found.length === 0 ? affected() : undefined),
  };
}

interface StartedRequest {
  readonly request: Request;
  readonly queue: RowQueue;
  readonly columns: Promise<readonly ColumnInfo[]>;
  readonly completed: Promise<void>;
  readonly affected: () => number;
}

function startRequest(sent: SentQuery): StartedRequest {
  const columns = Promise.withResolvers<readonly ColumnInfo[]>();
  const completed = Promise.withResolvers<void>();
  let affected = 0;
  let results = 0;
  const queue = createRowQueue({ pause: () => request.pause(), resume: () => request.resume() });
  const request = prepareRequest(sent, {
    columns: (found) => {
      results += 1;
      columns.resolve(found.map(wireColumnInfo));
    },
    // A trigger may return a result set with other columns.
    row: (row) => void (results === 1 && queue.push(row)),
    ended: (rows) => {
      affected = rows;
      completed.resolve();
    },
    failed: completed.reject,
  });
  return {
    request,
    queue,
    columns: columns.promise,
    completed: completed.promise,
    affected: () => affected,
  };
}

async function* batchesOf(
  queue: RowQueue,
  cancelRest: () => Promise<void>,
): AsyncGenerator<readonly Row[]> {
  try {
    for (let batch = await queue.next(); batch !== undefined; batch = await queue.next())
      yield batch;
  } finally {
    await cancelRest();
  }
}
