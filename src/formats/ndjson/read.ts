/** Reads one JSON object from each line: the row itself, or `{"table": …, "row": …}`. */
import { isUtf8 } from 'node:buffer';
import { StudioError } from '../../model/errors.ts';
import { parseExactJson } from '../../model/values/exact-json.ts';
import { createJsonRowCollector } from '../json-rows.ts';
import { maxRowBytes } from '../row-import.ts';
import { openText } from '../text-source.ts';
import { bufferInput } from '../input-buffer.ts';
import type { JsonNode, TextPosition } from '../../model/values/exact-json.ts';
import type { JsonRowCollector } from '../json-rows.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { ImportContext, RowBatches } from '../row-import.ts';
import type { InputBuffer } from '../input-buffer.ts';

interface NdjsonOptions {
  /** The table of the request. */
  readonly table?: string | undefined;
  readonly encoding?: string | undefined;
  /** `skip`: a line that cannot be read is a rejected row, such as the last one of a download that was cut off. */
  readonly onError?: 'abort' | 'skip' | undefined;
}

interface NdjsonReader {
  readonly source: ByteSource;
  readonly context: ImportContext;
  readonly rows: JsonRowCollector;
  readonly requested: string | undefined;
  /** Number of rows of each table so far. */
  readonly numbers: Map<string, number>;
  readonly skipsErrors: boolean;
  /** The table that the last row names. */
  lastTable: string | undefined;
  line: number;
}

const LF = 0x0a;

export async function* readNdjson(
  source: ByteSource,
  context: ImportContext,
  { table, encoding, onError }: NdjsonOptions,
): RowBatches {
  const text = await openText(source, { encoding, guesses: false });
  const rows = createJsonRowCollector(context);
  const reader: NdjsonReader = {
    source,
    context,
    rows,
    requested: table,
    numbers: new Map(),
    skipsErrors: onError === 'skip',
    lastTable: undefined,
    line: 1,
  };
  for await (const input of bufferInput(text.open())) {
    while (readLine(reader, input)) {
      const batches = rows.take();
      if (batches === undefined) continue;
      await context.afterRecords?.();
      yield* batches;
    }
    await context.afterRecords?.();
    if (input.bytes.length - input.consumed > maxRowBytes) throw lineTooLongError(reader);
  }
  yield* rows.take(true) ?? [];
}

function readLine(reader: NdjsonReader, input: InputBuffer): boolean {
  const { bytes, consumed, isLast } = input;
  const lineBreak = bytes.indexOf(LF, consumed);
  if (lineBreak === -1 && (!isLast || consumed === bytes.length)) return false;
  const end = lineBreak === -1 ? bytes.length : lineBreak;
  parseLine(reader, bytes.subarray(consumed, end));
  reader.line++;
  input.consumed = Math.min(end + 1, bytes.length);
  return true;
}

function parseLine(reader: NdjsonReader, bytes: Buffer): void {
  const position: TextPosition = { line: reader.line, column: 1 };
  const text = bytes.toString('utf8');
  if (text.trim() === '') return;
  const node = parseText(reader, { text, isValid: isUtf8(bytes) }, position);
  if (node === undefined) return;
  const { table, row } = unwrap(reader, node);
  reader.lastTable = table;
  reader.rows.add({ node: row, text, position, table, number: nextNumber(reader, table) });
}

/** Undefined for a line that is reported as a rejected row. */
function parseText(
  reader: NdjsonReader,
  { text, isValid }: { readonly text: string; readonly isValid: boolean },
  position: TextPosition,
): JsonNode | undefined {
  try {
    if (!isValid) throw notUtf8Error(reader);
    return parseExactJson(text, 'parse_failed', position);
  } catch (error) {
    const { skipsErrors, numbers, lastTable: table } = reader;
    // A file without a row before it may be of another format.
    if (!(error instanceof StudioError) || !skipsErrors || numbers.size === 0) throw error;
    const quoted = JSON.stringify(text);
    const node: JsonNode = { kind: 'string', start: 0, end: quoted.length, value: text };
    const number = nextNumber(reader, table);
    reader.rows.reject({ node, text: quoted, position, table, number }, error);
    return undefined;
  }
}

function nextNumber({ numbers }: NdjsonReader, table: string | undefined): number {
  const number = (numbers.get(table ?? '') ?? 0) + 1;
  numbers.set(table ?? '', number);
  return number;
}

interface TableRow {
  readonly table: string | undefined;
  readonly row: JsonNode;
}

/** A line `{"table": …, "row": …}` names its table, unless the requested table has columns of these names. */
function unwrap({ requested, context }: NdjsonReader, node: JsonNode): TableRow {
  const plain = { table: undefined, row: node };
  if (node.kind !== 'object' || node.members.length !== 2) return plain;
  const table = node.members.find(({ name }) => name === 'table')?.value;
  const row = node.members.find(({ name }) => name === 'row')?.value;
  if (table?.kind !== 'string' || row === undefined) return plain;
  // Without a table of the request, the line cannot be a row itself.
  if (row.kind !== 'object' && requested !== undefined) return plain;
  const areColumns =
    requested !== undefined && context.hasColumn('table') && context.hasColumn('row');
  return areColumns ? plain : { table: table.value, row };
}

function notUtf8Error({ source, line }: NdjsonReader): StudioError {
  return new StudioError(
    'parse_failed',
    `${source.name}: line ${line} contains bytes that are not UTF-8.`,
    { line, column: 1 },
  );
}

function lineTooLongError({ source, line }: NdjsonReader): StudioError {
  return new StudioError(
    'parse_failed',
    `${source.name}: line ${line} is longer than ${maxRowBytes / 1024 / 1024} MB.`,
    { line, column: 1 },
  );
}
