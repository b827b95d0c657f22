/** Parses column definitions: name, type, and clauses in any order. */
import {
  accept,
  acceptOne,
  indexAfter,
  expect,
  isAtEnd,
  offsetOf,
  parseGroup,
  parseName,
  parseQualifiedName,
  parseText,
  textBetween,
  unexpected,
  wordAt,
} from './cursor.ts';
import { parseCheck, parseReferencedKey } from './read-keys.ts';
import { constraintKey, setPrimaryKey, parseConstraintName } from './table-body.ts';
import type { Column } from '../../model/schema.ts';
import type { Cursor } from './cursor.ts';
import type { ColumnContext, TableBody } from './ddl-rules.ts';

/** Parses a column and adds it to the body, with the keys and checks that its clauses define. */
export function parseColumn(cursor: Cursor, body: TableBody): Column {
  const name = parseName(cursor, 'a column');
  return parseDefinition(cursor, body, name);
}

/** Parses the definition after the column name. */
export function parseDefinition(cursor: Cursor, body: TableBody, name: string): Column {
  // Computed columns of T-SQL have no type.
  const typed =
    wordAt(cursor) === 'AS'
      ? { nativeType: '', type: { kind: 'untyped' } as const }
      : body.rules.parseType(cursor, (what) => body.warn(`${name}: ${what}`));
  const reading: ColumnContext = {
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
  while (!isColumnEnd(cursor)) parseClause(reading);
  if (reading.constraintName !== undefined) throw unexpected(cursor, 'a constraint of the column');
  body.columns.push(reading.column);
  return reading.column;
}

/** FIRST and AFTER follow a column in MySQL's ALTER TABLE. */
function isColumnEnd(cursor: Cursor): boolean {
  return isAtEnd(cursor) || [',', ')', ';', 'FIRST', 'AFTER'].includes(wordAt(cursor));
}

function parseClause(reading: ColumnContext): void {
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

/** Clauses that all dialects share. The word itself has been consumed. */
const clauses: Readonly<Record<string, (reading: ColumnContext) => void>> = {
  CONSTRAINT: (reading) => {
    const { cursor, body } = reading;
    const name = wordAt(cursor) === 'CHECK' ? undefined : parseName(cursor, 'a name');
    if (!body.rules.namedColumnClauses.has(wordAt(cursor)))
      throw unexpected(cursor, [...body.rules.namedColumnClauses].join(', '));
    reading.constraintName = name;
  },
  NOT: (reading) => {
    expect(reading.cursor, 'NULL');
    // No server keeps the name of NOT NULL.
    parseConstraintName(reading);
    reading.column.nullable = false;
  },
  NULL: (reading) => {
    parseConstraintName(reading);
    reading.column.nullable = true;
  },
  DEFAULT: parseDefaultClause,
  PRIMARY: (reading) => {
    const { cursor, body, column } = reading;
    expect(cursor, 'KEY');
    const key = { ...parseConstraintName(reading), columns: [column.name] };
    setPrimaryKey(body, key, offsetOf(cursor));
    column.nullable = false;
    body.rules.parseKeyOptions(cursor, { key: 'primary', isInColumn: true }, body.warn);
  },
  UNIQUE: (reading) => {
    const { cursor, body, column } = reading;
    accept(cursor, 'KEY');
    const { name = '' } = parseConstraintName(reading);
    body.indexes.push({ name, unique: true, parts: [{ column: column.name }], constraint: true });
    body.rules.parseKeyOptions(cursor, { key: 'unique', isInColumn: true }, body.warn);
  },
  CHECK: (reading) => {
    const { cursor, body, column } = reading;
    cursor.at -= 1;
    const named = parseConstraintName(reading);
    const isPart = body.rules.columnsHaveChecks && named.name === undefined;
    parseCheck(cursor, body, isPart ? { column: column.name } : named);
  },
  FOREIGN: (reading) => {
    expect(reading.cursor, 'KEY', 'REFERENCES');
    parseReferences(reading);
  },
  REFERENCES: parseReferences,
  COLLATE: ({ cursor, column }) => {
    accept(cursor, '=');
    column.collation = parseName(cursor, 'a collation');
  },
  COMMENT: ({ cursor, column }) => {
    const comment = parseText(cursor);
    if (comment !== '') column.comment = comment;
  },
  GENERATED: (reading) => {
    expect(reading.cursor, 'ALWAYS', 'AS');
    parseGenerated(reading);
  },
  AS: parseGenerated,
};

function parseReferences(reading: ColumnContext): void {
  const { cursor, body, column } = reading;
  const name = parseConstraintName(reading);
  body.foreignKeys.push({
    ...name,
    columns: [column.name],
    ...parseReferencedKey(cursor, body),
  });
}

export function parseGenerated({ cursor, column }: ColumnContext): void {
  const expression = parseGroup(cursor);
  const stored = acceptOne(cursor, ['VIRTUAL', 'STORED', 'PERSISTENT', 'PERSISTED']);
  column.generated = { expression, stored: stored !== undefined && stored !== 'VIRTUAL' };
}

function parseDefaultClause(reading: ColumnContext): void {
  const { cursor, column, body } = reading;
  const { name } = parseConstraintName(reading);
  if (name !== undefined) {
    body.warn(`the name ${name} of the default of ${column.name} is left out.`);
    body.rules.defaultNames?.set(constraintKey(body.reference, name), column.name);
  }
  const text = body.rules.parseDefault(cursor, (what) =>
    body.warn(`${what} of ${column.name} is left out.`),
  );
  if (text.toUpperCase() !== 'NULL') column.default = text;
}

/** Parses a literal with sign and prefix, a call, a word, or a parenthesized expression. */
export function parseDefault(cursor: Cursor): string {
  const from = cursor.at;
  if (isAtEnd(cursor)) throw unexpected(cursor, 'a default');
  if (wordAt(cursor) === '(') {
    parseGroup(cursor);
    return textBetween(cursor, from, cursor.at);
  }
  if (accept(cursor, 'NEXT', 'VALUE', 'FOR') || accept(cursor, 'PREVIOUS', 'VALUE', 'FOR')) {
    parseQualifiedName(cursor, 'a sequence');
    return textBetween(cursor, from, cursor.at);
  }
  if (['+', '-'].includes(wordAt(cursor))) cursor.at += 1;
  const first = cursor.code[cursor.at];
  if (first === undefined || [',', ')'].includes(first.word)) throw unexpected(cursor, 'a default');
  cursor.at += 1;
  // _utf8mb4'x'
  if (first.word.startsWith('_') && cursor.code[cursor.at]?.kind === 'string') cursor.at += 1;
  if (wordAt(cursor) === '(' && first.kind !== 'string') cursor.at = indexAfter(cursor, cursor.at);
  return textBetween(cursor, from, cursor.at);
}
