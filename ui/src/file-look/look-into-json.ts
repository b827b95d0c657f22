import { parseExactJson } from '../../../src/contract/number-token.ts';
import { endOfValue, isSpace } from '../../../src/portable/files/scan-json-value.ts';
import { rowsShown } from './file-look.ts';
import type { FileLook } from './file-look.ts';
import { headOf, tablesLook } from './json-rows.ts';

/** In this much of a document its first tables are looked for; a larger row is met with more. */
const firstBytes = 2 ** 20;
const mostBytes = 2 ** 26;

/** The first rows of a document that may be too large to be read whole. */
export async function lookIntoJson(file: Blob): Promise<FileLook> {
  for (let size = firstBytes; ; size *= 8) {
    const bytes = new Uint8Array(await file.slice(0, size).arrayBuffer());
    const look = lookInto({ bytes, at: 0 });
    if (look !== undefined) return look;
    if (file.size <= size || size >= mostBytes) return {};
  }
}

/** A place in bytes that end anywhere. */
interface Place {
  readonly bytes: Uint8Array<ArrayBuffer>;
  at: number;
}

/** Undefined when not one row is whole. */
function lookInto(place: Place): FileLook | undefined {
  skipMark(place);
  const first = nextSign(place);
  if (first === '[') {
    const items = readRows(place);
    return items.length === 0 ? undefined : { head: headOf(items) };
  }
  const tables = new Map<string, readonly unknown[]>();
  if (first === '{') readTables(place, tables, true);
  return tables.size === 0 ? undefined : tablesLook(tables);
}

function skipMark(place: Place): void {
  const [a, b, c] = place.bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) place.at = 3;
}

/** `{table: [rows]}`, at the top or under `tables`. */
function readTables(place: Place, tables: Map<string, readonly unknown[]>, isTop: boolean): void {
  place.at++;
  for (;;) {
    const key = nextSign(place, ',') === '"' ? takeValue(place) : undefined;
    if (typeof key !== 'string' || nextSign(place, ':') === undefined) return;
    const first = nextSign(place);
    if (first === '[') {
      const rows = readRows(place);
      if (rows.length > 0) tables.set(key, rows);
    } else if (first === '{' && key === 'tables' && isTop) readTables(place, tables, false);
    else if (takeValue(place) === undefined) return;
  }
}

/** The first ones are read; the others only passed. */
function readRows(place: Place): readonly unknown[] {
  const rows: unknown[] = [];
  place.at++;
  for (;;) {
    const first = nextSign(place, ',');
    if (first === ']') place.at++;
    if (first === undefined || first === ']') return rows;
    const row = rows.length < rowsShown ? takeValue(place) : passValue(place);
    if (row === undefined) return rows;
    if (rows.length < rowsShown) rows.push(row);
  }
}

/** The next sign that is neither white space nor the one that parts things here. */
function nextSign(place: Place, parting?: string): string | undefined {
  const { bytes } = place;
  while (isSpace(bytes[place.at]) || String.fromCharCode(bytes[place.at] ?? 0) === parting)
    place.at++;
  const byte = bytes[place.at];
  return byte === undefined ? undefined : String.fromCharCode(byte);
}

/** Undefined where the bytes end within it. */
function takeValue(place: Place): unknown {
  const from = place.at;
  if (passValue(place) === undefined) return undefined;
  return parseExactJson(new TextDecoder().decode(place.bytes.subarray(from, place.at)));
}

function passValue(place: Place): true | undefined {
  const end = endOfValue(place.bytes, place.at);
  if (end < 0) return undefined;
  place.at = end;
  return true;
}
