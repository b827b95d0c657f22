/** Parses CREATE TABLE. */
import {
  accept,
  expect,
  isNext,
  parseName,
  parseQualifiedName,
  unexpected,
  wordAt,
} from './cursor.ts';
import { emptyTable } from './draft.ts';
import { parseColumn } from './read-column.ts';
import { acceptIfNotExists, parseTableConstraint } from './read-keys.ts';
import { newBody, withConstraints } from './table-body.ts';
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
  warn: (message: string) => void,
): ParsedCreateTable {
  const ifNotExists = accept(cursor, 'IF', 'NOT', 'EXISTS');
  const reference = rules.tableReference(parseQualifiedName(cursor, 'a table'));
  const warnOfTable = (message: string): void => warn(`${reference.localName}: ${message}`);
  const isLikeInBody = isNext(cursor, '(', 'LIKE');
  if (isLikeInBody || isNext(cursor, 'LIKE')) {
    cursor.at += isLikeInBody ? 2 : 1;
    const like = parseTableReference(cursor, rules);
    if (isLikeInBody) expect(cursor, ')');
    return { reference, ifNotExists, like };
  }
  if (wordAt(cursor) !== '(') return withoutBody(cursor, { reference, ifNotExists });
  cursor.at += 1;
  if (wordAt(cursor) === 'SELECT') return { reference, ifNotExists };
  const body = newBody(reference, rules, warnOfTable);
  parseBodyItem(cursor, body);
  while (accept(cursor, ',')) parseBodyItem(cursor, body);
  if (!accept(cursor, ')')) throw unexpected(cursor, '"," or ")"');
  const table = tableOf(body);
  return { reference, ifNotExists, table: rules.parseTableOptions(cursor, table, warnOfTable) };
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
  if (parseDialectItem(cursor, body) || parseConstraint(cursor, body)) return;
  parseColumn(cursor, body);
}

/** Parses an item that only the dialect has; returns whether there was one. */
export function parseDialectItem(cursor: Cursor, body: TableBody): boolean {
  const { bodyItems } = body.rules;
  const words = [wordAt(cursor), `${wordAt(cursor)} ${wordAt(cursor, 1)}`];
  const found = words.findIndex((start) => Object.hasOwn(bodyItems, start));
  if (found === -1) return false;
  cursor.at += found + 1;
  bodyItems[words[found] ?? '']?.(cursor, body);
  return true;
}

/** Parses `[CONSTRAINT [name]] PRIMARY KEY …`; returns whether there was a constraint. */
export function parseConstraint(cursor: Cursor, body: TableBody): boolean {
  const kinds = ['PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK'];
  if (!accept(cursor, 'CONSTRAINT')) return parseTableConstraint(cursor, body);
  if (body.rules.keysMayNameIndexes) acceptIfNotExists(cursor, body);
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
    ...withConstraints({}, body),
  };
}
