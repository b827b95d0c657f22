/** Whether a server is the one that `target_session_attrs` asks for. */
import type { TargetSession } from './hosts.ts';

export interface SessionRole {
  readonly isStandby: boolean;
  /** Also for a standby. */
  readonly isReadOnly: boolean;
}

/** Runs before the session setup, which makes sessions of a read-only studio read-only. */
export const sessionRoleQuery =
  "SELECT pg_catalog.pg_is_in_recovery() AS standby, pg_catalog.current_setting('transaction_read_only') AS read_only";

export function sessionRoleOf(row: unknown): SessionRole {
  const { standby, read_only: readOnly } = row as { standby: boolean; read_only: string };
  return { isStandby: standby, isReadOnly: readOnly === 'on' };
}

/** Returns what is wrong with a server; undefined if a session may use it. */
export function unsuitableReason(
  target: Exclude<TargetSession, 'prefer-standby'>,
  { isStandby, isReadOnly }: SessionRole,
): string | undefined {
  const fact = {
    any: undefined,
    'read-write': isReadOnly ? readOnlyFact(isStandby) : undefined,
    'read-only': isReadOnly ? undefined : 'it accepts writes',
    primary: isStandby ? 'it is a standby' : undefined,
    standby: isStandby ? undefined : 'it is a primary',
  }[target];
  return fact && `${fact}, and target_session_attrs is ${target}`;
}

function readOnlyFact(isStandby: boolean): string {
  return isStandby ? 'it is a standby' : 'its transactions are read-only by default';
}

/** The server of a URL with another role than `target_session_attrs` asks for. */
export class UnsuitableServer extends Error {}
