const marker = 'studio_replaced_statements';

/**
 * Gives a row where a function of the database has prepared a statement in the session. It may then
 * have replaced one of the studio's: those come by the protocol and are never `from_sql`.
 */
export const replacedStatements = `SELECT true AS ${marker} FROM pg_catalog.pg_prepared_statement() WHERE from_sql LIMIT 1`;

/**
 * The same, and releases the advisory locks of the session, which outlive a rollback. A function may
 * take them within a read-only transaction, too.
 */
export const unlockAndLook = `SELECT true AS ${marker} FROM pg_catalog.pg_prepared_statement()
HAVING CASE WHEN pg_catalog.pg_advisory_unlock_all() IS NULL THEN false ELSE pg_catalog.bool_or(from_sql) END`;

interface SimpleResult {
  readonly fields: readonly { readonly name: string }[];
  readonly rows: readonly unknown[];
}

/** Whether one of the results of a simple query is the row of these. */
export function tellsReplaced(results: readonly SimpleResult[]): boolean {
  return results.some(
    ({ fields, rows }) => rows.length > 0 && fields.some(({ name }) => name === marker),
  );
}

interface Context {
  readonly client: {
    getTransactionStatus(): string | null;
    query(text: string): Promise<SimpleResult | readonly SimpleResult[]>;
  };
  readonly loss: { during<T>(work: Promise<T>): Promise<T> };
  readonly statements: { areLost: boolean };
}

/** What the pipeline skipped at an error. In a transaction that goes on, its end looks. */
export async function lookBehindError(context: Context, readOnly: boolean): Promise<void> {
  const { client, loss, statements } = context;
  if (!readOnly && client.getTransactionStatus() !== 'I') return;
  const text = readOnly ? `ROLLBACK; ${unlockAndLook}` : unlockAndLook;
  const results = await loss.during(client.query(text)).catch(() => []);
  statements.areLost ||= tellsReplaced([results].flat());
}
