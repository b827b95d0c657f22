/** Reads a file to its end and collects what is known of the columns of its tables, without a database. */
import { StudioError } from '../../../model/errors.ts';
import { createFormSearch, searchForm } from './unread-forms.ts';
import { createValueStore } from './distinct-values.ts';
import { createProfile, observe, observeNumber } from '../../../portable/cells/column-profile.ts';
import { isKeyName } from './key-names.ts';
import { distinctNames } from '../../../portable/files/distinct-names.ts';
import type { ColumnMapping, ImportContext, RowsHeader } from '../../../formats/row-import.ts';
import type { RowChunk } from '../../../model/load.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { RowsReader } from '../read-file-rows.ts';
import type { ColumnProfile, ProfileOptions } from '../../../portable/cells/column-profile.ts';
import type { FormSearch } from './unread-forms.ts';
import type { DistinctValues, ValueStore } from './distinct-values.ts';

/** A table of the file: a sheet, a file of an archive, or a key of a JSON document. */
export interface TableSurvey {
  /** Its name in the file. */
  readonly source: string;
  /** By the names in the file (`distinctNames`), in the order in which they occur. */
  readonly columns: ReadonlyMap<string, ColumnSurvey>;
  readonly rows: number;
  /** The field delimiter of a CSV file. */
  readonly delimiter: string | undefined;
}

export interface ColumnSurvey {
  readonly isNamed: boolean;
  readonly profile: ColumnProfile;
  /** The number of empty texts in quotes, which the profile does not have: in columns of other types they are NULL. */
  readonly emptyTexts: number;
  /** The form that all of its texts have, if no type reads it. */
  readonly search: FormSearch;
  /** Whether the column could be the primary key: its values are different, in every collation too. */
  readonly isKey: boolean;
  /** The most characters of a value, if it could be the key. */
  readonly length: number;
}

export interface SurveyOptions extends ProfileOptions {
  /** A folder for values that do not fit into memory. Only one survey may use it at a time. */
  readonly folder: string;
  /** The name of a table that the file does not name. */
  readonly source: string;
  /** Called with the bytes of the file that have been read, and the rows. */
  readonly onProgress: (progress: { readonly bytes: number; readonly rows: number }) => void;
}

export async function surveyFile(
  read: RowsReader,
  options: SurveyOptions,
): Promise<readonly TableSurvey[]> {
  const values = createValueStore(options.folder);
  const survey: OpenSurvey = { tables: new Map(), values, options, columnCount: 0 };
  let rows = 0;
  try {
    for await (const chunk of read(surveyContext(survey))) {
      observeChunk(chunk, options);
      rows += chunk.rows.length;
      options.onProgress({ bytes: chunk.fileBytes ?? 0, rows });
    }
    return [...survey.tables.values()].map(tableSurvey);
  } finally {
    values.close();
  }
}

interface OpenSurvey {
  readonly tables: Map<string, OpenTable>;
  readonly values: ValueStore;
  readonly options: SurveyOptions;
  /** The number of columns of all tables. */
  columnCount: number;
}

/** No database has more columns in a table. */
const maxColumns = 4096;
const maxColumnsOfFile = 100_000;

interface OpenTable {
  readonly source: string;
  readonly columns: Map<string, OpenColumn>;
  readonly delimiter: string | undefined;
  rows: number;
}

interface OpenColumn extends Column {
  readonly survey: {
    readonly profile: ColumnProfile;
    readonly isNamed: boolean;
    emptyTexts: number;
    readonly search: FormSearch;
  };
  /** Undefined once the column cannot be the key. */
  key: KeyCandidate | undefined;
}

interface KeyCandidate {
  readonly values: DistinctValues;
  length: number;
}

/** What the readers see of a table. */
interface SurveyedTable extends Table {
  readonly open: OpenTable;
}

/** Errors and warnings are left to the import, which reads the file again. */
function surveyContext(survey: OpenSurvey): ImportContext {
  return {
    mapColumns: (header) => mapColumns(survey, header),
    hasColumn: () => false,
    setCounter: () => undefined,
    report: () => undefined,
    warn: () => undefined,
  };
}

function mapColumns(
  survey: OpenSurvey,
  { table, columns = [], delimiter }: RowsHeader,
): ColumnMapping {
  const { tables, options } = survey;
  const source = typeof table === 'string' ? table : options.source;
  const columnsOfTable = new Map<string, OpenColumn>();
  const open = tables.get(source) ?? { source, columns: columnsOfTable, delimiter, rows: 0 };
  tables.set(source, open);
  const names = distinctNames(columns);
  const mapped = names.map((name, i) => {
    const openedColumn = open.columns.get(name);
    if (openedColumn !== undefined) return openedColumn;
    checkColumnCount(survey, open);
    const isNamed = columns[i] !== '';
    const isCandidate = isNamed && (open.columns.size === 0 || isKeyName(name, source));
    const column = openColumn(name, isNamed);
    if (isCandidate) column.key = { values: survey.values.open(), length: 0 };
    open.columns.set(name, column);
    return column;
  });
  const surveyed: SurveyedTable = { ...emptyTable, name: source, localName: source, open };
  return {
    table: surveyed,
    columns: mapped,
    errors: [],
    jsonValues: 'tokens',
    takesUnnamed: () => true,
    onNumber: (column, digits) => observeNumber((column as OpenColumn).survey.profile, digits),
  };
}

/** The keys of JSON objects may be data, such as numbers of orders: each would be a column. */
function checkColumnCount(survey: OpenSurvey, { source, columns }: OpenTable): void {
  if (columns.size < maxColumns && ++survey.columnCount <= maxColumnsOfFile) return;
  const reason =
    columns.size < maxColumns
      ? `The file has more than ${maxColumnsOfFile} columns`
      : `Table "${source}" of the file has more than ${maxColumns} columns`;
  throw new StudioError('import_failed', `${reason}, so that no tables are created for it.`);
}

const emptyTable = {
  kind: 'table',
  columns: [],
  indexes: [],
  foreignKeys: [],
  checks: [],
} as const;

function openColumn(name: string, isNamed: boolean): OpenColumn {
  const survey = { profile: createProfile(), isNamed, emptyTexts: 0, search: createFormSearch() };
  return { name, type: { kind: 'text' }, nativeType: '', nullable: true, survey, key: undefined };
}

function observeChunk(chunk: RowChunk, options: SurveyOptions): void {
  const { table, columns, rows } = chunk;
  const { open } = table as SurveyedTable;
  open.rows += rows.length;
  for (const [i, each] of columns.entries()) {
    const column = each as OpenColumn;
    const { survey } = column;
    for (const [at, row] of rows.entries()) {
      const value = row[i];
      if (value === '') survey.emptyTexts++;
      if (typeof value !== 'string' || value === '') continue;
      const located = { text: value, line: lineOf(chunk, at) };
      const text = observe(survey.profile, located, options);
      if (!options.isJson) searchForm(survey.search, located);
      if (column.key !== undefined) observeKey(column, text);
    }
  }
}

/** The line of a row, or its number where the format has no lines. */
function lineOf({ lines, rowNumbers, firstRow }: RowChunk, at: number): number {
  return lines?.[at] ?? rowNumbers?.[at] ?? firstRow + at;
}

const keyKinds: ReadonlySet<ColumnProfile['kind']> = new Set(['integer', 'uuid', 'text']);
/** Printable ASCII without spaces at the ends. Other texts may be equal in a collation of a database. */
const keyText = /^[!-~](?:[ -~]{0,253}[!-~])?$/;

function observeKey(column: OpenColumn, text: string): void {
  const { key, survey } = column;
  if (key === undefined) return;
  // A database without negative zero has `-0` and `0` as the same key.
  const isKey =
    survey.profile.negativeZeros === undefined &&
    keyKinds.has(survey.profile.kind) &&
    keyText.test(text) &&
    key.values.add(text.toLowerCase());
  if (isKey) key.length = Math.max(key.length, text.length);
  else dropKey(column, key);
}

function dropKey(column: OpenColumn, { values }: KeyCandidate): void {
  values.drop();
  column.key = undefined;
}

function tableSurvey({ source, columns, delimiter, rows }: OpenTable): TableSurvey {
  const surveyed = [...columns].map(([name, { survey, key }]): [string, ColumnSurvey] => {
    const isComplete = rows > 0 && survey.profile.count === rows;
    const isKey = isComplete && key?.values.areDistinct() === true;
    return [name, { ...survey, isKey, length: key?.length ?? 0 }];
  });
  return { source, rows, delimiter, columns: new Map(surveyed) };
}
