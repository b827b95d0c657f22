import type { CallOptions } from '../../../src/contract/client/client.ts';
import { exportingTexts as texts } from '../texts/exporting.ts';
import { formatTitles } from '../texts/formats.ts';

/** What is exported. */
export type ExportContent = 'view' | 'result' | 'data' | 'schema' | 'dump' | 'diagram' | 'models';

type SchemaQuery = NonNullable<CallOptions<'GET /export/schema'>['query']>;
type DataQuery = NonNullable<CallOptions<'GET /export/data'>['query']>;
type ModelsQuery = NonNullable<CallOptions<'GET /export/models'>['query']>;

export type DataFormat = NonNullable<DataQuery['format']>;
export type ResultFormat = 'csv' | 'json' | 'ndjson' | 'sql' | 'markdown';
export type DiagramFormat = 'svg' | 'png' | 'pdf';
export type SchemaFormat = Exclude<NonNullable<SchemaQuery['format']>, DiagramFormat>;

/** The options of an export. Options that do not apply to `what` are ignored. */
export interface ExportChoices {
  readonly content: ExportContent;
  readonly dataFormat: DataFormat;
  readonly schemaFormat: SchemaFormat;
  readonly resultFormat: ResultFormat;
  readonly diagramFormat: DiagramFormat;
  /** The tables that are not exported. */
  readonly omittedTables: ReadonlySet<string>;
  /** The views whose rows are exported. */
  readonly selectedViews: ReadonlySet<string>;
  /** Empty for the dialect of the open database. */
  readonly dialect: string;
  /** Prefixes cells that a spreadsheet would run as formulas. */
  readonly guardsFormulas: boolean;
  /** The field delimiter of CSV. */
  readonly delimiter: NonNullable<DataQuery['delimiter']>;
  /** CSV begins with a byte order mark. */
  readonly hasByteOrderMark: boolean;
  /** The text of NULL in CSV. */
  readonly nullText: string;
  /** How CSV writes dates; empty for ISO 8601. */
  readonly dateForm: DataQuery['date_form'] | '';
  /** Numbers of CSV have a decimal comma. */
  readonly hasDecimalComma: boolean;
  /** For a view: exports only the visible columns, in display order. */
  readonly asShown: boolean;
  readonly columns: NonNullable<SchemaQuery['columns']>;
  readonly theme: NonNullable<SchemaQuery['theme']>;
  readonly packageName: string;
  readonly nulls: NonNullable<ModelsQuery['nulls']>;
  readonly hasJsonTags: boolean;
}

export function defaultChoices(content: ExportContent): ExportChoices {
  return {
    content,
    dataFormat: 'csv',
    schemaFormat: 'sql',
    resultFormat: 'csv',
    diagramFormat: 'svg',
    omittedTables: new Set(),
    selectedViews: new Set(),
    dialect: '',
    guardsFormulas: true,
    delimiter: 'comma',
    hasByteOrderMark: false,
    nullText: '',
    dateForm: '',
    hasDecimalComma: false,
    asShown: true,
    columns: 'all',
    theme: 'light',
    packageName: '',
    nulls: 'pointer',
    hasJsonTags: false,
  };
}

/** The views whose rows the export has. INSERT statements cannot write into views, and the structure has all views. */
export function exportedViews({
  content,
  dataFormat,
  selectedViews,
}: ExportChoices): ReadonlySet<string> {
  return content === 'data' && dataFormat !== 'sql' ? selectedViews : new Set();
}

export type Choose = (changes: Partial<ExportChoices>) => void;

type Formats<T extends string> = readonly (readonly [format: T, title: string, note: string])[];

const { formatNotes: notes } = texts;

export const tablesFormats: Formats<DataFormat> = [
  ['json', formatTitles.json, notes.document],
  ['csv', formatTitles.csv, notes.zip],
  ['sql', formatTitles.sql, notes.inserts],
  ['xlsx', formatTitles.xlsx, notes.sheetPerTable],
  ['ndjson', formatTitles.ndjson, notes.rowPerLine],
  ['parquet', formatTitles.parquet, notes.zip],
];

export const viewFormats: Formats<DataFormat> = [
  ['json', formatTitles.json, notes.array],
  ['csv', formatTitles.csv, notes.oneFile],
  ['sql', formatTitles.sql, notes.inserts],
  ['xlsx', formatTitles.xlsx, notes.oneSheet],
  ['ndjson', formatTitles.ndjson, notes.rowPerLine],
  ['parquet', formatTitles.parquet, notes.oneFile],
];

export const resultFormats: Formats<ResultFormat> = [
  ['json', formatTitles.json, notes.array],
  ['csv', formatTitles.csv, notes.oneFile],
  ['sql', formatTitles.sql, notes.inserts],
  ['markdown', formatTitles.markdown, notes.table],
  ['ndjson', formatTitles.ndjson, notes.rowPerLine],
];

export const schemaFormats: Formats<SchemaFormat> = [
  ['sql', formatTitles.sql, notes.createTables],
  ['json', formatTitles.json, notes.everything],
  ['yaml', formatTitles.yaml, notes.everything],
  ['dbml', formatTitles.dbml, notes.diagramTools],
  ['mermaid', formatTitles.mermaid, notes.documents],
];

export const diagramFormats: Formats<DiagramFormat> = [
  ['svg', formatTitles.svg, notes.vector],
  ['png', formatTitles.png, notes.raster],
  ['pdf', formatTitles.pdf, notes.onePage],
];
