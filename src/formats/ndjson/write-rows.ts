import { rowEncoder } from '../../model/json-cells.ts';
import { rowTexts } from '../row-texts.ts';
import type { FileParts, TableRows, TableStream } from '../writing.ts';

/** A line a row: `{"table": "users", "row": {…}}`. */
export async function* writeNdjsonTables(tables: TableStream): FileParts {
  for await (const rows of tables) {
    const encode = rowEncoder(rows.columns);
    const before = `{"table":${JSON.stringify(rows.table.name)},"row":`;
    yield* rowTexts(rows, (row) => `${before}${oneLine(encode(row))}}\n`);
  }
}

/** A line a row, which is its object. */
export async function* writeNdjsonTable(rows: TableRows): FileParts {
  const encode = rowEncoder(rows.columns);
  yield* rowTexts(rows, (row) => `${oneLine(encode(row))}\n`);
}

/** JSON is written as it is stored, which may be over several lines; outside of strings a blank means the same. */
function oneLine(json: string): string {
  return json.includes('\n') || json.includes('\r') ? json.replaceAll(/[\r\n]/g, ' ') : json;
}
