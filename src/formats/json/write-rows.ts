import { rowEncoder } from '../../model/json-cells.ts';
import { rowTexts } from '../row-texts.ts';
import type { FileParts, TableRows, TableStream } from '../writing.ts';

/** `{table: [rows]}`, a row a line. */
export async function* writeJsonTables(tables: TableStream): FileParts {
  let before = '{\n';
  for await (const rows of tables) {
    yield `${before}${JSON.stringify(rows.table.name)}: `;
    yield* arrayOf(rows);
    before = ',\n';
  }
  yield before === '{\n' ? '{}\n' : '\n}\n';
}

/** An array of rows, a row a line. */
export async function* writeJsonTable(rows: TableRows): FileParts {
  yield* arrayOf(rows);
  yield '\n';
}

async function* arrayOf(rows: TableRows): FileParts {
  const encode = rowEncoder(rows.columns);
  let before = '[\n';
  yield* rowTexts(rows, (row) => {
    const text = before + encode(row);
    before = ',\n';
    return text;
  });
  yield before === '[\n' ? '[]' : '\n]';
}
