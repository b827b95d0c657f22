/**
 * Parses what SQLite's pragmas do not return from the stored DDL: names of constraints, CHECK,
 * expressions of generated columns and indexes, AUTOINCREMENT, COLLATE, DEFERRABLE. SQLite has validated
 * the text, so this parser is lenient: it skips everything else.
 */
import { codeOf, groupEnds } from '../../../portable/lexer/code.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';
import type { Check } from '../../../model/schema.ts';

export interface TableDdl {
  readonly primaryKeyName?: string;
  readonly autoIncrement: boolean;
  readonly checks: readonly Check[];
  readonly uniques: readonly NamedColumns[];
  /** In the order of the DDL. */
  readonly foreignKeys: readonly ForeignKeyDdl[];
  /** By column name in lower case. */
  readonly collations: ReadonlyMap<string, string>;
  readonly generated: ReadonlyMap<string, string>;
}

export interface NamedColumns {
  readonly name?: string;
  readonly columns: readonly string[];
}

export interface ForeignKeyDdl extends NamedColumns {
  readonly deferrable?: 'deferred' | 'immediate';
}

export interface IndexDdl {
  /** The key's terms without COLLATE and direction, in order. */
  readonly expressions: readonly string[];
  readonly where?: string;
}

/** The tokens of a text, and for each opening parenthesis the position after its closing one. */
interface Source {
  readonly text: string;
  readonly code: readonly CodeToken[];
  readonly ends: readonly number[];
}

function openSource(text: string): Source {
  const code = codeOf(text, sqliteLexicalRules);
  return { text, code, ends: groupEnds(code) };
}

// CREATE TABLE

interface TableDdlCursor extends Source {
  at: number;
  /** The end of the current column definition or table constraint. */
  end: number;
  /** The column that is being defined; undefined in a table constraint. */
  column: string | undefined;
  /** The name given by CONSTRAINT, for the constraint that follows. */
  name: string | undefined;
  readonly clauses: ParsedClauses;
}

interface ParsedClauses {
  primaryKeyName?: string;
  autoIncrement: boolean;
  checks: Check[];
  uniques: NamedColumns[];
  foreignKeys: ForeignKeyDdl[];
  collations: Map<string, string>;
  generated: Map<string, string>;
}

export function readTableDdl(text: string): TableDdl {
  const source = openSource(text);
  const clauses: ParsedClauses = {
    autoIncrement: false,
    checks: [],
    uniques: [],
    foreignKeys: [],
    collations: new Map(),
    generated: new Map(),
  };
  const body = source.code.findIndex(({ word }) => word === '(');
  for (const [at, end] of body < 0 ? [] : listItems(source, body)) {
    readItem({ ...source, at, end, column: undefined, name: undefined, clauses });
  }
  return clauses;
}

const tableConstraints: ReadonlySet<string> = new Set([
  'CONSTRAINT',
  'PRIMARY',
  'UNIQUE',
  'CHECK',
  'FOREIGN',
]);

function readItem(cursor: TableDdlCursor): void {
  const first = cursor.code[cursor.at];
  if (first !== undefined && !tableConstraints.has(first.word)) {
    cursor.column = nameOf(cursor, first);
    cursor.at += 1;
  }
  while (cursor.at < cursor.end) {
    const word = cursor.code[cursor.at]?.word ?? '';
    const read = Object.hasOwn(clauseParsers, word) ? clauseParsers[word] : undefined;
    if (read === undefined) cursor.at = positionAfter(cursor, cursor.at);
    else {
      cursor.at += 1;
      read(cursor);
    }
  }
}

/** Parsers of clauses by their first word, which has been consumed. */
const clauseParsers: Readonly<Record<string, (cursor: TableDdlCursor) => void>> = {
  CONSTRAINT: (cursor) => {
    cursor.name = readName(cursor);
  },
  PRIMARY: readPrimaryKey,
  AUTOINCREMENT: ({ clauses }) => {
    clauses.autoIncrement = true;
  },
  UNIQUE: (cursor) => {
    cursor.clauses.uniques.push({ ...parseConstraintName(cursor), columns: readColumns(cursor) });
  },
  CHECK: (cursor) => {
    cursor.clauses.checks.push({ ...parseConstraintName(cursor), expression: readGroup(cursor) });
  },
  FOREIGN: (cursor) => {
    cursor.at += 1; // KEY
    cursor.clauses.foreignKeys.push({
      ...parseConstraintName(cursor),
      columns: readColumns(cursor),
    });
  },
  REFERENCES: readReferences,
  DEFERRABLE: readDeferrable,
  NOT: readNot,
  NULL: parseConstraintName,
  ON: readOn,
  DEFAULT: readDefault,
  COLLATE: (cursor) => {
    parseConstraintName(cursor);
    const collation = readName(cursor);
    if (cursor.column !== undefined)
      cursor.clauses.collations.set(cursor.column.toLowerCase(), collation);
  },
  AS: readGenerated,
};

function readPrimaryKey(cursor: TableDdlCursor): void {
  cursor.at += 1; // KEY
  const { name } = parseConstraintName(cursor);
  if (name !== undefined) cursor.clauses.primaryKeyName = name;
}

/** A column constraint begins with REFERENCES; a table constraint has begun with FOREIGN KEY. */
function readReferences(cursor: TableDdlCursor): void {
  const { column, clauses } = cursor;
  if (column !== undefined)
    clauses.foreignKeys.push({ ...parseConstraintName(cursor), columns: [column] });
  cursor.at += 1; // the table
}

function readDeferrable(cursor: TableDdlCursor): void {
  const key = cursor.clauses.foreignKeys.pop();
  if (key === undefined) return;
  const isDeferred = wordAt(cursor, 0) === 'INITIALLY' && wordAt(cursor, 1) === 'DEFERRED';
  cursor.clauses.foreignKeys.push({ ...key, deferrable: isDeferred ? 'deferred' : 'immediate' });
}

function readNot(cursor: TableDdlCursor): void {
  parseConstraintName(cursor);
  cursor.at += 1; // NULL or DEFERRABLE
}

/** Skips `ON CONFLICT FAIL` and `ON DELETE SET DEFAULT`, whose words must not be taken for clauses. */
function readOn(cursor: TableDdlCursor): void {
  cursor.at += ['SET', 'NO'].includes(wordAt(cursor, 1)) ? 3 : 2;
}

/** Skips a literal, with or without a sign, or an expression in parentheses. */
function readDefault(cursor: TableDdlCursor): void {
  parseConstraintName(cursor);
  const signLength = ['+', '-'].includes(cursor.text[cursor.code[cursor.at]?.start ?? 0] ?? '')
    ? 1
    : 0;
  cursor.at = positionAfter(cursor, cursor.at + signLength);
}

function readGenerated(cursor: TableDdlCursor): void {
  parseConstraintName(cursor);
  if (wordAt(cursor, 0) !== '(' || cursor.column === undefined) return;
  cursor.clauses.generated.set(cursor.column.toLowerCase(), readGroup(cursor));
}

function wordAt({ code, at }: TableDdlCursor, offset: number): string {
  return code[at + offset]?.word ?? '';
}

function parseConstraintName(cursor: TableDdlCursor): { readonly name?: string } {
  const { name } = cursor;
  cursor.name = undefined;
  return name === undefined ? {} : { name };
}

function readName(cursor: TableDdlCursor): string {
  const token = cursor.code[cursor.at++];
  return token === undefined ? '' : nameOf(cursor, token);
}

/** The columns in the parentheses that follow, or the column that the constraint belongs to. */
function readColumns(cursor: TableDdlCursor): readonly string[] {
  if (wordAt(cursor, 0) !== '(') return cursor.column === undefined ? [] : [cursor.column];
  const items = listItems(cursor, cursor.at);
  cursor.at = positionAfter(cursor, cursor.at);
  return items.flatMap(([at]) =>
    cursor.code[at] === undefined ? [] : [nameOf(cursor, cursor.code[at])],
  );
}

function readGroup(cursor: TableDdlCursor): string {
  const group = wordAt(cursor, 0) === '(' ? groupText(cursor, cursor.at) : '';
  cursor.at = positionAfter(cursor, cursor.at);
  return group;
}

// CREATE INDEX, CREATE VIEW, CREATE VIRTUAL TABLE

export function readIndexDdl(text: string): IndexDdl {
  const source = openSource(text);
  const body = source.code.findIndex(({ word }) => word === '(');
  if (body < 0) return { expressions: [] };
  const expressions = listItems(source, body).map(([at, end]) => readIndexTerm(source, at, end));
  const where = positionAfter(source, body);
  if (source.code[where]?.word !== 'WHERE') return { expressions };
  return { expressions, where: sourceText(source, where + 1, source.code.length) };
}

function readIndexTerm(source: Source, at: number, end: number): string {
  let last = end;
  if (['ASC', 'DESC'].includes(source.code[last - 1]?.word ?? '')) last -= 1;
  if (source.code[last - 2]?.word === 'COLLATE') last -= 2;
  const isGroup = source.code[at]?.word === '(' && positionAfter(source, at) === last;
  return isGroup ? groupText(source, at) : sourceText(source, at, last);
}

/** The query of a view. A column list of the view becomes a WITH clause. */
export function readViewDdl(text: string): string {
  const source = openSource(text);
  const as = source.code.findIndex(({ word }, i) => word === 'AS' && i > 1);
  const select = sourceText(source, as + 1, source.code.length);
  if (source.code[as - 1]?.word !== ')') return select;
  const list = source.code.findIndex(({ word }) => word === '(');
  const name = source.code[list - 1];
  if (name === undefined) return select;
  const view = sourceText(source, list - 1, list);
  return `WITH ${view} (${groupText(source, list)}) AS (\n${select}\n)\nSELECT * FROM ${view}`;
}

/** The module of a virtual table and its arguments: `fts5(title, body)`. */
export function readVirtualDdl(text: string): string {
  const source = openSource(text);
  const using = source.code.findIndex(({ word }) => word === 'USING');
  return sourceText(source, using + 1, source.code.length);
}

// Text

/** Start and end of each item in the parenthesized list at `at`. */
function listItems(source: Source, at: number): readonly (readonly [start: number, end: number])[] {
  const items: (readonly [number, number])[] = [];
  const close = positionAfter(source, at) - 1;
  let start = at + 1;
  for (let i = start; i < close; i = positionAfter(source, i)) {
    if (source.code[i]?.word !== ',') continue;
    items.push([start, i]);
    start = i + 1;
  }
  return start < close ? [...items, [start, close]] : items;
}

/** The position after the token at `at`, or after the group that it opens. */
function positionAfter({ code, ends }: Source, at: number): number {
  return code[at]?.word === '(' ? (ends[at] ?? code.length) : at + 1;
}

function groupText(source: Source, at: number): string {
  return sourceText(source, at + 1, positionAfter(source, at) - 1);
}

function sourceText({ text, code }: Source, from: number, to: number): string {
  const first = code[from];
  const last = code[to - 1];
  return first === undefined || last === undefined || to <= from
    ? ''
    : text.slice(first.start, last.end);
}

/** A name without its quotes, of any of the kinds that SQLite accepts. */
function nameOf({ text }: Source, { start, end }: CodeToken): string {
  const raw = text.slice(start, end);
  const quote = raw[0] ?? '';
  if (quote === '[') return raw.slice(1, -1);
  return '"`\''.includes(quote) ? raw.slice(1, -1).replaceAll(quote + quote, quote) : raw;
}
