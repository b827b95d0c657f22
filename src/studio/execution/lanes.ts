import { createPlaces } from '../../databases/places.ts';
import { createHost } from '../../processes/host.ts';
import { StudioError } from '../../model/errors.ts';
import { fromChild } from './child-errors.ts';
import { rawStatement, readsOf } from '../core/connection-use.ts';
import { createGroupedWrites } from './grouped-writes.ts';
import { operations } from './operations.ts';
import { RunningReads } from './running-reads.ts';
import { moduleUrl } from '../../processes/module-url.ts';
import type { Places } from '../../databases/places.ts';
import type { ConnectionUse, DatabaseKind } from '../../model/database.ts';
import type { ErrorCode } from '../../model/errors.ts';
import type { Host, Reply as HostReply } from '../../processes/host.ts';
import type { Executor, PerformOptions } from './executor.ts';
import type { LaneCall, LaneMessage, LaneStart } from './lane-message.ts';
import type { AdoptTotalInput } from './adopt-total.ts';
import type { Lane } from './operations.ts';
import type { Reply, ReplyMeta } from '../core/reply.ts';

const slowLanes = 3;
/** A request waits this long for a slow lane. */
const slowWaitMs = 30_000;
const heapLimitMb = 1024;
const healLimitMs = 10_000;

/**
 * For databases whose statements cannot be interrupted: operations run in child processes, a
 * quick lane for work of bounded cost, some slow ones, one for writing. What outlasts its limit
 * is killed with its process. Reads of one relation never occupy all slow lanes.
 */
export function createLanes(
  settings: Omit<LaneStart, 'lane'>,
  readsBlockWrites: DatabaseKind['readsBlockWrites'],
): Executor {
  const open = (lane: Lane): Host => createHost(laneOptions({ ...settings, lane }));
  const quick = open('quick');
  const slow = Array.from({ length: slowLanes }, () => open('slow'));
  const write = open('write');
  const hosts = [quick, ...slow, write];
  const places = createPlaces(slowLanes, slowWaitMs);
  const reads = new RunningReads(() => readsBlockWrites(settings.target));
  const callSlow = slowCalls(slow, reads);
  let healing: Promise<unknown> | undefined;

  const inWrite = async (message: LaneMessage, options: PerformOptions): Promise<Reply> => {
    try {
      return await reads.beforeReads(() => call(write, message, options));
    } catch (error) {
      if (!(error instanceof StudioError) || isKilled(error)) healing = heal(write);
      throw error;
    }
  };
  const inGroup = createGroupedWrites(inWrite);
  const inSlow = async (message: LaneCall, options: PerformOptions): Promise<Reply> => {
    await healing;
    const use = useOf(message);
    await places.take(options.signal, use);
    const reply = await callSlow(message, options).finally(() => places.free(use));
    return reply.meta.deferred === undefined ? reply : inWrite(message, options);
  };
  const perform: Executor['perform'] = async (name, input, options) => {
    const { lane, isSmall = false }: { lane: Lane; isSmall?: boolean } = operations[name];
    const message: LaneCall = { name, input, boundedOnly: false };
    if (lane === 'write')
      return isSmall ? inGroup({ name, input }, options) : inWrite(message, options);
    if (lane === 'slow') return inSlow(message, options);
    await healing;
    // Over before a client could be seen to have gone.
    const { signal: _signal, ...bounds } = options;
    const first = await call(quick, { ...message, boundedOnly: true }, bounds);
    if (first.meta.deferred === undefined) return first;
    const reply = await inSlow(message, options);
    handOver(quick, reply.meta, first.meta.deferred.token);
    return reply;
  };

  return {
    perform: explaining(perform, reads),
    addJob: (job) => reads.addJob(job),
    recover: async () => {
      healing = heal(write);
      await healing;
      return { isUndone: false, left: [] };
    },
    stats: () => laneStats(hosts, places.stats()),
    close: async () =>
      void (await Promise.all([places.close(), ...hosts.map((host) => host.close())])),
  };
}

/** A lock may be held by another part of the studio: errors say so. */
function explaining(perform: Executor['perform'], reads: RunningReads): Executor['perform'] {
  return async (name, input, options) => {
    try {
      return await perform(name, input, options);
    } catch (error) {
      throw await reads.explain(error, name === 'run-sql' || operations[name].lane === 'write');
    }
  };
}

const killed: ReadonlySet<ErrorCode> = new Set(['statement_timeout', 'database_unavailable']);

function isKilled({ code }: StudioError): boolean {
  return killed.has(code);
}

/** Readers may not undo what a killed writer left; the next writer does, by looking at the file. */
function heal(write: Host): Promise<unknown> {
  const message: LaneCall = { name: 'ping', input: {}, boundedOnly: false };
  return write.call(message, { limitMs: healLimitMs }).catch(() => {});
}

function laneOptions({ target, lane, ...settings }: LaneStart): Parameters<typeof createHost>[0] {
  const start: LaneStart = {
    target: lane === 'write' ? target : { ...target, readOnly: true },
    lane,
    ...settings,
  };
  return { entry: workerEntry, start, heapLimitMb, name: `${lane} lane` };
}

const workerEntry = moduleUrl(new URL('../../worker.ts', import.meta.url));

/** The use whose share of the slow lanes the operation counts towards. */
function useOf({ name, input }: LaneCall): ConnectionUse | undefined {
  if (name === 'run-sql') return rawStatement.use;
  const { table } = input as { readonly table?: string };
  return table === undefined ? undefined : readsOf(table).use;
}

function slowCalls(slow: readonly Host[], reads: RunningReads) {
  return (message: LaneCall, options: PerformOptions): Promise<Reply> =>
    reads.run({ what: nameOf(message), options }, (bounds) =>
      call(leastBusy(slow), message, bounds),
    );
}

/** The read as an error calls it. */
function nameOf({ name, input }: LaneCall): string {
  const { table } = input as { readonly table?: string };
  if (table !== undefined) return `The read of "${table}"`;
  return name === 'run-sql' ? 'The statement' : 'The read of the structure';
}

function leastBusy(hosts: readonly Host[]): Host {
  return hosts.reduce((best, host) => (host.queued < best.queued ? host : best));
}

/** A total that a slow lane counted serves the quick lane as long as nobody commits. */
function handOver(quick: Host, { counted }: ReplyMeta, token: string | undefined): void {
  if (counted === undefined || token === undefined) return;
  const input: AdoptTotalInput = { ...counted, token };
  quick.call({ name: 'adopt-total', input, boundedOnly: true } satisfies LaneCall).catch(() => {});
}

async function call(host: Host, message: LaneMessage, options: PerformOptions): Promise<Reply> {
  try {
    return toReply(await host.call(message, options));
  } catch (error) {
    throw fromChild(error);
  }
}

function toReply({ meta, body }: HostReply): Reply {
  return { meta: meta as ReplyMeta, body };
}

function laneStats(
  hosts: readonly Host[],
  { waitCount, waitDurationMs }: ReturnType<Places['stats']>,
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
