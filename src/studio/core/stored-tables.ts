import type { Session } from '../../model/database.ts';

/** The CREATE statements of tables by name, as a query returns them. None without a query. */
export async function storedTables(
  session: Session,
  query: string | undefined,
): Promise<ReadonlyMap<string, string>> {
  if (query === undefined) return new Map();
  const { rows } = await session.run({ text: query, params: [] });
  return new Map(rows.map(([name, sql]) => [String(name), String(sql)]));
}
