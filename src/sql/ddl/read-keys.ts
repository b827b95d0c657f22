/** Parses keys, foreign keys and checks of columns and tables. */
import {
  accept,
  acceptOne,
  expect,
  isNext,
  offsetOf,
  parseGroup,
  parseList,
  parseName,
  parseNumber,
  parseQualifiedName,
  unexpected,
  wordAt,
} from './cursor.ts';
import { nameOfTable } from './draft.ts';
import { setPrimaryKey } from './table-body.ts';
import type { ForeignKey, ForeignKeyAction, IndexPart } from '../../model/schema.ts';
import type { Cursor } from './cursor.ts';
import type { DdlRules } from './ddl-rules.ts';
import type { TableBody } from './ddl-rules.ts';

/** `(a, b(10) DESC, (lower(c)))` */
export function parseIndexParts(cursor: Cursor): readonly IndexPart[] {
  return parseList(cursor, parseIndexPart);
}

function parseIndexPart(cursor: Cursor): IndexPart {
  const part =
    wordAt(cursor) === '('
      ? { expression: parseGroup(cursor) }
      : { column: parseName(cursor, 'a column'), ...parsePrefixLength(cursor) };
  const collation = accept(cursor, 'COLLATE') ? parseName(cursor) : undefined;
  const order = acceptOne(cursor, ['ASC', 'DESC']);
  return {
    ...part,
    ...(collation === undefined ? {} : { collation }),
    ...(order === 'DESC' ? { descending: true } : {}),
  };
}

function parsePrefixLength(cursor: Cursor): Pick<IndexPart, 'prefixLength'> {
  if (!accept(cursor, '(')) return {};
  const prefixLength = parseNumber(cursor);
  expect(cursor, ')');
  return { prefixLength };
}

export function parseColumnNames(cursor: Cursor): readonly string[] {
  return parseList(cursor, (at) => parseName(at, 'a column'));
}

/** Parses the columns of a primary key. Its sort order and prefix lengths are dropped with a warning. */
function parseKeyColumns(cursor: Cursor, { warn }: TableBody): readonly string[] {
  return parseIndexParts(cursor).flatMap(({ column, descending, prefixLength }) => {
    if (descending === true) warn(`DESC of ${column} in the primary key is left out.`);
    if (prefixLength !== undefined)
      warn(`the length ${prefixLength} of ${column} in the primary key is left out.`);
    return column ?? [];
  });
}

/** Parses what follows REFERENCES: table, columns and actions. */
export function parseReferencedKey(
  cursor: Cursor,
  rules: DdlRules,
): Omit<ForeignKey, 'columns' | 'name'> {
  const table = nameOfTable(rules.tableReference(parseQualifiedName(cursor, 'a table')));
  const referencedColumns = wordAt(cursor) === '(' ? parseColumnNames(cursor) : [];
  const actions: Record<'UPDATE' | 'DELETE', ForeignKeyAction> = {
    UPDATE: 'no action',
    DELETE: 'no action',
  };
  while (skipMatch(cursor) || isNext(cursor, 'ON', 'UPDATE') || isNext(cursor, 'ON', 'DELETE')) {
    if (!accept(cursor, 'ON')) continue;
    const event = acceptOne(cursor, ['UPDATE', 'DELETE']) as 'UPDATE' | 'DELETE';
    actions[event] = parseKeyAction(cursor);
  }
  return { table, referencedColumns, onUpdate: actions.UPDATE, onDelete: actions.DELETE };
}

function skipMatch(cursor: Cursor): boolean {
  return (
    (accept(cursor, 'MATCH') && acceptOne(cursor, ['FULL', 'PARTIAL', 'SIMPLE']) !== undefined) ||
    accept(cursor, 'NOT', 'FOR', 'REPLICATION')
  );
}

function parseKeyAction(cursor: Cursor): ForeignKeyAction {
  if (accept(cursor, 'CASCADE')) return 'cascade';
  if (accept(cursor, 'RESTRICT')) return 'restrict';
  if (accept(cursor, 'NO', 'ACTION')) return 'no action';
  if (accept(cursor, 'SET', 'NULL')) return 'set null';
  if (accept(cursor, 'SET', 'DEFAULT')) return 'set default';
  throw unexpected(cursor, 'CASCADE, RESTRICT, NO ACTION, SET NULL or SET DEFAULT');
}

/** Parses a table constraint after its name; returns whether there was one. */
export function parseTableConstraint(cursor: Cursor, body: TableBody, name?: string): boolean {
  const named = name === undefined ? {} : { name };
  switch (wordAt(cursor)) {
    case 'PRIMARY':
      expect(cursor, 'PRIMARY', 'KEY');
      body.rules.parseKeyOptions(cursor, 'table', body.warn);
      setPrimaryKey(body, { ...named, columns: parseKeyColumns(cursor, body) }, offsetOf(cursor));
      break;
    case 'UNIQUE':
      parseUnique(cursor, body, name);
      return true;
    case 'FOREIGN':
      parseForeignKey(cursor, body, name);
      break;
    case 'CHECK':
      parseCheck(cursor, body, named);
      return true;
    default:
      return false;
  }
  body.rules.parseKeyOptions(cursor, 'table', body.warn);
  return true;
}

/** In MySQL a key may have another name after UNIQUE KEY. */
function parseUnique(cursor: Cursor, body: TableBody, name: string | undefined): void {
  cursor.at += 1;
  acceptOne(cursor, ['KEY', 'INDEX']);
  body.rules.parseKeyOptions(cursor, 'table', body.warn);
  const ownName = wordAt(cursor) === '(' ? undefined : parseName(cursor, 'a name or "("');
  body.rules.parseKeyOptions(cursor, 'table', body.warn);
  const parts = parseIndexParts(cursor);
  const isPlain = parts.every(
    (part) => part.column !== undefined && part.prefixLength === undefined && !part.descending,
  );
  body.indexes.push({
    name: ownName ?? name ?? '',
    unique: true,
    parts,
    ...(isPlain ? { constraint: true } : {}),
    ...body.rules.parseKeyOptions(cursor, 'table', body.warn),
  });
}

function parseForeignKey(cursor: Cursor, body: TableBody, name: string | undefined): void {
  expect(cursor, 'FOREIGN', 'KEY');
  const ownName = wordAt(cursor) === '(' ? undefined : parseName(cursor, 'a name or "("');
  const columns = parseColumnNames(cursor);
  expect(cursor, 'REFERENCES');
  const named = name ?? ownName;
  body.foreignKeys.push({
    ...(named === undefined ? {} : { name: named }),
    columns,
    ...parseReferencedKey(cursor, body.rules),
  });
}

export function parseCheck(
  cursor: Cursor,
  body: TableBody,
  named: { readonly name?: string },
): void {
  expect(cursor, 'CHECK');
  accept(cursor, 'NOT', 'FOR', 'REPLICATION');
  const expression = parseGroup(cursor);
  const enforced = !accept(cursor, 'NOT', 'ENFORCED');
  if (enforced) accept(cursor, 'ENFORCED');
  body.checks.push({ ...named, expression, ...(enforced ? {} : { enforced }) });
}
