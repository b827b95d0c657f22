import { StudioError } from '../../../model/errors.ts';
import { mustEqualExpected, uncountedReason } from './expected-cascades.ts';
import { findCascades } from './find-cascades.ts';
import { planChanges } from './plan-changes.ts';
import type { Invocation } from '../../core/context.ts';
import type { Cascade } from './find-cascades.ts';
import type { Changes } from './read-changes.ts';
import type { TableWrite } from './write-to-table.ts';

/** Thrown if the login may read rows that foreign keys would write, but not lock them. */
export class CannotLockRows extends Error {}

export interface CascadeCheck {
  readonly changes: Changes;
  readonly expected: readonly Cascade[];
  readonly invocation: Invocation;
  /** Whether the rows that reference those of the changes are locked too. */
  readonly locksReferences: boolean;
}

/**
 * Fails if foreign keys would do something else to other rows than the client expects. Locks the rows of
 * the changes and those that reference them, so that no other session changes the result before the commit.
 */
export async function mustCascadeAsExpected(
  { context, session, table }: TableWrite,
  { changes, expected, invocation, locksReferences }: CascadeCheck,
): Promise<void> {
  const { schema } = await context.schemas.current();
  const { dialect } = context.database;
  const { rowLock, referencingRowsLock } = dialect.write;
  const { written } = await planChanges({ context, session, table, lock: rowLock }, changes);
  const write = {
    lockFor: locksReferences ? referencingRowsLock : () => undefined,
    uncountedReason: uncountedReason.bind(undefined, expected),
  };
  try {
    const cascades = await findCascades({ context, session, invocation, schema, write }, written);
    mustEqualExpected(cascades, expected);
  } catch (error) {
    const studioError = error instanceof StudioError ? error : dialect.translateError(error);
    const isDenied = studioError?.code === 'permission_denied';
    throw isDenied && locksReferences ? new CannotLockRows() : error;
  }
}
