import { connectToHosts } from '../../connect-to-hosts.ts';
import { openWithin } from '../../cancel-statement.ts';
import { withSetupErrors } from '../../session-setup-error.ts';
import { mustSuit } from '../../target-session.ts';
import { hasRejectedLogin, messageOf, translateError } from '../dialect/errors.ts';
import { connectionError, connectionReason } from './connection-error.ts';
import { startConnecting } from './driver.ts';
import { nameOfHost } from './hosts.ts';
import { sessionRoleOf, sessionRoleQuery } from './session-role.ts';
import type { Hosts } from '../../connect-to-hosts.ts';
import type { SessionTarget } from '../../target-session.ts';
import type { Connection } from './connection.ts';
import type { HostSettings } from './connection-options.ts';
import type { ConnectAttempt, DriverOptions } from './driver.ts';

/** Opens a connection to the first host that has the requested role. */
export function connect(options: DriverOptions, signal: AbortSignal): Promise<Connection> {
  const { hostOrder, connection } = options;
  const hosts: Hosts<HostSettings, Connection> = {
    hostOrder,
    targetSession: connection.targetSession,
    connectTo: (host, target) => connectTo(host, { options, target }, signal),
    hasRejectedLogin,
    connectionError,
    connectionReason,
    nameOf: nameOfHost,
  };
  return connectToHosts(hosts, signal);
}

/** The current attempt to connect. */
interface ConnectState {
  attempt: ConnectAttempt | undefined;
  isAborted: boolean;
}

interface HostRequest {
  readonly options: DriverOptions;
  readonly target: SessionTarget;
}

/** `connectMs` limits all attempts at a host, the login and the session setup together. */
async function connectTo(
  host: HostSettings,
  { options, target }: HostRequest,
  signal: AbortSignal,
): Promise<Connection> {
  const state: ConnectState = { attempt: undefined, isAborted: false };
  const destroy = (): void => {
    state.isAborted = true;
    state.attempt?.destroy();
  };
  const bounds = { limitMs: options.connection.connectMs, signal };
  try {
    return await openWithin({ destroy }, bounds, async () => {
      const attempt = await connectAny(host, options, state);
      await checkRole(attempt, target);
      return withSetupErrors({ translateError, messageOf }, () => attempt.setUp());
    });
  } catch (error) {
    destroy();
    throw error;
  }
}

async function connectAny(
  host: HostSettings,
  options: DriverOptions,
  state: ConnectState,
): Promise<ConnectAttempt> {
  let lastError: unknown;
  for (const tls of host.tls) {
    if (state.isAborted) break;
    const attempt = startConnecting(options, host, tls);
    state.attempt = attempt;
    try {
      await attempt.connected;
      return attempt;
    } catch (error) {
      lastError = error;
    }
  }
  throw lastError;
}

async function checkRole(attempt: ConnectAttempt, target: SessionTarget): Promise<void> {
  if (target !== 'any') mustSuit(target, sessionRoleOf(await attempt.firstRow(sessionRoleQuery)));
}
