/** The formats that rows are exported in. */
import type { FormulaGuard } from '../portable/files/guard-formula.ts';
import type { FileChunks, TableRows, TableStream } from './row-export.ts';
import type { CsvStyle } from './csv/write-rows.ts';
import type { ScriptOptions } from './sql/write-rows.ts';

export interface DataFormat {
  /** The file of an export of several tables. */
  readonly tables: FileKind;
  /** The file of an export of one table. */
  readonly table: FileKind;
  /** Values that an import of such a file does not restore. */
  readonly losses: readonly Loss[];
  /** The file is an SQL script. Tables must follow the tables that their foreign keys reference, and generated columns are left out. */
  readonly isScript: boolean;
  /** The format can copy CSV lines that the database itself has written. */
  readonly acceptsDatabaseCsv: boolean;
  load(): Promise<WriteRows>;
}

export interface FileKind {
  readonly extension: string;
  readonly mediaType: string;
}

export interface Loss {
  readonly lossKind: LossKind;
  readonly reason: string;
}

/**
 * `empty_text`: the empty string becomes NULL.
 * `stored_class`: a value whose storage class differs from its column's type (SQLite) is converted
 * on import as its text would be.
 * `not_utf8`, `not_utf8_hex`: text that is not valid UTF-8 becomes binary.
 * `json_blanks`, `array_blanks`: white space between the tokens of the value is not kept.
 * `json_lines`: line breaks between the tokens of JSON become spaces.
 * `variant_type`: the importer chooses the type of a value in a column of any type (sql_variant).
 * `enum_zero`: the ENUM value with index 0 (MySQL, MariaDB), which reads as the empty string, is
 * rejected, or becomes the label that is the empty string.
 * The others make the export fail: `long_text`, cells over a limit; `half_pairs`, text with half of
 * a surrogate pair.
 */
export type LossKind =
  | 'empty_text'
  | 'stored_class'
  | 'not_utf8'
  | 'not_utf8_hex'
  | 'json_blanks'
  | 'array_blanks'
  | 'json_lines'
  | 'variant_type'
  | 'enum_zero'
  | 'long_text'
  | 'half_pairs';

export interface WriteOptions {
  readonly formulas: FormulaGuard;
  /** How CSV is written, if the request says so. */
  readonly csv: Omit<CsvStyle, 'formulas'>;
  /** Required by formats that are SQL scripts. */
  readonly script: ScriptOptions | undefined;
}

export interface WriteRows {
  tables(tables: TableStream, options: WriteOptions): FileChunks;
  table(rows: TableRows, options: WriteOptions): FileChunks;
}

const notUtf8: Loss = { lossKind: 'not_utf8', reason: 'the file is text in UTF-8' };
const notUtf8Hex: Loss = { lossKind: 'not_utf8_hex', reason: 'cells are text in UTF-8' };
const jsonBlanks: Loss = {
  lossKind: 'json_blanks',
  reason: 'white space between tokens is not part of the value',
};
const arrayBlanks: Loss = {
  lossKind: 'array_blanks',
  reason: 'white space between tokens is not part of the value',
};
const halfPairs: Loss = { lossKind: 'half_pairs', reason: 'the file is text in UTF-8' };
const variantType: Loss = {
  lossKind: 'variant_type',
  reason: 'the file does not contain the SQL Server type of each value',
};
const enumZero: Loss = {
  lossKind: 'enum_zero',
  reason: 'MySQL and MariaDB return the empty string for both',
};
const storedClass: Loss = {
  lossKind: 'stored_class',
  reason: 'cells do not contain the storage class',
};

const json: FileKind = { extension: 'json', mediaType: 'application/json' };
const ndjson: FileKind = { extension: 'ndjson', mediaType: 'application/x-ndjson' };
const sql: FileKind = { extension: 'sql', mediaType: 'application/sql' };
const xlsx: FileKind = {
  extension: 'xlsx',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** By the name of the format in requests: the formats that an import reads. */
export const dataFormats = {
  json: {
    tables: json,
    table: json,
    losses: [notUtf8, jsonBlanks, variantType, enumZero],
    isScript: false,
    acceptsDatabaseCsv: false,
    load: async () => {
      const { writeJsonTable, writeJsonTables } = await import('./json/write-rows.ts');
      return { tables: writeJsonTables, table: writeJsonTable };
    },
  },
  csv: {
    tables: { extension: 'zip', mediaType: 'application/zip' },
    table: { extension: 'csv', mediaType: 'text/csv; charset=utf-8; header=present' },
    losses: [notUtf8Hex, halfPairs, storedClass, arrayBlanks, variantType, enumZero],
    isScript: false,
    acceptsDatabaseCsv: true,
    load: async () => {
      const { writeCsvTable, writeCsvTables } = await import('./csv/write-rows.ts');
      return {
        tables: (tables, { formulas, csv }) => writeCsvTables(tables, { formulas, ...csv }),
        table: (rows, { formulas, csv }) => writeCsvTable(rows, { formulas, ...csv }),
      };
    },
  },
  sql: {
    tables: sql,
    table: sql,
    losses: [notUtf8, halfPairs, arrayBlanks, variantType, enumZero],
    isScript: true,
    acceptsDatabaseCsv: false,
    load: async () => {
      const { writeSqlTables } = await import('./sql/write-rows.ts');
      return {
        tables: (tables, options) => writeSqlTables(tables, scriptOf(options)),
        table: (rows, options) => writeSqlTables(only(rows), scriptOf(options)),
      };
    },
  },
  xlsx: {
    tables: xlsx,
    table: xlsx,
    losses: [
      notUtf8Hex,
      storedClass,
      arrayBlanks,
      variantType,
      enumZero,
      { lossKind: 'empty_text', reason: 'a cell with empty text is an empty cell' },
      { lossKind: 'long_text', reason: 'a cell holds at most 32,767 characters' },
    ],
    isScript: false,
    acceptsDatabaseCsv: false,
    load: async () => {
      const { writeXlsxTable, writeXlsxTables } = await import('./xlsx/write-rows.ts');
      return {
        tables: (tables, { formulas }) => writeXlsxTables(tables, formulas),
        table: (rows, { formulas }) => writeXlsxTable(rows, formulas),
      };
    },
  },
  ndjson: {
    tables: ndjson,
    table: ndjson,
    losses: [
      notUtf8,
      jsonBlanks,
      variantType,
      enumZero,
      { lossKind: 'json_lines', reason: 'each row is one line' },
    ],
    isScript: false,
    acceptsDatabaseCsv: false,
    load: async () => {
      const { writeNdjsonTable, writeNdjsonTables } = await import('./ndjson/write-rows.ts');
      return { tables: writeNdjsonTables, table: writeNdjsonTable };
    },
  },
} as const satisfies Record<string, DataFormat>;

/** All formats of exports: those of `dataFormats`, which an import restores, and those that are only written. */
export const exportFormats = {
  ...dataFormats,
  parquet: {
    tables: { extension: 'zip', mediaType: 'application/zip' },
    table: { extension: 'parquet', mediaType: 'application/vnd.apache.parquet' },
    losses: [],
    isScript: false,
    acceptsDatabaseCsv: false,
    load: async () => {
      const { writeParquetTable, writeParquetTables } = await import('./parquet/write-rows.ts');
      return { tables: writeParquetTables, table: writeParquetTable };
    },
  },
} as const satisfies Record<string, DataFormat>;

export type DataFormatName = keyof typeof dataFormats;

function scriptOf({ script }: WriteOptions): ScriptOptions {
  if (script === undefined) throw new Error('The export of a script has no dialect.');
  return script;
}

async function* only(rows: TableRows): AsyncGenerator<TableRows> {
  yield rows;
}
