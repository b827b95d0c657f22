/**
 * Prepares foreign keys that a cycle of rows may need to disable, before the first write to their tables.
 * Later the database could not prepare them, while deferred triggers of the tables are pending.
 */
import { groupInKeyOrder, keysWithin } from '../core/foreign-key-groups.ts';
import { CannotDisableError, prepareConstraints } from './disable-constraints.ts';
import type { Table } from '../../model/schema.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';
import type { LoadSession } from './load-batch.ts';

/** Called with tables that are about to be written. */
export type PrepareCycles = (
  loadSession: LoadSession,
  writtenTables: readonly Table[],
  scope: readonly Table[],
) => Promise<void>;

export function createCyclePreparation(): PrepareCycles {
  const prepared = new Set<string>();
  const groupsByScope = new Map<readonly Table[], readonly (readonly Table[])[]>();
  const groupsOf = (scope: readonly Table[]): readonly (readonly Table[])[] => {
    const groups = groupsByScope.get(scope) ?? groupInKeyOrder(scope, keysWithin(scope));
    groupsByScope.set(scope, groups);
    return groups;
  };
  return async (loadSession, writtenTables, scope) => {
    const names = new Set(
      writtenTables.filter(({ foreignKeys }) => foreignKeys.length > 0).map(({ name }) => name),
    );
    if (names.size === 0) return;
    for (const group of groupsOf(scope)) {
      if (!group.some(({ name }) => names.has(name) && !prepared.has(name))) continue;
      for (const { name } of group) prepared.add(name);
      await prepareGroup(loadSession, group);
    }
  };
}

function needsPreparation({ dialect }: LoadSession, { table, key }: TableForeignKey): boolean {
  return (dialect.load.deferForeignKey(table, key)?.prepare ?? []).length > 0;
}

async function prepareGroup(loadSession: LoadSession, group: readonly Table[]): Promise<void> {
  const keys = keysWithin(group).filter((each) => needsPreparation(loadSession, each));
  for (const [table, ownKeys] of Map.groupBy(keys, (each) => each.table)) {
    if (!(await loadSession.session.mayLeavePendingTriggers(table))) continue;
    await prepareConstraints(loadSession, ownKeys).catch((error: unknown) => {
      // Rows in a cycle then fail with this error, and others do not need it.
      if (!(error instanceof CannotDisableError)) throw error;
    });
  }
}
