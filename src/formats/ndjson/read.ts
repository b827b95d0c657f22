/** Rows as JSON, one a line: the row itself, or `{"table": …, "row": …}`. */
import { isUtf8 } from 'node:buffer';
import { StudioError } from '../../model/errors.ts';
import { parseExactJson } from '../../model/exact-json.ts';
import { gatherJsonRows } from '../json-rows.ts';
import { longestRowBytes } from '../reading.ts';
import { openText } from '../text-source.ts';
import { windowsOf } from '../windows.ts';
import type { JsonNode, TextPlace } from '../../model/exact-json.ts';
import type { JsonRows } from '../json-rows.ts';
import type { ByteSource, Reading, RowChunks } from '../reading.ts';
import type { Window } from '../windows.ts';

interface NdjsonOptions {
  /** The table that the request names. */
  readonly table?: string | undefined;
  readonly encoding?: string | undefined;
}

interface Lines {
  readonly source: ByteSource;
  readonly reading: Reading;
  readonly rows: JsonRows;
  readonly requested: string | undefined;
  /** Rows of each table so far. */
  readonly numbers: Map<string, number>;
  line: number;
}

const LF = 0x0a;

export async function* readNdjson(
  source: ByteSource,
  reading: Reading,
  { table, encoding }: NdjsonOptions,
): RowChunks {
  const text = await openText(source, { encoding, guesses: false });
  const rows = gatherJsonRows(reading);
  const lines: Lines = { source, reading, rows, requested: table, numbers: new Map(), line: 1 };
  for await (const window of windowsOf(text.open())) {
    while (takeLine(lines, window)) {
      const chunks = rows.take();
      if (chunks !== undefined) yield* chunks;
    }
    if (window.bytes.length - window.used > longestRowBytes) throw tooLong(lines);
  }
  yield* rows.take(true) ?? [];
}

function takeLine(lines: Lines, window: Window): boolean {
  const { bytes, used, final } = window;
  const lineBreak = bytes.indexOf(LF, used);
  if (lineBreak === -1 && (!final || used === bytes.length)) return false;
  const end = lineBreak === -1 ? bytes.length : lineBreak;
  readLine(lines, bytes.subarray(used, end));
  lines.line++;
  window.used = Math.min(end + 1, bytes.length);
  return true;
}

function readLine(lines: Lines, bytes: Buffer): void {
  const place: TextPlace = { line: lines.line, column: 1 };
  if (!isUtf8(bytes)) throw notUtf8(lines);
  const text = bytes.toString('utf8');
  if (text.trim() === '') return;
  const node = parseExactJson(text, 'parse_failed', place);
  const { table, row } = unwrap(lines, node);
  lines.rows.add({ node: row, text, place, table, number: nextNumber(lines, table) });
}

function nextNumber({ numbers }: Lines, table: string | undefined): number {
  const number = (numbers.get(table ?? '') ?? 0) + 1;
  numbers.set(table ?? '', number);
  return number;
}

interface TableRow {
  readonly table: string | undefined;
  readonly row: JsonNode;
}

/** A line that names its table, unless its members are columns of the table that is requested. */
function unwrap({ requested, reading }: Lines, node: JsonNode): TableRow {
  const plain = { table: undefined, row: node };
  if (node.kind !== 'object' || node.members.length !== 2) return plain;
  const table = node.members.find(({ name }) => name === 'table')?.value;
  const row = node.members.find(({ name }) => name === 'row')?.value;
  if (table?.kind !== 'string' || row?.kind !== 'object') return plain;
  const areColumns = requested !== undefined && reading.knows('table') && reading.knows('row');
  return areColumns ? plain : { table: table.value, row };
}

function notUtf8({ source, line }: Lines): StudioError {
  return new StudioError(
    'parse_failed',
    `${source.name}: line ${line} holds bytes that are no UTF-8.`,
    { line, column: 1 },
  );
}

function tooLong({ source, line }: Lines): StudioError {
  return new StudioError(
    'parse_failed',
    `${source.name}: line ${line} is longer than ${longestRowBytes / 1024 / 1024} MB.`,
    { line, column: 1 },
  );
}
