/** Parses CREATE TABLE. */
import { accept, expect, parseName, parseQualifiedName, unexpected, wordAt } from './cursor.ts';
import { emptyTable } from './draft.ts';
import { parseColumn } from './read-column.ts';
import { parseTableConstraint } from './read-keys.ts';
import { newBody } from './table-body.ts';
import type { Table } from '../../model/schema.ts';
import type { Cursor } from './cursor.ts';
import type { DdlRules } from './ddl-rules.ts';
import type { TableReference } from './draft.ts';
import type { TableBody } from './ddl-rules.ts';

export interface ParsedCreateTable {
  readonly reference: TableReference;
  /** IF NOT EXISTS */
  readonly ifNotExists: boolean;
  /** Undefined for CREATE TABLE … LIKE and CREATE TABLE … SELECT. */
  readonly table?: Table;
  /** The table that CREATE TABLE … LIKE copies. */
  readonly like?: TableReference;
}

/** Parses what follows CREATE TABLE. */
export function parseCreateTable(
  cursor: Cursor,
  rules: DdlRules,
  warn: (what: string) => void,
): ParsedCreateTable {
  const ifNotExists = accept(cursor, 'IF', 'NOT', 'EXISTS');
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  const about = (what: string): void => warn(`${reference.localName}: ${what}`);
  if (accept(cursor, 'LIKE'))
    return { reference, ifNotExists, like: parseTableReference(cursor, rules) };
  if (wordAt(cursor) !== '(') return withoutBody(cursor, { reference, ifNotExists });
  cursor.at += 1;
  if (accept(cursor, 'LIKE')) {
    const like = parseTableReference(cursor, rules);
    expect(cursor, ')');
    return { reference, ifNotExists, like };
  }
  if (wordAt(cursor) === 'SELECT') return { reference, ifNotExists };
  const body = newBody(reference, rules, about);
  parseBodyItem(cursor, body);
  while (accept(cursor, ',')) parseBodyItem(cursor, body);
  if (!accept(cursor, ')')) throw unexpected(cursor, '"," or ")"');
  const table = tableOf(body);
  return { reference, ifNotExists, table: rules.parseTableOptions(cursor, table, about) };
}

function parseTableReference(cursor: Cursor, rules: DdlRules): TableReference {
  return rules.tableReference(parseQualifiedName(cursor, 'a table'));
}

function withoutBody(
  cursor: Cursor,
  found: Pick<ParsedCreateTable, 'reference' | 'ifNotExists'>,
): ParsedCreateTable {
  if (cursor.code.slice(cursor.at).some(({ word }) => word === 'SELECT')) return found;
  throw unexpected(cursor, '"("');
}

/** Parses a column, a constraint or an item that only the dialect has. */
function parseBodyItem(cursor: Cursor, body: TableBody): void {
  const word = wordAt(cursor);
  if (word === ')' && body.columns.length > 0 && body.rules.allowsTrailingComma) return;
  if (Object.hasOwn(body.rules.bodyItems, word)) {
    cursor.at += 1;
    body.rules.bodyItems[word]?.(cursor, body);
    return;
  }
  if (parseConstraint(cursor, body)) return;
  parseColumn(cursor, body);
}

/** Parses `[CONSTRAINT [name]] PRIMARY KEY …`; returns whether there was a constraint. */
export function parseConstraint(cursor: Cursor, body: TableBody): boolean {
  const kinds = ['PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK'];
  if (!accept(cursor, 'CONSTRAINT')) return parseTableConstraint(cursor, body);
  const name = kinds.includes(wordAt(cursor)) ? undefined : parseName(cursor, 'a name');
  if (!parseTableConstraint(cursor, body, name))
    throw unexpected(cursor, 'PRIMARY KEY, UNIQUE, FOREIGN KEY or CHECK');
  return true;
}

export function tableOf(body: TableBody): Table {
  const { reference, columns, primaryKey, indexes, foreignKeys, checks } = body;
  return {
    ...emptyTable(reference),
    columns,
    ...(primaryKey === undefined ? {} : { primaryKey }),
    indexes,
    foreignKeys,
    checks,
  };
}
