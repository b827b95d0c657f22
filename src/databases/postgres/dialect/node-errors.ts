/**
 * Errors of other nodes, which a node of Citus reports to its clients. Their messages are in English only,
 * except those that a node got from another one.
 */
import { StudioError } from '../../../model/errors.ts';

/** The fields of a server error that tell where it comes from. */
interface ReportedError {
  readonly code: string;
  readonly message: string;
  readonly routine?: string | undefined;
}

/** Functions of Citus that report a lost connection or a failed commit, by their names in its source code. */
const failureRoutines: ReadonlySet<string> = new Set([
  'ReportConnectionError',
  'MarkRemoteTransactionFailed',
  'CheckRemoteTransactionsHealth',
  'ErrorIfPostCommitFailedShardPlacements',
  'SendCopyDataToPlacement',
  'EndRemoteCopy',
]);

/**
 * Functions that report the error of a statement at another node, with the codes for a session that the node
 * has ended. The one for COPY loses other codes.
 */
const relayRoutines: Readonly<Record<string, RegExp>> = {
  ReportResultError: /^(?:08|57P|25P03)/,
  ReportCopyError: /^58030/,
};

/** libpq's messages about a connection that ended without an error of the node, which have no code of their own. */
const clientMessage = /\bconnection\b|could not (?:receive|send) data/;

function isRelayed(routine: string): boolean {
  return Object.hasOwn(relayRoutines, routine);
}

/** The error of a node that cannot be reached. The part of the cluster that the statement needs is missing. */
export function nodeFailure({
  code,
  routine = '',
  message,
}: ReportedError): StudioError | undefined {
  const isLost =
    isRelayed(routine) &&
    (relayRoutines[routine]?.test(code) === true ||
      (routine === 'ReportResultError' && code === 'XX000' && clientMessage.test(message)));
  if (!isLost && !failureRoutines.has(routine)) return undefined;
  const [reason = ''] = message.split('\n');
  return new StudioError(
    'database_unavailable',
    `Another node of the database cannot be reached (${reason.trim().replace(/\.$/, '')}).`,
  );
}

/** PostgreSQL's messages, by the codes that the function for COPY loses. */
const copyMessages: readonly (readonly [RegExp, string])[] = [
  [/^insert or update on table .* violates foreign key constraint/, '23503'],
  [/^duplicate key value violates unique constraint/, '23505'],
  [/^null value in column .* violates not-null constraint/, '23502'],
  [/violates check constraint|^no partition of relation/, '23514'],
];

function codeOf({ code, message, routine }: ReportedError): string {
  if (routine !== 'ReportCopyError' || code !== 'XX000') return code;
  return copyMessages.find(([pattern]) => pattern.test(message))?.[1] ?? code;
}

/** Names the tables and constraints in the error of a shard as clients know them: `orders` instead of `orders_102008`. */
export function withoutShards<E extends ReportedError>(error: E): E {
  if (!isRelayed(error.routine ?? '')) return error;
  const code = codeOf(error);
  const message = error.message.replaceAll(/_\d{5,}"/g, '"');
  return Object.assign(error, { code, message });
}
