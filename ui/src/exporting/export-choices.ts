import type { CallOptions } from '../../../src/contract/client.ts';

/** What is exported. */
export type ExportWhat = 'view' | 'result' | 'data' | 'schema' | 'diagram' | 'models';

type SchemaQuery = NonNullable<CallOptions<'GET /export/schema'>['query']>;
type DataQuery = NonNullable<CallOptions<'GET /export/data'>['query']>;
type ModelsQuery = NonNullable<CallOptions<'GET /export/models'>['query']>;

export type DataFormat = NonNullable<DataQuery['format']>;
export type ResultFormat = 'csv' | 'json' | 'ndjson' | 'sql' | 'markdown';
export type DiagramFormat = 'svg' | 'png' | 'pdf';
export type SchemaFormat = Exclude<NonNullable<SchemaQuery['format']>, DiagramFormat>;

/** The options of an export. Options that do not apply to `what` are ignored. */
export interface ExportChoices {
  readonly what: ExportWhat;
  readonly dataFormat: DataFormat;
  readonly schemaFormat: SchemaFormat;
  readonly resultFormat: ResultFormat;
  readonly diagramFormat: DiagramFormat;
  /** The tables that are not exported. */
  readonly leftOut: ReadonlySet<string>;
  /** Empty for the dialect of the open database. */
  readonly dialect: string;
  /** Prefixes cells that a spreadsheet would run as formulas. */
  readonly guardsFormulas: boolean;
  /** For a view: exports only the visible columns, in display order. */
  readonly asShown: boolean;
  readonly columns: NonNullable<SchemaQuery['columns']>;
  readonly theme: NonNullable<SchemaQuery['theme']>;
  readonly packageName: string;
  readonly nulls: NonNullable<ModelsQuery['nulls']>;
  readonly hasJsonTags: boolean;
}

export function defaultChoices(what: ExportWhat): ExportChoices {
  return {
    what,
    dataFormat: 'csv',
    schemaFormat: 'sql',
    resultFormat: 'csv',
    diagramFormat: 'svg',
    leftOut: new Set(),
    dialect: '',
    guardsFormulas: true,
    asShown: true,
    columns: 'all',
    theme: 'light',
    packageName: '',
    nulls: 'pointer',
    hasJsonTags: false,
  };
}

export type Choose = (changes: Partial<ExportChoices>) => void;

type Formats<T extends string> = readonly (readonly [format: T, title: string, note: string])[];

export const tablesFormats: Formats<DataFormat> = [
  ['json', 'JSON', 'one document'],
  ['csv', 'CSV', 'zip, one file per table'],
  ['sql', 'SQL', 'inserts'],
  ['xlsx', 'Excel', 'one sheet per table'],
  ['ndjson', 'NDJSON', 'one row per line'],
];

export const viewFormats: Formats<DataFormat> = [
  ['json', 'JSON', 'an array'],
  ['csv', 'CSV', 'one file'],
  ['sql', 'SQL', 'inserts'],
  ['xlsx', 'Excel', 'one sheet'],
  ['ndjson', 'NDJSON', 'one row per line'],
];

export const resultFormats: Formats<ResultFormat> = [
  ['json', 'JSON', 'an array'],
  ['csv', 'CSV', 'one file'],
  ['sql', 'SQL', 'inserts'],
  ['markdown', 'Markdown', 'a table'],
  ['ndjson', 'NDJSON', 'one row per line'],
];

export const schemaFormats: Formats<SchemaFormat> = [
  ['sql', 'SQL', 'create tables'],
  ['json', 'JSON', 'everything'],
  ['yaml', 'YAML', 'everything'],
  ['dbml', 'DBML', 'for diagram tools'],
  ['mermaid', 'Mermaid', 'for documents'],
];

export const diagramFormats: Formats<DiagramFormat> = [
  ['svg', 'SVG', 'drawing'],
  ['png', 'PNG', 'picture'],
  ['pdf', 'PDF', 'one page'],
];
