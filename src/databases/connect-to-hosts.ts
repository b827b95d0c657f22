import { copyError, StudioError } from '../model/errors.ts';
import { UnsuitableServer } from './target-session.ts';
import type { HostOrder } from './host-order.ts';
import type { SessionTarget, TargetSession } from './target-session.ts';

export interface Hosts<H, C> {
  readonly hostOrder: HostOrder<H>;
  readonly targetSession: TargetSession;
  connectTo(host: H, target: SessionTarget): Promise<C>;
  /** Whether the server has rejected the login. The others are not offered the password then. */
  hasRejectedLogin(error: unknown): boolean;
  /** Translates the error of an attempt. */
  connectionError(error: unknown): StudioError;
  /** Why a host cannot be used, as a part of a sentence. */
  connectionReason(error: unknown): string;
  /** The host and the port, without credentials. */
  nameOf(host: H): string;
}

interface Failure<H> {
  readonly host: H;
  readonly error: unknown;
}

/**
 * Opens a connection to the first host that has the requested role. Like libpq, tries the next host if
 * a server cannot be reached, and not if it rejects the login.
 */
export async function connectToHosts<H, C>(hosts: Hosts<H, C>, signal: AbortSignal): Promise<C> {
  const { targetSession, hostOrder } = hosts;
  const failures: Failure<H>[] = [];
  const isPreferred = targetSession === 'prefer-standby';
  let remaining = hostOrder.next();
  for (const target of isPreferred ? (['standby', 'any'] as const) : [targetSession]) {
    for (const host of remaining) {
      try {
        return await hosts.connectTo(host, target);
      } catch (error) {
        if (signal.aborted) throw signal.reason;
        failures.push({ host, error });
        if (hosts.hasRejectedLogin(error)) throw failureOf(failures, hosts);
        if (!(error instanceof UnsuitableServer)) hostOrder.failed(host, 'no response');
        else if (!isPreferred) hostOrder.failed(host, 'role');
      }
    }
    // Without a standby, any server that responded will do.
    remaining = remaining.filter((host) => failures.some((failure) => isUnsuitable(failure, host)));
  }
  throw failureOf(failures, hosts);
}

function isUnsuitable<H>({ host, error }: Failure<H>, other: H): boolean {
  return host === other && error instanceof UnsuitableServer;
}

/** A single host is not named: messages contain no more of the URL than they must. */
function failureOf<H, C>(failures: readonly Failure<H>[], hosts: Hosts<H, C>): Error {
  const last = failures.at(-1)?.error;
  const reasons = failures
    .map(({ host, error }) => `${hosts.nameOf(host)}: ${reasonOf(error, hosts)}`)
    .join('; ');
  if (failures.length > 1 && !hosts.hasRejectedLogin(last))
    return unavailable(`No host of the database can be used: ${reasons}.`);
  const error =
    last instanceof UnsuitableServer
      ? unavailable(`The server of the database cannot be used: ${last.message}.`)
      : hosts.connectionError(last);
  if (failures.length === 1) return error;
  return copyError(error, { message: `${error.message} Hosts tried: ${reasons}.` });
}

function reasonOf<H, C>(error: unknown, { connectionReason }: Hosts<H, C>): string {
  return error instanceof UnsuitableServer ? error.message : connectionReason(error);
}

function unavailable(message: string): StudioError {
  return new StudioError('database_unavailable', message);
}
