/** Reads CREATE INDEX from its parse tree. */
import { indexAfter, textBetween } from '../../../sql/ddl/cursor.ts';
import { groupAfter, listItems } from './slice.ts';
import { stringsOf } from './tree-names.ts';
import type { IndexElem, IndexStmt } from 'libpg-query';
import type { Index, IndexPart } from '../../../model/schema.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { ParsedStatement } from '../language/parse-statement.ts';

export function readIndexTree(tree: IndexStmt, { cursor }: ParsedStatement): Index {
  const open = listStart(cursor);
  const items = listItems(cursor, open);
  const parts = (tree.indexParams ?? []).flatMap((node, i) =>
    'IndexElem' in node ? [readPart(node.IndexElem, cursor, items[i]?.[0] ?? open)] : [],
  );
  const included = (tree.indexIncludingParams ?? []).flatMap((node) =>
    'IndexElem' in node ? [node.IndexElem.name ?? ''] : [],
  );
  const where =
    tree.whereClause === undefined ? undefined : predicate(cursor, indexAfter(cursor, open));
  return {
    name: tree.idxname ?? automaticName(tree.relation?.relname ?? '', { parts }),
    unique: tree.unique === true,
    parts,
    ...(where === undefined ? {} : { where }),
    ...(tree.accessMethod === undefined || tree.accessMethod === 'btree'
      ? {}
      : { method: tree.accessMethod }),
    ...(included.length === 0 ? {} : { included }),
    ...(tree.nulls_not_distinct === true ? { nullsNotDistinct: true } : {}),
  };
}

/** The list of columns is the first parenthesized group after ON. */
function listStart({ code }: Cursor): number {
  const on = code.findIndex(({ word }) => word === 'ON');
  return code.findIndex(({ word }, i) => i > on && word === '(');
}

function readPart(tree: IndexElem, cursor: Cursor, from: number): IndexPart {
  const collation = stringsOf(tree.collation).at(-1);
  const operatorClass = stringsOf(tree.opclass).join('.');
  return {
    ...(tree.name === undefined
      ? { expression: expressionAt(cursor, from) }
      : { column: tree.name }),
    ...(tree.ordering === 'SORTBY_DESC' ? { descending: true } : {}),
    ...(operatorClass === '' ? {} : { operatorClass }),
    ...(collation === undefined ? {} : { collation }),
  };
}

/** An expression in parentheses, or a function call without them. */
function expressionAt(cursor: Cursor, from: number): string {
  if (cursor.code[from]?.word === '(')
    return textBetween(cursor, from + 1, indexAfter(cursor, from) - 1);
  const open = cursor.code.findIndex(({ word }, i) => i > from && word === '(');
  return textBetween(cursor, from, indexAfter(cursor, open));
}

/** The text after WHERE, which is the last clause. */
function predicate(cursor: Cursor, from: number): string | undefined {
  let at = from;
  while (at < cursor.code.length && cursor.code[at]?.word !== 'WHERE') at = indexAfter(cursor, at);
  const text = textBetween(cursor, at + 1, cursor.code.length);
  const isGroup =
    indexAfter(cursor, at + 1) === cursor.code.length && cursor.code[at + 1]?.word === '(';
  return isGroup ? groupAfter(cursor, at, 'WHERE') : text;
}

/** The name that the server generates for an index. */
export function automaticName(table: string, { parts }: Pick<Index, 'parts'>): string {
  const columns = parts.map(({ column }) => column ?? 'expr');
  return [table, ...columns, 'idx'].join('_');
}
