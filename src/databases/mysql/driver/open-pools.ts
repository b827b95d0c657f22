import { createHostOrder } from '../../host-order.ts';
import { createPool } from '../../pool.ts';
import { connect } from './connect.ts';
import { readUrl } from './connection-options.ts';
import type { DatabaseTarget } from '../../../model/database.ts';
import type { Pool } from '../../pool.ts';
import type { TargetSession } from '../../target-session.ts';
import type { ConnectOptions } from './connect.ts';
import type { ConnectionOptions, HostSettings } from './connection-options.ts';
import type { Connection } from './connection.ts';
import type { ViewNames } from './view-names.ts';

const waitMs = 5000;
const idleMs = 60_000;

export interface Pools {
  readonly pool: Pool<Connection>;
  /** Queries about the structure run while another connection is held. With the same pool, requests could deadlock. */
  readonly catalogPool: Pool<Connection>;
  readonly all: readonly Pool<Connection>[];
}

export function openPools(target: DatabaseTarget, views: ViewNames): Pools {
  const connection = readUrl(target.url);
  const { hosts } = connection;
  const shared = { views, readsYourWrites: target.readsYourWrites ?? false };
  const killPools = new Map(hosts.map((host) => [host, openKillPool(host, connection, views)]));
  const driver: ConnectOptions = {
    ...shared,
    connection,
    hostOrder: createHostOrder(hosts, false),
    targetSession: targetSessionOf(connection, target),
    kill: async (host, threadId) =>
      killPools
        .get(host)
        ?.use((session) => session.command(`KILL QUERY ${threadId}`, { limitMs: waitMs })),
  };
  // With several hosts, another one may answer instead of a server that does not.
  const watchesServer = target.watchesServer === true || hosts.length > 1;
  const pool = openPool(driver, connection.maxConnections, watchesServer);
  const catalogPool = openPool(driver, 1, watchesServer);
  return { pool, catalogPool, all: [pool, catalogPool, ...killPools.values()] };
}

/** Of several servers, writes need the one that takes them. */
function targetSessionOf(
  { hosts, targetSession }: ConnectionOptions,
  { readOnly }: DatabaseTarget,
): TargetSession {
  return targetSession ?? (hosts.length > 1 && !readOnly ? 'read-write' : 'any');
}

/** The options of connections to one of the hosts only, whatever its role. */
function atHost(driver: ConnectOptions, host: HostSettings): ConnectOptions {
  return { ...driver, hostOrder: createHostOrder([host], false), targetSession: 'any' };
}

/** KILL QUERY must not wait for connections that run statements, and its number means another thread elsewhere. */
function openKillPool(
  host: HostSettings,
  connection: ConnectionOptions,
  views: ViewNames,
): Pool<Connection> {
  const hostOrder = createHostOrder([host], false);
  const kill = (): Promise<void> => Promise.resolve();
  const driver = { connection, views, readsYourWrites: false, hostOrder, kill };
  return openPool({ ...driver, targetSession: 'any' }, 1, false);
}

function openPool(
  driver: ConnectOptions,
  maxConnections: number,
  watchesServer: boolean,
): Pool<Connection> {
  return createPool<Connection>({
    maxConnections,
    waitMs,
    idleMs,
    open: (signal) => connect(driver, signal),
    openBeside: (connection, signal) => connect(atHost(driver, connection.host), signal),
    isUsable: (connection) => connection.isUsable(),
    isLost: (connection) => connection.isLost() || connection.isUnsuitable(),
    destroy: (connection) => {
      driver.hostOrder.failed(connection.host, 'no response');
      connection.destroy();
    },
    reset: (connection) => connection.renew(),
    close: (connection) => connection.close(),
    transferredBytes: watchesServer ? (connection) => connection.transferredBytes() : undefined,
  });
}
