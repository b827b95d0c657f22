import { parseJsonWithTokens } from '../../../src/contract/number-token.ts';
import {
  endOfValue,
  isSpace,
  maxObjectDepth,
} from '../../../src/portable/files/scan-json-value.ts';
import { asUtf8 } from './as-utf8.ts';
import { rowsShown } from './file-preview.ts';
import type { FilePreview } from './file-preview.ts';
import { headOf, isRow, previewTables } from './json-rows.ts';

/** The bytes of a document to search for its first rows. If no row is complete, more bytes are read. */
const initialBytes = 2 ** 20;
const maxBytes = 2 ** 26;

/** Previews a JSON document that may be too large to parse as a whole. */
export async function previewJson(source: Blob): Promise<FilePreview> {
  const file = await asUtf8(source);
  for (let size = initialBytes; ; size *= 8) {
    const bytes = new Uint8Array(await file.slice(0, size).arrayBuffer());
    const preview = previewBytes({ bytes, offset: 0 });
    if (preview !== undefined) return preview;
    if (file.size <= size || size >= maxBytes) return {};
  }
}

/** A position in bytes that may end in the middle of a value. */
interface Cursor {
  readonly bytes: Uint8Array<ArrayBuffer>;
  offset: number;
}

/** Returns undefined if no row is complete. */
function previewBytes(cursor: Cursor): FilePreview | undefined {
  skipByteOrderMark(cursor);
  const first = nextCharacter(cursor);
  if (first === '[') {
    const items = readRows(cursor);
    return items.length === 0 ? undefined : { head: headOf(items) };
  }
  const found: FoundTables = { tables: new Map(), hasEnvelope: false };
  if (first === '{') readTables(cursor, found, []);
  if (found.tables.size === 0) return undefined;
  return previewTables(found.tables, { areParts: !found.hasEnvelope });
}

interface FoundTables {
  readonly tables: Map<string, readonly unknown[]>;
  /** The tables are in the member `tables`, as in an export. */
  hasEnvelope: boolean;
}

function skipByteOrderMark(cursor: Cursor): void {
  const [a, b, c] = cursor.bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) cursor.offset = 3;
}

/** Reads `{table: [rows]}`, at the top level, under `tables` or in other objects. `path` has their keys. */
function readTables(cursor: Cursor, found: FoundTables, path: readonly string[]): void {
  do {
    cursor.offset++;
    if (nextCharacter(cursor) !== '"') break;
    const key = readValue(cursor);
    if (typeof key !== 'string' || nextCharacter(cursor, ':') === undefined) return;
    const first = nextCharacter(cursor);
    if (first === '[') {
      const rows = readRows(cursor);
      if (rows.some(isRow)) found.tables.set([...path, key].join('.'), rows);
    } else if (first === '{' && key === 'tables' && path.length === 0) {
      found.hasEnvelope = true;
      readTables(cursor, found, []);
    } else if (first === '{' && path.length < maxObjectDepth)
      readTables(cursor, found, [...path, key]);
    else if (readValue(cursor) === undefined) return;
  } while (nextCharacter(cursor) === ',');
  cursor.offset++;
}

/** Parses the first rows and skips the others. */
function readRows(cursor: Cursor): readonly unknown[] {
  const rows: unknown[] = [];
  cursor.offset++;
  for (;;) {
    const first = nextCharacter(cursor, ',');
    if (first === ']') cursor.offset++;
    if (first === undefined || first === ']') return rows;
    const row = rows.length < rowsShown ? readValue(cursor) : skipValue(cursor);
    if (row === undefined) return rows;
    if (rows.length < rowsShown) rows.push(row);
  }
}

/** Returns the next character that is neither white space nor the separator. */
function nextCharacter(cursor: Cursor, separator?: string): string | undefined {
  const { bytes } = cursor;
  while (
    isSpace(bytes[cursor.offset]) ||
    String.fromCharCode(bytes[cursor.offset] ?? 0) === separator
  )
    cursor.offset++;
  const byte = bytes[cursor.offset];
  return byte === undefined ? undefined : String.fromCharCode(byte);
}

/** Returns undefined if the bytes end within the value. */
function readValue(cursor: Cursor): unknown {
  const from = cursor.offset;
  if (skipValue(cursor) === undefined) return undefined;
  return parseJsonWithTokens(new TextDecoder().decode(cursor.bytes.subarray(from, cursor.offset)));
}

function skipValue(cursor: Cursor): true | undefined {
  const end = endOfValue(cursor.bytes, cursor.offset);
  if (end < 0) return undefined;
  cursor.offset = end;
  return true;
}
