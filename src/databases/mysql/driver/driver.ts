import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import mysql from 'mysql2';
import { StudioError } from '../../../model/errors.ts';
import { transferredBytes } from '../../transferred-bytes.ts';
import { limitIncoming } from '../../limit-incoming.ts';
import { closeWithTimeout, createConnectionLoss } from '../../connection-loss.ts';
import { connectionError } from './connection-error.ts';
import { serverError } from '../dialect/errors.ts';
import { loadText } from './load-text.ts';
import { hasChangedSession } from './session-changes.ts';
import { collation } from './session-setup.ts';
import { binaryCharacterSet, wireTypes } from '../dialect/types.ts';
import { decodeRows, toParameters } from '../dialect/values.ts';
import type { IncomingBytes } from '../../limit-incoming.ts';
import type { ConnectionLoss } from '../../connection-loss.ts';
import type { Value } from '../../../model/values.ts';
import type { RowPacket } from './csv-lines.ts';
import type { ConnectionOptions, HostSettings, TlsOptions } from './connection-options.ts';
import type { LoadResult, LoadStatement } from './load-text.ts';
import type { RowListener, RowEmitter } from './row-stream.ts';
import type { WireField } from '../dialect/types.ts';
import type { Parameter } from '../dialect/values.ts';

/** A raw connection of the driver, without session setup. Callers must send statements one after the other. */
export interface Wire {
  readonly threadId: number;
  /** Uses the text protocol, for session and transaction control. */
  query(text: string): Promise<StatementResult>;
  /** Uses the binary protocol, whose numbers are exact. Statements that cannot be prepared are sent as text. */
  execute(text: string, params: readonly Value[]): Promise<StatementResult>;
  /**
   * Like `execute`, but streams rows. `beforeRun` may throw before the statement runs; it receives the
   * number of result columns, or undefined for a statement that is sent as text.
   */
  executeStream(
    text: string,
    params: readonly Value[],
    beforeRun?: (columns: number | undefined) => void,
  ): Promise<RowEmitter<Value[]>>;
  /** Resets settings, variables, locks and temporary tables of the session. */
  reset(): Promise<void>;
  /** Streams the row packets of the text protocol. */
  streamPackets(text: string): RowEmitter<RowPacket>;
  load(statement: LoadStatement): Promise<LoadResult>;
  /** Whether the connection is closed, by either side. */
  isLost(): boolean;
  transferredBytes(): number;
  /** Closes the socket without notifying the server; pending statements fail. */
  closeSocket(this: void): void;
  end(): Promise<void>;
}

/** A connection attempt. */
export interface ConnectionAttempt {
  /** Fails with the driver's own error. */
  readonly connected: Promise<Wire>;
  destroy(): void;
}

/** The server's response to one statement. */
export interface StatementResult {
  readonly rows: readonly Value[][];
  readonly fields: readonly WireField[];
  readonly rowsAffected: number;
  readonly insertId: bigint;
  /** Reported for statements without rows. */
  readonly inTransaction?: boolean;
  /** Whether the statement, or a trigger that it fired, changed settings or variables of the session. */
  readonly changedSession?: boolean;
}

/** A server holds about 16,000 prepared statements for all clients together. */
const maxPrepared = 100;

export function startConnecting(
  { user, password, database, connectMs }: ConnectionOptions,
  { host, port, socketPath }: HostSettings,
  tls: TlsOptions | undefined,
): ConnectionAttempt {
  const client = mysql.createConnection({
    ...(socketPath === undefined ? { host, port } : { socketPath }),
    user,
    password,
    database,
    ...(tls === undefined ? {} : { ssl: tls }),
    connectTimeout: connectMs,
    charset: collation,
    connectAttributes: { program_name: 'database-studio' },
    // Without IGNORE_SPACE function names are not reserved. LOCAL_FILES is safe: the server gets only the text of `load`.
    flags: ['-IGNORE_SPACE', 'LOCAL_FILES'],
    maxPreparedStatements: maxPrepared,
    rowsAsArray: true,
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
  });
  const connected = new Promise<Wire>((resolve, reject) => {
    client.connect((error) => (error === null ? resolve(wireOf(client)) : reject(error)));
  });
  return { connected, destroy: () => destroy(client) };
}

/** Also destroys the socket, since the driver alone would wait for the server. */
function destroy(client: mysql.Connection): void {
  client.destroy();
  socketOf(client).destroy();
}

function socketOf(client: mysql.Connection): Socket {
  return (client as mysql.Connection & { readonly stream: Socket }).stream;
}

function lossOf(client: mysql.Connection): ConnectionLoss {
  const loss = createConnectionLoss();
  client.on('error', () => loss.markLost());
  client.on('end', () => loss.markLost());
  // The driver reports nothing about a connection that this side destroys.
  socketOf(client).once('close', () => loss.markLost());
  return loss;
}

function wireOf(client: mysql.Connection): Wire {
  const incoming = limitIncoming(socketOf(client));
  const loss = lossOf(client);
  const closeSocket = (): void => {
    destroy(client);
    loss.markLost();
  };
  const context: RowEmitterContext = { client, incoming, loss };
  return {
    threadId: client.threadId,
    query: (text) => loss.failOnLoss(resultOf((done) => client.query(text, done))),
    execute: async (text, params) => {
      incoming.resetCount();
      const send = await loss.failOnLoss(prepare(client, text, { params }));
      return loss.failOnLoss(resultOf(send));
    },
    executeStream: async (text, params, beforeRun) => {
      const send = await loss.failOnLoss(prepare(client, text, { params, beforeRun }));
      return rowEmitterOf(context, send());
    },
    reset: () =>
      loss.failOnLoss(
        new Promise((resolve, reject) => {
          client.reset((error) => (error == null ? resolve() : reject(error)));
        }),
      ),
    streamPackets: (text) => packetEmitterOf(context, client.query(text)),
    load: (statement) => loss.failOnLoss(loadText(client, statement)),
    isLost: () => loss.isLost(),
    transferredBytes: () => transferredBytes(socketOf(client)),
    closeSocket,
    end: () => closeWithTimeout(() => loss.failOnLoss(quit(client)).catch(() => {}), closeSocket),
  };
}

/** Waits until the server has closed the connection; the driver calls back when it has only sent the request. */
function quit(client: mysql.Connection): Promise<void> {
  return new Promise((resolve) => {
    socketOf(client).once('close', () => resolve());
    client.end(() => {});
  });
}

/** The parts of a connection that a row emitter uses. */
interface RowEmitterContext {
  readonly client: mysql.Connection;
  readonly incoming: IncomingBytes;
  readonly loss: ConnectionLoss;
}

type Done = (error: unknown, result?: unknown, fields?: unknown) => void;

/** Sends a statement; without `done` its rows arrive as events. */
type Send = (done?: Done) => EventEmitter;

function resultOf(send: (done: Done) => EventEmitter): Promise<StatementResult> {
  return new Promise((resolve, reject) => {
    const command = send((error, result, fields) => {
      if (error instanceof Error) reject(error);
      else resolve(toStatementResult(result, fields));
    });
    command.on('fields', adaptFields);
  });
}

/** A field of the driver, before the driver compiles the row parser from it. */
interface DriverField {
  name: string;
  label?: string;
  columnType: number;
  characterSet: number;
  isGeometry?: boolean;
  isVector?: boolean;
}

/**
 * Hides field names from the driver, which rejects some and compiles a parser for each set of names.
 * Geometries and vectors are declared as blobs, because the driver's objects for them lose information.
 */
function adaptFields(fields: readonly DriverField[] | undefined): void {
  for (const field of fields ?? []) {
    field.label = field.name;
    field.name = '';
    if (field.columnType !== wireTypes.geometry && field.columnType !== wireTypes.vector) continue;
    field.isGeometry = field.columnType === wireTypes.geometry;
    field.isVector = field.columnType === wireTypes.vector;
    field.columnType = wireTypes.blob;
    field.characterSet = binaryCharacterSet;
  }
}

const inTransactionStatus = 1;

function toStatementResult(result: unknown, fields: unknown): StatementResult {
  if (Array.isArray(fields) && Array.isArray(result)) {
    const rows = result as Value[][];
    decodeRows(fields as WireField[], rows);
    return { rows, fields: fields as WireField[], rowsAffected: 0, insertId: 0n };
  }
  const { affectedRows, insertId, serverStatus } = result as mysql.ResultSetHeader;
  return {
    rows: [],
    fields: [],
    rowsAffected: affectedRows,
    // The driver reads it as signed.
    insertId: BigInt.asUintN(64, BigInt(insertId)),
    inTransaction: (serverStatus & inTransactionStatus) !== 0,
    changedSession: hasChangedSession(result),
  };
}

/** A prepared statement; the driver's types lack these members. */
interface Prepared {
  readonly parameters: readonly unknown[];
  readonly columns: readonly unknown[];
  execute(parameters: readonly unknown[], done?: Done): EventEmitter;
}

const cannotBePrepared = 1295;

interface PrepareOptions {
  readonly params: readonly Value[];
  readonly beforeRun?: ((columns: number | undefined) => void) | undefined;
}

async function prepare(
  client: mysql.Connection,
  text: string,
  { params, beforeRun }: PrepareOptions,
): Promise<Send> {
  const bound = toParameters(text, params).map(bindOne);
  let statement: Prepared;
  try {
    statement = await prepareStatement(client, text);
  } catch (error) {
    if (serverError(error)?.errno !== cannotBePrepared || params.length > 0) throw error;
    beforeRun?.(undefined);
    return (done) => client.query(text, done);
  }
  beforeRun?.(statement.columns.length);
  if (statement.parameters.length === bound.length) return (done) => statement.execute(bound, done);
  throw new StudioError(
    'invalid_parameter',
    `The statement takes ${statement.parameters.length} parameters, not ${bound.length}.`,
  );
}

function prepareStatement(client: mysql.Connection, text: string): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    client.prepare(text, (error, statement) => {
      if (error === null) resolve(statement as unknown as Prepared);
      else reject(error);
    });
  });
}

function bindOne(parameter: Parameter): unknown {
  const { TypedParameter } = mysql;
  if (parameter.kind === 'integer') {
    return parameter.unsigned
      ? TypedParameter.LONGLONG.unsigned(parameter.value)
      : TypedParameter.LONGLONG(parameter.value);
  }
  if (parameter.kind === 'double') return TypedParameter.DOUBLE(parameter.value);
  return parameter.kind === 'decimal'
    ? TypedParameter.NEWDECIMAL(parameter.value)
    : parameter.value;
}

function rowEmitterOf(context: RowEmitterContext, command: EventEmitter): RowEmitter<Value[]> {
  const { client, incoming } = context;
  command.on('fields', adaptFields);
  command.on('result', () => incoming.resetCount());
  return {
    listen: (listener) => listen(context, command, listener),
    pause: () => client.pause(),
    resume: () => client.resume(),
  };
}

/** Missing in the driver's types: the method that handles a row packet or the end packet. */
interface RowHandlingCommand extends EventEmitter {
  row: (packet: RowPacket & { isEOF(): boolean }, connection: mysql.Connection) => unknown;
}

function packetEmitterOf(context: RowEmitterContext, command: EventEmitter): RowEmitter<RowPacket> {
  const rowCommand = command as RowHandlingCommand;
  const handleEnd = rowCommand.row;
  const emitter = rowEmitterOf(context, command);
  return {
    ...emitter,
    listen: (listener) => {
      emitter.listen({ ...listener, row: () => {} });
      rowCommand.row = (packet, connection) => {
        if (packet.isEOF()) return handleEnd.call(rowCommand, packet, connection);
        context.incoming.resetCount();
        listener.row(packet);
        return rowCommand.row;
      };
    },
  };
}

/** Also listens on the connection, because a lost connection is not reported to the command. */
function listen(
  { client, loss }: RowEmitterContext,
  command: EventEmitter,
  listener: RowListener<Value[]>,
): void {
  let results = 0;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const lost = (error: unknown): void => reject(connectionError(error));
  client.on('error', lost);
  command.on('error', reject);
  command.on('end', () => resolve());
  const finish = (notify: () => void): void => {
    client.removeListener('error', lost);
    notify();
  };
  loss.failOnLoss(ended).then(
    () => finish(listener.ended),
    (error: unknown) =>
      finish(() =>
        listener.failed(
          loss.isLost() && serverError(error) === undefined ? connectionError(error) : error,
        ),
      ),
  );
  command.on('fields', (fields: readonly WireField[] | undefined) => {
    if (results === 0) listener.fields(fields ?? []);
    results += 1;
  });
  // Only the first result set of a procedure is read.
  command.on('result', (row: unknown, index: unknown) => {
    if (!Array.isArray(row)) {
      if (results === 1) listener.affected((row as mysql.ResultSetHeader).affectedRows);
    } else if (index === 0) listener.row(row as Value[]);
  });
}
