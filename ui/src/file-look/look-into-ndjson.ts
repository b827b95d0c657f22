import { parseExactJson } from '../../../src/contract/number-token.ts';
import { headBytes } from './file-look.ts';
import type { FileLook } from './file-look.ts';
import { headOf, isRow, tablesLook } from './json-rows.ts';
import type { JsonRow } from './json-rows.ts';

const longestLine = 2 ** 24;

/** A row a line; exported from several tables, each line names its own. */
export async function lookIntoNdjson(file: Blob): Promise<FileLook> {
  const items = (await firstLines(file, headBytes)).map((line) => parseExactJson(line));
  if (items.length === 0) return {};
  if (!items.every(namesTable)) return { head: headOf(items) };
  const byTable = Map.groupBy(items, ({ table }) => table);
  return tablesLook(new Map([...byTable].map(([table, of]) => [table, of.map(({ row }) => row)])));
}

/** The last line of a slice is cut, but for that of the whole file. */
async function firstLines(file: Blob, bytes: number): Promise<readonly string[]> {
  const text = await file.slice(0, bytes).text();
  const lines = text.split(/\r?\n/);
  const whole = file.size <= bytes ? lines : lines.slice(0, -1);
  const found = whole.filter((line) => line.trim() !== '');
  const isEnough = found.length > 0 || file.size <= bytes || bytes >= longestLine;
  return isEnough ? found : firstLines(file, bytes * 8);
}

interface TableRow {
  readonly table: string;
  readonly row: JsonRow;
}

function namesTable(item: unknown): item is TableRow {
  return isRow(item) && typeof item['table'] === 'string' && isRow(item['row']);
}
