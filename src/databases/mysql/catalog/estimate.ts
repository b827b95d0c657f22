import { withoutWaiting } from './catalog.ts';
import type { Query, Session } from '../../../model/database.ts';
import type { Table } from '../../../model/schema.ts';
import type { ServerFacts } from '../dialect/server-facts.ts';

const rowsOfTables = `
SELECT table_name AS name, table_rows AS count
FROM information_schema.tables WHERE table_schema = DATABASE() AND table_rows IS NOT NULL`;

/** Row counts from the storage engine's statistics: exact for some engines, an estimate for InnoDB. */
export async function estimateTableRows(
  session: Session,
  tables: readonly Table[],
  server: ServerFacts,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await session.run({ text: withoutWaiting(rowsOfTables, server), params: [] });
  const counts = new Map(rows.map(([name, count]) => [String(name), Number(count)]));
  return new Map(
    tables.flatMap(({ name, localName }) => {
      const count = counts.get(localName);
      return count === undefined ? [] : [[name, count] as const];
    }),
  );
}

/** The optimizer's estimate for a SELECT from one table: examined rows times the filtered percentage. */
export async function estimateResultRows(
  session: Session,
  query: Query,
  { isMariadb }: ServerFacts,
): Promise<number | undefined> {
  const explain = isMariadb ? 'EXPLAIN EXTENDED' : 'EXPLAIN FORMAT=TRADITIONAL';
  const { columns, rows } = await session.run({
    text: `${explain} ${query.text}`,
    params: query.params,
  });
  const at = (name: string): number => columns.findIndex((column) => column.name === name);
  const [first] = rows;
  const looked = first?.[at('rows')] ?? null;
  if (first === undefined || looked === null) return undefined;
  const filtered = first[at('filtered')] ?? null;
  return Math.round((Number(looked) * Number(filtered ?? 100)) / 100);
}
