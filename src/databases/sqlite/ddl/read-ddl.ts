/**
 * What SQLite's pragmas do not tell, read from the DDL that it keeps: names of constraints, CHECK,
 * expressions of generated columns and indexes, AUTOINCREMENT, COLLATE, DEFERRABLE. The text has been
 * through SQLite's own parser, so reading is lenient: what is not looked for is passed over.
 */
import { codeOf, groupEnds } from '../../../sql/code.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { CodeToken } from '../../../sql/code.ts';
import type { Check } from '../../../model/schema.ts';

export interface TableDdl {
  readonly primaryKeyName?: string;
  readonly autoIncrement: boolean;
  readonly checks: readonly Check[];
  readonly uniques: readonly NamedColumns[];
  /** In the order of the text. */
  readonly foreignKeys: readonly ForeignKeyDdl[];
  /** By column, in lower case. */
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

/** Code with its parentheses matched, from one text. */
interface Source {
  readonly text: string;
  readonly code: readonly CodeToken[];
  readonly ends: readonly number[];
}

function open(text: string): Source {
  const code = codeOf(text, sqliteLexicalRules);
  return { text, code, ends: groupEnds(code) };
}

// CREATE TABLE

interface Reading extends Source {
  at: number;
  /** Where the current item of the list ends. */
  end: number;
  /** The column that the item defines; undefined in a table constraint. */
  column: string | undefined;
  /** The name that the next constraint has. */
  name: string | undefined;
  readonly found: Found;
}

interface Found {
  primaryKeyName?: string;
  autoIncrement: boolean;
  checks: Check[];
  uniques: NamedColumns[];
  foreignKeys: ForeignKeyDdl[];
  collations: Map<string, string>;
  generated: Map<string, string>;
}

export function readTableDdl(text: string): TableDdl {
  const source = open(text);
  const found: Found = {
    autoIncrement: false,
    checks: [],
    uniques: [],
    foreignKeys: [],
    collations: new Map(),
    generated: new Map(),
  };
  const body = source.code.findIndex(({ word }) => word === '(');
  for (const [at, end] of body < 0 ? [] : listItems(source, body)) {
    readItem({ ...source, at, end, column: undefined, name: undefined, found });
  }
  return found;
}

const tableConstraints: ReadonlySet<string> = new Set([
  'CONSTRAINT',
  'PRIMARY',
  'UNIQUE',
  'CHECK',
  'FOREIGN',
]);

function readItem(reading: Reading): void {
  const first = reading.code[reading.at];
  if (first !== undefined && !tableConstraints.has(first.word)) {
    reading.column = nameOf(reading, first);
    reading.at += 1;
  }
  while (reading.at < reading.end) {
    const word = reading.code[reading.at]?.word ?? '';
    const read = Object.hasOwn(clauses, word) ? clauses[word] : undefined;
    if (read === undefined) reading.at = behind(reading, reading.at);
    else {
      reading.at += 1;
      read(reading);
    }
  }
}

/** What stands behind each word; the word itself is passed. */
const clauses: Readonly<Record<string, (reading: Reading) => void>> = {
  CONSTRAINT: (reading) => {
    reading.name = takeName(reading);
  },
  PRIMARY: readPrimaryKey,
  AUTOINCREMENT: ({ found }) => {
    found.autoIncrement = true;
  },
  UNIQUE: (reading) => {
    reading.found.uniques.push({ ...takeConstraintName(reading), columns: takeColumns(reading) });
  },
  CHECK: (reading) => {
    reading.found.checks.push({ ...takeConstraintName(reading), expression: takeGroup(reading) });
  },
  FOREIGN: (reading) => {
    reading.at += 1; // KEY
    reading.found.foreignKeys.push({
      ...takeConstraintName(reading),
      columns: takeColumns(reading),
    });
  },
  REFERENCES: readReferences,
  DEFERRABLE: readDeferrable,
  NOT: readNot,
  NULL: takeConstraintName,
  ON: readOn,
  DEFAULT: readDefault,
  COLLATE: (reading) => {
    takeConstraintName(reading);
    const collation = takeName(reading);
    if (reading.column !== undefined)
      reading.found.collations.set(reading.column.toLowerCase(), collation);
  },
  AS: readGenerated,
};

function readPrimaryKey(reading: Reading): void {
  reading.at += 1; // KEY
  const { name } = takeConstraintName(reading);
  if (name !== undefined) reading.found.primaryKeyName = name;
}

/** A column's own key begins here; a table's has begun with FOREIGN KEY. */
function readReferences(reading: Reading): void {
  const { column, found } = reading;
  if (column !== undefined)
    found.foreignKeys.push({ ...takeConstraintName(reading), columns: [column] });
  reading.at += 1; // the table
}

function readDeferrable(reading: Reading): void {
  const key = reading.found.foreignKeys.pop();
  if (key === undefined) return;
  const isDeferred = wordAt(reading, 0) === 'INITIALLY' && wordAt(reading, 1) === 'DEFERRED';
  reading.found.foreignKeys.push({ ...key, deferrable: isDeferred ? 'deferred' : 'immediate' });
}

function readNot(reading: Reading): void {
  takeConstraintName(reading);
  reading.at += 1; // NULL or DEFERRABLE
}

/** `ON CONFLICT FAIL`, `ON DELETE SET DEFAULT`: its words are no clauses of their own. */
function readOn(reading: Reading): void {
  reading.at += ['SET', 'NO'].includes(wordAt(reading, 1)) ? 3 : 2;
}

/** A literal, with a sign or not, or an expression in parentheses. */
function readDefault(reading: Reading): void {
  takeConstraintName(reading);
  const signs = ['+', '-'].includes(reading.text[reading.code[reading.at]?.start ?? 0] ?? '')
    ? 1
    : 0;
  reading.at = behind(reading, reading.at + signs);
}

function readGenerated(reading: Reading): void {
  takeConstraintName(reading);
  if (wordAt(reading, 0) !== '(' || reading.column === undefined) return;
  reading.found.generated.set(reading.column.toLowerCase(), takeGroup(reading));
}

function wordAt({ code, at }: Reading, offset: number): string {
  return code[at + offset]?.word ?? '';
}

function takeConstraintName(reading: Reading): { readonly name?: string } {
  const { name } = reading;
  reading.name = undefined;
  return name === undefined ? {} : { name };
}

function takeName(reading: Reading): string {
  const token = reading.code[reading.at++];
  return token === undefined ? '' : nameOf(reading, token);
}

/** The columns in the parentheses ahead, or the column that the constraint stands at. */
function takeColumns(reading: Reading): readonly string[] {
  if (wordAt(reading, 0) !== '(') return reading.column === undefined ? [] : [reading.column];
  const items = listItems(reading, reading.at);
  reading.at = behind(reading, reading.at);
  return items.flatMap(([at]) =>
    reading.code[at] === undefined ? [] : [nameOf(reading, reading.code[at])],
  );
}

function takeGroup(reading: Reading): string {
  const group = wordAt(reading, 0) === '(' ? groupText(reading, reading.at) : '';
  reading.at = behind(reading, reading.at);
  return group;
}

// CREATE INDEX, CREATE VIEW, CREATE VIRTUAL TABLE

export function readIndexDdl(text: string): IndexDdl {
  const source = open(text);
  const body = source.code.findIndex(({ word }) => word === '(');
  if (body < 0) return { expressions: [] };
  const expressions = listItems(source, body).map(([at, end]) => readIndexTerm(source, at, end));
  const where = behind(source, body);
  if (source.code[where]?.word !== 'WHERE') return { expressions };
  return { expressions, where: sourceText(source, where + 1, source.code.length) };
}

function readIndexTerm(source: Source, at: number, end: number): string {
  let last = end;
  if (['ASC', 'DESC'].includes(source.code[last - 1]?.word ?? '')) last -= 1;
  if (source.code[last - 2]?.word === 'COLLATE') last -= 2;
  const isGroup = source.code[at]?.word === '(' && behind(source, at) === last;
  return isGroup ? groupText(source, at) : sourceText(source, at, last);
}

/** The SELECT of a view; a view's own column names go with it. */
export function readViewDdl(text: string): string {
  const source = open(text);
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
  const source = open(text);
  const using = source.code.findIndex(({ word }) => word === 'USING');
  return sourceText(source, using + 1, source.code.length);
}

// Text

/** The members of the list in the parentheses at `at`: where each begins and ends. */
function listItems(source: Source, at: number): readonly (readonly [start: number, end: number])[] {
  const items: (readonly [number, number])[] = [];
  const close = behind(source, at) - 1;
  let start = at + 1;
  for (let i = start; i < close; i = behind(source, i)) {
    if (source.code[i]?.word !== ',') continue;
    items.push([start, i]);
    start = i + 1;
  }
  return start < close ? [...items, [start, close]] : items;
}

/** The place behind the token at `at`, or behind the group that it opens. */
function behind({ code, ends }: Source, at: number): number {
  return code[at]?.word === '(' ? (ends[at] ?? code.length) : at + 1;
}

function groupText(source: Source, at: number): string {
  return sourceText(source, at + 1, behind(source, at) - 1);
}

function sourceText({ text, code }: Source, from: number, to: number): string {
  const first = code[from];
  const last = code[to - 1];
  return first === undefined || last === undefined || to <= from
    ? ''
    : text.slice(first.start, last.end);
}

/** A name, in whichever of the quotes SQLite takes. */
function nameOf({ text }: Source, { start, end }: CodeToken): string {
  const raw = text.slice(start, end);
  const quote = raw[0] ?? '';
  if (quote === '[') return raw.slice(1, -1);
  return '"`\''.includes(quote) ? raw.slice(1, -1).replaceAll(quote + quote, quote) : raw;
}
