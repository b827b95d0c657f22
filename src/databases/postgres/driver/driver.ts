import { Client, Connection as WireProtocol } from 'pg';
import Cursor from 'pg-cursor';
import { copyRows, copyStatementFor } from './copy-rows.ts';
import { cancelMs, runCancelable, runToEnd } from '../../cancel-statement.ts';
import { streamingError } from '../../streaming-error.ts';
import { withTraceComment } from '../../trace-comment.ts';
import { hasCitus } from '../dialect/distributed-table.ts';
import { settingsOfNodes } from './session-setup.ts';
import { transferredBytes } from '../../transferred-bytes.ts';
import { limitIncoming } from '../../limit-incoming.ts';
import { closeWithTimeout } from '../../connection-loss.ts';
import { clientConfig } from './client-config.ts';
import { columnsOf, fieldTypesOf } from './columns-of.ts';
import { isIdle, lossOf, untilReady } from './connection-state.ts';
import { hasReplacedStatements } from './replaced-statements.ts';
import { noCopyData } from './reject-copy.ts';
import { readRows } from './row-stream.ts';
import { asText, attempt, configOf, send } from './send-statement.ts';
import { runInBatches } from './statement-batch.ts';
import { decodeRows, statementText, toParameters } from '../dialect/values.ts';
import { rowsAffectedBy } from './rows-affected.ts';
import type pg from 'pg';
import type { RunOptions } from '../../../model/database.ts';
import type { InsertOptions } from '../../../model/load-session.ts';
import type { RowStream } from '../../../model/rows.ts';
import type { Value } from '../../../model/values.ts';
import type { CommandResult, Connection } from './connection.ts';
import type { ConnectionOptions, HostSettings } from './connection-options.ts';
import type { Cancelable } from '../../cancel-statement.ts';
import type { ShardLookup } from '../dialect/node-errors.ts';
import type { TypeLookup } from './columns-of.ts';
import type { HostOrder } from '../../host-order.ts';
import type { CopySource } from './copy-rows.ts';
import type { Batch } from './row-stream.ts';
import type { StatementNames } from './statement-names.ts';
import type {
  CopyHandlers,
  ReadTransactions,
  Statement,
  StatementContext,
  WireClient,
  WireConnection,
} from './send-statement.ts';

export interface DriverOptions extends TypeLookup, ShardLookup {
  readonly connection: ConnectionOptions;
  readonly hostOrder: HostOrder<HostSettings>;
  /** The statements that set up a new session. */
  readonly setup: string;
  readonly names: StatementNames;
}

/** A connection with more prepared statements is not reused. */
const maxPrepared = 500;

/** An attempt to connect. */
export interface ConnectAttempt {
  /** Rejects with the driver's error. */
  readonly connected: Promise<unknown>;
  firstRow(text: string): Promise<unknown>;
  setUp(): Promise<Connection>;
  destroy(): void;
}

type FieldBatch = Batch<pg.FieldDef>;

export function startConnecting(
  options: DriverOptions,
  host: HostSettings,
  tls: HostSettings['tls'][number],
): ConnectAttempt {
  const client = new Client(clientConfig(options.connection, host, tls)) as WireClient;
  // `isUsable` detects a connection that was lost while idle.
  client.on('error', () => {});
  return {
    connected: client.connect(),
    firstRow: async (text) => (await client.query(text)).rows[0],
    setUp: async () => {
      const results: unknown = await client.query(`${options.setup}; ${nodesQuery}`);
      const { rows } = (results as readonly pg.QueryResult<{ nodes: boolean }>[]).at(-1)!;
      const settings = rows[0]?.nodes === true ? settingsOfNodes : [];
      const beginRead = ['BEGIN READ ONLY', ...settings];
      const connection = createConnection(client, { ...options, beginRead });
      const begin: Connection['begin'] = (text, runOptions) =>
        connection.control([text, ...settings].join('; '), runOptions);
      return { host, ...connection, begin };
    },
    destroy: () => client.connection.stream.destroy(),
  };
}

/** Whether statements may run at other nodes. */
const nodesQuery = `SELECT ${hasCitus} AS nodes`;

interface SessionOptions extends DriverOptions, ReadTransactions {}

type SentStatements = Omit<Connection, 'host' | 'begin'>;

function createConnection(client: WireClient, options: SessionOptions): SentStatements {
  const prepared = new Set<string>();
  let streaming = false;
  let last: Promise<unknown> = Promise.resolve();
  const loss = lossOf(client);
  const destroy = (): void => {
    client.connection.stream.destroy();
    loss.markLost();
  };
  const cancelable: Cancelable = { cancel: () => sendCancel(client), destroy };
  const incoming = limitIncoming(client.connection.stream);
  const statements = { areLost: false, areVerified: false, hasCheck: false };
  const context: StatementContext = { client, cancelable, options, incoming, loss, statements };

  const enqueue = <T>(work: () => Promise<T>): Promise<T> => {
    if (streaming) return Promise.reject(streamingError());
    const result = last.then(work);
    last = result.catch(() => {});
    return result;
  };

  const runner =
    (readOnly: boolean): Connection['run'] =>
    (query, runOptions = {}) =>
      enqueue(() => {
        // A statement with a trace has another text each time.
        const isUnnamed = statements.areLost || runOptions.traceparent !== undefined;
        const name = isUnnamed ? undefined : options.names.nameOf(query.text);
        if (name !== undefined) prepared.add(name);
        return runStatement(context, { query, runOptions, name, readOnly });
      });

  const stream: Connection['stream'] = async (query, runOptions = {}) => {
    await last;
    if (streaming) throw streamingError();
    streaming = true;
    const free = (): void => void (streaming = false);
    return openStream(context, { query, runOptions }, free).catch((error: unknown) => {
      free();
      throw error;
    });
  };

  return {
    run: runner(false),
    read: runner(true),
    stream,
    control: (text, runOptions = {}) =>
      enqueue(() => runControl(context, { query: { text, params: [] }, runOptions })),
    copyIn: (text, data, runOptions = {}) =>
      enqueue(() => runCopy(context, { query: { text, params: [] }, runOptions }, data)),
    runAll: (texts, runOptions = {}) => enqueue(() => runInBatches(context, texts, runOptions)),
    isUsable: () => isIdle(context) && !streaming && prepared.size < maxPrepared,
    isLost: () => loss.isLost(),
    transferredBytes: () => transferredBytes(client.connection.stream),
    destroy,
    close: () => closeWithTimeout(() => client.end(), destroy),
  };
}

async function runStatement(
  context: StatementContext,
  statement: Statement,
): Promise<CommandResult> {
  const { query, runOptions } = statement;
  const { fields, command, rows, rowCount } = await attempt(context, statement, async () => {
    const config = configOf(statement);
    const { readOnly = false } = statement;
    return runCancelable(context.cancelable, runOptions, () => send(context, config, { readOnly }));
  });
  const columns = query.columns ?? (await columnsOf(context.options, fields));
  decodeRows(columns, rows);
  const rowsAffected = command === 'SELECT' ? 0 : (rowCount ?? 0);
  const result = { columns, rows, rowsAffected, command };
  return query.columns === undefined ? result : { ...result, fieldTypes: fieldTypesOf(fields) };
}

/** Uses the simple protocol, which accepts several statements. Returns the command of the first. */
async function runControl(context: StatementContext, statement: Statement): Promise<CommandResult> {
  const { query, runOptions } = statement;
  const text = withTraceComment(query.text, runOptions);
  const results = await attempt(context, statement, () =>
    runToEnd(context.cancelable, runOptions, () => send(context, { text, rowMode: 'array' })),
  );
  const all = [results].flat();
  context.statements.areLost ||= hasReplacedStatements(all);
  return { columns: [], rows: [], rowsAffected: 0, command: all[0]?.command ?? '' };
}

async function runCopy(
  context: StatementContext,
  statement: Statement & { readonly runOptions: InsertOptions },
  data: Buffer,
): Promise<number> {
  const { query, runOptions } = statement;
  const text = withTraceComment(query.text, runOptions);
  const handlers: CopyHandlers = {
    handleCopyInResponse: (wire) => {
      wire.sendCopyFromChunk(data);
      wire.endCopyFrom();
      runOptions.onSent?.();
    },
  };
  const { rowCount } = await attempt(context, statement, () =>
    runCancelable(context.cancelable, runOptions, () =>
      send(context, { text, rowMode: 'array' }, handlers),
    ),
  );
  return rowCount ?? 0;
}

/** Sends a cancel request on a second connection. The server closes it when it has forwarded the request. */
function sendCancel(client: WireClient): Promise<void> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client;
  const wire = new WireProtocol({ ssl, sslNegotiation } as pg.ConnectionConfig) as WireConnection;
  const destroySocket = (): void => void wire.stream.destroy();
  const timer = setTimeout(destroySocket, cancelMs);
  return new Promise<void>((resolve, reject) => {
    const request = (): void => wire.cancel(processID, secretKey);
    wire.once('connect', () => {
      if (!ssl) request();
      else if (sslNegotiation !== 'direct') wire.requestSsl();
    });
    wire.once('sslconnect', request);
    wire.once('error', reject);
    wire.once('end', resolve);
    if (host.startsWith('/')) wire.connect(`${host}/.s.PGSQL.${port}`);
    else wire.connect(port, host);
  }).finally(() => clearTimeout(timer));
}

async function openStream(
  context: StatementContext,
  statement: Statement,
  free: () => void,
): Promise<RowStream> {
  const { query } = statement;
  // The cursor sends no Sync before its first read, so a read must follow.
  statement.runOptions.signal?.throwIfAborted();
  const copy = copyStatementFor(query);
  if (copy !== undefined) return openCopy(context, { ...statement, copy }, free);
  const cursor = await attempt(context, statement, async () =>
    openCursor(context.client, statement),
  );
  const { loss } = context;
  let failed = false;
  const read = (rows: number, options: RunOptions): Promise<FieldBatch> =>
    attempt(context, statement, () =>
      runCancelable(context.cancelable, options, () =>
        loss.failOnLoss(readCursor(cursor, rows)).catch((error: unknown) => {
          failed = true;
          throw error;
        }),
      ),
    );
  const close = async (): Promise<void> => {
    // After an error the portal no longer exists, and closing it would wait forever.
    await (failed ? untilReady(context) : loss.failOnLoss(cursor.close()).catch(() => {}));
    free();
  };
  return readRows(
    { read, close, decode: decodeRows, columnsOf: (fields) => columnsOf(context.options, fields) },
    statement,
  );
}

function openCopy(
  context: StatementContext,
  { copy, ...statement }: Statement & { readonly copy: string },
  done: () => void,
): RowStream {
  const { query, runOptions } = statement;
  const { client, cancelable } = context;
  const { stream } = client.connection;
  const config = configOf({ query: { text: copy, params: query.params }, runOptions });
  const source: CopySource = {
    cancelable,
    run: (take, ending) =>
      attempt(context, statement, async () => {
        const handleCopyData: CopyHandlers['handleCopyData'] = ({ chunk }) => {
          context.incoming.resetCount();
          take(chunk);
        };
        await runCancelable(ending, runOptions, () => send(context, config, { handleCopyData }));
      }),
    pause: () => void stream.pause(),
    resume: () => void stream.resume(),
    decode: decodeRows,
    done,
  };
  return copyRows(source, query);
}

function openCursor(client: WireClient, { query, runOptions }: Statement): Cursor<Value[]> {
  const params = toParameters(query.text, query.params);
  const cursor = new Cursor<Value[]>(withTraceComment(statementText(query), runOptions), params, {
    rowMode: 'array',
    types: asText,
  });
  // The client passes COPY messages to the running query, and a cursor has no handlers for them.
  const handlers = {
    handleCopyInResponse: (wire: WireConnection) => wire.sendCopyFail(noCopyData),
    handleCopyData: () => {},
  };
  return client.query(Object.assign(cursor, handlers));
}

function readCursor(cursor: Cursor<Value[]>, rows: number): Promise<FieldBatch> {
  return new Promise((resolve, reject) => {
    cursor.read(rows, (error: Error | null | undefined, batch, result) => {
      if (error == null)
        resolve({ rows: batch, fields: result.fields, rowsAffected: rowsAffectedBy(result) });
      else reject(error);
    });
  });
}
