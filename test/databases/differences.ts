/**
 * Allowed differences between databases in responses to the same request on the same data, with
 * their reasons. Everything else must be equal.
 */
import { NumberToken } from '../../src/contract/number-token.ts';
import type { ColumnKind } from '../../src/model/schema.ts';

export interface Difference {
  readonly kinds: readonly ColumnKind[];
  readonly reason: string;
  /** Normalizes a value to the form in which it must be equal. */
  normalize(value: unknown): unknown;
}

export const differences: readonly Difference[] = [
  {
    kinds: ['timestamp', 'time'],
    reason: 'SQLite has no such types and keeps the text as it was written; servers answer in UTC.',
    normalize: (value) => (typeof value === 'string' ? instant(value) : value),
  },
  {
    kinds: ['decimal', 'float'],
    reason: 'SQLite keeps no trailing zeros.',
    normalize: (value) => (value instanceof NumberToken ? Number(value.source) : value),
  },
  {
    kinds: ['json'],
    reason: 'Binary JSON keeps no white space and no order of members.',
    normalize: (value) => (typeof value === 'object' ? sorted(value) : value),
  },
  {
    kinds: ['text'],
    reason: 'CHAR(n) is padded by PostgreSQL.',
    normalize: (value) => (typeof value === 'string' ? value.trimEnd() : value),
  },
];

function instant(text: string): unknown {
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text);
  const ms = Date.parse(text.replace(' ', 'T') + (zoned ? '' : 'Z'));
  return Number.isNaN(ms) ? text : ms;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value instanceof NumberToken) return Number(value.source);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [name, sorted(inner)] as const);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Kinds of columns by which the test does not sort or filter. */
export const kindsWithOwnOrder: Readonly<Partial<Record<ColumnKind, string>>> = {
  enum: 'Servers order an enum by its definition, SQLite knows only text.',
  json: 'JSON has no order.',
  binary: 'Not offered as a filter.',
  timestamp: 'Text with different zones sorts as text on SQLite.',
  time: 'As timestamp.',
  uuid: 'Databases order uuids by bytes or by text.',
};

/** Statements to run first, by database, because order and equality depend on the collation. */
export const collationOfBytes: Readonly<Record<string, string>> = {
  mysql: 'ALTER DATABASE CHARACTER SET utf8mb4 COLLATE utf8mb4_bin',
};

/** Tables whose labels are not compared. */
export const tablesWithOwnLabels: Readonly<Record<string, string>> = {
  order_items:
    'The label of an order is its first text; where there is no uuid type its tracking code is one.',
};
