import { StudioError } from '../../model/errors.ts';
import {
  runText,
  releaseSavepoint,
  undoSavepoint,
  keyCheckError,
  importError,
} from './load-batch.ts';
import { keysWithin } from '../core/foreign-key-groups.ts';
import { watchForeignKeys } from './watch-foreign-keys.ts';
import type { ForeignKeyDeferral, LoadDialect } from '../../model/load-dialect.ts';
import type { LoadSession } from './load-batch.ts';
import type { TableForeignKey } from '../core/foreign-key-groups.ts';
import type { WatchOptions } from './watch-foreign-keys.ts';

/** Foreign keys that are disabled during a load. */
export interface DisabledConstraints {
  /** The keys that are still disabled after `enforceForNewRows`. */
  readonly keys: readonly TableForeignKey[];
  /**
   * Enables the keys before the load, so that the database checks new rows, if enabling them does not
   * check existing rows.
   */
  enforceForNewRows(): Promise<void>;
  /** Enables the keys, and fails if rows that were written since violate them. */
  verifyAndEnable(): Promise<void>;
  /** Enables the keys after a failure, so that the connection is as before. */
  enableAfterFailure(): Promise<void>;
}

/** Disables foreign keys. Fails if the database does not allow it. */
export async function disableConstraints(
  loadSession: LoadSession,
  keys: readonly TableForeignKey[],
  watchOptions: WatchOptions,
): Promise<DisabledConstraints> {
  const { session, dialect } = loadSession;
  const deferrals = keys.flatMap(
    ({ table, key }) => dialect.load.deferForeignKey(table, key) ?? [],
  );
  if (deferrals.length < keys.length)
    throw new CannotDisableError(keys, obstacleOf(dialect.load, keys));
  // The database then disables all keys and does not verify rows later. Triggers may write to any table.
  const isUnverified = deferrals.some(({ verifies }) => !verifies);
  const watch = isUnverified
    ? await watchForeignKeys(loadSession, keysWithin(watchOptions.schema.tables), watchOptions)
    : undefined;
  await runBegin(loadSession, keys, { deferrals, parts: ['prepare', 'begin'] });
  const check = distinctStatements(deferrals, 'check');
  const end = distinctStatements(deferrals, 'end');
  const enable = async (): Promise<void> => {
    for (const text of [...check, ...end]) await runText(session, text);
  };
  const verify = async (): Promise<void> => {
    if (check.length === 0) return enable();
    for (const text of check) await runText(session, text);
    // PostgreSQL alters no table while events of deferred triggers on it are pending.
    for (const text of end) loadSession.beforeCommit.add(text);
  };
  return {
    keys: isUnverified ? [] : keys,
    enforceForNewRows: async () => (isUnverified ? enable() : undefined),
    verifyAndEnable: async () => {
      await watch?.rejectNewViolations();
      await verify().catch((error: unknown) => {
        throw keyCheckError(error) ?? error;
      });
    },
    enableAfterFailure: () => enable().catch(() => {}),
  };
}

/** Runs the statements that must precede the first write to the tables, unless they have run. */
export async function prepareConstraints(
  loadSession: LoadSession,
  keys: readonly TableForeignKey[],
): Promise<void> {
  const { dialect, beforeCommit } = loadSession;
  const deferrals = keys.flatMap(
    ({ table, key }) => dialect.load.deferForeignKey(table, key) ?? [],
  );
  await runBegin(loadSession, keys, { deferrals, parts: ['prepare'] });
  for (const text of distinctStatements(deferrals, 'end')) beforeCommit.add(text);
}

interface BeginOptions {
  readonly deferrals: readonly ForeignKeyDeferral[];
  readonly parts: readonly ('prepare' | 'begin')[];
}

async function runBegin(
  loadSession: LoadSession,
  keys: readonly TableForeignKey[],
  { deferrals, parts }: BeginOptions,
): Promise<void> {
  const { session, dialect, preparedKeys } = loadSession;
  const { savepoint } = dialect.load;
  const texts = parts
    .flatMap((part) => distinctStatements(deferrals, part))
    .filter((text) => !preparedKeys.has(text));
  if (texts.length === 0) return;
  await runText(session, savepoint.set);
  try {
    for (const text of texts) await runText(session, text);
    await releaseSavepoint(session, savepoint);
  } catch (error) {
    const isDenied = error instanceof StudioError && error.code === 'permission_denied';
    if (!isDenied) throw error;
    await undoSavepoint(session, savepoint);
    throw new CannotDisableError(keys);
  }
  for (const text of distinctStatements(deferrals, 'prepare')) preparedKeys.add(text);
}

/** Whether the database verifies all rows when it enables these keys again. */
export function areVerifiedByDatabase(
  { dialect }: LoadSession,
  keys: readonly TableForeignKey[],
): boolean {
  return keys.every(
    ({ table, key }) => dialect.load.deferForeignKey(table, key)?.verifies === true,
  );
}

/** The distinct statements: one statement may apply to all keys. */
function distinctStatements(
  deferrals: readonly ForeignKeyDeferral[],
  part: 'prepare' | 'begin' | 'check' | 'end',
): readonly string[] {
  return [...new Set(deferrals.flatMap((deferral) => deferral[part]))];
}

/** Why the database cannot defer one of the keys. */
function obstacleOf(load: LoadDialect, keys: readonly TableForeignKey[]): string | undefined {
  const obstacles = keys.map(({ table, key }) => load.deferralObstacle?.(table, key));
  return obstacles.find((obstacle) => obstacle !== undefined);
}

/** The studio may not disable foreign keys in the database, or cannot. The transaction can go on. */
export class CannotDisableError extends StudioError {
  /** A clause. */
  readonly reason: string;
  /** A sentence. */
  readonly advice: string;

  /** `obstacle`: why it is impossible for any user, as a clause. */
  constructor(keys: readonly TableForeignKey[], obstacle?: string) {
    const reason = obstacle ?? 'the studio may not disable foreign keys in the database';
    const advice = `${obstacle === undefined ? 'Connect as the owner of the tables, or put' : 'Put'} each row after the rows that it references.`;
    const names = keys.map(
      ({ table, key }) => `"${table.name}" (${key.columns.join(', ')}) to "${key.table}"`,
    );
    const message = `rows reference each other in a cycle, by ${names.join(' and ')}, and ${reason}. ${advice}`;
    const errors = keys
      .slice(0, 1)
      .map(({ table }) => ({ code: 'foreign_key_violation' as const, table: table.name, message }));
    const { code, message: text, details } = importError(errors);
    super(code, text, details);
    this.reason = reason;
    this.advice = advice;
  }
}
