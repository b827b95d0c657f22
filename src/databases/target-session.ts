/** Which of the servers of a URL a session may use, as libpq reads `target_session_attrs`. */
import type { InvalidUrl } from './several-hosts.ts';

export const targetSessions = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
] as const;

/** The values of `target_session_attrs`. */
export type TargetSession = (typeof targetSessions)[number];

/** What one attempt looks for: `prefer-standby` is a standby first, then any server. */
export type SessionTarget = Exclude<TargetSession, 'prefer-standby'>;

export function findTargetSession(setting: string, invalidUrl: InvalidUrl): TargetSession {
  const found = targetSessions.find((name) => name === setting);
  if (found === undefined)
    throw invalidUrl(`target_session_attrs must be one of ${targetSessions.join(', ')}`);
  return found;
}

export interface SessionRole {
  readonly isStandby: boolean;
  /** Why the server takes no writes, as a part of a sentence; set for a standby too. */
  readonly readOnlyFact?: string | undefined;
}

/** Returns what is wrong with a server; undefined if a session may use it. */
function unsuitableReason(
  target: SessionTarget,
  { isStandby, readOnlyFact }: SessionRole,
): string | undefined {
  const fact = {
    any: undefined,
    'read-write': readOnlyFact,
    'read-only': readOnlyFact === undefined ? 'it accepts writes' : undefined,
    primary: isStandby ? readOnlyFact : undefined,
    standby: isStandby ? undefined : 'it is a primary',
  }[target];
  return fact && `${fact}, and target_session_attrs is ${target}`;
}

/** The server of a URL with another role than `target_session_attrs` asks for. */
export class UnsuitableServer extends Error {}

export function mustSuit(target: SessionTarget, role: SessionRole): void {
  const reason = unsuitableReason(target, role);
  if (reason !== undefined) throw new UnsuitableServer(reason);
}
