/** Sending a statement to the server, and what its errors say about the connection. */
import { Query as WireQuery } from 'pg';
import { connectionError } from './connection-error.ts';
import { markIfRead } from '../../errors-of-reads.ts';
import {
  hasLostStatement,
  isPortalClosed,
  isStalePlan,
  markRawSql,
  markSessionAlive,
  serverError,
  translateError,
} from '../dialect/errors.ts';
import { withoutShards } from '../dialect/node-errors.ts';
import { untilReady } from './connection-state.ts';
import { inPipeline } from './pipelined-query.ts';
import { rejectCopy } from './reject-copy.ts';
import { checkAfterError } from './replaced-statements.ts';
import { statementText, toParameters } from '../dialect/values.ts';
import { traceComment, withTraceComment } from '../../trace-comment.ts';
import type pg from 'pg';
import type { ServerError } from '../dialect/errors.ts';
import type { ShardLookup } from '../dialect/node-errors.ts';
import type { Query, RunOptions } from '../../../model/database.ts';
import type { Value } from '../../../model/values.ts';
import type { Cancelable } from '../../cancel-statement.ts';
import type { ConnectionLoss } from '../../connection-loss.ts';
import type { IncomingBytes } from '../../limit-incoming.ts';
import type { TypeLookup } from './columns-of.ts';
import type { StatementState } from './replaced-statements.ts';
import type { StatementNames } from './statement-names.ts';

/** Members of the client that the driver's type declarations omit. */
export interface WireClient extends pg.Client {
  readonly processID: number;
  readonly secretKey: number;
  readonly sslNegotiation: string;
  /** False until the server sends ReadyForQuery. */
  readonly readyForQuery?: boolean;
}

export interface WireConnection extends pg.Connection {
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

interface StatementConfig extends pg.QueryArrayConfig {
  /** The simple protocol would accept several statements at once. */
  readonly queryMode: 'extended';
}

/** Returns every value as text; `decodeRows` converts it by the column's type. */
export const asText = {
  getTypeParser: () => (text: string) => text,
} as unknown as pg.CustomTypesConfig;

export interface StatementContext {
  readonly client: WireClient;
  readonly cancelable: Cancelable;
  readonly options: TypeLookup &
    ShardLookup &
    ReadTransactions & { readonly names: StatementNames };
  readonly incoming: IncomingBytes;
  readonly loss: ConnectionLoss;
  readonly statements: StatementState;
}

export interface ReadTransactions {
  /** The statements that begin the transaction of a read. */
  readonly beginRead: readonly string[];
}

export interface Statement {
  readonly query: Query;
  readonly runOptions: RunOptions;
  readonly name?: string | undefined;
  /** Runs in a read-only transaction of its own. */
  readonly readOnly?: boolean;
}

/** Handlers of COPY messages, and whether a transaction surrounds the statement. */
export interface CopyHandlers {
  /** Set for statements that may be prepared under a name; true runs them in a read-only transaction. */
  readonly readOnly?: boolean;
  handleCopyInResponse?(wire: WireConnection): void;
  handleCopyData?(message: { readonly chunk: Buffer }): void;
}

/** The driver reports an error before the server is ready again, so this waits for ReadyForQuery. */
export async function send(
  context: StatementContext,
  config: pg.QueryArrayConfig,
  { readOnly, ...handlers }: CopyHandlers = {},
): Promise<pg.QueryArrayResult<Value[]>> {
  const { promise, resolve, reject } = Promise.withResolvers<pg.QueryArrayResult<Value[]>>();
  const statement = new WireQuery(config, (error, result) => {
    if (error == null) resolve(result);
    else reject(error);
  });
  const query = Object.assign(statement, { handleCopyInResponse: rejectCopy, ...handlers });
  const { client, loss, statements } = context;
  const wereLost = statements.areLost;
  client.query(
    readOnly === undefined
      ? query
      : inPipeline(query, readOnly ? context.options.beginRead : [], statements),
  );
  const result = await loss.failOnLoss(promise).catch(async (error: unknown) => {
    if (serverError(error) !== undefined) await untilReady(context);
    if (readOnly !== undefined) await checkAfterError(context, readOnly);
    // The next check is not bound before the statement, whose name may be that of another one by now.
    if (readOnly === true && isPortalClosed(error))
      return send(context, { ...config, name: undefined }, { readOnly });
    throw error;
  });
  // A function that knows the check may have run it before it took its locks.
  if (readOnly === true && statements.areLost && !wereLost) await checkAfterError(context, true);
  return result;
}

export function configOf({ query, runOptions, name }: Statement): StatementConfig {
  return {
    text: withTraceComment(statementText(query), runOptions),
    values: toParameters(query.text, query.params),
    rowMode: 'array',
    types: asText,
    queryMode: 'extended',
    ...(name === undefined ? {} : { name }),
  };
}

/** The server counts the position of an error from the beginning of what was sent. */
function skipComment(rejection: ServerError, comment: string): void {
  const position = Number(rejection.position);
  if (position > comment.length)
    Object.assign(rejection, { position: String(position - comment.length) });
}

const unverified: Partial<StatementState> = { areVerified: false, hasCheck: false };

type Attempt = Pick<Statement, 'query' | 'runOptions' | 'readOnly'>;

export async function attempt<T>(
  context: StatementContext,
  { query: { text, isRawRead }, runOptions, readOnly }: Attempt,
  work: () => Promise<T>,
): Promise<T> {
  context.incoming.resetCount();
  // A read has its own check.
  if (readOnly !== true) Object.assign(context.statements, unverified);
  try {
    return await work();
  } catch (error) {
    if (isStalePlan(error)) context.options.names.clear();
    if (hasLostStatement(error)) {
      context.statements.areLost = true;
      // A trigger that deallocates statements does so again, also in the middle of a transaction.
      context.options.names.stop();
    }
    const rejection = serverError(error);
    if (rejection !== undefined) {
      await untilReady(context);
      if (context.client.readyForQuery === true) markSessionAlive(rejection);
      if (isRawRead === true) markRawSql(rejection);
      skipComment(rejection, traceComment(runOptions));
    }
    // Of a session that has ended, only errors with a code of their own are about the statement.
    if (context.loss.isLost() && translateError(error) === undefined) throw connectionError(error);
    throw markIfRead(
      text,
      rejection === undefined ? error : await withoutShards(rejection, context.options),
    );
  }
}
