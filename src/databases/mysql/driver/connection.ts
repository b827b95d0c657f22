import { openWithin, runCancelable, runToEnd } from '../../cancel-statement.ts';
import { streamingError } from '../../streaming-error.ts';
import { connectionError, hasNoTls } from './connection-error.ts';
import { createCsvLines } from './csv-lines.ts';
import { dial } from './driver.ts';
import { markRead, serverError } from '../dialect/errors.ts';
import { limitedText } from './limited-text.ts';
import { mustRead } from '../language/raw-statement.ts';
import { createRowBatches } from './row-batches.ts';
import { streamRows } from './row-stream.ts';
import { askFacts, readFacts, sessionSetup } from './session-setup.ts';
import { fieldInfo, fieldTypes } from '../dialect/types.ts';
import { decodeGeometries } from '../dialect/values.ts';
import type { Query, Result, RunOptions, Session } from '../../../model/database.ts';
import type { RowStream } from '../../../model/rows.ts';
import type { Cancelable } from '../../cancel-statement.ts';
import type { ConnectionOptions } from './connection-options.ts';
import type { RowPacket } from './csv-lines.ts';
import type { Answer, Dialing, LoadAnswer, Wire } from './driver.ts';
import type { RowFeed, StreamOptions } from './row-stream.ts';
import type { ServerFacts } from '../dialect/server-facts.ts';
import type { ViewNames } from './view-names.ts';

/** One connection to a server, set up as a session of the studio. */
export interface Connection extends Session {
  readonly server: ServerFacts;
  /** A statement without parameters and rows: of those that control transactions and sessions. */
  command(text: string, options?: RunOptions): Promise<void>;
  /** Whether the server refuses writes outside transactions too; costs a round trip only where it changes. */
  setReadOnly(readOnly: boolean, options?: RunOptions): Promise<void>;
  /** LOAD DATA LOCAL, whose file is this text: what does not fit is left out or changed, with a warning. */
  load(text: string, file: string): Promise<LoadAnswer>;
  /** Undoes what the client's own statements and triggers have set of the session. What comes next waits for it. */
  renew(): void;
  /** Whether it can serve the next one who needs a connection: alive, idle, outside any transaction. */
  isUsable(): boolean;
  /** Whether the connection is closed, by whomever. */
  isLost(): boolean;
  /** Closes the connection at once: what waits for the server fails. */
  destroy(): void;
  close(): Promise<void>;
}

export interface ConnectOptions {
  readonly connection: ConnectionOptions;
  /** Ends what another connection is running. */
  kill(threadId: number): Promise<void>;
  readonly views: Pick<ViewNames, 'areIn' | 'age'>;
}

/** The attempt that is being made. */
interface Opening {
  dialing: Dialing | undefined;
}

/** Fails with `database_unavailable` or `database_busy`. `connectMs` is for all of it: every attempt, the login and the set-up. */
export async function connect(options: ConnectOptions, signal: AbortSignal): Promise<Connection> {
  const opening: Opening = { dialing: undefined };
  const destroy = (): void => opening.dialing?.destroy();
  const bounds = { limitMs: options.connection.connectMs, signal };
  try {
    return await openWithin({ destroy }, bounds, async () => {
      const wire = await openWire(options.connection, opening);
      const server = readFacts((await wire.ask(askFacts)).rows);
      await wire.ask(sessionSetup(server));
      return createConnection(wire, server, options);
    });
  } catch (error) {
    destroy();
    throw signal.aborted ? signal.reason : connectionError(error);
  }
}

async function openWire(options: ConnectionOptions, opening: Opening): Promise<Wire> {
  let failure: unknown;
  for (const tls of options.tls) {
    try {
      opening.dialing = dial(options, tls);
      return await opening.dialing.connected;
    } catch (error) {
      failure = error;
      if (!hasNoTls(error)) break;
    }
  }
  throw failure;
}

const newState = {
  broken: false,
  streaming: false,
  inTransaction: false,
  readOnly: true,
  /** Code of the database's users may have run. */
  isRaw: false,
};

function createConnection(wire: Wire, server: ServerFacts, options: ConnectOptions): Connection {
  const state = { ...newState };
  const isCurrent = watchAge(options.views);
  let last: Promise<unknown> = Promise.resolve();
  const breakOff = (): void => void (state.broken = true);
  const isBroken = (): boolean => state.broken || wire.isLost();
  const endable: Cancelable = { cancel: () => options.kill(wire.threadId), destroy: wire.hangUp };
  /** One statement after the other: what ends one must not hit the next. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    if (state.streaming) return Promise.reject(streamingError());
    const result = last.then(work).catch((error: unknown) => {
      if (isFatal(error)) breakOff();
      throw isBroken() && serverError(error) === undefined ? connectionError(error) : error;
    });
    last = result.catch(() => {});
    return result;
  };
  const noted = (answer: Answer): Answer => note(answer, state);
  const context = { wire, server, endable, state, options };
  // In what state a failed one has left the session nobody knows.
  const command: Connection['command'] = (text, runOptions = {}) =>
    inTurn(async () => {
      noted(await runToEnd(endable, runOptions, () => wire.ask(text)));
    }).catch((error: unknown) => {
      breakOff();
      throw error;
    });

  return {
    server,
    run: (query, runOptions = {}) =>
      inTurn(async () => {
        const answer = noted(await runStatement(context, query, runOptions));
        return toResult(query, track(answer, state));
      }),
    stream: (query, runOptions = {}) =>
      inTurn(async () => {
        const stream = await startStream(context, query, runOptions);
        state.streaming = true;
        const done = (): void => void (state.streaming = false);
        return stream({ columns: query.columns, runOptions, endable, done });
      }),
    command,
    setReadOnly: async (readOnly, runOptions) => {
      if (state.readOnly === readOnly) return;
      await command(accessSetting(readOnly), runOptions);
      state.readOnly = readOnly;
    },
    load: (text, file) => inTurn(async () => track(await loadFile(context, text, file), state)),
    renew: () => {
      const work = isBroken() ? undefined : renewal(wire, server, state);
      if (work !== undefined) inTurn<unknown>(work).catch(() => endable.destroy());
    },
    isUsable: () => !isBroken() && !state.streaming && !state.inTransaction && isCurrent(),
    isLost: wire.isLost,
    destroy: endable.destroy,
    close: wire.end,
  };
}

function watchAge({ age }: Pick<ViewNames, 'age'>): () => boolean {
  const born = age();
  return () => age() === born;
}

/**
 * Notes statements that may run code of the database's users, that of triggers too. The server
 * reports some of the settings that such code changes, but none with an error or with rows, and
 * never its locks, temporary tables and variables.
 */
function foresee(query: Query, { state, options }: StatementContext): void {
  const { text } = query;
  state.isRaw ||=
    query.isRawRead === true ||
    /^(?:INSERT|REPLACE|UPDATE|DELETE|LOAD)\b/.test(text) ||
    options.views.areIn(text);
}

/** The studio's own statements that set something are reported too: they are not looked at. */
function track<A extends Pick<Answer, 'changedSession'>>(answer: A, state: { isRaw: boolean }): A {
  state.isRaw ||= answer.changedSession === true;
  return answer;
}

function note(answer: Answer, state: { inTransaction: boolean }): Answer {
  state.inTransaction = answer.inTransaction ?? state.inTransaction;
  return answer;
}

function accessSetting(readOnly: boolean): string {
  return `SET SESSION TRANSACTION ${readOnly ? 'READ ONLY' : 'READ WRITE'}`;
}

/** What makes the session a new one again; undefined where nothing has changed it. */
function renewal(
  wire: Wire,
  server: ServerFacts,
  state: { isRaw: boolean; readOnly: boolean },
): (() => Promise<unknown>) | undefined {
  if (!state.isRaw) return undefined;
  Object.assign(state, { isRaw: false, readOnly: true });
  return () => setUpAnew(wire, server);
}

async function setUpAnew(wire: Wire, server: ServerFacts): Promise<void> {
  await wire.reset();
  await wire.ask(sessionSetup(server));
}

function isFatal(error: unknown): boolean {
  return error instanceof Error && 'fatal' in error && error.fatal === true;
}

interface StatementContext {
  readonly state: { isRaw: boolean };
  readonly options: ConnectOptions;
  readonly wire: Wire;
  readonly server: ServerFacts;
  readonly endable: Cancelable;
}

function loadFile(context: StatementContext, text: string, file: string): Promise<LoadAnswer> {
  foresee({ text, params: [] }, context);
  return context.wire.load(text, file);
}

async function runStatement(
  context: StatementContext,
  query: Query,
  options: RunOptions,
): Promise<Answer> {
  const { wire, server, endable } = context;
  foresee(query, context);
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
  foresee(query, context);
  if (csv !== undefined) {
    const packets = startPackets(context, query, runOptions);
    return (options) => streamRows(packets, createCsvLines(csv), options);
  }
  const feed = await startFeed(context, query, runOptions);
  return (options) => streamRows(feed, createRowBatches(context.server), options);
}

/** Preparing a statement is a question to the server, too. */
function startFeed(
  { wire, server, endable }: StatementContext,
  query: Query,
  options: RunOptions,
): ReturnType<Wire['feed']> {
  const text = limitedText(query.text, options.limitMs, server);
  const demand = (columns: number | undefined): void => {
    if (query.isRawRead === true) mustRead(query.text, columns);
  };
  return explained(query, () =>
    runEnded(endable, options, () => wire.feed(text, query.params, demand)),
  );
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
    ...(columns === undefined ? {} : { fieldTypes: fieldTypes(fields) }),
  };
}

/** A statement that was ended may still say that it was done: SLEEP does. */
function runEnded<T>(
  endable: Cancelable,
  options: RunOptions,
  statement: () => Promise<T>,
): Promise<T> {
  let ended = false;
  const cancel = (): Promise<void> => {
    ended = true;
    return endable.cancel();
  };
  return runCancelable({ ...endable, cancel }, options, async () => {
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
