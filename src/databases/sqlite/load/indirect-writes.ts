import { catalogQuery, asNumber, asText } from '../../catalog-query.ts';
import { readProgram } from '../driver/explain.ts';
import { sqliteDdl } from '../dialect/ddl.ts';
import type { RowChange } from '../../../model/load-dialect.ts';
import type { Table } from '../../../model/schema.ts';
import type { Connection } from '../driver/driver.ts';

/**
 * The tables that triggers and foreign key actions write to when rows of a table change, from the
 * programs that SQLite compiles for such statements.
 */
export function indirectlyWrittenTables(
  connection: Connection,
  table: Table,
  changes: readonly RowChange[],
): readonly string[] {
  const roots = new Set(
    changes.flatMap((change) => indirectlyWrittenRoots(connection, table, change)),
  );
  if (roots.size === 0) return [];
  return connection
    .prepare(rootPagesQuery.text)
    .all([], false)
    .map(rootPagesQuery.decodeRow)
    .flatMap(({ name, rootPage }) => (roots.has(rootPage) ? [name] : []));
}

const rootPagesQuery = catalogQuery(
  { name: asText('name'), rootPage: asNumber('rootpage') },
  (selectList) => `SELECT ${selectList} FROM main.sqlite_schema WHERE type = 'table'`,
);

/** Root pages of `main` that the statement's subprograms open for writing. */
function indirectlyWrittenRoots(
  connection: Connection,
  table: Table,
  change: RowChange,
): readonly number[] {
  const program = readProgram(connection, statementOf(table, change));
  // The addresses of each subprogram begin at 0 again.
  const start = program.findIndex(({ addr }, i) => i > 0 && Number(addr) === 0);
  if (start === -1) return [];
  // OpenWrite has the root page in P2 and the database in P3.
  return program
    .slice(start)
    .filter(({ opcode, p3 }) => opcode === 'OpenWrite' && Number(p3) === 0)
    .map(({ p2 }) => Number(p2));
}

function statementOf(table: Table, change: RowChange): string {
  const name = sqliteDdl.tableName(table);
  if (change === 'insert') return `INSERT INTO ${name} DEFAULT VALUES`;
  if (change === 'delete') return `DELETE FROM ${name}`;
  const columns = table.columns.filter(({ generated }) => generated === undefined);
  const set = columns.map((column) => sqliteDdl.quoteName(column.name));
  return `UPDATE ${name} SET ${set.map((column) => `${column} = ${column}`).join(', ')}`;
}

/** Whether the table has triggers, of any event. */
export function hasTriggers(connection: Connection, { localName }: Table): boolean {
  const query = connection.prepare(
    "SELECT 1 FROM main.sqlite_schema WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE",
  );
  return query.all([localName], false).length > 0;
}
