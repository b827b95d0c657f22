import { openWithin } from '../../cancel-statement.ts';
import { connectToHosts } from '../../connect-to-hosts.ts';
import { withSetupErrors } from '../../session-setup-error.ts';
import { mustSuit } from '../../target-session.ts';
import { messageOf, translateError } from '../dialect/errors.ts';
import {
  connectionError,
  connectionReason,
  hasRejectedLogin,
  isTlsUnsupported,
} from './connection-error.ts';
import { nameOfHost } from './connection-options.ts';
import { createConnection } from './connection.ts';
import { startConnecting } from './driver.ts';
import { minorityFact } from './group-majority.ts';
import {
  mustProtectReads,
  readRole,
  readServerInfo,
  serverInfoQuery,
  sessionSetup,
} from './session-setup.ts';
import type { Hosts } from '../../connect-to-hosts.ts';
import type { HostOrder } from '../../host-order.ts';
import type { SessionTarget, TargetSession } from '../../target-session.ts';
import type { ConnectionOptions, HostSettings } from './connection-options.ts';
import type { Connection, ConnectionContext } from './connection.ts';
import type { ConnectionAttempt, Wire } from './driver.ts';

export interface ConnectOptions extends Pick<ConnectionContext, 'views' | 'readsYourWrites'> {
  readonly connection: ConnectionOptions;
  readonly hostOrder: HostOrder<HostSettings>;
  readonly targetSession: TargetSession;
  /** Ends the running statement of another connection to this host. */
  kill(host: HostSettings, threadId: number): Promise<void>;
}

/** The current connection attempt. */
interface Opening {
  attempt: ConnectionAttempt | undefined;
}

/** Fails with `database_unavailable` or `database_busy`. */
export function connect(options: ConnectOptions, signal: AbortSignal): Promise<Connection> {
  const { hostOrder, targetSession } = options;
  const hosts: Hosts<HostSettings, Connection> = {
    hostOrder,
    targetSession,
    connectTo: (host, target) => connectTo(host, { options, target }, signal),
    hasRejectedLogin,
    connectionError,
    connectionReason,
    nameOf: nameOfHost,
  };
  return connectToHosts(hosts, signal);
}

interface HostRequest {
  readonly options: ConnectOptions;
  readonly target: SessionTarget;
}

/** `connectMs` limits everything at one host: all attempts, login and session setup. */
async function connectTo(
  host: HostSettings,
  { options, target }: HostRequest,
  signal: AbortSignal,
): Promise<Connection> {
  const opening: Opening = { attempt: undefined };
  const destroy = (): void => opening.attempt?.destroy();
  const bounds = { limitMs: options.connection.connectMs, signal };
  try {
    return await openWithin({ destroy }, bounds, async () => {
      const wire = await openWire(options.connection, host, opening);
      const { rows } = await wire.query(serverInfoQuery);
      const server = readServerInfo(rows);
      mustProtectReads(server);
      const mustTakeWrites = target === 'read-write' || target === 'primary';
      mustSuit(target, readRole(rows));
      if (mustTakeWrites && server.replication === 'group')
        mustSuit(target, { isStandby: true, readOnlyFact: await minorityFact(wire.query) });
      const setup = sessionSetup(server, options.readsYourWrites);
      await withSetupErrors({ translateError, messageOf }, () => wire.query(setup));
      const kill = (threadId: number): Promise<void> => options.kill(host, threadId);
      return createConnection(wire, { ...options, host, server, kill, mustTakeWrites });
    });
  } catch (error) {
    destroy();
    throw error;
  }
}

async function openWire(
  options: ConnectionOptions,
  host: HostSettings,
  opening: Opening,
): Promise<Wire> {
  let failure: unknown;
  for (const tls of host.tls) {
    try {
      opening.attempt = startConnecting(options, host, tls);
      return await opening.attempt.connected;
    } catch (error) {
      failure = error;
      if (!isTlsUnsupported(error)) break;
    }
  }
  throw failure;
}
