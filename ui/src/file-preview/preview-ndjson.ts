import { parseJsonWithTokens } from '../../../src/contract/number-token.ts';
import { asUtf8 } from './as-utf8.ts';
import { headBytes } from './file-preview.ts';
import type { FilePreview } from './file-preview.ts';
import { headOf, isRow, previewTables } from './json-rows.ts';
import type { JsonRow } from './json-rows.ts';

const maxLineLength = 2 ** 24;

/** Each line is a row. In an export of several tables each line names its table. */
export async function previewNdjson(file: Blob): Promise<FilePreview> {
  const items = (await firstLines(await asUtf8(file), headBytes)).map((line) =>
    parseJsonWithTokens(line),
  );
  if (items.length === 0) return {};
  if (!items.every(namesTable)) return { head: headOf(items) };
  const byTable = Map.groupBy(items, ({ table }) => table);
  return previewTables(
    new Map([...byTable].map(([table, of]) => [table, of.map(({ row }) => row)])),
    { areParts: false },
  );
}

/** Reads whole lines. The last line of a slice is incomplete unless the file ends there. */
async function firstLines(file: Blob, bytes: number): Promise<readonly string[]> {
  const text = await file.slice(0, bytes).text();
  const lines = text.split(/\r?\n/);
  const completeLines = file.size <= bytes ? lines : lines.slice(0, -1);
  const nonEmptyLines = completeLines.filter((line) => line.trim() !== '');
  const isEnough = nonEmptyLines.length > 0 || file.size <= bytes || bytes >= maxLineLength;
  return isEnough ? nonEmptyLines : firstLines(file, bytes * 8);
}

interface TableRow {
  readonly table: string;
  readonly row: JsonRow;
}

function namesTable(item: unknown): item is TableRow {
  return isRow(item) && typeof item['table'] === 'string' && isRow(item['row']);
}
