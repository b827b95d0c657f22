import { rowEncoder } from '../../model/values/json-cells.ts';
import { renderRows } from '../render-rows.ts';
import type { FileChunks, TableRows, TableStream } from '../row-export.ts';

/** One line for each row: `{"table": "users", "row": {…}}`. */
export async function* writeNdjsonTables(tables: TableStream): FileChunks {
  for await (const rows of tables) {
    const encode = rowEncoder(rows.columns);
    const before = `{"table":${JSON.stringify(rows.table.name)},"row":`;
    yield* renderRows(rows, (row) => `${before}${oneLine(encode(row))}}\n`);
  }
}

/** One line for each row: the row's object. */
export async function* writeNdjsonTable(rows: TableRows): FileChunks {
  const encode = rowEncoder(rows.columns);
  yield* renderRows(rows, (row) => `${oneLine(encode(row))}\n`);
}

/** Values of JSON columns are exported as stored and may contain line breaks. Outside of strings a space is equivalent. */
function oneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]/g, ' ') : json;
}
