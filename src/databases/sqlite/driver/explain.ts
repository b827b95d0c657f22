import { rowsByColumnName } from '../../catalog-query.ts';
import type { Value } from '../../../model/values.ts';
import type { Bindings, Connection } from './driver.ts';

type ExplainRow = Readonly<Record<string, Value>>;

function explain(connection: Connection, text: string, bindings: Bindings): readonly ExplainRow[] {
  const statement = connection.prepare(text);
  return rowsByColumnName(statement.columns(), statement.all(bindings, false));
}

/** The lines of a statement's query plan. https://www.sqlite.org/eqp.html */
export function readQueryPlan(
  connection: Connection,
  text: string,
  bindings: Bindings = [],
): readonly string[] {
  const rows = explain(connection, `EXPLAIN QUERY PLAN ${text}`, bindings);
  return rows.map(({ detail }) => String(detail));
}

/** The program that SQLite compiles a statement to, by the columns of https://www.sqlite.org/opcode.html */
export function readProgram(
  connection: Connection,
  text: string,
  bindings: Bindings = [],
): readonly ExplainRow[] {
  return explain(connection, `EXPLAIN ${text}`, bindings);
}
