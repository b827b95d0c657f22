import { createSlots } from '../../databases/connection-slots.ts';
import { createHost } from '../../processes/host.ts';
import { HostStuckError } from '../../processes/errors.ts';
import { StudioError } from '../../model/errors.ts';
import { studioErrorOf } from './child-errors.ts';
import { rawStatementUse, readUse } from '../core/connection-use.ts';
import { withStatedOutcome } from '../core/write-transaction.ts';
import { createCacheUseCounter } from '../core/cache-uses.ts';
import { mayWrite } from '../sql/may-write.ts';
import { createGroupedWrites } from './grouped-writes.ts';
import { operations } from './operations.ts';
import { RunningReads } from './running-reads.ts';
import { moduleUrl } from '../../processes/module-url.ts';
import type { Slots } from '../../databases/connection-slots.ts';
import type { ConnectionUse, DatabaseKind } from '../../model/database.ts';
import type { ErrorCode, WriteOutcome } from '../../model/errors.ts';
import type { CallOptions, Host, Reply as HostReply } from '../../processes/host.ts';
import type { Executor, PerformOptions } from './executor.ts';
import type { LaneCall, LaneMessage, LaneProgress, LaneStart } from './lane-message.ts';
import type { CacheTotalInput } from './cache-total.ts';
import type { Lane } from './operations.ts';
import type { RunSqlInput } from '../sql/run-sql.ts';
import type { Reply, ReplyMeta } from '../core/reply.ts';

const slowLanes = 3;
/** A request waits this long for a slow lane. */
const slowWaitMs = 30_000;
const heapLimitMb = 1024;
const recoveryLimitMs = 10_000;

/**
 * Performs operations in child processes, for databases whose statements cannot be interrupted: a
 * quick lane for work of bounded cost, several slow lanes, and one lane for writes. A process whose
 * operation exceeds its time limit is killed. Reads of one relation never occupy all slow lanes.
 */
export function createLanes(
  settings: Omit<LaneStart, 'lane'>,
  { dialect, whyReadsBlockWrites }: Pick<DatabaseKind, 'dialect' | 'whyReadsBlockWrites'>,
): Executor {
  const { open, cacheUses } = createOpener(settings);
  const quick = open('quick');
  const slow = Array.from({ length: slowLanes }, () => open('slow'));
  const write = open('write');
  const hosts = [quick, ...slow, write];
  const slots = createSlots(slowLanes, slowWaitMs);
  const reads = new RunningReads(() => whyReadsBlockWrites(settings.target));
  const callSlow = createSlowCall(slow, reads);
  const recovery = createRecovery(write);

  const performWrite = async (message: LaneMessage, options: PerformOptions): Promise<Reply> => {
    try {
      return await reads.runWrite(() => callWriter(write, message, options));
    } catch (error) {
      if (!(error instanceof StudioError) || isFromKilledProcess(error)) void recovery.start();
      throw error;
    }
  };
  const performGrouped = createGroupedWrites(performWrite);
  const performSlow = async (message: LaneCall, options: PerformOptions): Promise<Reply> => {
    await recovery.finish();
    const use = slowLaneUse(message);
    await slots.acquire(options.signal, use);
    const reply = await callSlow(message, options).finally(() => slots.release(use));
    return reply.meta.deferred === undefined ? reply : performWrite(message, options);
  };
  const perform: Executor['perform'] = async (name, input, options) => {
    const { lane, isSmall = false }: { lane: Lane; isSmall?: boolean } = operations[name];
    const message: LaneCall = { name, input, boundedOnly: false };
    if (lane === 'write')
      return isSmall ? performGrouped({ name, input }, options) : performWrite(message, options);
    if (lane === 'slow') return performSlow(message, options);
    await recovery.finish();
    // The quick lane is done before a disconnect of the client could be noticed.
    const { signal: _signal, ...bounds } = options;
    const quickReply = await callHost(quick, { ...message, boundedOnly: true }, bounds);
    if (quickReply.meta.deferred === undefined) return quickReply;
    const reply = await performSlow(message, options);
    shareTotal(quick, reply.meta, quickReply.meta.deferred.token);
    return reply;
  };

  return {
    perform: withTiming(withExplanations(perform, { reads, dialect })),
    addJob: (job) => reads.addJob(job),
    structureChanged: compareVersionsInstead,
    recover: async () => {
      await recovery.start();
      return { isUndone: false, objectsLeft: [], objectsInDoubt: [] };
    },
    stats: () => laneStats(hosts, slots.stats()),
    cacheUses,
    close: () => closeAll([slots, ...hosts]),
  };
}

/** `cacheUses` adds up what the processes of all lanes have counted. */
function createOpener(settings: Omit<LaneStart, 'lane'>) {
  const uses = createCacheUseCounter();
  const onReply = ({ meta }: HostReply): void => {
    const { cacheUses } = (meta ?? {}) as ReplyMeta;
    if (cacheUses !== undefined) uses.add(cacheUses);
  };
  return {
    open: (lane: Lane): Host => createHost({ ...laneOptions({ ...settings, lane }), onReply }),
    cacheUses: () => uses.counted(),
  };
}

async function closeAll(parts: readonly Pick<Host, 'close'>[]): Promise<void> {
  await Promise.all(parts.map((part) => part.close()));
}

/** Statements are not timed one by one: the child process runs little else. */
function withTiming(perform: Executor['perform']): Executor['perform'] {
  return async (name, input, options) => {
    const endTiming = options.timer?.begin();
    try {
      return await perform(name, input, options);
    } finally {
      endTiming?.();
    }
  };
}

/** Nothing to do: each operation compares the file's structure version, which costs no round trip. */
function compareVersionsInstead(): void {}

interface ErrorContext {
  readonly reads: RunningReads;
  readonly dialect: DatabaseKind['dialect'];
}

/**
 * Adds to the error of a lock that another operation or job of this studio holds it, and to that of a write which
 * waited for its lane that nothing was written: errors of the lane itself have stated the outcome.
 */
function withExplanations(
  perform: Executor['perform'],
  { reads, dialect }: ErrorContext,
): Executor['perform'] {
  return async (name, input, options) => {
    try {
      return await perform(name, input, options);
    } catch (error) {
      const isWrite =
        operations[name].lane === 'write' ||
        (name === 'run-sql' && (await mayWrite(input as RunSqlInput, dialect)));
      const explained = await reads.explain(error, isWrite);
      throw isWrite ? withStatedOutcome(explained, 'nothing_written') : explained;
    }
  };
}

const killedCodes: ReadonlySet<ErrorCode> = new Set(['statement_timeout', 'database_unavailable']);

function isFromKilledProcess({ code }: StudioError): boolean {
  return killedCodes.has(code);
}

/** `finish` waits for the recovery that was started last, and repeats it if the writer was stuck. */
function createRecovery(write: Host) {
  let last: Promise<RecoveryAttempt> | undefined;
  const start = (): Promise<RecoveryAttempt> => (last = recoverFile(write));
  const finish = async (): Promise<void> => {
    if ((await last) === 'stuck') await start();
  };
  return { start, finish };
}

/**
 * Rolls back what a killed writer left. Read-only connections cannot do that; any access of the write
 * lane does (https://www.sqlite.org/lockingv3.html#hot_journals). While the writer is stuck, that must wait.
 */
function recoverFile(write: Host): Promise<RecoveryAttempt> {
  const message: LaneCall = { name: 'ping', input: {}, boundedOnly: false };
  return write.call(message, { limitMs: recoveryLimitMs }).then(
    () => 'done',
    (error: unknown) => (error instanceof HostStuckError ? 'stuck' : 'done'),
  );
}

type RecoveryAttempt = 'done' | 'stuck';

function laneOptions({ target, lane, ...settings }: LaneStart): Parameters<typeof createHost>[0] {
  const start: LaneStart = {
    target:
      lane === 'write' ? { ...target, mapsFileIntoMemory: false } : { ...target, readOnly: true },
    lane,
    ...settings,
  };
  return { entry: workerEntry, start, heapLimitMb, name: `${lane} lane` };
}

const workerEntry = moduleUrl(new URL('../../worker.ts', import.meta.url));

/** The use that the operation counts towards: each use may occupy only a share of the slow lanes. */
function slowLaneUse({ name, input }: LaneCall): ConnectionUse | undefined {
  if (name === 'run-sql') return rawStatementUse.use;
  const { table } = input as { readonly table?: string };
  return table === undefined ? undefined : readUse(table).use;
}

function createSlowCall(slow: readonly Host[], reads: RunningReads) {
  return (message: LaneCall, options: PerformOptions): Promise<Reply> =>
    reads.runRead({ description: describeRead(message), options }, (bounds) =>
      callHost(leastBusy(slow), message, bounds),
    );
}

/** The read, as error messages describe it. */
function describeRead({ name, input }: LaneCall): string {
  const { table } = input as { readonly table?: string };
  if (table !== undefined) return `The read of "${table}"`;
  return name === 'run-sql' ? 'The statement' : 'The read of the structure';
}

function leastBusy(hosts: readonly Host[]): Host {
  return hosts.reduce((best, host) => (host.queued < best.queued ? host : best));
}

/** Gives the quick lane a total that a slow lane counted. It is valid until the next commit. */
function shareTotal(quick: Host, { counted }: ReplyMeta, token: string | undefined): void {
  if (counted === undefined || token === undefined) return;
  const input: CacheTotalInput = { ...counted, token };
  quick.call({ name: 'cache-total', input, boundedOnly: true } satisfies LaneCall).catch(() => {});
}

/** A killed process leaves nothing of a transaction whose commit it has not begun. */
async function callWriter(
  host: Host,
  message: LaneMessage,
  options: PerformOptions,
): Promise<Reply> {
  let outcome: WriteOutcome = 'nothing_written';
  const onProgress = (progress: unknown): void => void ({ outcome } = progress as LaneProgress);
  try {
    return await callHost(host, message, { ...options, onProgress });
  } catch (error) {
    throw withStatedOutcome(error, outcome);
  }
}

async function callHost(host: Host, message: LaneMessage, options: CallOptions): Promise<Reply> {
  try {
    return toReply(await host.call(message, options));
  } catch (error) {
    throw studioErrorOf(error);
  }
}

function toReply({ meta, body }: HostReply): Reply {
  return { meta: meta as ReplyMeta, body };
}

function laneStats(
  hosts: readonly Host[],
  { waitCount, waitDurationMs }: ReturnType<Slots['stats']>,
): ReturnType<Executor['stats']> {
  const queued = hosts.reduce((sum, host) => sum + host.queued, 0);
  const inUse = hosts.filter((host) => host.queued > 0).length;
  const openConnections = hosts.filter((host) => host.running).length;
  return {
    maxOpenConnections: hosts.length,
    openConnections,
    inUse,
    idle: Math.max(0, openConnections - inUse),
    waitCount: waitCount + Math.max(0, queued - inUse),
    waitDurationMs,
  };
}
