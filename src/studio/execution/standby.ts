/** A standby that may stop responding. Nothing that uses it waits for longer than a few seconds. */
import { setTimeout as sleep } from 'node:timers/promises';
import { startTimer } from '../../processes/timers.ts';
import { noCacheUses } from '../core/cache-uses.ts';
import type { Database } from '../../model/database.ts';
import type { Executor } from './executor.ts';
import type { CacheUses } from '../core/cache-uses.ts';
import type { ServerState, StandbyState } from '../../model/server-state.ts';

/** A primary or a standby that the studio is connected to. */
export interface ConnectedServer {
  readonly executor: Executor;
  readonly database: Pick<Database, 'serverState'>;
}

/** A standby that is away is tried again after this time. */
const retryMs = 5000;

/** A standby that has not answered a small request by then is away. A longer request is only checked then. */
const responseMs = 1500;

export interface Standby {
  /** Undefined while it is away. */
  current(): Promise<ConnectedServer | undefined>;
  /** Rejects soon when the standby stops responding; `work` is then aborted. */
  whileResponding<T>(
    server: ConnectedServer,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<T>;
  /** Resolves with the position in the log of the changes that it has applied; undefined if that is unknown. */
  position(server: ConnectedServer): Promise<bigint | undefined>;
  state(): Promise<StandbyState>;
  cacheUses(): CacheUses;
  close(): Promise<void>;
}

export function createStandby(open: () => Promise<ConnectedServer>): Standby {
  const connection = createConnection(open);
  const absence = createAbsence(connection.responds);
  const stateOf = async ({ database }: ConnectedServer): Promise<ServerState | typeof late> => {
    const unknown: ServerState = {};
    const state = await inTime(database.serverState()).catch(() => unknown);
    if (state === late) absence.begin();
    return state;
  };

  return {
    current: async () => {
      if (connection.server() === undefined && !absence.isNow() && !(await connection.responds()))
        absence.begin();
      return absence.isNow() ? undefined : connection.server();
    },
    whileResponding: async (server, work) => {
      const ended = new AbortController();
      const working = work(ended.signal);
      for (;;) {
        const result = await inTime(working);
        if (result !== late) return result;
        if ((await stateOf(server)) !== late) continue;
        working.catch(() => {});
        const error = new Error('The standby does not respond.');
        ended.abort(error);
        throw error;
      }
    },
    position: async (server) => {
      const state = await stateOf(server);
      return state === late ? undefined : positionOf(state);
    },
    state: async () => {
      const server = connection.server();
      if (absence.isNow() || server === undefined) return { isAway: absence.isNow() };
      const state = await stateOf(server);
      return state === late ? { isAway: true } : { isAway: false, lagSeconds: state.lagSeconds };
    },
    cacheUses: () => connection.server()?.executor.cacheUses() ?? noCacheUses,
    close: async () => {
      absence.close();
      await connection.close();
    },
  };
}

function createConnection(open: () => Promise<ConnectedServer>) {
  let opening: Promise<void> | undefined;
  let opened: ConnectedServer | undefined;
  const connect = (): Promise<void> =>
    (opening ??= open()
      .then((server) => void (opened = server))
      .finally(() => (opening = undefined)));
  return {
    server: () => opened,
    /** Connects if necessary. An attempt that takes longer goes on. */
    responds: async (): Promise<boolean> => {
      try {
        if (opened === undefined) await inTime(connect());
        return opened !== undefined && (await inTime(opened.database.serverState())) !== late;
      } catch {
        return false;
      }
    },
    close: async (): Promise<void> => {
      await opening?.catch(() => {});
      await opened?.executor.close();
    },
  };
}

/** The time in which the standby does not respond. It ends when an attempt in the background succeeds. */
function createAbsence(responds: () => Promise<boolean>) {
  let isAway = false;
  const closing = new AbortController();
  const waitForReturn = async (): Promise<void> => {
    while (isAway) {
      await sleep(retryMs, undefined, { ref: false, signal: closing.signal });
      isAway = !(await responds());
    }
  };
  return {
    isNow: () => isAway,
    begin: (): void => {
      if (isAway) return;
      isAway = true;
      // Rejects when the studio is closed.
      waitForReturn().catch(() => {});
    },
    close: () => closing.abort(),
  };
}

const late = Symbol('late');

async function inTime<T>(work: Promise<T>): Promise<T | typeof late> {
  const { promise, resolve } = Promise.withResolvers<typeof late>();
  const timer = startTimer(() => resolve(late), responseMs);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

export function positionOf({
  position,
}: {
  readonly position?: string | undefined;
}): bigint | undefined {
  return position === undefined ? undefined : BigInt(position);
}
