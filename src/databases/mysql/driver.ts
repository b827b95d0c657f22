import mysql from 'mysql2';
import type { Socket } from 'node:net';
import { StudioError } from '../../model/errors.ts';
import { runEndable } from '../postgres/end-statement.ts';
import { codeOf, connectionError } from './connection-error.ts';
import { markRead, serverError } from './errors.ts';
import { limitedText } from './limited-text.ts';
import { streamRows } from './row-stream.ts';
import { askFacts, readFacts, sessionSetup } from './session-setup.ts';
import { binaryCharacterSet, fieldInfo, wireTypes } from './types.ts';
import { decoderOf, toParameters } from './values.ts';
import type { Query, Result, RunOptions, Session, Target } from '../../model/database.ts';
import type { Value } from '../../model/values.ts';
import type { ConnectionOptions, TlsOptions } from './connection-options.ts';
import type { Endable } from '../postgres/end-statement.ts';
import type { FeedListener, RowFeed } from './row-stream.ts';
import type { ServerFacts } from './session-setup.ts';
import type { WireField } from './types.ts';
import type { Parameter } from './values.ts';

/** One connection to a server. */
export interface Connection extends Session {
  readonly server: ServerFacts;
  /** A statement without parameters and rows: of those that control transactions and sessions. */
  command(text: string): Promise<void>;
  /** Whether it can serve the next one who needs a connection: alive, idle, outside any transaction. */
  isUsable(): boolean;
  close(): Promise<void>;
}

export interface DriverOptions {
  readonly connection: ConnectionOptions;
  readonly target: Pick<Target, 'readOnly'>;
  /** Ends what another connection is running. */
  kill(threadId: number): Promise<void>;
}

/** A server holds some 16,000 prepared statements for all its clients. */
const mostPrepared = 100;

export async function connect(options: DriverOptions): Promise<Connection> {
  const wire = await openWire(options.connection);
  try {
    const server = readFacts((await ask(wire, askFacts)).rows);
    await ask(wire, sessionSetup(options.target, server));
    return createConnection(wire, server, options);
  } catch (error) {
    wire.destroy();
    throw connectionError(error);
  }
}

type Wire = mysql.Connection;

async function openWire(options: ConnectionOptions): Promise<Wire> {
  let failure: unknown;
  for (const tls of options.tls) {
    try {
      return await dial(options, tls);
    } catch (error) {
      failure = error;
      if (codeOf(error) !== 'HANDSHAKE_NO_SSL_SUPPORT') break;
    }
  }
  throw connectionError(failure);
}

function dial(options: ConnectionOptions, tls: TlsOptions | undefined): Promise<Wire> {
  const { host, port, socketPath, user, password, database, connectMs } = options;
  const wire = mysql.createConnection({
    ...(socketPath === undefined ? { host, port } : { socketPath }),
    user,
    password,
    database,
    ...(tls === undefined ? {} : { ssl: tls }),
    connectTimeout: connectMs,
    charset: 'utf8mb4_general_ci',
    connectAttributes: { program_name: 'database-studio' },
    // Names of functions are no reserved words, and no file of this machine is ever read for the server.
    flags: ['-IGNORE_SPACE', '-LOCAL_FILES'],
    maxPreparedStatements: mostPrepared,
    rowsAsArray: true,
    dateStrings: true,
    jsonStrings: true,
    supportBigNumbers: true,
  });
  return new Promise((resolve, reject) => {
    wire.connect((error) => (error === null ? resolve(wire) : reject(error)));
  });
}

/** What the server answered to one statement. */
interface Answer {
  readonly rows: Value[][];
  readonly fields: readonly WireField[];
  readonly rowsAffected: number;
  readonly insertId: bigint;
  /** Known of statements without rows. */
  readonly inTransaction?: boolean;
}

const inTransactionStatus = 1;

type Done = (error: unknown, result?: unknown, fields?: unknown) => void;

/** The text protocol: for statements that the other does not take. */
function ask(wire: Wire, sql: string): Promise<Answer> {
  return answerTo((done) => wire.query(sql, done));
}

function answerTo(send: (done: Done) => NodeJS.EventEmitter): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const command = send((error, result, fields) => {
      if (error instanceof Error) reject(error);
      else resolve(readAnswer(result, fields));
    });
    command.on('fields', keepBytes);
  });
}

/** The driver would make objects of these, and lose some of what they are. */
function keepBytes(fields: readonly { columnType: number; characterSet: number }[] | undefined): void {
  for (const field of fields ?? []) {
    if (field.columnType !== wireTypes.geometry && field.columnType !== wireTypes.vector) continue;
    field.columnType = wireTypes.blob;
    field.characterSet = binaryCharacterSet;
  }
}

function readAnswer(result: unknown, fields: unknown): Answer {
  if (Array.isArray(fields) && Array.isArray(result)) {
    return { rows: result as Value[][], fields: fields as WireField[], rowsAffected: 0, insertId: 0n };
  }
  const { affectedRows, insertId, serverStatus } = result as mysql.ResultSetHeader;
  return {
    rows: [],
    fields: [],
    rowsAffected: affectedRows,
    // The driver takes it for signed.
    insertId: BigInt.asUintN(64, BigInt(insertId)),
    inTransaction: (serverStatus & inTransactionStatus) !== 0,
  };
}

function createConnection(wire: Wire, server: ServerFacts, options: DriverOptions): Connection {
  let broken = false;
  let streaming = false;
  let inTransaction = false;
  let last: Promise<unknown> = Promise.resolve();
  const breakOff = (): void => void (broken = true);
  wire.on('error', breakOff);
  wire.on('end', breakOff);
  const endable: Endable = {
    cancel: () => options.kill(wire.threadId),
    destroy: () => {
      breakOff();
      hangUp(wire);
    },
  };

  const note = (answer: Answer): Answer => {
    inTransaction = answer.inTransaction ?? inTransaction;
    return answer;
  };

  /** One statement after the other: what ends one must not hit the next. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (streaming) return Promise.reject(streamingError());
    const result = last.then(work).catch((error: unknown) => {
      if (isFatal(error)) breakOff();
      throw broken && serverError(error) === undefined ? connectionError(error) : error;
    });
    last = result.catch(() => {});
    return result;
  };

  const context: StatementContext = { wire, server, endable };
  return {
    server,
    run: (query, runOptions = {}) =>
      inTurn(() => explained(query, async () => toResult(query, note(await runStatement(context, query, runOptions))))),
    stream: (query, runOptions = {}) =>
      inTurn(() =>
        explained(query, async () => {
          const feed = await startFeed(wire, limitedText(query.text, runOptions.limitMs, server), query.params);
          streaming = true;
          return streamRows(feed, { columns: query.columns, runOptions, endable, done: () => (streaming = false) });
        }),
      ),
    command: (text) =>
      inTurn(() => ask(wire, text).then(note)).then(
        () => {},
        (error: unknown) => {
          // In what state it has left the session nobody knows.
          breakOff();
          throw error;
        },
      ),
    isUsable: () => !broken && !streaming && !inTransaction,
    close: () => endWire(wire),
  };
}

function streamingError(): StudioError {
  return new StudioError('database_busy', 'A stream of rows is still being read on this connection.');
}

function isFatal(error: unknown): boolean {
  return error instanceof Error && 'fatal' in error && error.fatal === true;
}

/** The driver's own way only says that it would like to. */
function hangUp(wire: Wire): void {
  wire.destroy();
  (wire as Wire & { readonly stream: Socket }).stream.destroy();
}

function endWire(wire: Wire): Promise<void> {
  return new Promise((resolve) => {
    wire.once('end', () => resolve());
    wire.once('error', () => resolve());
    wire.end(() => resolve());
  });
}

async function explained<T>({ text }: Query, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (/^\s*SELECT\b/i.test(text)) markRead(error);
    throw error;
  }
}

interface StatementContext {
  readonly wire: Wire;
  readonly server: ServerFacts;
  readonly endable: Endable;
}

function runStatement({ wire, server, endable }: StatementContext, query: Query, options: RunOptions): Promise<Answer> {
  const text = limitedText(query.text, options.limitMs, server);
  return runEnded(endable, options, () => execute(wire, text, query.params));
}

function toResult({ columns }: Query, { fields, rows, rowsAffected, insertId }: Answer): Result {
  decodeRows(fields, rows);
  return {
    columns: columns ?? fields.map(fieldInfo),
    rows,
    rowsAffected,
    ...(insertId === 0n ? {} : { insertId }),
  };
}

/** A statement that was ended may still say that it was done: SLEEP does. */
function runEnded<T>(endable: Endable, options: RunOptions, statement: () => Promise<T>): Promise<T> {
  let ended = false;
  const cancel = (): Promise<void> => {
    ended = true;
    return endable.cancel();
  };
  return runEndable({ ...endable, cancel }, options, async () => {
    const result = await statement();
    if (ended) throw new Error('The statement was ended.');
    return result;
  });
}

/** What the driver's own types leave out. */
interface Prepared {
  readonly parameters: readonly unknown[];
  execute(parameters: readonly unknown[], done?: Done): NodeJS.EventEmitter;
}

/** The binary protocol: its numbers are exact. */
async function execute(wire: Wire, text: string, params: readonly Value[]): Promise<Answer> {
  const statement = await prepare(wire, text, params);
  if (statement === undefined) return ask(wire, text);
  const bound = bind(text, params);
  return answerTo((done) => statement.execute(bound, done));
}

const cannotBePrepared = 1295;

/** Undefined for a statement that can only be sent as text. */
async function prepare(wire: Wire, text: string, params: readonly Value[]): Promise<Prepared | undefined> {
  try {
    const statement = await prepareStatement(wire, text);
    if (statement.parameters.length === params.length) return statement;
  } catch (error) {
    if (serverError(error)?.errno === cannotBePrepared && params.length === 0) return undefined;
    throw error;
  }
  throw new StudioError('invalid_parameter', 'The statement takes another number of parameters than it was given.');
}

function prepareStatement(wire: Wire, text: string): Promise<Prepared> {
  return new Promise((resolve, reject) => {
    wire.prepare(text, (error, statement) => (error === null ? resolve(statement as unknown as Prepared) : reject(error)));
  });
}

function bind(text: string, params: readonly Value[]): readonly unknown[] {
  return toParameters(text, params).map(bindOne);
}

function bindOne(parameter: Parameter): unknown {
  switch (parameter.kind) {
    case 'null':
      return null;
    case 'integer':
      return parameter.unsigned
        ? mysql.TypedParameter.LONGLONG.unsigned(parameter.value)
        : mysql.TypedParameter.LONGLONG(parameter.value);
    case 'double':
      return mysql.TypedParameter.DOUBLE(parameter.value);
    case 'decimal':
      return mysql.TypedParameter.NEWDECIMAL(parameter.value);
    case 'text':
    case 'bytes':
      return parameter.value;
  }
}

async function startFeed(wire: Wire, text: string, params: readonly Value[]): Promise<RowFeed> {
  const statement = await prepare(wire, text, params);
  const command = statement === undefined ? wire.query(text) : statement.execute(bind(text, params));
  command.on('fields', keepBytes);
  return {
    listen: (listener) => listen(wire, command, listener),
    decode: decodeRows,
    pause: () => wire.pause(),
    resume: () => wire.resume(),
  };
}

/** A connection that breaks is told to the connection alone. */
function listen(wire: Wire, command: NodeJS.EventEmitter, listener: FeedListener): void {
  let isFirst = true;
  const lost = (error: unknown): void => finish(() => listener.failed(connectionError(error)));
  const finish = (tell: () => void): void => {
    wire.removeListener('error', lost);
    tell();
  };
  wire.on('error', lost);
  command.on('error', (error: unknown) => finish(() => listener.failed(error)));
  command.on('end', () => finish(() => listener.ended()));
  command.on('fields', (fields: readonly WireField[] | undefined) => {
    if (isFirst) listener.fields(fields ?? []);
    isFirst = false;
  });
  // Of a procedure's results only the first counts.
  command.on('result', (row: unknown, index: unknown) => {
    if (Array.isArray(row) && index === 0) listener.row(row as Value[]);
  });
}

/** In place: the rows are nobody else's yet. */
function decodeRows(fields: readonly WireField[], rows: readonly Value[][]): void {
  fields.forEach((field, i) => {
    const decode = decoderOf(field);
    if (decode === undefined) return;
    for (const row of rows) {
      const value = row[i];
      if (value !== null && value !== undefined) row[i] = decode(value);
    }
  });
}
