/** ALTER TABLE, as MySQL and SQL Server and what dumps them write it. */
import {
  DdlError,
  accept,
  acceptOne,
  expect,
  isAhead,
  isAtEnd,
  placeOf,
  skip,
  takeName,
  takeQualifiedName,
  takeText,
  unexpected,
  textBetween,
  wordAt,
} from './cursor.ts';
import {
  changeColumn,
  hasColumn,
  hasConstraint,
  isSame,
  renameColumn,
  renameTable,
  withBody,
  withoutColumn,
  withoutConstraint,
  withoutPrimaryKey,
} from './change-table.ts';
import { changeTable, findTable } from './draft.ts';
import { takeDefault, takeDefinition } from './read-column.ts';
import { takeConstraint } from './read-table.ts';
import { newBody } from './table-body.ts';
import type { Column, Table } from '../../model/schema.ts';
import type { ColumnPlace } from './change-table.ts';
import type { Cursor } from './cursor.ts';
import type { DdlRules } from './ddl-rules.ts';
import type { Draft, TableReference } from './draft.ts';
import type { TableBody } from './ddl-rules.ts';

export interface Alteration {
  readonly cursor: Cursor;
  readonly rules: DdlRules;
  readonly draft: Draft;
  /** Changes when the statement renames the table. */
  reference: TableReference;
  warn(what: string): void;
}

/** Behind the table's name: actions with commas between them. */
export function takeActions(alteration: Alteration): void {
  const { cursor } = alteration;
  takeAction(alteration);
  while (accept(cursor, ',')) takeAction(alteration);
  if (!isAtEnd(cursor)) throw unexpected(cursor, '"," or the end of the statement');
}

function takeAction(alteration: Alteration): void {
  const { cursor } = alteration;
  const word = wordAt(cursor);
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
  if (action === undefined) {
    takeAddition(alteration);
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
    if (wordAt(cursor) === '(') takeAdditions(alteration);
    else takeAddition(alteration);
  },
  MODIFY: (alteration) => {
    const { cursor } = alteration;
    accept(cursor, 'COLUMN');
    accept(cursor, 'IF', 'EXISTS');
    redefine(alteration, takeName(cursor, 'a column'));
  },
  CHANGE: (alteration) => {
    const { cursor, draft, reference } = alteration;
    accept(cursor, 'COLUMN');
    const from = takeName(cursor, 'a column');
    const to = takeName(cursor, 'a column');
    renameColumn(draft, reference, { from, to });
    redefine(alteration, to);
  },
  ALTER: alterColumn,
  DROP: drop,
  RENAME: rename,
  // Whether rows that are there are looked at.
  WITH: (alteration) => {
    const { cursor } = alteration;
    if (acceptOne(cursor, ['CHECK', 'NOCHECK']) === undefined)
      throw unexpected(cursor, 'CHECK or NOCHECK');
    takeAction(alteration);
  },
  // Says that a constraint that is there is trusted, or not.
  CHECK: (alteration) => passTrust(alteration, true),
  NOCHECK: (alteration) => passTrust(alteration, false),
  COMMENT: ({ cursor, draft, reference }) => {
    accept(cursor, '=');
    const comment = takeText(cursor);
    changeTable(draft, reference, (table) => ({ ...table, comment }));
  },
  AUTO_INCREMENT: leaveOutOption,
  ENGINE: leaveOutOption,
  ROW_FORMAT: leaveOutOption,
  CHARSET: leaveOutOption,
  COLLATE: leaveOutOption,
  DEFAULT: leaveOutOption,
  CHARACTER: leaveOutOption,
  CONVERT: leaveOutOption,
  ENABLE: passRest,
  DISABLE: passRest,
  ORDER: leaveOutOption,
  SET: leaveOutOption,
  REBUILD: leaveOutOption,
  LOCK: passValue,
  ALGORITHM: passValue,
  SWITCH: leaveOutOption,
  PARTITION: (alteration) => {
    alteration.warn('its partitions are left out.');
    passRest(alteration);
  },
};

/** How the statement itself is run. */
function passValue({ cursor }: Alteration): void {
  accept(cursor, '=');
  skip(cursor);
}

/** Turns keys or triggers on and off. */
function passRest({ cursor }: Alteration): void {
  while (!isAtEnd(cursor) && wordAt(cursor) !== ',') skip(cursor);
}

/** An option of the table. */
function leaveOutOption(alteration: Alteration): void {
  const { cursor, warn } = alteration;
  const from = cursor.at - 1;
  passRest(alteration);
  warn(`"${textBetween(cursor, from, cursor.at)}" is left out.`);
}

function passTrust(alteration: Alteration, isTrusted: boolean): void {
  const { cursor } = alteration;
  expect(cursor, 'CONSTRAINT');
  const name = takeName(cursor, 'a name');
  if (!isTrusted && name.toUpperCase() !== 'ALL')
    alteration.warn(`${name} is made to hold, though the file turns it off.`);
}

// ADD

function takeAdditions(alteration: Alteration): void {
  const { cursor } = alteration;
  cursor.at += 1;
  do takeAddition(alteration);
  while (accept(cursor, ','));
  expect(cursor, ')');
}

function takeAddition(alteration: Alteration): void {
  const { cursor, rules, draft, reference } = alteration;
  if (takeDefaultFor(alteration)) return;
  const body = bodyOf(alteration);
  const word = wordAt(cursor);
  if (Object.hasOwn(rules.bodyItems, word)) {
    cursor.at += 1;
    rules.bodyItems[word]?.(cursor, body);
  } else if (!takeConstraint(cursor, body)) {
    takeDefinition(cursor, body, takeName(cursor, 'a column or a constraint'));
  }
  const place = takePlace(cursor);
  if (body.primaryKey !== undefined && findTable(draft, reference)?.primaryKey !== undefined)
    throw new DdlError(`The table ${reference.localName} has two primary keys.`, placeOf(cursor));
  changeTable(draft, reference, (table) => withBody(table, body, place));
}

function bodyOf({ reference, rules, warn }: Alteration): TableBody {
  return newBody(reference, rules, warn);
}

function takePlace(cursor: Cursor): ColumnPlace | undefined {
  if (accept(cursor, 'FIRST')) return { after: undefined };
  return accept(cursor, 'AFTER') ? { after: takeName(cursor, 'a column') } : undefined;
}

/** T-SQL: `CONSTRAINT name DEFAULT (0) FOR column`. */
function takeDefaultFor(alteration: Alteration): boolean {
  const { cursor } = alteration;
  const isNamed = isAhead(cursor, 'CONSTRAINT') && wordAt(cursor, 2) === 'DEFAULT';
  if (!isNamed && !isAhead(cursor, 'DEFAULT')) return false;
  cursor.at += isNamed ? 3 : 1;
  const expression = takeDefault(cursor);
  expect(cursor, 'FOR');
  const name = takeName(cursor, 'a column');
  accept(cursor, 'WITH', 'VALUES');
  setDefault(alteration, name, expression);
  return true;
}

function setDefault(alteration: Alteration, name: string, expression: string | undefined): void {
  onColumn(alteration, name, ({ default: _old, ...column }) =>
    expression === undefined ? column : { ...column, default: expression },
  );
}

/** A column that is not there is an error of the file's. */
function onColumn(alteration: Alteration, name: string, change: (column: Column) => Column): void {
  onTable(alteration, name, (table) => changeColumn(table, name, change));
}

function onTable(alteration: Alteration, name: string, change: (table: Table) => Table): void {
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
  onTable(alteration, name, (table) => table);
  const body = bodyOf(alteration);
  const column = takeDefinition(cursor, body, name);
  const place = takePlace(cursor);
  const rest = { ...body, columns: [] };
  changeTable(draft, reference, (table) => {
    const changed = changeColumn(table, name, () => column);
    if (place === undefined) return withBody(changed, rest);
    const others = changed.columns.filter((other) => !isSame(other.name, name));
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
  const name = takeName(cursor, 'a column');
  if (accept(cursor, 'SET', 'DEFAULT')) setDefault(alteration, name, takeDefault(cursor));
  else if (accept(cursor, 'DROP', 'DEFAULT')) setDefault(alteration, name, undefined);
  else {
    const body = newBody(alteration.reference, rules, alteration.warn);
    const { type, nativeType, nullable } = takeDefinition(cursor, body, name);
    onColumn(alteration, name, (column) => ({ ...column, type, nativeType, nullable }));
  }
}

/** MySQL: an index is hidden from the planner, a check is enforced or not. */
function alterConstraint(alteration: Alteration): void {
  const { cursor, draft, reference } = alteration;
  accept(cursor, 'IF', 'EXISTS');
  const name = takeName(cursor, 'a name');
  const isNot = accept(cursor, 'NOT');
  const state = acceptOne(cursor, ['VISIBLE', 'INVISIBLE', 'IGNORED', 'ENFORCED']);
  if (state === undefined) throw unexpected(cursor, 'VISIBLE, INVISIBLE, IGNORED or ENFORCED');
  const isInvisible = state === 'INVISIBLE' || (state === 'IGNORED' && !isNot);
  changeTable(draft, reference, (table) => ({
    ...table,
    checks: table.checks.map((check) => {
      if (state !== 'ENFORCED' || !isSame(check.name, name)) return check;
      const { enforced: _old, ...rest } = check;
      return isNot ? { ...rest, enforced: false } : rest;
    }),
    indexes: table.indexes.map((index) => {
      if (state === 'ENFORCED' || !isSame(index.name, name)) return index;
      const { invisible: _old, ...rest } = index;
      return isInvisible ? { ...rest, invisible: true } : rest;
    }),
  }));
}

// DROP, RENAME

function drop(alteration: Alteration): void {
  const { cursor, draft, reference } = alteration;
  do changeTable(draft, reference, takeDropped(alteration));
  while (isDroppedToo(cursor) && accept(cursor, ','));
}

/** T-SQL: `DROP CONSTRAINT a, COLUMN b, c`. */
function isDroppedToo(cursor: Cursor): boolean {
  if (wordAt(cursor) !== ',') return false;
  if (['COLUMN', 'CONSTRAINT'].includes(wordAt(cursor, 1))) return true;
  const behindName = cursor.code[cursor.at + 2];
  return (
    cursor.code[cursor.at + 1] !== undefined &&
    (behindName === undefined || behindName.word === ',')
  );
}

function takeDropped({ cursor, draft, reference, warn }: Alteration): (table: Table) => Table {
  if (accept(cursor, 'PRIMARY', 'KEY')) return withoutPrimaryKey;
  accept(cursor, 'FOREIGN');
  const kind = acceptOne(cursor, ['COLUMN', 'INDEX', 'KEY', 'CONSTRAINT', 'CHECK']) ?? 'COLUMN';
  const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
  const at = placeOf(cursor);
  const name = takeName(cursor, 'a name');
  acceptOne(cursor, ['CASCADE', 'RESTRICT']);
  const old = findTable(draft, reference);
  const isColumn = kind === 'COLUMN';
  const isThere = old === undefined || (isColumn ? hasColumn(old, name) : hasConstraint(old, name));
  if (!isThere && !mayBeMissing && isColumn)
    throw new DdlError(`The table ${reference.localName} has no column ${name}.`, at);
  // The server may have named it itself.
  if (!isThere && !mayBeMissing) warn(`DROP ${kind} ${name} is left out.`);
  return (table) => (isColumn ? withoutColumn(table, name) : withoutConstraint(table, name));
}

function rename(alteration: Alteration): void {
  const { cursor, draft, reference, rules } = alteration;
  if (accept(cursor, 'COLUMN')) {
    const from = takeName(cursor, 'a column');
    expect(cursor, 'TO');
    renameColumn(draft, reference, { from, to: takeName(cursor, 'a column') });
  } else if (acceptOne(cursor, ['INDEX', 'KEY']) !== undefined) {
    const from = takeName(cursor, 'an index');
    expect(cursor, 'TO');
    const to = takeName(cursor, 'a name');
    changeTable(draft, reference, (table) => ({
      ...table,
      indexes: table.indexes.map((index) =>
        isSame(index.name, from) ? { ...index, name: to } : index,
      ),
    }));
  } else {
    acceptOne(cursor, ['TO', 'AS']);
    const to = rules.reference(takeQualifiedName(cursor, 'a table'));
    renameTable(draft, reference, to);
    alteration.reference = to;
  }
}
