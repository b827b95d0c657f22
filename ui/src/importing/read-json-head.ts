import { parseExactJson } from '../../../src/contract/number-token.ts';
import type { Cell } from '../../../src/contract/client.ts';
import { cellText } from '../cells/value-kind.ts';
import type { FileHead } from './read-csv-head.ts';

/** Larger documents are not read before they are sent: their end would have to be known. */
const largestDocument = 2 ** 20;
const headBytes = 64 * 1024;
const rowsShown = 5;

/** The first rows of a file of plain rows; undefined when it names its tables itself, or is none. */
export async function readJsonHead(file: Blob, format: string): Promise<FileHead | undefined> {
  try {
    const rows = format === 'NDJSON' ? await firstLines(file) : await firstItems(file);
    return rows.length > 0 && rows.every(isRow) && !rows.every(namesTable)
      ? headOf(rows)
      : undefined;
  } catch {
    // The check tells what is wrong with it, and where.
    return undefined;
  }
}

async function firstLines(file: Blob): Promise<readonly unknown[]> {
  const lines = (await file.slice(0, headBytes).text()).split(/\r?\n/);
  const whole = file.size <= headBytes ? lines : lines.slice(0, -1);
  return whole
    .filter((line) => line.trim() !== '')
    .slice(0, rowsShown)
    .map((line) => parseExactJson(line));
}

async function firstItems(file: Blob): Promise<readonly unknown[]> {
  if (file.size > largestDocument) return [];
  const document = parseExactJson(await file.text());
  return Array.isArray(document) ? document.slice(0, rowsShown) : [];
}

type JsonRow = Readonly<Record<string, Cell>>;

function isRow(item: unknown): item is JsonRow {
  return typeof item === 'object' && item !== null && !Array.isArray(item);
}

/** Exported from several tables: `{"table": …, "row": {…}}`. */
function namesTable(row: JsonRow): boolean {
  return typeof row['table'] === 'string' && isRow(row['row']);
}

function headOf(rows: readonly JsonRow[]): FileHead {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const textOf = (value: Cell | undefined): string | null =>
    value === undefined || value === null ? null : cellText(value);
  return { columns, rows: rows.map((row) => columns.map((name) => textOf(row[name]))) };
}
