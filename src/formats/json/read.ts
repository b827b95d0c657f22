/**
 * Reads JSON documents of rows as a stream: `{table: [rows]}`, the same within `tables`, or an array
 * of rows. It finds rows by their brackets and parses one at a time, so that memory stays constant.
 */
import { isUtf8 } from 'node:buffer';
import { StudioError } from '../../model/errors.ts';
import { maxJsonDepth, parseExactJson } from '../../model/values/exact-json.ts';
import { createJsonRowCollector } from '../json-rows.ts';
import { maxRowBytes } from '../row-import.ts';
import { advancePosition } from '../text-position.ts';
import { openText } from '../text-source.ts';
import { bufferInput } from '../input-buffer.ts';
import { endOfValue, INCOMPLETE, isSpace, TOO_DEEP } from '../../portable/files/scan-json-value.ts';
import type { TextPosition } from '../../model/values/exact-json.ts';
import type { JsonRowCollector } from '../json-rows.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { ImportContext, RowBatches } from '../row-import.ts';
import type { InputBuffer } from '../input-buffer.ts';

interface JsonOptions {
  readonly encoding?: string | undefined;
}

/** What the reader expects next. */
type State =
  | 'document'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'member'
  | 'after-member'
  | 'first-row'
  | 'row'
  | 'after-row'
  | 'end';

interface JsonReader {
  readonly source: ByteSource;
  readonly context: ImportContext;
  readonly rows: JsonRowCollector;
  /** The objects and arrays that enclose the position. */
  readonly open: ('tables' | 'rows')[];
  /** Keys that have been read. */
  readonly seenKeys: Set<string>;
  state: State;
  position: TextPosition;
  key: string;
  /** The table of the current rows; undefined in an array at the top level. */
  table: string | undefined;
  rowNumber: number;
  hasEnvelope: boolean;
  /** The error of the first member that is not an array of rows. Ignored if the document has `tables`. */
  notRowsError: StudioError | undefined;
}

export async function* readJson(
  source: ByteSource,
  context: ImportContext,
  { encoding }: JsonOptions,
): RowBatches {
  const text = await openText(source, { encoding, guesses: false });
  const reader = begin(source, context);
  for await (const input of bufferInput(text.open())) {
    while (step(reader, input)) {
      const batches = reader.rows.take();
      if (batches === undefined) continue;
      await context.afterRecords?.();
      yield* batches;
    }
    await context.afterRecords?.();
    if (input.bytes.length - input.consumed > maxRowBytes)
      throw syntaxError(reader, `a value is longer than ${maxRowBytes / 1024 / 1024} MB`);
    if (input.isLast && (reader.state !== 'end' || input.consumed < input.bytes.length)) {
      throw truncatedError(reader, input);
    }
  }
  if (reader.notRowsError !== undefined && !reader.hasEnvelope) throw reader.notRowsError;
  yield* reader.rows.take(true) ?? [];
}

function begin(source: ByteSource, context: ImportContext): JsonReader {
  return {
    source,
    context,
    rows: createJsonRowCollector(context),
    open: [],
    seenKeys: new Set(),
    state: 'document',
    position: { line: 1, column: 1 },
    key: '',
    table: undefined,
    rowNumber: 0,
    hasEnvelope: false,
    notRowsError: undefined,
  };
}

/** Reads the next token or value. Returns false if the input does not contain all of it. */
function step(reader: JsonReader, input: InputBuffer): boolean {
  skipSpace(reader, input);
  const byte = input.bytes[input.consumed];
  if (byte === undefined) return false;
  return steps[reader.state](reader, input, String.fromCharCode(byte));
}

type Step = (reader: JsonReader, input: InputBuffer, first: string) => boolean;

const steps: Readonly<Record<State, Step>> = {
  document: (reader, input, first) => {
    if (first === '{') return enter(reader, input, 'tables');
    if (first === '[') return enter(reader, input, 'rows');
    return readValue(reader, input, (text) => {
      parseExactJson(text, 'parse_failed', reader.position);
      throw shapeError(reader, 'the document must be {"table": [rows]} or an array of rows');
    });
  },
  'first-key': (reader, input, first) =>
    first === '}' ? leave(reader, input) : readKey(reader, input, first),
  key: readKey,
  colon: (reader, input, first) => skipPunctuation(reader, input, first === ':' && 'member'),
  member: readMember,
  'after-member': (reader, input, first) =>
    first === '}' ? leave(reader, input) : skipPunctuation(reader, input, first === ',' && 'key'),
  'first-row': (reader, input, first) =>
    first === ']' ? leave(reader, input) : readRow(reader, input),
  row: readRow,
  'after-row': (reader, input, first) =>
    first === ']' ? leave(reader, input) : skipPunctuation(reader, input, first === ',' && 'row'),
  end: (reader) => {
    throw syntaxError(reader, 'the document ends before this position');
  },
};

function readKey(reader: JsonReader, input: InputBuffer, first: string): boolean {
  if (first !== '"') throw syntaxError(reader, 'a key in double quotes is expected');
  return readValue(reader, input, (text) => {
    const node = parseExactJson(text, 'parse_failed', reader.position);
    reader.key = node.kind === 'string' ? node.value : '';
    reader.state = 'colon';
  });
}

function readMember(reader: JsonReader, input: InputBuffer, first: string): boolean {
  if (first === '[') {
    beginTable(reader);
    return enter(reader, input, 'rows');
  }
  if (first === '{' && reader.key === 'tables' && reader.open.length === 1) {
    reader.hasEnvelope = true;
    return enter(reader, input, 'tables');
  }
  return readValue(reader, input, (text) => {
    parseExactJson(text, 'parse_failed', reader.position);
    const error = shapeError(reader, `${JSON.stringify(reader.key)} is not an array of rows`);
    if (reader.open.length > 1) throw error;
    reader.notRowsError ??= error;
    reader.state = 'after-member';
  });
}

function beginTable(reader: JsonReader): void {
  const { seenKeys, key } = reader;
  if (seenKeys.has(key)) throw shapeError(reader, `the table ${JSON.stringify(key)} occurs twice`);
  seenKeys.add(key);
  reader.table = key;
  reader.rowNumber = 0;
}

function readRow(reader: JsonReader, input: InputBuffer): boolean {
  return readValue(reader, input, (text) => {
    const { position, table } = reader;
    const node = parseExactJson(text, 'parse_failed', position);
    reader.rowNumber++;
    reader.rows.add({ node, text, position, table, number: reader.rowNumber });
    reader.state = 'after-row';
  });
}

/** Passes the text of the value that begins here to `use`, if the input contains all of it. */
function readValue(reader: JsonReader, input: InputBuffer, use: (text: string) => void): boolean {
  const { bytes, consumed, isLast } = input;
  const found = endOfValue(bytes, consumed);
  if (found === TOO_DEEP)
    throw syntaxError(reader, `it is nested more than ${maxJsonDepth} levels deep`);
  if (found === INCOMPLETE && !isLast) return false;
  const end = found === INCOMPLETE ? bytes.length : found;
  const value = bytes.subarray(consumed, end);
  if (!isUtf8(value)) throw syntaxError(reader, 'a value contains bytes that are not UTF-8');
  use(value.toString('utf8'));
  advance(reader, input, end);
  return true;
}

function enter(reader: JsonReader, input: InputBuffer, collection: 'tables' | 'rows'): boolean {
  // An unknown table is an error even if its rows are invalid.
  if (collection === 'rows') reader.context.mapColumns({ table: reader.table, columns: [] });
  reader.open.push(collection);
  reader.state = collection === 'tables' ? 'first-key' : 'first-row';
  advance(reader, input, input.consumed + 1);
  return true;
}

function leave(reader: JsonReader, input: InputBuffer): boolean {
  reader.open.pop();
  reader.state = reader.open.length === 0 ? 'end' : 'after-member';
  advance(reader, input, input.consumed + 1);
  return true;
}

/** Skips one punctuation character; `next` is false if it is not the expected one. */
function skipPunctuation(reader: JsonReader, input: InputBuffer, next: State | false): boolean {
  if (next === false)
    throw syntaxError(reader, expected[reader.state] ?? 'something else is expected');
  reader.state = next;
  advance(reader, input, input.consumed + 1);
  return true;
}

const expected: Partial<Record<State, string>> = {
  colon: '":" is expected',
  'after-member': '"," or "}" is expected',
  'after-row': '"," or "]" is expected',
};

function skipSpace(reader: JsonReader, input: InputBuffer): void {
  let at = input.consumed;
  while (isSpace(input.bytes[at])) at++;
  if (at > input.consumed) advance(reader, input, at);
}

function advance(reader: JsonReader, input: InputBuffer, to: number): void {
  reader.position = advancePosition(reader.position, input.bytes.subarray(input.consumed, to));
  input.consumed = to;
}

function syntaxError({ source, position }: JsonReader, message: string): StudioError {
  return new StudioError(
    'parse_failed',
    `${source.name} is not valid JSON: ${message} (line ${position.line}, column ${position.column}).`,
    { ...position },
  );
}

function truncatedError(reader: JsonReader, input: InputBuffer): StudioError {
  return input.bytes.length === 0 && reader.state === 'document'
    ? syntaxError(reader, 'the file is empty')
    : syntaxError(reader, 'the file ends too early');
}

function shapeError({ source, position }: JsonReader, message: string): StudioError {
  return new StudioError(
    'import_failed',
    `${source.name}: ${message} (line ${position.line}, column ${position.column}).`,
    { ...position },
  );
}
