import { StudioError } from '../../model/errors.ts';
import { command, keysRefusal, refusal } from './load-batch.ts';
import { keysAround } from '../core/foreign-key-groups.ts';
import { watchKeys } from './load-orphans.ts';
import type { ForeignKeyDeferral } from '../../model/load-dialect.ts';
import type { Table } from '../../model/schema.ts';
import type { Loading } from './load-batch.ts';
import type { TableKey } from '../core/foreign-key-groups.ts';
import type { WatchOptions } from './load-orphans.ts';

/** Foreign keys whose check has been put off. */
export interface Suspended {
  /** Those that still are when `lift` has done what it can. */
  readonly keys: readonly TableKey[];
  /** Has the database look at rows that come from now on, if that is all it would do. */
  lift(): Promise<void>;
  /** Looks at the rows that were written meanwhile. */
  end(): Promise<void>;
  /** After a failure: leaves nothing behind on the connection. */
  giveUp(): Promise<void>;
}

export interface SuspensionScope extends WatchOptions {
  /** Tables that lose or get rows meanwhile. */
  readonly written: readonly Table[];
}

/** Puts off the checks of some keys; where that is not allowed the load cannot go on. */
export async function suspendKeys(
  loading: Loading,
  keys: readonly TableKey[],
  { written, ...watched }: SuspensionScope,
): Promise<Suspended> {
  const { session, dialect } = loading;
  const suspensions = keys.flatMap(
    ({ table, key }) => dialect.loading.deferForeignKey(table, key) ?? [],
  );
  if (suspensions.length < keys.length) throw cannotSuspend(keys);
  // Such a suspension puts off the checks of all keys, also of those that nobody asked for.
  const isBlind = suspensions.some(({ verifies }) => !verifies);
  const watch = isBlind
    ? await watchKeys(loading, keysAround(watched.schema, written), watched)
    : undefined;
  await begin(loading, keys, suspensions);
  const resume = async (): Promise<void> => {
    for (const text of texts(suspensions, 'check')) await command(session, text);
    for (const text of texts(suspensions, 'end')) await command(session, text);
  };
  return {
    keys: isBlind ? [] : keys,
    lift: async () => (isBlind ? resume() : undefined),
    end: async () => {
      await watch?.mustHold();
      await resume().catch((error: unknown) => {
        throw keysRefusal(error) ?? error;
      });
    },
    giveUp: () => resume().catch(() => {}),
  };
}

async function begin(
  { session }: Loading,
  keys: readonly TableKey[],
  suspensions: readonly ForeignKeyDeferral[],
): Promise<void> {
  try {
    for (const text of texts(suspensions, 'begin')) await command(session, text);
  } catch (error) {
    const isDenied = error instanceof StudioError && error.code === 'permission_denied';
    throw isDenied ? cannotSuspend(keys) : error;
  }
}

/** Whether the database itself looks at all rows again, of these keys and no others. */
export function areVerified({ dialect }: Loading, keys: readonly TableKey[]): boolean {
  return keys.every(
    ({ table, key }) => dialect.loading.deferForeignKey(table, key)?.verifies === true,
  );
}

/** Each statement once: one may do for all keys. */
function texts(
  suspensions: readonly ForeignKeyDeferral[],
  part: 'begin' | 'check' | 'end',
): readonly string[] {
  return [...new Set(suspensions.flatMap((suspension) => suspension[part]))];
}

function cannotSuspend(keys: readonly TableKey[]): StudioError {
  const names = keys.map(
    ({ table, key }) => `"${table.name}" (${key.columns.join(', ')}) to "${key.table}"`,
  );
  return refusal(
    keys.slice(0, 1).map(({ table }) => ({
      code: 'foreign_key_violation',
      table: table.name,
      message:
        `rows point at each other in a circle, by ${names.join(' and ')}, ` +
        'and the database does not let the studio put off the check of such keys.',
    })),
  );
}
