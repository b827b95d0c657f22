/** Tracks the rows that a script inserts, because its conditions may read them. */
import {
  DdlError,
  accept,
  expect,
  isAtEnd,
  isNext,
  openCursor,
  parseName,
  parseQualifiedName,
  skipTo,
  textBetween,
  wordAt,
} from '../cursor.ts';
import { nameOfTable } from '../draft.ts';
import { readNumbering } from '../../numbering.ts';
import { evaluate } from './query.ts';
import { undetermined } from './value.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { Cursor } from '../cursor.ts';
import type { TableReference } from '../draft.ts';
import type { GuardRules, Row } from './scope.ts';
import type { Statement } from '../../../portable/lexer/split.ts';
import type { Value } from './value.ts';

/** The rows of tables whose statements insert constants. */
export interface AddedRows {
  /** Undefined if the rows are not known. */
  rowsOf(reference: TableReference, table: Table | undefined): readonly Row[] | undefined;
  /** Forgets the rows of a table, because a statement creates or drops it. */
  discard(reference: TableReference): void;
  /** Forgets the generated numbers of rows, because a statement changes how they are counted. */
  discardNumbers(): void;
}

interface InsertedRow {
  /** Undefined if INSERT names no columns. */
  readonly columns: readonly string[] | undefined;
  readonly values: readonly Value[];
}

/** `unknown` after a statement whose effect only the database knows. */
type Content = InsertedRow[] | 'unknown';

/** `data` contains the statements so far that change data. It grows while the script is read. */
export function trackAddedRows(
  data: readonly Pick<Statement, 'text' | 'firstWord' | 'rows'>[],
  rules: () => GuardRules,
  resolve: (parts: readonly string[]) => TableReference,
): AddedRows {
  const contents = new Map<string, Content>();
  /** For each table that was created or dropped, the number of statements before that. */
  const startIndexes = new Map<string, number>();
  let processedCount = 0;
  const cachedRows = new Map<string, RowsOfTable>();
  let areNumbersKnown = true;
  const keyOf = (reference: TableReference): string => nameOfTable(reference).toLowerCase();
  const isFromEarlierTable = (key: string, index: number): boolean =>
    index < (startIndexes.get(key) ?? 0);
  const processStatements = (): void => {
    for (; processedCount < data.length; processedCount += 1) {
      const statement = data[processedCount]!;
      const change = changeOf(statement, rules());
      for (const { parts, rows } of change) {
        const key = keyOf(resolve(parts));
        if (isFromEarlierTable(key, processedCount)) continue;
        contents.set(key, changedContent(contents.get(key), rows, statement.firstWord));
      }
    }
  };
  return {
    rowsOf: (reference, table) => {
      processStatements();
      const key = keyOf(reference);
      const content = contents.get(key) ?? [];
      if (content === 'unknown') return undefined;
      const cached = cachedRows.get(key);
      const isCurrent = cached?.table === table && cached?.content === content;
      const rows = (isCurrent ? cached : undefined) ?? openRows(content, table, areNumbersKnown);
      cachedRows.set(key, rows);
      return completeRows(rows, rules());
    },
    discard: (reference) => {
      const key = keyOf(reference);
      startIndexes.set(key, data.length);
      contents.delete(key);
    },
    discardNumbers: () => {
      areNumbersKnown = false;
      cachedRows.clear();
    },
  };
}

/** The rows of a table, which are computed once, since many conditions may read them. */
interface RowsOfTable {
  readonly content: readonly InsertedRow[];
  readonly table: Table | undefined;
  /** As many as have been computed. */
  readonly rows: Row[];
  /** The last number that an INSERT has generated. */
  lastNumber: Value;
}

function openRows(
  content: readonly InsertedRow[],
  table: Table | undefined,
  areNumbersKnown: boolean,
): RowsOfTable {
  const { start, step } = numberingOf(table);
  return { content, table, rows: [], lastNumber: areNumbersKnown ? start - step : undetermined };
}

function completeRows(of: RowsOfTable, rules: GuardRules): readonly Row[] {
  for (const inserted of of.content.slice(of.rows.length))
    of.rows.push(comparableRow(of, numberedRow(of, rowFor(inserted, of.table)), rules));
  return of.rows;
}

/** The row without the values that are not compared as their texts. */
function comparableRow({ table }: RowsOfTable, row: Row, rules: GuardRules): Row {
  const columns = table?.columns.filter((column) => rules.isComparable?.(column) === false) ?? [];
  if (columns.length === 0) return row;
  const changed: Record<string, Value> = { ...row };
  for (const name of columns.map((column) => column.name.toLowerCase()))
    if (changed[name] !== undefined && changed[name] !== null) changed[name] = undetermined;
  return changed;
}

/** The row with its generated number. */
function numberedRow(of: RowsOfTable, row: Row): Row {
  const column = numberedColumn(of.table);
  if (column === undefined || Object.keys(row).length === 0) return row;
  const name = column.name.toLowerCase();
  const { [name]: value } = row;
  const { lastNumber } = of;
  const { step } = numberingOf(of.table);
  if (value === undefined) {
    of.lastNumber = typeof lastNumber === 'number' ? lastNumber + step : undetermined;
    return { ...row, [name]: of.lastNumber };
  }
  const isKnown = typeof value === 'number' && typeof lastNumber === 'number';
  of.lastNumber = isKnown ? Math[step > 0 ? 'max' : 'min'](value, lastNumber) : undetermined;
  return row;
}

function numberedColumn(table: Table | undefined): Column | undefined {
  return table?.columns.find(({ autoIncrement }) => autoIncrement === true);
}

interface Numbering {
  readonly start: number;
  readonly step: number;
}

function numberingOf(table: Table | undefined): Numbering {
  const { start, step } = readNumbering(numberedColumn(table)?.numbering);
  return { start: Number(start), step: Number(step) };
}

function changedContent(
  content: Content | undefined,
  rows: readonly InsertedRow[] | undefined,
  verb: string,
): Content {
  const before = content ?? [];
  if (before === 'unknown') return before;
  if (rows !== undefined) {
    before.push(...rows);
    return before;
  }
  // Without rows, there is nothing to change or delete.
  const onlyChanges = verb === 'UPDATE' || verb === 'DELETE' || verb === 'TRUNCATE';
  return before.length === 0 && onlyChanges ? before : 'unknown';
}

function rowFor({ columns, values }: InsertedRow, table: Table | undefined): Row {
  const names = columns ?? insertedColumns(table, values.length);
  const columnNames =
    names.length === values.length
      ? names.map((name, i) => [name.toLowerCase(), values[i]!] as const)
      : [];
  const row: Record<string, Value> = Object.fromEntries(columnNames);
  if (columnNames.length === 0) return row;
  for (const { name, default: defaultText, autoIncrement, generated } of table?.columns ?? []) {
    const isNull = defaultText === undefined && autoIncrement !== true && generated === undefined;
    if (isNull) row[name.toLowerCase()] ??= null;
  }
  return row;
}

/** INSERT without columns has no value for a numbered or a generated one. */
function insertedColumns(table: Table | undefined, count: number): readonly string[] {
  const columns = table?.columns ?? [];
  const isAll = columns.length === count;
  return columns
    .filter(
      ({ autoIncrement, generated }) =>
        isAll || (autoIncrement !== true && generated === undefined),
    )
    .map(({ name }) => name);
}

interface RowChange {
  readonly parts: readonly string[];
  /** Undefined if the rows after it are not known. */
  readonly rows: readonly InsertedRow[] | undefined;
}

function changeOf(
  { text, rows }: Pick<Statement, 'text' | 'rows'>,
  rules: GuardRules,
): readonly RowChange[] {
  const cursor = openCursor({ text, start: 0 }, rules.lexical);
  if (rows === undefined)
    try {
      const inserted = parseInsert(cursor, rules);
      if (inserted !== undefined) return [inserted];
    } catch (error) {
      if (!(error instanceof DdlError)) throw error;
    }
  return namesIn(cursor).map((parts) => ({ parts, rows: undefined }));
}

/** `INSERT [INTO] t [(a, b)] VALUES (1, 'x'), …` */
function parseInsert(cursor: Cursor, rules: GuardRules): RowChange | undefined {
  if (!accept(cursor, 'INSERT')) return undefined;
  accept(cursor, 'IGNORE');
  accept(cursor, 'INTO');
  const parts = parseQualifiedName(cursor, 'a table');
  const columns = wordAt(cursor) === '(' ? parseNames(cursor) : undefined;
  if (!accept(cursor, 'VALUES')) return undefined;
  const rows: InsertedRow[] = [];
  do {
    expect(cursor, '(');
    const values: Value[] = [];
    do {
      const from = cursor.at;
      skipTo(cursor, [',', ')']);
      values.push(evaluate(textBetween(cursor, from, cursor.at), rules));
    } while (accept(cursor, ','));
    expect(cursor, ')');
    rows.push({ columns, values });
  } while (accept(cursor, ','));
  accept(cursor, ';');
  return isAtEnd(cursor) ? { parts, rows } : undefined;
}

function parseNames(cursor: Cursor): readonly string[] {
  expect(cursor, '(');
  const names = [parseName(cursor, 'a column')];
  while (accept(cursor, ',')) names.push(parseName(cursor, 'a column'));
  expect(cursor, ')');
  return names;
}

/** All names in the statement, any of which may be the table that it changes. */
function namesIn(cursor: Cursor): readonly (readonly string[])[] {
  const names: (readonly string[])[] = [];
  while (!isAtEnd(cursor)) {
    const kind = cursor.code[cursor.at]?.kind;
    if (kind !== 'word' && kind !== 'quoted-name') cursor.at += 1;
    else {
      const from = cursor.at;
      try {
        names.push(parseQualifiedName(cursor));
      } catch (error) {
        if (!(error instanceof DdlError)) throw error;
        cursor.at = from + 1;
      }
      if (isNext(cursor, '.')) cursor.at += 1;
    }
  }
  return names;
}
