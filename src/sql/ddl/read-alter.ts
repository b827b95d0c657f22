/** Parses ALTER TABLE of MySQL and SQL Server. */
import {
  DdlError,
  accept,
  acceptOne,
  expect,
  isNext,
  isAtEnd,
  offsetOf,
  skipTo,
  parseName,
  parseQualifiedName,
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
} from './change-table.ts';
import { alterConstraint } from './alter-constraint.ts';
import { parseDrop } from './read-drop.ts';
import { changeTable, findTable } from './draft.ts';
import { parseDefinition } from './read-column.ts';
import { parseConstraint, parseDialectItem } from './read-table.ts';
import { constraintKey, newBody } from './table-body.ts';
import type { Check, Column, Table } from '../../model/schema.ts';
import type { ColumnPosition } from './change-table.ts';
import type { Alteration } from './alteration.ts';
import type { Cursor } from './cursor.ts';
import type { TableBody } from './ddl-rules.ts';

/** Parses the comma-separated actions after the table name. */
export function parseActions(alteration: Alteration): void {
  const { cursor, rules } = alteration;
  const words = isNext(cursor, 'WITH') ? 2 : 0;
  const isAdding = rules.continuesAdd && wordAt(cursor, words) === 'ADD';
  parseAction(alteration);
  while (accept(cursor, ','))
    if (isAdding) parseAddition(alteration);
    else parseAction(alteration);
  if (!isAtEnd(cursor)) throw unexpected(cursor, '"," or the end of the statement');
}

function parseAction(alteration: Alteration): void {
  const { cursor, draft, reference, rules, warn } = alteration;
  const table = findTable(draft, reference);
  const changedTable = table && rules.parseDialectAction?.(cursor, table, warn);
  if (changedTable !== undefined) {
    changeTable(draft, reference, () => changedTable);
    return;
  }
  const word = wordAt(cursor);
  const action = Object.hasOwn(actions, word) ? actions[word] : undefined;
  if (action === undefined) throw unexpected(cursor, 'a change of the table, such as ADD');
  cursor.at += 1;
  action(alteration);
}

type Action = (alteration: Alteration) => void;

const actions: Readonly<Record<string, Action>> = {
  ADD: (alteration) => {
    const { cursor } = alteration;
    accept(cursor, 'COLUMN');
    const skipsExisting = accept(cursor, 'IF', 'NOT', 'EXISTS');
    if (wordAt(cursor) === '(') parseAdditions(alteration, skipsExisting);
    else parseAddition(alteration, skipsExisting);
  },
  MODIFY: (alteration) => {
    const { cursor } = alteration;
    accept(cursor, 'COLUMN');
    const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
    const name = parseName(cursor, 'a column');
    if (mayBeMissing && isMissing(alteration, name)) skipDefinition(alteration, name);
    else redefineColumn(alteration, name);
  },
  CHANGE: (alteration) => {
    const { cursor, draft, reference } = alteration;
    accept(cursor, 'COLUMN');
    const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
    const from = parseName(cursor, 'a column');
    if (mayBeMissing && isMissing(alteration, from)) {
      skipDefinition(alteration, parseName(cursor, 'a column'));
      return;
    }
    changeTableWithColumn(alteration, from, (table) => table);
    const to = parseName(cursor, 'a column');
    renameColumn(draft, reference, { from, to, at: offsetOf(cursor) });
    redefineColumn(alteration, to);
  },
  ALTER: alterColumn,
  DROP: parseDrop,
  RENAME: rename,
  // T-SQL: whether existing rows are checked against a new constraint.
  WITH: (alteration) => {
    const { cursor, warn } = alteration;
    const mode = acceptOne(cursor, ['CHECK', 'NOCHECK']);
    if (mode === undefined) throw unexpected(cursor, 'CHECK or NOCHECK');
    if (!isNext(cursor, 'ADD') && !isNext(cursor, 'CHECK'))
      throw unexpected(cursor, 'ADD or CHECK CONSTRAINT');
    if (mode === 'NOCHECK') warn('WITH NOCHECK is left out: the constraint is trusted.');
    parseAction(alteration);
  },
  // T-SQL: enables or disables an existing constraint.
  CHECK: (alteration) => skipConstraintState(alteration, true),
  NOCHECK: (alteration) => skipConstraintState(alteration, false),
  // T-SQL: triggers and change tracking.
  ENABLE: skipOption,
  DISABLE: skipOption,
  SET: skipOption,
  REBUILD: skipOption,
  LOCK: ({ cursor }) => acceptBuildOption(cursor, 'LOCK'),
  ALGORITHM: ({ cursor }) => acceptBuildOption(cursor, 'ALGORITHM'),
  SWITCH: skipOption,
  PARTITION: skipOption,
};

/** LOCK and ALGORITHM only affect how the server runs the statement, so they need no warning. */
const buildOptions = {
  LOCK: ['DEFAULT', 'NONE', 'SHARED', 'EXCLUSIVE'],
  ALGORITHM: ['DEFAULT', 'INPLACE', 'COPY', 'INSTANT', 'NOCOPY'],
} as const;

/** Parses the value of LOCK or ALGORITHM. */
export function acceptBuildOption(cursor: Cursor, option: keyof typeof buildOptions): void {
  accept(cursor, '=');
  if (acceptOne(cursor, buildOptions[option]) === undefined)
    throw unexpected(cursor, buildOptions[option].join(', '));
}

function skipOption({ cursor, warn }: Alteration): void {
  const from = cursor.at - 1;
  skipTo(cursor, [',']);
  warn(`"${textBetween(cursor, from, cursor.at)}" is left out.`);
}

function skipConstraintState(alteration: Alteration, isTrusted: boolean): void {
  const { cursor } = alteration;
  expect(cursor, 'CONSTRAINT');
  const isAll = accept(cursor, 'ALL');
  const names = isAll ? [] : [parseName(cursor, 'a name')];
  if (!isAll) while (accept(cursor, ',')) names.push(parseName(cursor, 'a name'));
  if (isTrusted) return;
  const subject = isAll ? 'All constraints are' : `${names.join(', ')} is`;
  alteration.warn(
    `${subject} created enabled, although the file disables ${isAll ? 'them' : 'it'}.`,
  );
}

// ADD

function parseAdditions(alteration: Alteration, skipsExisting: boolean): void {
  const { cursor } = alteration;
  cursor.at += 1;
  do parseAddition(alteration, skipsExisting);
  while (accept(cursor, ','));
  expect(cursor, ')');
}

function parseAddition(alteration: Alteration, skipsExisting = false): void {
  const { cursor, draft, reference } = alteration;
  if (parseDefaultFor(alteration)) return;
  const body = bodyOf(alteration);
  if (!parseDialectItem(cursor, body) && !parseConstraint(cursor, body))
    parseDefinition(cursor, body, parseName(cursor, 'a column or a constraint'));
  const position = parsePosition(cursor);
  if (body.primaryKey !== undefined && findTable(draft, reference)?.primaryKey !== undefined)
    throw new DdlError(`The table ${reference.localName} has two primary keys.`, offsetOf(cursor));
  changeTable(draft, reference, (table) => {
    const bodyWithoutExisting =
      skipsExisting || body.skipsExisting ? withoutExisting(body, table) : body;
    return withBody(table, bodyWithoutExisting, position);
  });
}

/** The parts of a body that the table lacks. Keys in the definition of an existing column are skipped with it. */
function withoutExisting(body: TableBody, table: Table): TableBody {
  const { columns, indexes, foreignKeys, checks } = body;
  if (columns.some(({ name }) => !hasColumn(table, name))) return body;
  if (columns.length > 0) return newBody(body.reference, body.rules, body.warn);
  const isNew = ({ name }: { readonly name?: string }): boolean =>
    name === undefined || !hasConstraint(table, name);
  return {
    ...body,
    indexes: indexes.filter(isNew),
    foreignKeys: foreignKeys.filter(isNew),
    checks: checks.filter(isNew),
  };
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
  const constraint = isNamed ? parseName({ ...cursor, at: cursor.at + 1 }) : undefined;
  cursor.at += isNamed ? 3 : 1;
  const expression = parseDefaultOf(alteration);
  expect(cursor, 'FOR');
  const name = parseName(cursor, 'a column');
  if (constraint !== undefined) {
    const { reference, rules } = alteration;
    rules.defaultNames?.set(constraintKey(reference, constraint), name);
  }
  accept(cursor, 'WITH', 'VALUES');
  setDefault(alteration, name, expression);
  return true;
}

function parseDefaultOf({ cursor, rules, warn }: Alteration): string {
  return rules.parseDefault(cursor, (omitted) => warn(`${omitted} is left out.`));
}

function setDefault(alteration: Alteration, name: string, expression: string | undefined): void {
  changeExistingColumn(alteration, name, ({ default: _old, ...column }) =>
    expression === undefined ? column : { ...column, default: expression },
  );
}

function setVisibility(alteration: Alteration, name: string): void {
  const isInvisible = accept(alteration.cursor, 'SET', 'INVISIBLE');
  if (!isInvisible) expect(alteration.cursor, 'SET', 'VISIBLE');
  changeExistingColumn(alteration, name, ({ invisible: _old, ...column }) =>
    isInvisible ? { ...column, invisible: true } : column,
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

function redefineColumn(alteration: Alteration, name: string): void {
  const { cursor, draft, reference, warn } = alteration;
  changeTableWithColumn(alteration, name, (table) => table);
  const body = bodyOf(alteration);
  const column = parseDefinition(cursor, body, name);
  const position = parsePosition(cursor);
  const rest = { ...body, columns: [] };
  changeTable(draft, reference, (table) => {
    const changed = changeColumn(withoutColumnChecks(table, name, warn), name, () => column);
    if (position === undefined) return withBody(changed, rest);
    const otherColumns = changed.columns.filter((other) => !isSameName(other.name, name));
    return withBody({ ...changed, columns: otherColumns }, body, position);
  });
}

function isMissing({ draft, reference }: Alteration, name: string): boolean {
  const table = findTable(draft, reference);
  return table !== undefined && !hasColumn(table, name);
}

/** Parses the definition of a column that IF EXISTS does not find. */
function skipDefinition(alteration: Alteration, name: string): void {
  parseDefinition(alteration.cursor, bodyOf(alteration), name);
  parsePosition(alteration.cursor);
}

/** MariaDB replaces the checks of a column with its definition. MySQL keeps them, so a warning names them. */
function withoutColumnChecks(table: Table, name: string, warn: Alteration['warn']): Table {
  const isOfColumn = ({ column }: Check): boolean => isSameName(column, name);
  for (const { expression } of table.checks.filter(isOfColumn))
    warn(`the check ${expression} is left out with the old definition of ${name}.`);
  return { ...table, checks: table.checks.filter((check) => !isOfColumn(check)) };
}

function alterColumn(alteration: Alteration): void {
  const { cursor, rules } = alteration;
  if (acceptOne(cursor, ['INDEX', 'CONSTRAINT', 'CHECK', 'KEY']) !== undefined) {
    alterConstraint(alteration);
    return;
  }
  accept(cursor, 'COLUMN');
  const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
  const name = parseName(cursor, 'a column');
  if (mayBeMissing && isMissing(alteration, name)) {
    skipTo(cursor, [',']);
    return;
  }
  const change = rules.parseColumnChange?.(cursor, (omitted) =>
    alteration.warn(`${omitted} of ${name} is left out.`),
  );
  if (change !== undefined) changeExistingColumn(alteration, name, change);
  else if (accept(cursor, 'SET', 'DEFAULT'))
    setDefault(alteration, name, parseDefaultOf(alteration));
  else if (accept(cursor, 'DROP', 'DEFAULT')) setDefault(alteration, name, undefined);
  else if (isNext(cursor, 'SET')) setVisibility(alteration, name);
  else {
    const body = newBody(alteration.reference, rules, alteration.warn);
    const { type, nativeType, nullable, collation } = parseDefinition(cursor, body, name);
    changeExistingColumn(alteration, name, ({ collation: _old, ...column }) => ({
      ...column,
      type,
      nativeType,
      nullable,
      ...(collation === undefined ? {} : { collation }),
    }));
  }
}

// RENAME

function rename(alteration: Alteration): void {
  const { cursor, draft, reference, rules } = alteration;
  if (accept(cursor, 'COLUMN')) {
    const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
    const from = parseName(cursor, 'a column');
    const isSkipped = mayBeMissing && isMissing(alteration, from);
    if (!isSkipped) changeTableWithColumn(alteration, from, (table) => table);
    expect(cursor, 'TO');
    const at = offsetOf(cursor);
    const to = parseName(cursor, 'a column');
    if (!isSkipped) renameColumn(draft, reference, { from, to, at });
  } else if (acceptOne(cursor, ['INDEX', 'KEY']) !== undefined) {
    const mayBeMissing = accept(cursor, 'IF', 'EXISTS');
    const at = offsetOf(cursor);
    const from = parseName(cursor, 'an index');
    expect(cursor, 'TO');
    const to = parseName(cursor, 'a name');
    const indexes = findTable(draft, reference)?.indexes ?? [];
    if (!mayBeMissing && !indexes.some(({ name }) => isSameName(name, from)))
      throw new DdlError(
        `The file does not create an index ${from} of ${reference.localName}.`,
        at,
      );
    changeTable(draft, reference, (table) => ({
      ...table,
      indexes: table.indexes.map((index) =>
        isSameName(index.name, from) ? { ...index, name: to } : index,
      ),
    }));
  } else {
    acceptOne(cursor, ['TO', 'AS']);
    const at = offsetOf(cursor);
    const to = rules.tableReference(parseQualifiedName(cursor, 'a table'));
    renameTable(draft, { from: reference, to, at });
    alteration.reference = to;
  }
}
