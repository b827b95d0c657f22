import { openWithin } from '../../cancel-statement.ts';
import { copyError } from '../../../model/errors.ts';
import { hasRejectedLogin } from '../dialect/errors.ts';
import { connectionError, connectionReason, noHostError } from './connection-error.ts';
import { startConnecting } from './driver.ts';
import { nameOfHost } from './hosts.ts';
import {
  UnsuitableServer,
  sessionRoleOf,
  sessionRoleQuery,
  unsuitableReason,
} from './session-role.ts';
import type { Connection } from './connection.ts';
import type { HostSettings } from './connection-options.ts';
import type { ConnectAttempt, DriverOptions } from './driver.ts';
import type { TargetSession } from './hosts.ts';

type SessionTarget = Exclude<TargetSession, 'prefer-standby'>;

interface Failure {
  readonly host: HostSettings;
  readonly error: unknown;
}

/**
 * Opens a connection to the first host that has the requested role. Like libpq, tries the next host if
 * a server cannot be reached, and not if it rejects the login.
 */
export async function connect(options: DriverOptions, signal: AbortSignal): Promise<Connection> {
  const { targetSession } = options.connection;
  const failures: Failure[] = [];
  const isPreferred = targetSession === 'prefer-standby';
  let hosts = options.hostOrder.next();
  for (const target of isPreferred ? (['standby', 'any'] as const) : [targetSession]) {
    for (const host of hosts) {
      try {
        return await connectTo(host, { options, target }, signal);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        failures.push({ host, error });
        if (hasRejectedLogin(error)) throw failureOf(failures);
        if (!isPreferred || !(error instanceof UnsuitableServer)) options.hostOrder.failed(host);
      }
    }
    // Without a standby, any server that responded will do.
    hosts = hosts.filter((host) => failures.some((failure) => isUnsuitable(failure, host)));
  }
  throw failureOf(failures);
}

function isUnsuitable({ host, error }: Failure, other: HostSettings): boolean {
  return host === other && error instanceof UnsuitableServer;
}

/** A single host is not named: messages contain no more of the URL than they must. */
function failureOf(failures: readonly Failure[]): Error {
  const last = failures.at(-1);
  const reasons = failures.map(
    ({ host, error }) => `${nameOfHost(host)}: ${connectionReason(error)}`,
  );
  if (failures.length > 1 && !hasRejectedLogin(last?.error)) return noHostError(reasons);
  const error = connectionError(last?.error);
  if (failures.length === 1) return error;
  return copyError(error, { message: `${error.message} Hosts tried: ${reasons.join('; ')}.` });
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
      return attempt.setUp();
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
  if (target === 'any') return;
  const reason = unsuitableReason(target, sessionRoleOf(await attempt.firstRow(sessionRoleQuery)));
  if (reason !== undefined) throw new UnsuitableServer(reason);
}
