import { StudioError } from '../../model/errors.ts';
import { runEndable } from '../end-statement.ts';
import { connectionError, hasNoTls } from './connection-error.ts';
import { createCsvLines } from './csv-lines.ts';
import { dial } from './driver.ts';
import { markRead, serverError } from './errors.ts';
import { limitedText } from './limited-text.ts';
import { createRowBatches } from './row-batches.ts';
import { streamRows } from './row-stream.ts';
import { askFacts, readFacts, sessionSetup } from './session-setup.ts';
import { fieldInfo } from './types.ts';
import { decodeGeometries } from './values.ts';
import type { Query, Result, RunOptions, Session } from '../../model/database.ts';
import type { RowStream } from '../../model/rows.ts';
import type { Endable } from '../end-statement.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { RowPacket } from './csv-lines.ts';
import type { Answer, LoadAnswer, Wire } from './driver.ts';
import type { RowFeed, StreamOptions } from './row-stream.ts';
import type { ServerFacts } from './session-setup.ts';

/** One connection to a server, set up as a session of the studio. */
export interface Connection extends Session {
  readonly server: ServerFacts;
  /** A statement without parameters and rows: of those that control transactions and sessions. */
  command(text: string): Promise<void>;
  /** Whether the server refuses writes outside transactions too; costs a round trip only where it changes. */
  setReadOnly(readOnly: boolean): Promise<void>;
  /** LOAD DATA LOCAL, whose file is this text: what does not fit is left out or changed, with a warning. */
  load(text: string, file: string): Promise<LoadAnswer>;
  /** Whether it can serve the next one who needs a connection: alive, idle, outside any transaction. */
  isUsable(): boolean;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly connection: ConnectionOptions;
  /** Ends what another connection is running. */
  kill(threadId: number): Promise<void>;
}

/** Fails with `database_unavailable` or `database_busy`. */
export async function connect(options: ConnectOptions): Promise<Connection> {
  const wire = await openWire(options.connection);
  try {
    const server = readFacts((await wire.ask(askFacts)).rows);
    await wire.ask(sessionSetup(server));
    return createConnection(wire, server, options);
  } catch (error) {
    wire.hangUp();
    throw connectionError(error);
  }
}

async function openWire(options: ConnectionOptions): Promise<Wire> {
  let failure: unknown;
  for (const tls of options.tls) {
    try {
      return await dial(options, tls);
    } catch (error) {
      failure = error;
      if (!hasNoTls(error)) break;
    }
  }
  throw connectionError(failure);
}

function createConnection(wire: Wire, server: ServerFacts, options: ConnectOptions): Connection {
  const state = { broken: false, streaming: false, inTransaction: false, readOnly: true };
  let last: Promise<unknown> = Promise.resolve();
  const breakOff = (): void => void (state.broken = true);
  wire.onBroken(breakOff);
  const endable: Endable = {
    cancel: () => options.kill(wire.threadId),
    destroy: () => {
      breakOff();
      wire.hangUp();
    },
  };

  /** One statement after the other: what ends one must not hit the next. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (state.streaming) return Promise.reject(streamingError());
    const result = last.then(work).catch((error: unknown) => {
      if (isFatal(error)) breakOff();
      throw state.broken && serverError(error) === undefined ? connectionError(error) : error;
    });
    last = result.catch(() => {});
    return result;
  };
  const noted = (answer: Answer): Answer => {
    state.inTransaction = answer.inTransaction ?? state.inTransaction;
    return answer;
  };
  const context: StatementContext = { wire, server, endable };

  const command: Connection['command'] = (text) =>
    inTurn(async () => void noted(await wire.ask(text))).catch((error: unknown) => {
      // In what state it has left the session nobody knows.
      breakOff();
      throw error;
    });

  return {
    server,
    run: (query, runOptions = {}) =>
      inTurn(async () => toResult(query, noted(await runStatement(context, query, runOptions)))),
    stream: (query, runOptions = {}) =>
      inTurn(async () => {
        const stream = await startStream(context, query, runOptions);
        state.streaming = true;
        const done = (): void => void (state.streaming = false);
        return stream({ columns: query.columns, runOptions, endable, done });
      }),
    command,
    setReadOnly: async (readOnly) => {
      if (state.readOnly === readOnly) return;
      await command(`SET SESSION TRANSACTION ${readOnly ? 'READ ONLY' : 'READ WRITE'}`);
      state.readOnly = readOnly;
    },
    load: (text, file) => inTurn(() => wire.load(text, file)),
    isUsable: () => !state.broken && !state.streaming && !state.inTransaction,
    close: () => wire.end(),
  };
}

function streamingError(): StudioError {
  return new StudioError(
    'database_busy',
    'A stream of rows is still being read on this connection.',
  );
}

function isFatal(error: unknown): boolean {
  return error instanceof Error && 'fatal' in error && error.fatal === true;
}

interface StatementContext {
  readonly wire: Wire;
  readonly server: ServerFacts;
  readonly endable: Endable;
}

async function runStatement(
  { wire, server, endable }: StatementContext,
  query: Query,
  options: RunOptions,
): Promise<Answer> {
  const text = limitedText(query.text, options.limitMs, server);
  const answer = await explained(query, () =>
    runEnded(endable, options, () => wire.execute(text, query.params)),
  );
  decodeGeometries(answer.fields, answer.rows, server);
  return answer;
}

type StartedStream = (options: StreamOptions) => Promise<RowStream>;

/** Cells of CSV come as the text protocol has them, all else as values. */
async function startStream(
  context: StatementContext,
  query: Query,
  runOptions: RunOptions,
): Promise<StartedStream> {
  const { csv } = query;
  if (csv !== undefined) {
    const packets = startPackets(context, query, runOptions);
    return (options) => streamRows(packets, createCsvLines(csv), options);
  }
  const feed = await startFeed(context, query, runOptions);
  return (options) => streamRows(feed, createRowBatches(context.server), options);
}

function startFeed(
  { wire, server }: StatementContext,
  query: Query,
  { limitMs, signal }: RunOptions,
): ReturnType<Wire['feed']> {
  signal?.throwIfAborted();
  return explained(query, () => wire.feed(limitedText(query.text, limitMs, server), query.params));
}

function startPackets(
  { wire, server }: StatementContext,
  { text }: Query,
  { limitMs, signal }: RunOptions,
): RowFeed<RowPacket> {
  signal?.throwIfAborted();
  return wire.feedPackets(limitedText(text, limitMs, server));
}

function toResult({ columns }: Query, { fields, rows, rowsAffected, insertId }: Answer): Result {
  return {
    columns: columns ?? fields.map(fieldInfo),
    rows,
    rowsAffected,
    ...(insertId === 0n ? {} : { insertId }),
  };
}

/** A statement that was ended may still say that it was done: SLEEP does. */
function runEnded<T>(
  endable: Endable,
  options: RunOptions,
  statement: () => Promise<T>,
): Promise<T> {
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

async function explained<T>({ text }: Query, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (/^\s*SELECT\b/i.test(text)) markRead(error);
    throw error;
  }
}
