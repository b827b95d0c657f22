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
      : body.rules.parseType(cursor, (warning) => body.warn(`${name}: ${warning}`));
  const context: ColumnContext = {
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
  while (!isColumnEnd(cursor)) parseClause(context);
  if (context.constraintName !== undefined) throw unexpected(cursor, 'a constraint of the column');
  body.columns.push(context.column);
  return context.column;
}

/** FIRST and AFTER follow a column in MySQL's ALTER TABLE. */
function isColumnEnd(cursor: Cursor): boolean {
  return isAtEnd(cursor) || [',', ')', ';', 'FIRST', 'AFTER'].includes(wordAt(cursor));
}

function parseClause(context: ColumnContext): void {
  const { cursor, body } = context;
  const word = wordAt(cursor);
  const dialectClauses = body.rules.columnClauses;
  const read = Object.hasOwn(dialectClauses, word)
    ? dialectClauses[word]
    : Object.hasOwn(clauses, word)
      ? clauses[word]
      : undefined;
  if (read === undefined) throw unexpected(cursor, 'a clause of the column, "," or ")"');
  cursor.at += 1;
  read(context);
}

/** Clauses that all dialects share. The word itself has been consumed. */
const clauses: Readonly<Record<string, (context: ColumnContext) => void>> = {
  CONSTRAINT: (context) => {
    const { cursor, body } = context;
    const name = wordAt(cursor) === 'CHECK' ? undefined : parseName(cursor, 'a name');
    if (!body.rules.namedColumnClauses.has(wordAt(cursor)))
      throw unexpected(cursor, [...body.rules.namedColumnClauses].join(', '));
    context.constraintName = name;
  },
  NOT: (context) => {
    expect(context.cursor, 'NULL');
    // No server keeps the name of NOT NULL.
    parseConstraintName(context);
    context.column.nullable = false;
  },
  NULL: (context) => {
    parseConstraintName(context);
    context.column.nullable = true;
  },
  DEFAULT: parseDefaultClause,
  PRIMARY: (context) => {
    const { cursor, body, column } = context;
    expect(cursor, 'KEY');
    const key = { ...parseConstraintName(context), columns: [column.name] };
    setPrimaryKey(body, key, offsetOf(cursor));
    column.nullable = false;
    body.rules.parseKeyOptions(cursor, { key: 'primary', isInColumn: true }, body.warn);
  },
  UNIQUE: (context) => {
    const { cursor, body, column } = context;
    accept(cursor, 'KEY');
    const { name = '' } = parseConstraintName(context);
    body.indexes.push({ name, unique: true, parts: [{ column: column.name }], constraint: true });
    body.rules.parseKeyOptions(cursor, { key: 'unique', isInColumn: true }, body.warn);
  },
  CHECK: (context) => {
    const { cursor, body, column } = context;
    cursor.at -= 1;
    const constraintName = parseConstraintName(context);
    const isPart = body.rules.columnsHaveChecks && constraintName.name === undefined;
    parseCheck(cursor, body, isPart ? { column: column.name } : constraintName);
  },
  FOREIGN: (context) => {
    expect(context.cursor, 'KEY', 'REFERENCES');
    parseReferences(context);
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
  GENERATED: (context) => {
    expect(context.cursor, 'ALWAYS', 'AS');
    parseGenerated(context);
  },
  AS: parseGenerated,
};

function parseReferences(context: ColumnContext): void {
  const { cursor, body, column } = context;
  const name = parseConstraintName(context);
  body.foreignKeys.push({
    ...name,
    columns: [column.name],
    ...parseReferencedKey(cursor, body),
  });
}

export function parseGenerated({ cursor, column }: ColumnContext): void {
  const expression = parseGroup(cursor);
  const storageWord = acceptOne(cursor, ['VIRTUAL', 'STORED', 'PERSISTENT', 'PERSISTED']);
  column.generated = { expression, stored: storageWord !== undefined && storageWord !== 'VIRTUAL' };
}

function parseDefaultClause(context: ColumnContext): void {
  const { cursor, column, body } = context;
  const { name } = parseConstraintName(context);
  if (name !== undefined) {
    body.warn(`the name ${name} of the default of ${column.name} is left out.`);
    body.rules.defaultNames?.set(constraintKey(body.reference, name), column.name);
  }
  const text = body.rules.parseDefault(cursor, (omitted) =>
    body.warn(`${omitted} of ${column.name} is left out.`),
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
