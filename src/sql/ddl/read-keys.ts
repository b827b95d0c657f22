/** Keys, foreign keys and checks, as a column or a table has them. */
import {
  accept,
  acceptOne,
  expect,
  isAhead,
  placeOf,
  takeGroup,
  takeList,
  takeName,
  takeNumber,
  takeQualifiedName,
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
export function takeParts(cursor: Cursor): readonly IndexPart[] {
  return takeList(cursor, takePart);
}

function takePart(cursor: Cursor): IndexPart {
  const part =
    wordAt(cursor) === '('
      ? { expression: takeGroup(cursor) }
      : { column: takeName(cursor, 'a column'), ...takePrefix(cursor) };
  const collation = accept(cursor, 'COLLATE') ? takeName(cursor) : undefined;
  const order = acceptOne(cursor, ['ASC', 'DESC']);
  return {
    ...part,
    ...(collation === undefined ? {} : { collation }),
    ...(order === 'DESC' ? { descending: true } : {}),
  };
}

function takePrefix(cursor: Cursor): Pick<IndexPart, 'prefixLength'> {
  if (!accept(cursor, '(')) return {};
  const prefixLength = takeNumber(cursor);
  expect(cursor, ')');
  return { prefixLength };
}

export function takeColumnNames(cursor: Cursor): readonly string[] {
  return takeList(cursor, (at) => takeName(at, 'a column'));
}

/** The columns of a primary key, which has neither an order nor prefixes here. */
function takeKeyColumns(cursor: Cursor, { warn }: TableBody): readonly string[] {
  return takeParts(cursor).flatMap(({ column, descending, prefixLength }) => {
    if (descending === true) warn(`DESC of ${column} in the primary key is left out.`);
    if (prefixLength !== undefined)
      warn(`the length ${prefixLength} of ${column} in the primary key is left out.`);
    return column ?? [];
  });
}

/** What is behind REFERENCES: the table, its columns, actions. */
export function takeTarget(cursor: Cursor, rules: DdlRules): Omit<ForeignKey, 'columns' | 'name'> {
  const table = nameOfTable(rules.reference(takeQualifiedName(cursor, 'a table')));
  const referencedColumns = wordAt(cursor) === '(' ? takeColumnNames(cursor) : [];
  const actions: Record<'UPDATE' | 'DELETE', ForeignKeyAction> = {
    UPDATE: 'no action',
    DELETE: 'no action',
  };
  while (passMatch(cursor) || isAhead(cursor, 'ON', 'UPDATE') || isAhead(cursor, 'ON', 'DELETE')) {
    if (!accept(cursor, 'ON')) continue;
    const event = acceptOne(cursor, ['UPDATE', 'DELETE']) as 'UPDATE' | 'DELETE';
    actions[event] = takeAction(cursor);
  }
  return { table, referencedColumns, onUpdate: actions.UPDATE, onDelete: actions.DELETE };
}

function passMatch(cursor: Cursor): boolean {
  return (
    (accept(cursor, 'MATCH') && acceptOne(cursor, ['FULL', 'PARTIAL', 'SIMPLE']) !== undefined) ||
    accept(cursor, 'NOT', 'FOR', 'REPLICATION')
  );
}

function takeAction(cursor: Cursor): ForeignKeyAction {
  if (accept(cursor, 'CASCADE')) return 'cascade';
  if (accept(cursor, 'RESTRICT')) return 'restrict';
  if (accept(cursor, 'NO', 'ACTION')) return 'no action';
  if (accept(cursor, 'SET', 'NULL')) return 'set null';
  if (accept(cursor, 'SET', 'DEFAULT')) return 'set default';
  throw unexpected(cursor, 'CASCADE, RESTRICT, NO ACTION, SET NULL or SET DEFAULT');
}

/** A constraint of the whole table, behind its name: whether one was there. */
export function takeTableConstraint(cursor: Cursor, body: TableBody, name?: string): boolean {
  const named = name === undefined ? {} : { name };
  switch (wordAt(cursor)) {
    case 'PRIMARY':
      expect(cursor, 'PRIMARY', 'KEY');
      body.rules.takeKeyOptions(cursor, 'table', body.warn);
      setPrimaryKey(body, { ...named, columns: takeKeyColumns(cursor, body) }, placeOf(cursor));
      break;
    case 'UNIQUE':
      takeUnique(cursor, body, name);
      return true;
    case 'FOREIGN':
      takeForeignKey(cursor, body, name);
      break;
    case 'CHECK':
      takeCheck(cursor, body, named);
      return true;
    default:
      return false;
  }
  body.rules.takeKeyOptions(cursor, 'table', body.warn);
  return true;
}

/** MySQL gives a key a name of its own behind the word. */
function takeUnique(cursor: Cursor, body: TableBody, name: string | undefined): void {
  cursor.at += 1;
  acceptOne(cursor, ['KEY', 'INDEX']);
  body.rules.takeKeyOptions(cursor, 'table', body.warn);
  const ownName = wordAt(cursor) === '(' ? undefined : takeName(cursor, 'a name or "("');
  body.rules.takeKeyOptions(cursor, 'table', body.warn);
  const parts = takeParts(cursor);
  const isPlain = parts.every(
    (part) => part.column !== undefined && part.prefixLength === undefined && !part.descending,
  );
  body.indexes.push({
    name: ownName ?? name ?? '',
    unique: true,
    parts,
    ...(isPlain ? { constraint: true } : {}),
    ...body.rules.takeKeyOptions(cursor, 'table', body.warn),
  });
}

function takeForeignKey(cursor: Cursor, body: TableBody, name: string | undefined): void {
  expect(cursor, 'FOREIGN', 'KEY');
  const ownName = wordAt(cursor) === '(' ? undefined : takeName(cursor, 'a name or "("');
  const columns = takeColumnNames(cursor);
  expect(cursor, 'REFERENCES');
  const named = name ?? ownName;
  body.foreignKeys.push({
    ...(named === undefined ? {} : { name: named }),
    columns,
    ...takeTarget(cursor, body.rules),
  });
}

export function takeCheck(
  cursor: Cursor,
  body: TableBody,
  named: { readonly name?: string },
): void {
  expect(cursor, 'CHECK');
  accept(cursor, 'NOT', 'FOR', 'REPLICATION');
  const expression = takeGroup(cursor);
  const enforced = !accept(cursor, 'NOT', 'ENFORCED');
  if (enforced) accept(cursor, 'ENFORCED');
  body.checks.push({ ...named, expression, ...(enforced ? {} : { enforced }) });
}
