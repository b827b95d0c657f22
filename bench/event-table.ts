/** A table of eight columns and about 100 bytes per row, for benchmarks of imports and exports. */
import type { Table } from '../src/model/schema.ts';
import type { Row } from '../src/model/values.ts';
import type { Database } from '../test/databases/registered-databases.ts';

export const eventTable = 'export_events';
export const eventColumns = 'id, user_id, kind, title, amount, ratio, created_at, note'.split(', ');

const rowsInBatch = 1000;

function makeRow(id: number): Row {
  const cents = `${id % 100_000}.${String(id % 100).padStart(2, '0')}`;
  const day = String((id % 28) + 1).padStart(2, '0');
  const note = id % 5 === 0 ? null : `a note that is a bit longer, number ${id}`;
  const title = `Title, of "event" ${id}`;
  return [id, id % 50_000, `kind ${id % 7}`, title, cents, id / 3, `2026-01-${day}T10:20:30`, note];
}

/** Creates and fills the table, on any database. Replaces an existing table of that name. */
export async function createEventTable(
  database: Database,
  rowCount: number,
  name = eventTable,
): Promise<void> {
  const { columnType } = database.dialect.ddl;
  const double = columnType({ type: { kind: 'float', bits: 64 } });
  const timestamp = columnType({ type: { kind: 'timestamp', precision: 0 } });
  await database.run({ text: `DROP TABLE IF EXISTS ${name}`, params: [] });
  await database.run({
    text: `CREATE TABLE ${name} (id INTEGER PRIMARY KEY, user_id INTEGER NOT NULL, kind VARCHAR(20) NOT NULL, title VARCHAR(100), amount DECIMAL(12,2), ratio ${double}, created_at ${timestamp}, note VARCHAR(200))`,
    params: [],
  });
  const table = (await database.introspect()).tables.find((table) => table.name === name);
  if (table === undefined) throw new Error('The table was not made.');
  await fill(database, table, rowCount);
}

async function fill(database: Database, table: Table, rowCount: number): Promise<void> {
  await database.transaction('write', async (transaction) => {
    for (let firstRow = 1; firstRow <= rowCount; firstRow += rowsInBatch) {
      const length = Math.min(rowsInBatch, rowCount - firstRow + 1);
      const rows = Array.from({ length }, (_, i) => makeRow(firstRow + i));
      const conflict = { kind: 'error' } as const;
      await transaction.insert({ table, columns: table.columns, rows, firstRow, conflict });
    }
  });
}
