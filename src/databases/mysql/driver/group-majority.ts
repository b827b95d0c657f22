/**
 * A server of Group Replication that has lost the majority of its group still answers reads and accepts statements
 * that write, but completes no commit, and those that it has begun remain: they may be written when the group
 * is whole again, whether or not their client has waited. So they must not be begun.
 */
import { StudioError } from '../../../model/errors.ts';
import { serverError } from '../dialect/errors.ts';
import type { Row } from '../../../model/values.ts';

/** The server answers this also while reads that wait for the group do not return. */
const membersQuery = `SELECT COUNT(*), COALESCE(SUM(MEMBER_STATE = 'UNREACHABLE'), 0)
FROM performance_schema.replication_group_members`;

type RunQuery = (text: string) => Promise<{ readonly rows: readonly Row[] }>;

/** Why the server takes no writes, as a part of a sentence. Undefined also if the login may not read the members. */
export async function minorityFact(run: RunQuery): Promise<string | undefined> {
  try {
    const { rows } = await run(membersQuery);
    const [members, unreachable] = rows[0] ?? [];
    const hasMajority = Number(unreachable) * 2 < Number(members);
    return hasMajority || Number(members) === 0
      ? undefined
      : 'it has lost the majority of its replication group';
  } catch (error) {
    if (serverError(error) === undefined) throw error;
    return undefined;
  }
}

/** Fails before anything is written. */
export async function mustReachMajority(run: RunQuery): Promise<void> {
  const fact = await minorityFact(run);
  if (fact !== undefined) throw minorityError(fact);
}

export function minorityError(fact: string): StudioError {
  return new StudioError('database_unavailable', `The server takes no writes: ${fact}.`);
}
