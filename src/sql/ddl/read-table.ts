/** CREATE TABLE. */
import { accept, expect, takeName, takeQualifiedName, unexpected, wordAt } from './cursor.ts';
import { emptyTable } from './draft.ts';
import { takeColumn } from './read-column.ts';
import { takeTableConstraint } from './read-keys.ts';
import { newBody } from './table-body.ts';
import type { Table } from '../../model/schema.ts';
import type { Cursor } from './cursor.ts';
import type { DdlRules } from './ddl-rules.ts';
import type { TableReference } from './draft.ts';
import type { TableBody } from './ddl-rules.ts';

export interface CreateTable {
  readonly reference: TableReference;
  /** IF NOT EXISTS */
  readonly unlessThere: boolean;
  /** Undefined where the table is made of another or of a query's rows. */
  readonly table?: Table;
  /** `LIKE`: the table whose structure this one has. */
  readonly like?: TableReference;
}

/** Behind CREATE TABLE. */
export function takeCreateTable(
  cursor: Cursor,
  rules: DdlRules,
  warn: (what: string) => void,
): CreateTable {
  const unlessThere = accept(cursor, 'IF', 'NOT', 'EXISTS');
  const reference = rules.reference(takeQualifiedName(cursor, 'a table'));
  const about = (what: string): void => warn(`${reference.localName}: ${what}`);
  if (accept(cursor, 'LIKE')) return { reference, unlessThere, like: takeReference(cursor, rules) };
  if (wordAt(cursor) !== '(') return withoutBody(cursor, { reference, unlessThere });
  cursor.at += 1;
  if (accept(cursor, 'LIKE')) {
    const like = takeReference(cursor, rules);
    expect(cursor, ')');
    return { reference, unlessThere, like };
  }
  if (wordAt(cursor) === 'SELECT') return { reference, unlessThere };
  const body = newBody(reference, rules, about);
  takeItem(cursor, body);
  while (accept(cursor, ',')) takeItem(cursor, body);
  if (!accept(cursor, ')')) throw unexpected(cursor, '"," or ")"');
  const table = tableOf(body);
  return { reference, unlessThere, table: rules.takeTableOptions(cursor, table, about) };
}

function takeReference(cursor: Cursor, rules: DdlRules): TableReference {
  return rules.reference(takeQualifiedName(cursor, 'a table'));
}

function withoutBody(
  cursor: Cursor,
  found: Pick<CreateTable, 'reference' | 'unlessThere'>,
): CreateTable {
  if (cursor.code.slice(cursor.at).some(({ word }) => word === 'SELECT')) return found;
  throw unexpected(cursor, '"("');
}

/** A column, a constraint, or what else the dialect lets stand between the brackets. */
function takeItem(cursor: Cursor, body: TableBody): void {
  const word = wordAt(cursor);
  if (word === ')' && body.columns.length > 0 && body.rules.takesLastComma) return;
  if (Object.hasOwn(body.rules.bodyItems, word)) {
    cursor.at += 1;
    body.rules.bodyItems[word]?.(cursor, body);
    return;
  }
  if (takeConstraint(cursor, body)) return;
  takeColumn(cursor, body);
}

/** `[CONSTRAINT [name]] PRIMARY KEY …`; whether there was one. */
export function takeConstraint(cursor: Cursor, body: TableBody): boolean {
  const kinds = ['PRIMARY', 'UNIQUE', 'FOREIGN', 'CHECK'];
  if (!accept(cursor, 'CONSTRAINT')) return takeTableConstraint(cursor, body);
  const name = kinds.includes(wordAt(cursor)) ? undefined : takeName(cursor, 'a name');
  if (!takeTableConstraint(cursor, body, name))
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
