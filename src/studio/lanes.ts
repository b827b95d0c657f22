import { HostCrashError, HostError, HostTimeoutError, createHost } from '../processes/host.ts';
import { StudioError, isErrorCode } from '../model/errors.ts';
import { operations } from './operations.ts';
import { moduleUrl } from '../processes/module-url.ts';
import type { ErrorCode } from '../model/errors.ts';
import type { Target } from '../model/database.ts';
import type { Host, Reply as HostReply } from '../processes/host.ts';
import type { Access } from './context.ts';
import type { Executor, PerformOptions } from './executor.ts';
import type { AdoptTotalInput } from './adopt-total.ts';
import type { Lane, OperationName } from './operations.ts';
import type { Reply, ReplyMeta } from './reply.ts';

/** What a lane's child process is told when it starts. */
export interface LaneStart {
  readonly target: Target;
  readonly lane: Lane;
  readonly access: Access;
}

/** One request to a lane's child process. */
export interface LaneCall {
  readonly name: OperationName;
  readonly input: unknown;
  readonly boundedOnly: boolean;
}

const slowLanes = 3;
const heapLimitMb = 1024;
const healLimitMs = 10_000;

/**
 * For databases whose statements cannot be interrupted: operations run in child processes, a
 * quick lane for work of bounded cost, some slow ones, one for writing. What outlasts its limit
 * is killed with its process, and costs nobody else anything.
 */
export function createLanes(target: Target, access: Access): Executor {
  const open = (lane: Lane): Host => createHost(laneOptions({ target, lane, access }));
  const quick = open('quick');
  const slow = Array.from({ length: slowLanes }, () => open('slow'));
  const write = open('write');
  const hosts = [quick, ...slow, write];

  let healing: Promise<unknown> | undefined;

  const inWrite = async (message: LaneCall, options: PerformOptions): Promise<Reply> => {
    try {
      return await call(write, message, options);
    } catch (error) {
      if (!(error instanceof StudioError) || isKilled(error)) healing = heal(write);
      throw error;
    }
  };
  const inSlow = async (message: LaneCall, options: PerformOptions): Promise<Reply> => {
    await healing;
    const reply = await call(leastBusy(slow), message, options);
    return reply.meta.deferred === undefined ? reply : inWrite(message, options);
  };
  const perform: Executor['perform'] = async (name, input, options) => {
    const { lane }: { lane: Lane } = operations[name];
    const message: LaneCall = { name, input, boundedOnly: false };
    if (lane === 'write') return inWrite(message, options);
    if (lane === 'slow') return inSlow(message, options);
    await healing;
    const first = await call(quick, { ...message, boundedOnly: true }, options);
    if (first.meta.deferred === undefined) return first;
    const reply = await inSlow(message, options);
    handOver(quick, reply.meta, first.meta.deferred.token);
    return reply;
  };

  return {
    perform,
    stats: () => laneStats(hosts),
    close: async () => void (await Promise.all(hosts.map((host) => host.close()))),
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

function laneOptions({ target, lane, access }: LaneStart): Parameters<typeof createHost>[0] {
  const start: LaneStart = {
    target: lane === 'write' ? target : { ...target, readOnly: true },
    lane,
    access,
  };
  return { entry: workerEntry, start, heapLimitMb, name: `${lane} lane` };
}

const workerEntry = moduleUrl(new URL('../worker.ts', import.meta.url));

function leastBusy(hosts: readonly Host[]): Host {
  return hosts.reduce((best, host) => (host.queued < best.queued ? host : best));
}

/** A total that a slow lane counted serves the quick lane as long as nobody commits. */
function handOver(quick: Host, { counted }: ReplyMeta, token: string | undefined): void {
  if (counted === undefined || token === undefined) return;
  const input: AdoptTotalInput = { ...counted, token };
  quick.call({ name: 'adopt-total', input, boundedOnly: true } satisfies LaneCall).catch(() => {});
}

async function call(host: Host, message: LaneCall, options: PerformOptions): Promise<Reply> {
  try {
    return toReply(await host.call(message, options));
  } catch (error) {
    throw toStudioError(error, options);
  }
}

function toReply({ meta, body }: HostReply): Reply {
  return { meta: meta as ReplyMeta, body };
}

function toStudioError(error: unknown, { limitMs }: PerformOptions): unknown {
  if (error instanceof HostTimeoutError) {
    const seconds = (limitMs ?? 0) / 1000;
    return new StudioError(
      'statement_timeout',
      `The statement was ended: it took longer than ${seconds} s.`,
    );
  }
  if (error instanceof HostCrashError) {
    return new StudioError(
      'database_unavailable',
      'The process that reads the database ended before it had answered; the next request starts a new one.',
    );
  }
  if (error instanceof HostError && isErrorCode(error.code)) {
    return new StudioError(error.code, error.message, error.details ?? {});
  }
  return error;
}

function laneStats(hosts: readonly Host[]): ReturnType<Executor['stats']> {
  const queued = hosts.reduce((sum, host) => sum + host.queued, 0);
  const inUse = hosts.filter((host) => host.queued > 0).length;
  const openConnections = hosts.filter((host) => host.running).length;
  return {
    maxOpenConnections: hosts.length,
    openConnections,
    inUse,
    idle: Math.max(0, openConnections - inUse),
    waitCount: Math.max(0, queued - inUse),
    waitDurationMs: 0,
  };
}
