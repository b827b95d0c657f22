/** A column's definition: its name, its type, and clauses in any order. */
import {
  accept,
  acceptOne,
  behind,
  expect,
  isAtEnd,
  placeOf,
  takeGroup,
  takeName,
  takeText,
  textBetween,
  unexpected,
  wordAt,
} from './cursor.ts';
import { takeCheck, takeTarget } from './read-keys.ts';
import { setPrimaryKey, takeConstraintName } from './table-body.ts';
import type { Column } from '../../model/schema.ts';
import type { Cursor } from './cursor.ts';
import type { ColumnReading, TableBody } from './ddl-rules.ts';

/** The column goes into the body, and with it what its clauses say of the table. */
export function takeColumn(cursor: Cursor, body: TableBody): Column {
  const name = takeName(cursor, 'a column');
  return takeDefinition(cursor, body, name);
}

/** A column whose name has been passed. */
export function takeDefinition(cursor: Cursor, body: TableBody, name: string): Column {
  // T-SQL's computed columns have no type.
  const typed =
    wordAt(cursor) === 'AS'
      ? { nativeType: '', type: { kind: 'untyped' } as const }
      : body.rules.takeType(cursor);
  const reading: ColumnReading = {
    cursor,
    body,
    column: {
      name,
      type: typed.type,
      nativeType: typed.nativeType,
      nullable: true,
      ...('column' in typed ? typed.column : {}),
    },
    constraintName: undefined,
  };
  while (!isColumnEnd(cursor)) takeClause(reading);
  body.columns.push(reading.column);
  return reading.column;
}

/** MySQL's ALTER TABLE says behind a column where it stands. */
function isColumnEnd(cursor: Cursor): boolean {
  return isAtEnd(cursor) || [',', ')', ';', 'FIRST', 'AFTER'].includes(wordAt(cursor));
}

function takeClause(reading: ColumnReading): void {
  const { cursor, body } = reading;
  const word = wordAt(cursor);
  const own = body.rules.columnClauses;
  const read = Object.hasOwn(own, word)
    ? own[word]
    : Object.hasOwn(clauses, word)
      ? clauses[word]
      : undefined;
  if (read === undefined) throw unexpected(cursor, 'a clause of the column, "," or ")"');
  cursor.at += 1;
  read(reading);
}

/** What all dialects have; the word itself has been passed. */
const clauses: Readonly<Record<string, (reading: ColumnReading) => void>> = {
  CONSTRAINT: (reading) => {
    reading.constraintName = takeName(reading.cursor, 'a name');
  },
  NOT: ({ cursor, column }) => {
    expect(cursor, 'NULL');
    column.nullable = false;
  },
  NULL: ({ column }) => {
    column.nullable = true;
  },
  DEFAULT: readDefault,
  PRIMARY: (reading) => {
    const { cursor, body, column } = reading;
    expect(cursor, 'KEY');
    const key = { ...takeConstraintName(reading), columns: [column.name] };
    setPrimaryKey(body, key, placeOf(cursor));
    column.nullable = false;
    body.rules.takeKeyOptions(cursor, 'column', body.warn);
  },
  UNIQUE: (reading) => {
    const { cursor, body, column } = reading;
    accept(cursor, 'KEY');
    const { name = '' } = takeConstraintName(reading);
    body.indexes.push({ name, unique: true, parts: [{ column: column.name }], constraint: true });
    body.rules.takeKeyOptions(cursor, 'column', body.warn);
  },
  CHECK: (reading) => {
    reading.cursor.at -= 1;
    takeCheck(reading.cursor, reading.body, takeConstraintName(reading));
  },
  FOREIGN: (reading) => {
    expect(reading.cursor, 'KEY', 'REFERENCES');
    readReferences(reading);
  },
  REFERENCES: readReferences,
  COLLATE: ({ cursor, column }) => {
    accept(cursor, '=');
    column.collation = takeName(cursor, 'a collation');
  },
  COMMENT: ({ cursor, column }) => {
    const comment = takeText(cursor);
    if (comment !== '') column.comment = comment;
  },
  GENERATED: (reading) => {
    expect(reading.cursor, 'ALWAYS', 'AS');
    readGenerated(reading);
  },
  AS: readGenerated,
};

function readReferences(reading: ColumnReading): void {
  const { cursor, body, column } = reading;
  const name = takeConstraintName(reading);
  body.foreignKeys.push({ ...name, columns: [column.name], ...takeTarget(cursor, body.rules) });
}

function readGenerated({ cursor, column }: ColumnReading): void {
  const expression = takeGroup(cursor);
  const stored = acceptOne(cursor, ['VIRTUAL', 'STORED', 'PERSISTENT', 'PERSISTED']);
  column.generated = { expression, stored: stored !== undefined && stored !== 'VIRTUAL' };
}

/** A literal with its sign and its prefix, a call, a word, or an expression in parentheses. */
function readDefault(reading: ColumnReading): void {
  takeConstraintName(reading);
  const { cursor, column } = reading;
  const text = takeDefault(cursor);
  if (text.toUpperCase() !== 'NULL') column.default = text;
}

export function takeDefault(cursor: Cursor): string {
  const from = cursor.at;
  if (isAtEnd(cursor)) throw unexpected(cursor, 'a default');
  if (wordAt(cursor) === '(') {
    takeGroup(cursor);
    return textBetween(cursor, from, cursor.at);
  }
  if (['+', '-'].includes(wordAt(cursor))) cursor.at += 1;
  const first = cursor.code[cursor.at];
  if (first === undefined || [',', ')'].includes(first.word)) throw unexpected(cursor, 'a default');
  cursor.at += 1;
  // _utf8mb4'x'
  if (first.word.startsWith('_') && cursor.code[cursor.at]?.kind === 'string') cursor.at += 1;
  if (wordAt(cursor) === '(' && first.kind !== 'string') cursor.at = behind(cursor, cursor.at);
  return textBetween(cursor, from, cursor.at);
}
