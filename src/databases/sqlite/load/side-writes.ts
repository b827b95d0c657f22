import { sqliteDdl } from '../dialect/ddl.ts';
import type { RowChange } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/driver.ts';

/**
 * The tables that triggers and foreign key actions write to when rows of a table change, from the
 * programs that SQLite compiles for such statements.
 */
export function readSideWrites(
  connection: Connection,
  table: Table,
  changes: readonly RowChange[],
): readonly string[] {
  const roots = new Set(changes.flatMap((change) => sideRoots(connection, table, change)));
  if (roots.size === 0) return [];
  return connection
    .prepare("SELECT name, rootpage FROM main.sqlite_schema WHERE type = 'table'")
    .all([], false)
    .flatMap(([name, root]) => (roots.has(Number(root)) ? [String(name)] : []));
}

/** Root pages of `main` that the statement's subprograms open for writing. */
function sideRoots(connection: Connection, table: Table, change: RowChange): readonly number[] {
  const program = connection
    .prepare(`EXPLAIN ${statementOf(table, change)}`)
    .all([], false)
    .map(([address, opcode, , root, database]) => ({ address, opcode, root, database }));
  // The addresses of each subprogram begin at 0 again.
  const start = program.findIndex(({ address }, i) => i > 0 && Number(address) === 0);
  if (start === -1) return [];
  return program
    .slice(start)
    .filter(({ opcode, database }) => opcode === 'OpenWrite' && Number(database) === 0)
    .map(({ root }) => Number(root));
}

function statementOf(table: Table, change: RowChange): string {
  const name = sqliteDdl.tableName(table);
  if (change === 'insert') return `INSERT INTO ${name} DEFAULT VALUES`;
  if (change === 'delete') return `DELETE FROM ${name}`;
  const columns = table.columns.filter(({ generated }) => generated === undefined);
  const set = columns.map((column) => sqliteDdl.quoteName(column.name));
  return `UPDATE ${name} SET ${set.map((column) => `${column} = ${column}`).join(', ')}`;
}
