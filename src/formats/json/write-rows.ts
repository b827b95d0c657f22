import { rowEncoder } from '../../model/values/json-cells.ts';
import { renderRows } from '../render-rows.ts';
import type { FileChunks, TableRows, TableStream } from '../row-export.ts';

/** `{table: [rows]}`, with one row on each line. */
export async function* writeJsonTables(tables: TableStream): FileChunks {
  let before = '{\n';
  for await (const rows of tables) {
    yield `${before}${JSON.stringify(rows.table.name)}: `;
    yield* arrayOf(rows);
    before = ',\n';
  }
  yield before === '{\n' ? '{}\n' : '\n}\n';
}

/** An array of rows, with one row on each line. */
export async function* writeJsonTable(rows: TableRows): FileChunks {
  yield* arrayOf(rows);
  yield '\n';
}

async function* arrayOf(rows: TableRows): FileChunks {
  const encode = rowEncoder(rows.columns);
  let before = '[\n';
  yield* renderRows(rows, (row) => {
    const text = before + encode(row);
    before = ',\n';
    return text;
  });
  yield before === '[\n' ? '[]' : '\n]';
}
