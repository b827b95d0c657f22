/** Parses ALTER TABLE of MySQL and SQL Server. */
import {
  DdlError,
  accept,
  acceptOne,
  expect,
  isNext,
  isAtEnd,
  offsetOf,
  skip,
  parseName,
  parseQualifiedName,
  parseText,
  unexpected,
  textBetween,
  wordAt,
} from './cursor.ts';
import {
  changeColumn,
  hasColumn,
  hasConstraint,
  isSameName,
  renameColumn,
  renameTable,
  withBody,
  withoutColumn,
  withoutConstraint,
  withoutPrimaryKey,
} from './change-table.ts';
import { changeTable, findTable } from './draft.ts';
import { parseDefault, parseDefinition } from './read-column.ts';
import { parseConstraint } from './read-table.ts';
import { newBody } from './table-body.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { ColumnPosition } from './change-table.ts';
import type { Cursor } from './cursor.ts';
import type { DdlRules } from './ddl-rules.ts';
import type { SchemaDraft, TableReference } from './draft.ts';
import type { TableBody } from './ddl-rules.ts';

export interface Alteration {
  readonly cursor: Cursor;
  readonly rules: DdlRules;
  readonly draft: SchemaDraft;
  /** Changes when the statement renames the table. */
  reference: TableReference;
  warn(what: string): void;
}

/** Parses the comma-separated actions after the table name. */
export function parseActions(alteration: Alteration): void {
  const { cursor } = alteration;
  parseAction(alteration);
  while (accept(cursor, ',')) parseAction(alteration);
  if (!isAtEnd(cursor)) throw unexpected(cursor, '"," or the end of the statement');
}

function parseAction(alteration: Alteration): void {
  const { cursor } = alteration;
  const word = wordAt(cursor);
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
  if (action === undefined) {
    parseAddition(alteration);
    return;
  }
  cursor.at += 1;
  action(alteration);
}

type Action = (alteration: Alteration) => void;

const actions: Readonly<Record<string, Action>> = {
  ADD: (alteration) => {
    const { cursor } = alteration;
    accept(cursor, 'COLUMN');
    accept(cursor, 'IF', 'NOT', 'EXISTS');
    if (wordAt(cursor) === '(') parseAdditions(alteration);
    else parseAddition(alteration);
  },
  MODIFY: (alteration) => {
    const { cursor } = alteration;
    accept(cursor, 'COLUMN');
    accept(cursor, 'IF', 'EXISTS');
    redefine(alteration, parseName(cursor, 'a column'));
  },
  CHANGE: (alteration) => {
    const { cursor, draft, reference } = alteration;
    accept(cursor, 'COLUMN');
    const from = parseName(cursor, 'a column');
    const to = parseName(cursor, 'a column');
    renameColumn(draft, reference, { from, to });
    redefine(alteration, to);
  },
  ALTER: alterColumn,
  DROP: drop,
  RENAME: rename,
  // T-SQL: whether existing rows are checked against a new constraint.
  WITH: (alteration) => {
    const { cursor } = alteration;
    if (acceptOne(cursor, ['CHECK', 'NOCHECK']) === undefined)
      throw unexpected(cursor, 'CHECK or NOCHECK');
    parseAction(alteration);
  },
  // T-SQL: enables or disables an existing constraint.
  CHECK: (alteration) => skipConstraintState(alteration, true),
  NOCHECK: (alteration) => skipConstraintState(alteration, false),
  COMMENT: ({ cursor, draft, reference }) => {
    accept(cursor, '=');
    const comment = parseText(cursor);
    changeTable(draft, reference, (table) => ({ ...table, comment }));
  },
  AUTO_INCREMENT: skipOption,
  ENGINE: skipOption,
  ROW_FORMAT: skipOption,
  CHARSET: skipOption,
  COLLATE: skipOption,
  DEFAULT: skipOption,
  CHARACTER: skipOption,
  CONVERT: skipOption,
  ENABLE: skipToComma,
  DISABLE: skipToComma,
  ORDER: skipOption,
  SET: skipOption,
  REBUILD: skipOption,
  LOCK: skipValue,
  ALGORITHM: skipValue,
  SWITCH: skipOption,
  PARTITION: (alteration) => {
    alteration.warn('its partitions are left out.');
    skipToComma(alteration);
  },
};

/** Skips LOCK and ALGORITHM, which only affect how the server runs the statement. */
function skipValue({ cursor }: Alteration): void {
  accept(cursor, '=');
  skip(cursor);
}

/** Skips ENABLE and DISABLE of keys and triggers. */
function skipToComma({ cursor }: Alteration): void {
  while (!isAtEnd(cursor) && wordAt(cursor) !== ',') skip(cursor);
}

/** Skips a table option with a warning. */
function skipOption(alteration: Alteration): void {
  const { cursor, warn } = alteration;
  const from = cursor.at - 1;
  skipToComma(alteration);
  warn(`"${textBetween(cursor, from, cursor.at)}" is left out.`);
}

function skipConstraintState(alteration: Alteration, isTrusted: boolean): void {
  const { cursor } = alteration;
  expect(cursor, 'CONSTRAINT');
  const name = parseName(cursor, 'a name');
  if (!isTrusted && name.toUpperCase() !== 'ALL')
    alteration.warn(`${name} is created enabled, although the file disables it.`);
}

// ADD

function parseAdditions(alteration: Alteration): void {
  const { cursor } = alteration;
  cursor.at += 1;
  do parseAddition(alteration);
  while (accept(cursor, ','));
  expect(cursor, ')');
}

function parseAddition(alteration: Alteration): void {
  const { cursor, rules, draft, reference } = alteration;
  if (parseDefaultFor(alteration)) return;
  const body = bodyOf(alteration);
  const word = wordAt(cursor);
  if (Object.hasOwn(rules.bodyItems, word)) {
    cursor.at += 1;
    rules.bodyItems[word]?.(cursor, body);
  } else if (!parseConstraint(cursor, body)) {
    parseDefinition(cursor, body, parseName(cursor, 'a column or a constraint'));
  }
  const place = parsePosition(cursor);
  if (body.primaryKey !== undefined && findTable(draft, reference)?.primaryKey !== undefined)
    throw new DdlError(`The table ${reference.localName} has two primary keys.`, offsetOf(cursor));
  changeTable(draft, reference, (table) => withBody(table, body, place));
}

function bodyOf({ reference, rules, warn }: Alteration): TableBody {
  return newBody(reference, rules, warn);
}

function parsePosition(cursor: Cursor): ColumnPosition | undefined {
  if (accept(cursor, 'FIRST')) return { after: undefined };
  return accept(cursor, 'AFTER') ? { after: parseName(cursor, 'a column') } : undefined;
}

/** T-SQL: `CONSTRAINT name DEFAULT (0) FOR column`. */
function parseDefaultFor(alteration: Alteration): boolean {
  const { cursor } = alteration;
  const isNamed = isNext(cursor, 'CONSTRAINT') && wordAt(cursor, 2) === 'DEFAULT';
  if (!isNamed && !isNext(cursor, 'DEFAULT')) return false;
  cursor.at += isNamed ? 3 : 1;
  const expression = parseDefault(cursor);
  expect(cursor, 'FOR');
  const name = parseName(cursor, 'a column');
  accept(cursor, 'WITH', 'VALUES');
  setDefault(alteration, name, expression);
  return true;
}

function setDefault(alteration: Alteration, name: string, expression: string | undefined): void {
  changeExistingColumn(alteration, name, ({ default: _old, ...column }) =>
    expression === undefined ? column : { ...column, default: expression },
  );
}

/** Changes a column; throws if the table does not have it. */
function changeExistingColumn(
  alteration: Alteration,
  name: string,
  change: (column: Column) => Column,
): void {
  changeTableWithColumn(alteration, name, (table) => changeColumn(table, name, change));
}

function changeTableWithColumn(
  alteration: Alteration,
  name: string,
  change: (table: Table) => Table,
): void {
  const { cursor, draft, reference } = alteration;
  const table = findTable(draft, reference);
  if (table !== undefined && !hasColumn(table, name)) {
    cursor.at -= 1;
    throw unexpected(cursor, `a column of ${table.name}`);
  }
  changeTable(draft, reference, change);
}

// MODIFY, CHANGE, ALTER COLUMN

function redefine(alteration: Alteration, name: string): void {
  const { cursor, draft, reference } = alteration;
  changeTableWithColumn(alteration, name, (table) => table);
  const body = bodyOf(alteration);
  const column = parseDefinition(cursor, body, name);
  const place = parsePosition(cursor);
  const rest = { ...body, columns: [] };
  changeTable(draft, reference, (table) => {
    const changed = changeColumn(table, name, () => column);
    if (place === undefined) return withBody(changed, rest);
    const others = changed.columns.filter((other) => !isSameName(other.name, name));
    return withBody({ ...changed, columns: others }, body, place);
  });
}

function alterColumn(alteration: Alteration): void {
  const { cursor, rules } = alteration;
  if (acceptOne(cursor, ['INDEX', 'CONSTRAINT', 'CHECK', 'KEY']) !== undefined) {
    alterConstraint(alteration);
    return;
  }
  accept(cursor, 'COLUMN');
  const name = parseName(cursor, 'a column');
  if (accept(cursor, 'SET', 'DEFAULT')) setDefault(alteration, name, parseDefault(cursor));
  else if (accept(cursor, 'DROP', 'DEFAULT')) setDefault(alteration, name, undefined);
  else {
    const body = newBody(alteration.reference, rules, alteration.warn);
    const { type, nativeType, nullable } = parseDefinition(cursor, body, name);
    changeExistingColumn(alteration, name, (column) => ({ ...column, type, nativeType, nullable }));
  }
}

/** MySQL: makes an index visible or invisible to the optimizer, or enforces a check or not. */
function alterConstraint(alteration: Alteration): void {
  const { cursor, draft, reference } = alteration;
  accept(cursor, 'IF', 'EXISTS');
  const name = parseName(cursor, 'a name');
  const isNot = accept(cursor, 'NOT');
  const state = acceptOne(cursor, ['VISIBLE', 'INVISIBLE', 'IGNORED', 'ENFORCED']);
  if (state === undefined) throw unexpected(cursor, 'VISIBLE, INVISIBLE, IGNORED or ENFORCED');
  const isInvisible = state === 'INVISIBLE' || (state === 'IGNORED' && !isNot);
  changeTable(draft, reference, (table) => ({
    ...table,
    checks: table.checks.map((check) => {
      if (state !== 'ENFORCED' || !isSameName(check.name, name)) return check;
      const { enforced: _old, ...rest } = check;
      return isNot ? { ...rest, enforced: false } : rest;
    }),
    indexes: table.indexes.map((index) => {
      if (state === 'ENFORCED' || !isSameName(index.name, name)) return index;
      const { invisible: _old, ...rest } = index;
      return isInvisible ? { ...rest, invisible: true } : rest;
    }),
  }));
}

// DROP, RENAME

function drop(alteration: Alteration): void {
  const { cursor, draft, reference } = alteration;
  do changeTable(draft, reference, parseDropped(alteration));
  while (dropsAnother(cursor) && accept(cursor, ','));
}

/** T-SQL: `DROP CONSTRAINT a, COLUMN b, c`. */
function dropsAnother(cursor: Cursor): boolean {
  if (wordAt(cursor) !== ',') return false;
  if (['COLUMN', 'CONSTRAINT'].includes(wordAt(cursor, 1))) return true;
  const behindName = cursor.code[cursor.at + 2];
  return (
    cursor.code[cursor.at + 1] !== undefined &&
    (behindName === undefined || behindName.word === ',')
  );
}

function parseDropped({ cursor, draft, reference, warn }: Alteration): (table: Table) => Table {
  if (accept(cursor, 'PRIMARY', 'KEY')) return withoutPrimaryKey;
  accept(cursor, 'FOREIGN');
  const kind = acceptOne(cursor, ['COLUMN', 'INDEX', 'KEY', 'CONSTRAINT', 'CHECK']) ?? 'COLUMN';
  const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
  const at = offsetOf(cursor);
  const name = parseName(cursor, 'a name');
  acceptOne(cursor, ['CASCADE', 'RESTRICT']);
  const old = findTable(draft, reference);
  const isColumn = kind === 'COLUMN';
  const isThere = old === undefined || (isColumn ? hasColumn(old, name) : hasConstraint(old, name));
  if (!isThere && !mayBeMissing && isColumn)
    throw new DdlError(`The table ${reference.localName} has no column ${name}.`, at);
  // The server may have generated the name, so a missing constraint is only a warning.
  if (!isThere && !mayBeMissing) warn(`DROP ${kind} ${name} is left out.`);
  return (table) => (isColumn ? withoutColumn(table, name) : withoutConstraint(table, name));
}

function rename(alteration: Alteration): void {
  const { cursor, draft, reference, rules } = alteration;
  if (accept(cursor, 'COLUMN')) {
    const from = parseName(cursor, 'a column');
    expect(cursor, 'TO');
    renameColumn(draft, reference, { from, to: parseName(cursor, 'a column') });
  } else if (acceptOne(cursor, ['INDEX', 'KEY']) !== undefined) {
    const from = parseName(cursor, 'an index');
    expect(cursor, 'TO');
    const to = parseName(cursor, 'a name');
    changeTable(draft, reference, (table) => ({
      ...table,
      indexes: table.indexes.map((index) =>
        isSameName(index.name, from) ? { ...index, name: to } : index,
      ),
    }));
  } else {
    acceptOne(cursor, ['TO', 'AS']);
    const to = rules.tableReference(parseQualifiedName(cursor, 'a table'));
    renameTable(draft, reference, to);
    alteration.reference = to;
  }
}
