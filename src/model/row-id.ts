import { StudioError } from './errors.ts';
import type { Column, Index, Table } from './schema.ts';
import type { Value } from './values.ts';

/** What identifies the rows of a table in URLs. */
export type RowIdentity =
  | RowKey
  /** By the database's row number, shown to clients as `_rowid_`. */
  | { readonly kind: 'rowid'; readonly column: string }
  | { readonly kind: 'none'; readonly reason: string };

/** By key columns, in key order. */
interface RowKey {
  readonly kind: 'key';
  readonly columns: readonly string[];
  /** Whether the key is enforced, so that no two rows share it. */
  readonly isUnique: boolean;
  /** By column: the collation of the key, if it differs from that of the column. */
  readonly collations: Readonly<Record<string, string>>;
}

/** The member that carries a row number in JSON rows. */
export const rowIdMember = '_rowid_';

/** The id of a row whose key holds a NULL. The `=` is not encoded: ids of keys never contain it. */
export function rowNumberId(number: string): string {
  return `${rowIdMember}=${number}`;
}

/**
 * The primary key, or the first unique key without nullable columns, or the row number, or none. A
 * client cannot know how a document is written (`[]`, `[ ]`), so a row number is better than a key
 * with a JSON column.
 */
export function identityOf(table: Table): RowIdentity {
  const key = keyOf(table);
  const { rowIdColumn } = table;
  if (key !== undefined && (rowIdColumn === undefined || !hasJson(table, key.columns))) return key;
  if (rowIdColumn !== undefined) return { kind: 'rowid', column: rowIdColumn };
  const kindText = table.kind === 'table' ? 'table' : 'view';
  const reason =
    table.kind === 'table' ? 'has no primary key and no unique key without NULLs' : 'is a view';
  return {
    kind: 'none',
    reason: `The rows of ${kindText} "${table.name}" cannot be addressed: it ${reason}.`,
  };
}

function hasJson({ columns }: Table, names: readonly string[]): boolean {
  return columns.some(({ name, type }) => type.kind === 'json' && names.includes(name));
}

function keyOf(table: Table): RowKey | undefined {
  if (table.primaryKey !== undefined) {
    const { columns, unenforced, collations = {} } = table.primaryKey;
    return { kind: 'key', columns, isUnique: unenforced !== true, collations };
  }
  const unique = table.indexes.find((index) => isRowKey(table, index));
  if (unique === undefined) return undefined;
  return {
    kind: 'key',
    columns: unique.parts.map((part) => part.column ?? ''),
    isUnique: true,
    collations: collationsOf(table, unique),
  };
}

export function mayBeNull({ nullable, mayHoldNull }: Column): boolean {
  return nullable || mayHoldNull === true;
}

function isRowKey(table: Table, index: Table['indexes'][number]): boolean {
  if (!index.unique || index.where !== undefined || index.parts.length === 0) return false;
  if (index.unenforced === true) return false;
  return index.parts.every((part) =>
    table.columns.some((column) => column.name === part.column && !mayBeNull(column)),
  );
}

/** The index collations of columns whose own collation may treat different values as equal. */
function collationsOf({ columns }: Table, { parts }: Index): Readonly<Record<string, string>> {
  const collated = new Set(
    columns.flatMap(({ name, collation }) => (collation === undefined ? [] : [name])),
  );
  return Object.fromEntries(
    parts.flatMap(({ column = '', collation }) =>
      collation === undefined || !collated.has(column) ? [] : [[column, collation]],
    ),
  );
}

/**
 * Decodes a raw path segment: `~` is the empty string, `~.` and `~..` are the dots that a URL
 * cannot contain as a segment. Of tildes followed by at most two dots, one tilde is removed.
 */
export function decodeSegment(segment: string): string {
  return unescapeSegment(decodeURIComponent(segment));
}

/** Restores what `escapeSegment` was given. */
export function unescapeSegment(text: string): string {
  return /^~+\.{0,2}$/.test(text) ? text.slice(1) : text;
}

/** Prefixes a text that is empty or only dots, which clients and proxies remove from paths. */
export function escapeSegment(text: string): string {
  return (/^~*\.{0,2}$/.test(text) ? `~${text}` : text).toWellFormed();
}

/** Encodes a text as a raw path segment. */
export function encodeSegment(text: string): string {
  return encodeURIComponent(escapeSegment(text));
}

/** The decoded parts of a raw id segment; a single-column key is never split. */
export function parseId(segment: string, columns: readonly string[]): readonly string[] {
  const parts = columns.length === 1 ? [segment] : splitId(segment);
  if (parts.length !== columns.length) {
    throw new StudioError(
      'invalid_id',
      `The id "${segment}" has ${parts.length} ${parts.length === 1 ? 'part' : 'parts'}; this key has ${columns.length}: ${columns.join(', ')}.`,
    );
  }
  if (parts.length > 1) return parts.map(decodePart);
  return [decodeSegment(segment)];
}

/**
 * The encoded parts of the id of a composite key. Clients that are generated from the OpenAPI document encode
 * the whole id, as any parameter of a path; an id of several parts without a comma is such a one.
 */
function splitId(segment: string): readonly string[] {
  return (segment.includes(',') ? segment : decodePart(segment)).split(',');
}

/** Checks the encoding, because ids in a body, unlike those in a path, have not been checked before. */
function decodePart(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new StudioError('invalid_id', `"${part}" in an id is not percent-encoded UTF-8.`);
  }
}

/** A row's id, ready for a path. */
export function formatId(values: readonly Value[]): string {
  const parts = values.map(keyText);
  return parts.length === 1
    ? encodeSegment(parts[0] ?? '')
    : parts.map((part) => encodeURIComponent(part.toWellFormed())).join(',');
}

/** A key value as text, as ids and labels show it. */
export function keyText(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'object') return Buffer.from(value).toString('base64url');
  return String(value);
}
