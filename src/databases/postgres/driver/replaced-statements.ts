const marker = 'studio_replaced_statements';

/**
 * Returns a row when a function of the database has prepared a statement in this session with SQL's
 * PREPARE. The function may have replaced a statement of the studio, which prepares its own by the
 * protocol only (`from_sql` is false).
 */
export const replacedStatementsQuery = `SELECT true AS ${marker} FROM pg_catalog.pg_prepared_statement() WHERE from_sql LIMIT 1`;

/**
 * The same check, which also releases the advisory locks of the session. They outlive a rollback, and
 * a function can take them in a read-only transaction.
 */
export const unlockAndCheckQuery = `SELECT true AS ${marker} FROM pg_catalog.pg_prepared_statement()
HAVING CASE WHEN pg_catalog.pg_advisory_unlock_all() IS NULL THEN false ELSE pg_catalog.bool_or(from_sql) END`;

/**
 * `unlockAndCheckQuery` for a statement that is prepared by name. It always returns a row, so that a
 * response without one shows that the statement was not run to its end where it should be.
 */
export const namedCheck = {
  name: 'studio_check',
  text: `SELECT CASE WHEN pg_catalog.pg_advisory_unlock_all() IS NULL THEN true
ELSE pg_catalog.bool_or(from_sql) END AS ${marker} FROM pg_catalog.pg_prepared_statement()`,
};

/** What is known of the prepared statements of a session. */
export interface StatementState {
  /** They may be missing or replaced. */
  areLost: boolean;
  /** A check has just shown that none is replaced, and nothing has run since. */
  areVerified: boolean;
  /** The session has prepared `namedCheck`. */
  hasCheck: boolean;
}

interface SimpleResult {
  readonly fields: readonly { readonly name: string }[];
  readonly rows: readonly unknown[];
}

/** Whether the results of a simple query contain the row of either query. */
export function hasReplacedStatements(results: readonly SimpleResult[]): boolean {
  return results.some(
    ({ fields, rows }) => rows.length > 0 && fields.some(({ name }) => name === marker),
  );
}

interface Context {
  readonly client: {
    getTransactionStatus(): string | null;
    query(text: string): Promise<SimpleResult | readonly SimpleResult[]>;
  };
  readonly loss: { failOnLoss<T>(work: Promise<T>): Promise<T> };
  readonly statements: { areLost: boolean };
}

/**
 * Runs what the server skipped in the pipeline after an error: the rollback and the check. Inside an
 * open transaction there is nothing to do, because the end of the transaction checks.
 */
export async function checkAfterError(context: Context, readOnly: boolean): Promise<void> {
  const { client, loss, statements } = context;
  if (!readOnly && client.getTransactionStatus() !== 'I') return;
  const text = readOnly ? `ROLLBACK; ${unlockAndCheckQuery}` : unlockAndCheckQuery;
  const results = await loss.failOnLoss(client.query(text)).catch(() => []);
  statements.areLost ||= hasReplacedStatements([results].flat());
}
