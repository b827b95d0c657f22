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
import type { Check, ForeignKey, ForeignKeyAction, IndexPart } from '../../model/schema.ts';
import type { Cursor } from './cursor.ts';
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
  const start = cursor.at;
  return parseIndexParts(cursor).map(({ column, descending, prefixLength, collation }) => {
    if (column === undefined) {
      cursor.at = start + 1;
      throw unexpected(cursor, 'a column');
    }
    if (descending === true) warn(`DESC of ${column} in the primary key is left out.`);
    if (prefixLength !== undefined)
      warn(`the length ${prefixLength} of ${column} in the primary key is left out.`);
    if (collation !== undefined)
      warn(`COLLATE ${collation} of ${column} in the primary key is left out.`);
    return column;
  });
}

/** Parses what follows REFERENCES: table, columns and actions. */
export function parseReferencedKey(
  cursor: Cursor,
  { rules, warn }: Pick<TableBody, 'rules' | 'warn'>,
): Omit<ForeignKey, 'columns' | 'name'> {
  const table = nameOfTable(rules.tableReference(parseQualifiedName(cursor, 'a table')));
  const referencedColumns = wordAt(cursor) === '(' ? parseColumnNames(cursor) : [];
  const actions: Record<'UPDATE' | 'DELETE', ForeignKeyAction> = {
    UPDATE: 'no action',
    DELETE: 'no action',
  };
  const warnAbout = (clause: string): void =>
    warn(`${clause} of the foreign key to ${table} is left out.`);
  const parsedActions = new Set<string>();
  while (
    acceptMatch(cursor, warnAbout) ||
    isNext(cursor, 'ON', 'UPDATE') ||
    isNext(cursor, 'ON', 'DELETE')
  ) {
    if (!accept(cursor, 'ON')) continue;
    const event = acceptOne(cursor, ['UPDATE', 'DELETE']) as 'UPDATE' | 'DELETE';
    if (parsedActions.has(event)) {
      cursor.at -= 1;
      throw unexpected(cursor, `another event than ${event}, which the key has already,`);
    }
    parsedActions.add(event);
    actions[event] = parseKeyAction(cursor);
  }
  return { table, referencedColumns, onUpdate: actions.UPDATE, onDelete: actions.DELETE };
}

/** MATCH SIMPLE is how all databases compare; MySQL and MariaDB accept the others and ignore them. */
function acceptMatch(cursor: Cursor, warn: (message: string) => void): boolean {
  if (accept(cursor, 'NOT', 'FOR', 'REPLICATION')) {
    warn('NOT FOR REPLICATION');
    return true;
  }
  if (!accept(cursor, 'MATCH')) return false;
  const match = acceptOne(cursor, ['FULL', 'PARTIAL', 'SIMPLE']);
  if (match === undefined) throw unexpected(cursor, 'FULL, PARTIAL or SIMPLE');
  if (match !== 'SIMPLE') warn(`MATCH ${match}`);
  return true;
}

function parseKeyAction(cursor: Cursor): ForeignKeyAction {
  if (accept(cursor, 'CASCADE')) return 'cascade';
  if (accept(cursor, 'RESTRICT')) return 'restrict';
  if (accept(cursor, 'NO', 'ACTION')) return 'no action';
  if (accept(cursor, 'SET', 'NULL')) return 'set null';
  if (accept(cursor, 'SET', 'DEFAULT')) return 'set default';
  throw unexpected(cursor, 'CASCADE, RESTRICT, NO ACTION, SET NULL or SET DEFAULT');
}

const tableKeys = {
  primary: { key: 'primary', isInColumn: false },
  unique: { key: 'unique', isInColumn: false },
} as const;

/** Parses a table constraint after its name; returns whether there was one. */
export function parseTableConstraint(cursor: Cursor, body: TableBody, name?: string): boolean {
  if (body.rules.parseDialectConstraint?.(cursor, body, name) === true) return true;
  const nameMember = name === undefined ? {} : { name };
  switch (wordAt(cursor)) {
    case 'PRIMARY':
      expect(cursor, 'PRIMARY', 'KEY');
      skipIgnoredName(cursor, body);
      body.rules.parseKeyOptions(cursor, tableKeys.primary, body.warn);
      setPrimaryKey(
        body,
        { ...nameMember, columns: parseKeyColumns(cursor, body) },
        offsetOf(cursor),
      );
      body.rules.parseKeyOptions(cursor, tableKeys.primary, body.warn);
      return true;
    case 'UNIQUE':
      parseUnique(cursor, body, name);
      return true;
    case 'FOREIGN':
      parseForeignKey(cursor, body, name);
      return true;
    case 'CHECK':
      parseCheck(cursor, body, nameMember);
      return true;
    default:
      return false;
  }
}

/** MySQL and MariaDB accept a name after PRIMARY KEY, and ignore it. */
function skipIgnoredName(cursor: Cursor, body: TableBody): void {
  if (wordAt(cursor) === 'USING') return;
  const name = parseIndexName(cursor, body);
  if (name !== undefined) body.warn(`the name ${name} of the primary key is left out.`);
}

/** MariaDB: ADD INDEX IF NOT EXISTS, ADD CONSTRAINT IF NOT EXISTS */
export function acceptIfNotExists(cursor: Cursor, body: TableBody): void {
  if (accept(cursor, 'IF', 'NOT', 'EXISTS')) body.skipsExisting = true;
}

/** The name of a key's index, between UNIQUE or FOREIGN KEY and the columns. */
function parseIndexName(cursor: Cursor, body: TableBody): string | undefined {
  const { keysMayNameIndexes } = body.rules;
  if (keysMayNameIndexes) acceptIfNotExists(cursor, body);
  return wordAt(cursor) === '(' || !keysMayNameIndexes
    ? undefined
    : parseName(cursor, 'a name or "("');
}

/** In MySQL a key may have another name after UNIQUE KEY. */
function parseUnique(cursor: Cursor, body: TableBody, name: string | undefined): void {
  cursor.at += 1;
  if (body.rules.keysMayNameIndexes) acceptOne(cursor, ['KEY', 'INDEX']);
  const parseOptions = (): object =>
    body.rules.parseKeyOptions(cursor, tableKeys.unique, body.warn);
  const beforeName = parseOptions();
  const ownName = parseIndexName(cursor, body);
  if (name !== undefined && ownName !== undefined && name !== ownName)
    body.warn(`the name ${name} of the key ${ownName} is left out.`);
  const before = { ...beforeName, ...parseOptions() };
  const parts = parseIndexParts(cursor);
  const isPlain = parts.every(
    (part) => part.column !== undefined && part.prefixLength === undefined && !part.descending,
  );
  body.indexes.push({
    name: ownName ?? name ?? '',
    unique: true,
    parts,
    ...(isPlain ? { constraint: true } : {}),
    ...before,
    ...parseOptions(),
  });
}

function parseForeignKey(cursor: Cursor, body: TableBody, name: string | undefined): void {
  expect(cursor, 'FOREIGN', 'KEY');
  const ownName = parseIndexName(cursor, body);
  const columns = parseColumnNames(cursor);
  expect(cursor, 'REFERENCES');
  if (name !== undefined && ownName !== undefined)
    body.warn(`the index name ${ownName} of the foreign key ${name} is left out.`);
  const keyName = name ?? ownName;
  body.foreignKeys.push({
    ...(keyName === undefined ? {} : { name: keyName }),
    columns,
    ...parseReferencedKey(cursor, body),
  });
}

export function parseCheck(
  cursor: Cursor,
  body: TableBody,
  checkName: Pick<Check, 'name' | 'column'>,
): void {
  expect(cursor, 'CHECK');
  if (accept(cursor, 'NOT', 'FOR', 'REPLICATION'))
    body.warn(
      `NOT FOR REPLICATION of the check ${checkName.name ?? ''} is left out.`.replace('  ', ' '),
    );
  const expression = parseGroup(cursor);
  const enforced = !accept(cursor, 'NOT', 'ENFORCED');
  if (enforced) accept(cursor, 'ENFORCED');
  body.checks.push({ ...checkName, expression, ...(enforced ? {} : { enforced }) });
}
