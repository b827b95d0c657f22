import { StudioError } from '../../model/errors.ts';
import { runText, keyCheckError, importError } from './load-batch.ts';
import { foreignKeysOfAndTo } from '../core/foreign-key-groups.ts';
import { watchForeignKeys } from './watch-foreign-keys.ts';
import type { ForeignKeyDeferral } from '../../model/load-dialect.ts';
import type { Table } from '../../model/schema.ts';
import type { LoadSession } from './load-batch.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';
import type { WatchOptions } from './watch-foreign-keys.ts';

/** Foreign keys whose check has been put off. */
export interface DisabledConstraints {
  /** Those that still are when `lift` has done what it can. */
  readonly keys: readonly TableForeignKey[];
  /** Has the database look at rows that come from now on, if that is all it would do. */
  enforceForNewRows(): Promise<void>;
  /** Looks at the rows that were written meanwhile. */
  verifyAndEnable(): Promise<void>;
  /** After a failure: leaves nothing behind on the connection. */
  enableAfterFailure(): Promise<void>;
}

export interface DisableOptions extends WatchOptions {
  /** Tables that lose or get rows meanwhile. */
  readonly written: readonly Table[];
}

/** Puts off the checks of some keys; where that is not allowed the load cannot go on. */
export async function disableConstraints(
  loading: LoadSession,
  keys: readonly TableForeignKey[],
  { written, ...watched }: DisableOptions,
): Promise<DisabledConstraints> {
  const { session, dialect } = loading;
  const suspensions = keys.flatMap(
    ({ table, key }) => dialect.loading.deferForeignKey(table, key) ?? [],
  );
  if (suspensions.length < keys.length) throw cannotDisableError(keys);
  // Such a suspension puts off the checks of all keys, also of those that nobody asked for.
  const isUnverified = suspensions.some(({ verifies }) => !verifies);
  const watch = isUnverified
    ? await watchForeignKeys(loading, foreignKeysOfAndTo(watched.schema, written), watched)
    : undefined;
  await runBegin(loading, keys, suspensions);
  const enable = async (): Promise<void> => {
    for (const text of distinctStatements(suspensions, 'check')) await runText(session, text);
    for (const text of distinctStatements(suspensions, 'end')) await runText(session, text);
  };
  return {
    keys: isUnverified ? [] : keys,
    enforceForNewRows: async () => (isUnverified ? enable() : undefined),
    verifyAndEnable: async () => {
      await watch?.mustHold();
      await enable().catch((error: unknown) => {
        throw keyCheckError(error) ?? error;
      });
    },
    enableAfterFailure: () => enable().catch(() => {}),
  };
}

async function runBegin(
  { session }: LoadSession,
  keys: readonly TableForeignKey[],
  suspensions: readonly ForeignKeyDeferral[],
): Promise<void> {
  try {
    for (const text of distinctStatements(suspensions, 'begin')) await runText(session, text);
  } catch (error) {
    const isDenied = error instanceof StudioError && error.code === 'permission_denied';
    throw isDenied ? cannotDisableError(keys) : error;
  }
}

/** Whether the database itself looks at all rows again, of these keys and no others. */
export function areVerifiedByDatabase(
  { dialect }: LoadSession,
  keys: readonly TableForeignKey[],
): boolean {
  return keys.every(
    ({ table, key }) => dialect.loading.deferForeignKey(table, key)?.verifies === true,
  );
}

/** Each statement once: one may do for all keys. */
function distinctStatements(
  suspensions: readonly ForeignKeyDeferral[],
  part: 'begin' | 'check' | 'end',
): readonly string[] {
  return [...new Set(suspensions.flatMap((suspension) => suspension[part]))];
}

function cannotDisableError(keys: readonly TableForeignKey[]): StudioError {
  const names = keys.map(
    ({ table, key }) => `"${table.name}" (${key.columns.join(', ')}) to "${key.table}"`,
  );
  return importError(
    keys.slice(0, 1).map(({ table }) => ({
      code: 'foreign_key_violation',
      table: table.name,
      message:
        `rows point at each other in a circle, by ${names.join(' and ')}, ` +
        'and the database does not let the studio put off the check of such keys.',
    })),
  );
}
