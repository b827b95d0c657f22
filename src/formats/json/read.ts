/**
 * JSON documents of rows, read as they come: `{table: [rows]}`, the same under `tables`, or an array
 * of rows. Rows are found by their brackets and read one by one; nothing else is held.
 */
import { isUtf8 } from 'node:buffer';
import { StudioError } from '../../model/errors.ts';
import { deepestJson, parseExactJson } from '../../model/exact-json.ts';
import { gatherJsonRows } from '../json-rows.ts';
import { longestRowBytes } from '../reading.ts';
import { placeBehind } from '../text-position.ts';
import { openText } from '../text-source.ts';
import { windowsOf } from '../windows.ts';
import { endOfValue, INCOMPLETE, isSpace, TOO_DEEP } from './scan-value.ts';
import type { TextPlace } from '../../model/exact-json.ts';
import type { JsonRows } from '../json-rows.ts';
import type { ByteSource, Reading, RowChunks } from '../reading.ts';
import type { Window } from '../windows.ts';

interface JsonOptions {
  readonly encoding?: string | undefined;
}

/** What stands at the place where the reader is. */
type State =
  | 'document'
  | 'first-key'
  | 'key'
  | 'colon'
  | 'member'
  | 'behind-member'
  | 'first-row'
  | 'row'
  | 'behind-row'
  | 'end';

interface Json {
  readonly source: ByteSource;
  readonly reading: Reading;
  readonly rows: JsonRows;
  /** Objects and arrays that are open. */
  readonly open: ('tables' | 'rows')[];
  /** Keys that had rows. */
  readonly seen: Set<string>;
  state: State;
  place: TextPlace;
  key: string;
  /** The table of the rows that are read; undefined in a bare array. */
  table: string | undefined;
  rowNumber: number;
  hasEnvelope: boolean;
  /** The first member that is no table; forgiven beside an envelope. */
  misfit: StudioError | undefined;
}

export async function* readJson(
  source: ByteSource,
  reading: Reading,
  { encoding }: JsonOptions,
): RowChunks {
  const text = await openText(source, { encoding, guesses: false });
  const json = begin(source, reading);
  for await (const window of windowsOf(text.open())) {
    while (step(json, window)) {
      const chunks = json.rows.take();
      if (chunks !== undefined) yield* chunks;
    }
    if (window.bytes.length - window.used > longestRowBytes)
      throw failure(json, `a value is longer than ${longestRowBytes / 1024 / 1024} MB`);
    if (window.final && (json.state !== 'end' || window.used < window.bytes.length)) {
      throw truncated(json, window);
    }
  }
  if (json.misfit !== undefined && !json.hasEnvelope) throw json.misfit;
  yield* json.rows.take(true) ?? [];
}

function begin(source: ByteSource, reading: Reading): Json {
  return {
    source,
    reading,
    rows: gatherJsonRows(reading),
    open: [],
    seen: new Set(),
    state: 'document',
    place: { line: 1, column: 1 },
    key: '',
    table: undefined,
    rowNumber: 0,
    hasEnvelope: false,
    misfit: undefined,
  };
}

/** One step further in the document; false when the window does not hold what is needed. */
function step(json: Json, window: Window): boolean {
  skipSpace(json, window);
  const byte = window.bytes[window.used];
  if (byte === undefined) return false;
  return steps[json.state](json, window, String.fromCharCode(byte));
}

type Step = (json: Json, window: Window, first: string) => boolean;

const steps: Readonly<Record<State, Step>> = {
  document: (json, window, first) => {
    if (first === '{') return enter(json, window, 'tables');
    if (first === '[') return enter(json, window, 'rows');
    return takeValue(json, window, (text) => {
      parseExactJson(text, 'parse_failed', json.place);
      throw shapeFailure(json, 'a document of rows is {"table": [rows]}, or an array of rows');
    });
  },
  'first-key': (json, window, first) =>
    first === '}' ? leave(json, window) : takeKey(json, window, first),
  key: takeKey,
  colon: (json, window, first) => pass(json, window, first === ':' && 'member'),
  member: takeMember,
  'behind-member': (json, window, first) =>
    first === '}' ? leave(json, window) : pass(json, window, first === ',' && 'key'),
  'first-row': (json, window, first) =>
    first === ']' ? leave(json, window) : takeRow(json, window),
  row: takeRow,
  'behind-row': (json, window, first) =>
    first === ']' ? leave(json, window) : pass(json, window, first === ',' && 'row'),
  end: (json) => {
    throw failure(json, 'the JSON has ended before');
  },
};

function takeKey(json: Json, window: Window, first: string): boolean {
  if (first !== '"') throw failure(json, 'a key in double quotes is expected');
  return takeValue(json, window, (text) => {
    const node = parseExactJson(text, 'parse_failed', json.place);
    json.key = node.kind === 'string' ? node.value : '';
    json.state = 'colon';
  });
}

function takeMember(json: Json, window: Window, first: string): boolean {
  if (first === '[') {
    beginTable(json);
    return enter(json, window, 'rows');
  }
  if (first === '{' && json.key === 'tables' && json.open.length === 1) {
    json.hasEnvelope = true;
    return enter(json, window, 'tables');
  }
  return takeValue(json, window, (text) => {
    parseExactJson(text, 'parse_failed', json.place);
    const error = shapeFailure(json, `${JSON.stringify(json.key)} holds no array of rows`);
    if (json.open.length > 1) throw error;
    json.misfit ??= error;
    json.state = 'behind-member';
  });
}

function beginTable(json: Json): void {
  const { seen, key } = json;
  if (seen.has(key)) throw shapeFailure(json, `the table ${JSON.stringify(key)} occurs twice`);
  seen.add(key);
  json.table = key;
  json.rowNumber = 0;
}

function takeRow(json: Json, window: Window): boolean {
  return takeValue(json, window, (text) => {
    const { place, table } = json;
    const node = parseExactJson(text, 'parse_failed', place);
    json.rowNumber++;
    json.rows.add({ node, text, place, table, number: json.rowNumber });
    json.state = 'behind-row';
  });
}

/** Hands over the whole text of the value that begins here. */
function takeValue(json: Json, window: Window, use: (text: string) => void): boolean {
  const { bytes, used, final } = window;
  const found = endOfValue(bytes, used);
  if (found === TOO_DEEP) throw failure(json, `it is nested more than ${deepestJson} deep`);
  if (found === INCOMPLETE && !final) return false;
  const end = found === INCOMPLETE ? bytes.length : found;
  const value = bytes.subarray(used, end);
  if (!isUtf8(value)) throw failure(json, 'a value holds bytes that are no UTF-8');
  use(value.toString('utf8'));
  advance(json, window, end);
  return true;
}

function enter(json: Json, window: Window, what: 'tables' | 'rows'): boolean {
  // An unknown table is told before its rows are looked at.
  if (what === 'rows') json.reading.locate({ table: json.table, columns: [] });
  json.open.push(what);
  json.state = what === 'tables' ? 'first-key' : 'first-row';
  advance(json, window, window.used + 1);
  return true;
}

function leave(json: Json, window: Window): boolean {
  json.open.pop();
  json.state = json.open.length === 0 ? 'end' : 'behind-member';
  advance(json, window, window.used + 1);
  return true;
}

/** Passes one sign, which must be the right one. */
function pass(json: Json, window: Window, next: State | false): boolean {
  if (next === false) throw failure(json, expected[json.state] ?? 'something else is expected');
  json.state = next;
  advance(json, window, window.used + 1);
  return true;
}

const expected: Partial<Record<State, string>> = {
  colon: '":" is expected',
  'behind-member': '"," or "}" is expected',
  'behind-row': '"," or "]" is expected',
};

function skipSpace(json: Json, window: Window): void {
  let at = window.used;
  while (isSpace(window.bytes[at])) at++;
  if (at > window.used) advance(json, window, at);
}

function advance(json: Json, window: Window, to: number): void {
  json.place = placeBehind(json.place, window.bytes.subarray(window.used, to));
  window.used = to;
}

function failure({ source, place }: Json, what: string): StudioError {
  return new StudioError(
    'parse_failed',
    `${source.name} is not valid JSON: ${what} (line ${place.line}, column ${place.column}).`,
    { ...place },
  );
}

function truncated(json: Json, window: Window): StudioError {
  return window.bytes.length === 0 && json.state === 'document'
    ? failure(json, 'the file is empty')
    : failure(json, 'the text ends too early');
}

function shapeFailure({ source, place }: Json, what: string): StudioError {
  return new StudioError(
    'import_failed',
    `${source.name}: ${what} (line ${place.line}, column ${place.column}).`,
    { ...place },
  );
}
