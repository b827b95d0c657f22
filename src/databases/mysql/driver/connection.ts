import { runCancelable, runToEnd } from '../../cancel-statement.ts';
import { streamingError } from '../../streaming-error.ts';
import { connectionError, noLongerPrimary } from './connection-error.ts';
import { createCsvLines } from './csv-lines.ts';
import { markIfRead } from '../../errors-of-reads.ts';
import { isServerReadOnly, serverError } from '../dialect/errors.ts';
import { sentText } from './limited-text.ts';
import { withTraceComment } from '../../trace-comment.ts';
import { mustRead } from '../language/raw-statement.ts';
import { recordTriggerError } from './raised-by-trigger.ts';
import { createRowBatches } from './row-batches.ts';
import { streamRows } from './row-stream.ts';
import { sessionSetup } from './session-setup.ts';
import { fieldInfo, fieldTypes } from '../dialect/types.ts';
import { decodeGeometries } from '../dialect/values.ts';
import type { Query, Result, RunOptions, Session } from '../../../model/database.ts';
import type { RowStream } from '../../../model/rows.ts';
import type { Cancelable } from '../../cancel-statement.ts';
import type { HostSettings } from './connection-options.ts';
import type { RowPacket } from './csv-lines.ts';
import type { StatementResult, Wire } from './driver.ts';
import type { LoadResult, LoadStatement } from './load-text.ts';
import type { RowEmitter, StreamOptions } from './row-stream.ts';
import type { ServerInfo } from '../dialect/server-info.ts';
import type { ViewNames } from './view-names.ts';

/** One connection to a server, set up as a session of the studio. */
export interface Connection extends Session {
  readonly host: HostSettings;
  readonly server: ServerInfo;
  readonly mustTakeWrites: boolean;
  /** Runs a statement without parameters and rows, such as transaction and session control. */
  command(text: string, options?: RunOptions): Promise<void>;
  /** The error by which the server has rolled back the transaction, also if the caller ignored it. */
  rollbackError(): unknown;
  /** Sets whether the server rejects writes, also outside transactions; needs a round trip only if the mode changes. */
  setReadOnly(readOnly: boolean, options?: RunOptions): Promise<void>;
  /** Runs LOAD DATA LOCAL. The server skips or changes values that do not fit, with a warning. */
  load(statement: LoadStatement): Promise<LoadResult>;
  /** Resets session state that user statements and triggers may have changed. Later statements wait for it. */
  renew(): void;
  /** Whether the pool may hand it out again: open, idle and outside any transaction. */
  isUsable(): boolean;
  /** Whether the connection is closed, by either side. */
  isLost(): boolean;
  /** Whether the server takes no writes any more, although the URL asks for one that does. */
  isUnsuitable(): boolean;
  markUnsuitable(): void;
  /** The bytes that were sent and received. */
  transferredBytes(): number;
  /** Closes the connection immediately; pending statements fail. */
  destroy(): void;
  close(): Promise<void>;
}

export interface ConnectionContext {
  readonly host: HostSettings;
  readonly server: ServerInfo;
  /** Ends the running statement of another connection to the same server. */
  kill(threadId: number): Promise<void>;
  readonly views: Pick<ViewNames, 'areIn' | 'generation'>;
  readonly readsYourWrites: boolean;
  /** Whether the server was chosen because it takes writes. */
  readonly mustTakeWrites: boolean;
}

const newState = {
  broken: false,
  streaming: false,
  inTransaction: false,
  rollbackError: undefined as unknown,
  readOnly: true,
  /** Whether user-defined code may have run in the session. */
  isRaw: false,
  isUnsuitable: false,
};

export function createConnection(wire: Wire, options: ConnectionContext): Connection {
  const { server } = options;
  const state = { ...newState };
  const setup = sessionSetup(server, options.readsYourWrites);
  const isCurrent = createViewCheck(options.views);
  let last: Promise<unknown> = Promise.resolve();
  const isBroken = (): boolean => state.broken || wire.isLost();
  const cancelable = cancelableOf(wire, options);
  /** Runs statements one after the other, so that KILL QUERY for one cannot hit the next. */
  const queue = <T>(work: () => Promise<T>): Promise<T> => {
    if (state.streaming) return Promise.reject(streamingError());
    const result = last.then(work).catch((error: unknown) => {
      throw failureOf(error, { wire, state, options });
    });
    last = result.catch(() => {});
    return result;
  };
  const context = { wire, server, cancelable, state, options };
  // After a failed command the state of the session is unknown.
  const command: Connection['command'] = (text, runOptions = {}) =>
    queue(() => runCommand(context, text, runOptions)).catch((error: unknown) => {
      state.broken = true;
      throw error;
    });

  return {
    host: options.host,
    server,
    mustTakeWrites: options.mustTakeWrites,
    run: (query, runOptions = {}) =>
      queue(async () => {
        const result = recordTransaction(await runStatement(context, query, runOptions), state);
        return toResult(query, recordSessionChange(result, state));
      }),
    stream: (query, runOptions = {}) =>
      queue(async () => {
        const stream = await startStream(context, query, runOptions);
        state.streaming = true;
        const done = (): void => void (state.streaming = false);
        return stream({ columns: query.columns, runOptions, cancelable, done });
      }),
    command,
    rollbackError: () => state.rollbackError,
    setReadOnly: async (readOnly, runOptions) => {
      if (state.readOnly === readOnly) return;
      await command(accessSetting(readOnly), runOptions);
      state.readOnly = readOnly;
    },
    load: (statement) =>
      queue(async () => recordSessionChange(await loadFile(context, statement), state)),
    renew: () => {
      const work = isBroken() ? undefined : renewal(wire, setup, state);
      if (work !== undefined) queue<unknown>(work).catch(() => cancelable.destroy());
    },
    isUsable: () => isReusable(wire, state) && isCurrent(),
    isUnsuitable: () => state.isUnsuitable,
    markUnsuitable: () => void (state.isUnsuitable = true),
    ...closingOf(wire),
  };
}

type State = typeof newState;

function isReusable(wire: Wire, state: State): boolean {
  const isBroken = state.broken || wire.isLost();
  return !isBroken && !state.isUnsuitable && !state.streaming && !state.inTransaction;
}

function closingOf(
  wire: Wire,
): Pick<Connection, 'isLost' | 'transferredBytes' | 'destroy' | 'close'> {
  const { isLost, transferredBytes } = wire;
  return { isLost, transferredBytes, destroy: wire.closeSocket, close: wire.end };
}

interface FailingConnection {
  readonly wire: Wire;
  readonly state: State;
  readonly options: ConnectionContext;
}

/** Records what an error says of the connection, and returns the one to throw. */
function failureOf(error: unknown, { wire, state, options }: FailingConnection): unknown {
  recordError(error, state);
  if (options.mustTakeWrites && isServerReadOnly(error)) {
    state.isUnsuitable = true;
    return noLongerPrimary();
  }
  const isBroken = state.broken || wire.isLost();
  return isBroken && serverError(error) === undefined ? connectionError(error) : error;
}

function cancelableOf(wire: Wire, { kill }: ConnectionContext): Cancelable {
  return { cancel: () => kill(wire.threadId), destroy: wire.closeSocket };
}

function createViewCheck({ generation }: Pick<ViewNames, 'generation'>): () => boolean {
  const initial = generation();
  return () => generation() === initial;
}

/**
 * Records statements that may run user-defined code, including triggers. The server reports some
 * changes of session state by such code, but none in responses with errors or rows, and never
 * locks, temporary tables and variables.
 */
function recordUserCode(query: Query, { state, options }: StatementContext): void {
  const { text } = query;
  state.isRaw ||=
    query.isRawRead === true ||
    /^(?:INSERT|REPLACE|UPDATE|DELETE|LOAD)\b/.test(text) ||
    options.views.areIn(text);
}

/** Records session changes that the server reports. Responses to the studio's own commands are not passed here. */
function recordSessionChange<A extends Pick<StatementResult, 'changedSession'>>(
  result: A,
  state: { isRaw: boolean },
): A {
  state.isRaw ||= result.changedSession === true;
  return result;
}

function recordTransaction(
  result: StatementResult,
  state: { inTransaction: boolean },
): StatementResult {
  state.inTransaction = result.inTransaction ?? state.inTransaction;
  return result;
}

function accessSetting(readOnly: boolean): string {
  return `SET SESSION TRANSACTION ${readOnly ? 'READ ONLY' : 'READ WRITE'}`;
}

/** Returns a function that resets the session; undefined if nothing has changed it. */
function renewal(
  wire: Wire,
  setup: string,
  state: { isRaw: boolean; readOnly: boolean },
): (() => Promise<unknown>) | undefined {
  if (!state.isRaw) return undefined;
  Object.assign(state, { isRaw: false, readOnly: true });
  return () => resetSession(wire, setup);
}

async function resetSession(wire: Wire, setup: string): Promise<void> {
  await wire.reset();
  await wire.query(setup);
}

const deadlock = 1213;

/** Galera reports a conflict with another node in the same way, at whichever statement comes next. */
function hasRolledBack(error: unknown): boolean {
  return serverError(error)?.errno === deadlock;
}

function recordError(error: unknown, state: State): void {
  if (isFatal(error)) state.broken = true;
  if (hasRolledBack(error)) state.rollbackError = error;
}

function isFatal(error: unknown): boolean {
  return error instanceof Error && 'fatal' in error && error.fatal === true;
}

async function runCommand(
  { wire, cancelable, state }: StatementContext,
  text: string,
  options: RunOptions,
): Promise<void> {
  if (text.startsWith('START TRANSACTION')) state.rollbackError = undefined;
  const sent = withTraceComment(text, options);
  recordTransaction(await runToEnd(cancelable, options, () => wire.query(sent)), state);
}

interface StatementContext {
  readonly state: { isRaw: boolean; inTransaction: boolean; rollbackError: unknown };
  readonly options: ConnectionContext;
  readonly wire: Wire;
  readonly server: ServerInfo;
  readonly cancelable: Cancelable;
}

function loadFile(context: StatementContext, statement: LoadStatement): Promise<LoadResult> {
  recordUserCode({ text: statement.text, params: [] }, context);
  return context.wire.load(statement);
}

async function runStatement(
  context: StatementContext,
  query: Query,
  options: RunOptions,
): Promise<StatementResult> {
  const { wire, server, cancelable } = context;
  recordUserCode(query, context);
  const text = sentText(query.text, options, server);
  const result = await withReadMark(query, () =>
    runOrFailIfKilled(cancelable, options, () => wire.execute(text, query.params)),
  ).catch(async (error: unknown) => {
    await recordTriggerError(error, query.text, context);
    throw error;
  });
  decodeGeometries(result.fields, result.rows, server);
  return result;
}

type StartedStream = (options: StreamOptions) => Promise<RowStream>;

/** CSV exports read cells as bytes of the text protocol, other statements read values. */
async function startStream(
  context: StatementContext,
  query: Query,
  runOptions: RunOptions,
): Promise<StartedStream> {
  const { csv } = query;
  recordUserCode(query, context);
  if (csv !== undefined) {
    const packets = startPackets(context, query, runOptions);
    return (options) => streamRows(packets, createCsvLines(csv), options);
  }
  const emitter = await startRows(context, query, runOptions);
  return (options) => streamRows(emitter, createRowBatches(context.server), options);
}

/** The time limit covers preparing the statement, too. */
function startRows(
  { wire, server, cancelable }: StatementContext,
  query: Query,
  options: RunOptions,
): ReturnType<Wire['executeStream']> {
  const text = sentText(query.text, options, server);
  const beforeRun = (columns: number | undefined): void => {
    if (query.isRawRead === true) mustRead(query.text, columns);
  };
  return withReadMark(query, () =>
    runOrFailIfKilled(cancelable, options, () => wire.executeStream(text, query.params, beforeRun)),
  );
}

function startPackets(
  { wire, server }: StatementContext,
  { text }: Query,
  options: RunOptions,
): RowEmitter<RowPacket> {
  options.signal?.throwIfAborted();
  return wire.streamPackets(sentText(text, options, server));
}

function toResult(
  { columns }: Query,
  { fields, rows, rowsAffected, insertId }: StatementResult,
): Result {
  return {
    columns: columns ?? fields.map(fieldInfo),
    rows,
    rowsAffected,
    ...(insertId === 0n ? {} : { insertId }),
    ...(columns === undefined ? {} : { fieldTypes: fieldTypes(fields) }),
  };
}

/** Makes an ended statement fail even if it reports success, as SLEEP does. */
function runOrFailIfKilled<T>(
  cancelable: Cancelable,
  options: RunOptions,
  statement: () => Promise<T>,
): Promise<T> {
  let ended = false;
  const cancel = (): Promise<void> => {
    ended = true;
    return cancelable.cancel();
  };
  return runCancelable({ ...cancelable, cancel }, options, async () => {
    const result = await statement();
    if (ended) throw new Error('The statement was ended.');
    return result;
  });
}

async function withReadMark<T>({ text }: Query, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    markIfRead(text, error);
    throw error;
  }
}
