/**
 * Errors of other nodes, which a node of Citus reports to its clients. Their messages are in English only,
 * except those that a node got from another one.
 */
import { StudioError } from '../../../model/errors.ts';
import { isCutName, nameOfShard } from './shard-names.ts';
import type { ShardedName } from './shard-names.ts';

/** The fields of a server error that tell where it comes from. */
interface ReportedError {
  readonly code: string;
  readonly message: string;
  readonly routine?: string | undefined;
  readonly schema?: string | undefined;
  readonly table?: string | undefined;
  readonly constraint?: string | undefined;
}

/** Finds the table that a shard belongs to. */
export interface ShardLookup {
  /**
   * The table that has the shard of this id, then its indexes and constraints: the names of all of them end with the
   * id at the node. Empty if there is no such shard.
   */
  namesOfShardId(id: string): Promise<readonly ShardedName[]>;
  /** The name without its schema; undefined if the table of these names is no shard. */
  tableOfShard(schema: string, name: string): Promise<string | undefined>;
}

/**
 * What functions of Citus report, by their names in its source code. Their own messages have the address of the node,
 * and the login of the nodes among each other, which clients may not know.
 */
const failures: Readonly<Record<string, string>> = {
  ReportConnectionError: 'the connection failed',
  CheckConnectionTimeout: 'it does not answer',
  WaitEventSetFromMultiConnectionStates: 'the connection failed',
  FinishConnectionListEstablishment: 'the connection failed',
  WaitForAllConnections: 'the connection failed',
  BuildWaitEventSet: 'the connection failed',
  ScheduleNextPlacementExecution: 'all connections failed',
  InitializeCopyShardState: 'all connections failed',
  FetchRemoteIntermediateResult: 'reading a result failed',
  MarkRemoteTransactionFailed: 'a connection of the transaction failed',
  CheckRemoteTransactionsHealth: 'a connection of the transaction failed',
  ErrorIfPostCommitFailedShardPlacements: 'the commit failed',
  SendCopyDataToPlacement: 'sending rows failed',
  EndRemoteCopy: 'sending rows failed',
  ReportCopyError: 'sending rows failed',
};

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

/** Of the node, and of the node that counts the connections to it. */
const tooManyConnections =
  /\btoo many (?:clients|connections)\b|\bconnection slots\b|\bmax_(?:client_|shared_pool_)?(?:connections|size)\b/;

/** Citus writes this in English only. */
const serverEnded = 'postmaster was shut down, exiting';

function isRelayed(routine: string): boolean {
  return Object.hasOwn(relayRoutines, routine);
}

/** The error of a node that cannot be reached. The part of the cluster that the statement needs is missing. */
export function nodeFailure({
  code,
  routine = '',
  message,
}: ReportedError): StudioError | undefined {
  // The process that serves the studio's connection notices that its own server has ended.
  if (code === 'XX000' && message === serverEnded)
    return new StudioError('database_unavailable', 'The database is shutting down or starting up.');
  const isLost = isRelayed(routine)
    ? relayRoutines[routine]?.test(code) === true ||
      (routine === 'ReportResultError' && code === 'XX000' && clientMessage.test(message))
    : Object.hasOwn(failures, routine);
  if (!isLost) return undefined;
  if (tooManyConnections.test(message))
    return new StudioError(
      'database_busy',
      'Another node of the database has reached its maximum number of connections.',
    );
  const [line = ''] = message.split('\n');
  const reason = failures[routine] ?? line.trim().replace(/\.$/, '');
  return new StudioError(
    'database_unavailable',
    `Another node of the database cannot be reached (${reason}).`,
  );
}

/**
 * PostgreSQL's messages about a row that another node rejected. The function for COPY loses the codes, and both
 * functions lose the fields of the error.
 */
const rowMessages: readonly (readonly [RegExp, string])[] = [
  [
    /^null value in column "(?<column>.*)" of relation "(?<table>.*)" violates not-null constraint/,
    '23502',
  ],
  [
    /^update or delete on table ".*" violates foreign key constraint "(?<constraint>.*)" on table "(?<table>.*)"/,
    '23503',
  ],
  [
    /^insert or update on table "(?<table>.*)" violates foreign key constraint "(?<constraint>.*)"/,
    '23503',
  ],
  [/^duplicate key value violates unique constraint "(?<constraint>.*)"/, '23505'],
  [/^new row for relation "(?<table>.*)" violates check constraint "(?<constraint>.*)"/, '23514'],
  [/^no partition of relation "(?<table>.*)"/, '23514'],
];

/** An error of another node, with the fields that its message names, and the table of the shard that it names. */
async function withFields<E extends ReportedError>(error: E, lookup: ShardLookup): Promise<E> {
  const { code, routine } = error;
  const { message, table } = await withoutShardNames(error.message, lookup);
  for (const [pattern, codeOfMessage] of rowMessages) {
    const groups = pattern.exec(message)?.groups;
    if (groups === undefined) continue;
    const isLost = routine === 'ReportCopyError' && code === 'XX000';
    const fields = { ...groups, ...(table === undefined ? {} : { table }), message };
    return Object.assign(error, fields, { code: isLost ? codeOfMessage : code });
  }
  return Object.assign(error, { message });
}

/** At the end of names in a message. */
const shardIds = /_(\d{5,})"/g;
/** No message of a server names more. */
const maxShards = 4;

interface NamedMessage {
  readonly message: string;
  /** The table of the last shard: that of the constraint that is violated. */
  readonly table: string | undefined;
}

/** Names what a message calls by the names of shards as clients know it. */
async function withoutShardNames(text: string, lookup: ShardLookup): Promise<NamedMessage> {
  const ids = new Set([...text.matchAll(shardIds)].map(([, id = '']) => id));
  let message = text;
  let table: string | undefined;
  for (const id of [...ids].slice(-maxShards)) {
    const names = (await found(lookup.namesOfShardId(id))) ?? [];
    if (names.length > 0) table = names[0]?.name;
    for (const each of names)
      message = message.replaceAll(`"${nameOfShard(each, id)}"`, () => `"${each.name}"`);
    message = withoutHashes(message, id);
    // A constraint that the statement would have added is not in the catalog.
    if (names.length > 0)
      message = message.replaceAll(new RegExp(`(?<=${described}[^]*)_${id}(?=")`, 'g'), '');
  }
  return { message: withoutShardIds(message), table };
}

/** The lookup must not replace the error that it is for. */
async function found<T>(lookup: Promise<T>): Promise<T | undefined> {
  try {
    return await lookup;
  } catch {
    return undefined;
  }
}

/** What precedes the name of a relation or constraint. Values and columns may end like the name of a shard. */
const described = String.raw`\b(?:relation|table|constraint|index) "`;

const describedShardId = new RegExp(String.raw`(?<=${described}[^"]*)_\d{5,}(?=")`, 'g');

/** What is not in the catalog, such as a constraint that was not added, has lost the end of a long name. */
function withoutHashes(text: string, id: string): string {
  const pattern = new RegExp(
    String.raw`(?<=${described})((?:(?!${described}).)*?)(_[0-9a-f]{8}_${id})(?=")`,
    'g',
  );
  return text.replaceAll(pattern, (whole, name: string) => (isCutName(whole) ? `${name}…` : whole));
}

function withoutShardIds(text: string): string {
  return text.replaceAll(describedShardId, '');
}

const shardName = /_\d{5,}$/;

/**
 * Names the tables and constraints in the error of a shard as clients know them: `orders` instead of `orders_102008`.
 * A coordinator that has a shard itself reports its errors like those of any table.
 */
export async function withoutShards<E extends ReportedError>(
  rejection: E,
  lookup: ShardLookup,
): Promise<E> {
  if (isRelayed(rejection.routine ?? '')) return withFields(rejection, lookup);
  const { code, schema, table, constraint } = rejection;
  // Only errors about rows name a table; other ones may come from the lookup itself.
  if (!code.startsWith('23') || schema === undefined || !shardName.test(table ?? ''))
    return rejection;
  const owner = await found(lookup.tableOfShard(schema, table ?? ''));
  if (owner === undefined) return rejection;
  const { message } = await withoutShardNames(rejection.message, lookup);
  const inMessage = constraint === undefined ? undefined : quoted(constraint);
  const named = inMessage && (await withoutShardNames(inMessage, lookup)).message;
  return Object.assign(rejection, {
    message,
    table: owner,
    ...(named === undefined ? {} : { constraint: named.slice(constraintPrefix.length, -1) }),
  });
}

const constraintPrefix = 'constraint "';

function quoted(constraint: string): string {
  return `${constraintPrefix}${constraint}"`;
}
