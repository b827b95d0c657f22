/**
 * Reads JSON documents of rows as a stream: `{table: [rows]}`, the same within `tables`, an array of
 * rows, or an object that has such arrays among other members. It finds rows by their brackets and
 * parses one at a time, so that memory stays constant.
 */
import { isUtf8 } from 'node:buffer';
import { StudioError } from '../../model/errors.ts';
import { maxJsonDepth, parseExactJson } from '../../model/values/exact-json.ts';
import { createJsonRowCollector } from '../json-rows.ts';
import { maxRowBytes } from '../row-import.ts';
import { advancePosition } from '../text-position.ts';
import { openText } from '../text-source.ts';
import { bufferInput } from '../input-buffer.ts';
import { createRowArrays } from './row-arrays.ts';
import {
  endOfValue,
  INCOMPLETE,
  isSpace,
  maxObjectDepth,
  TOO_DEEP,
} from '../../portable/files/scan-json-value.ts';
import type { TextPosition } from '../../model/values/exact-json.ts';
import type { JsonRowCollector } from '../json-rows.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { ImportContext, RowBatches } from '../row-import.ts';
import type { InputBuffer } from '../input-buffer.ts';
import type { ArrayOptions, RowArrays, RowArrayTarget } from './row-arrays.ts';

export interface JsonOptions extends ArrayOptions {
  readonly encoding?: string | undefined;
}

/** What the reader expects next. */
type State =
  | 'document'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'member'
  | 'other-member'
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
  readonly open: ('tables' | 'object' | 'rows')[];
  /** The keys of the objects that enclose the position. */
  readonly path: string[];
  /** Finds the tables of the arrays. */
  readonly arrays: RowArrays;
  state: State;
  position: TextPosition;
  key: string;
  /** Of the current rows. */
  target: RowArrayTarget;
  rowNumber: number;
  hasEnvelope: boolean;
  /** The current member of the document has rows. */
  hasRows: boolean;
  /** The error of the first member that has no rows. Ignored if the document has rows or `tables`. */
  notRowsError: StudioError | undefined;
}

export async function* readJson(
  source: ByteSource,
  context: ImportContext,
  { encoding, ...options }: JsonOptions,
): RowBatches {
  const text = await openText(source, { encoding, guesses: false });
  const reader = begin(source, context, options);
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
  const { notRowsError, arrays, hasEnvelope } = reader;
  if (notRowsError !== undefined && !hasEnvelope && !arrays.areFound()) throw notRowsError;
  arrays.end({ isWarning: !hasEnvelope });
  yield* reader.rows.take(true) ?? [];
}

function begin(source: ByteSource, context: ImportContext, options: ArrayOptions): JsonReader {
  return {
    source,
    context,
    rows: createJsonRowCollector(context),
    open: [],
    path: [],
    arrays: createRowArrays(source.name, context, options),
    state: 'document',
    position: { line: 1, column: 1 },
    key: '',
    target: { table: undefined },
    rowNumber: 0,
    hasEnvelope: false,
    hasRows: false,
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
    if (first === '[') {
      // An unknown table is an error even if its rows are invalid.
      reader.context.mapColumns({ table: undefined, columns: [] });
      return enter(reader, input, 'rows');
    }
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
  'other-member': readOther,
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
  const { open, path, key, hasEnvelope, arrays } = reader;
  if (open.length === 1) reader.hasRows = false;
  if (first === '[') {
    const item = firstItem(input);
    if (item === undefined && !input.isLast) return false;
    const target = arrays.targetOf([...path, key].join('.'), item ?? '', (problem) =>
      shapeError(reader, problem),
    );
    if (target === undefined) {
      reader.state = 'other-member';
      return true;
    }
    Object.assign(reader, { target, rowNumber: 0, hasRows: true });
    return enter(reader, input, 'rows');
  }
  if (first !== '{' || open.length > maxObjectDepth) return readOther(reader, input);
  if (key === 'tables' && open.length === 1) {
    reader.hasEnvelope = true;
    return enter(reader, input, 'tables');
  }
  if (hasEnvelope) return readOther(reader, input);
  path.push(key);
  return enter(reader, input, 'object');
}

/** The character with which the first item of an array begins, or that ends it. */
function firstItem({ bytes, consumed }: InputBuffer): string | undefined {
  let at = consumed + 1;
  while (isSpace(bytes[at])) at++;
  const byte = bytes[at];
  return byte === undefined ? undefined : String.fromCharCode(byte);
}

/** A member without rows. */
function readOther(reader: JsonReader, input: InputBuffer): boolean {
  return readValue(reader, input, (text) => {
    parseExactJson(text, 'parse_failed', reader.position);
    const error = shapeError(reader, `${JSON.stringify(reader.key)} is not an array of rows`);
    if (reader.hasEnvelope && reader.open.length > 1) throw error;
    reader.notRowsError ??= error;
    endMember(reader);
  });
}

function endMember(reader: JsonReader): void {
  reader.state = 'after-member';
  if (reader.open.length === 1 && !reader.hasRows && !reader.hasEnvelope)
    reader.arrays.leaveOut(reader.path[0] ?? reader.key);
}

function readRow(reader: JsonReader, input: InputBuffer): boolean {
  return readValue(reader, input, (text) => {
    const { position, target } = reader;
    const node = parseExactJson(text, 'parse_failed', position);
    reader.rowNumber++;
    reader.rows.add({ node, text, position, ...target, number: reader.rowNumber });
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

function enter(
  reader: JsonReader,
  input: InputBuffer,
  collection: JsonReader['open'][number],
): boolean {
  reader.open.push(collection);
  reader.state = collection === 'rows' ? 'first-row' : 'first-key';
  advance(reader, input, input.consumed + 1);
  return true;
}

function leave(reader: JsonReader, input: InputBuffer): boolean {
  const { open, path } = reader;
  const isObject = open.pop() === 'object';
  if (open.length === 0) reader.state = 'end';
  else endMember(reader);
  if (isObject) path.pop();
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
