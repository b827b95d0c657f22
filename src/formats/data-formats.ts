/** The formats that rows are written in. */
import type { Frame, ScriptDialect } from '../model/script-dialect.ts';
import type { FormulaGuard } from './guard-formula.ts';
import type { FileParts, TableRows, TableStream } from './writing.ts';

export interface DataFormat {
  /** A file of several tables. */
  readonly tables: FileKind;
  /** A file of one. */
  readonly table: FileKind;
  /** What does not come back from such a file as it was. */
  readonly loses: readonly Loss[];
  /** A database's own language: tables are to come after those that their keys point at, without what the database computes. */
  readonly isScript: boolean;
  /** Lines of CSV that a database has written are what it wants. */
  readonly takesCsv: boolean;
  load(): Promise<WriteRows>;
}

export interface FileKind {
  readonly ending: string;
  readonly mediaType: string;
}

export interface Loss {
  readonly what: LossKind;
  readonly reason: string;
}

/**
 * `empty_text`: the empty text becomes NULL. `stored_class`: a value of another class than its
 * column's type (SQLite) becomes what its text is there. `not_utf8`: text that is not valid UTF-8
 * becomes binary. `json_lines`: line breaks between the parts of JSON become blanks. `variant_type`:
 * a value of a column that takes any type (sql_variant) is of the type that the importer finds for
 * it. `enum_zero`: the value of an ENUM outside its labels (MySQL, MariaDB), which reads as the
 * empty text, is refused, or becomes the label that is empty. The others refuse the export: `long_text`, cells over a limit; `half_pairs`, text with half a
 * surrogate pair.
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
  /** For formats that are a database's own language. */
  readonly script: {
    readonly dialect: ScriptDialect;
    readonly heading: readonly string[];
    readonly keys: Frame;
  };
}

export interface WriteRows {
  tables(tables: TableStream, options: WriteOptions): FileParts;
  table(rows: TableRows, options: WriteOptions): FileParts;
}

const notUtf8: Loss = { what: 'not_utf8', reason: 'the file is text in UTF-8' };
const notUtf8Hex: Loss = { what: 'not_utf8_hex', reason: 'cells are text in UTF-8' };
const jsonBlanks: Loss = { what: 'json_blanks', reason: 'they are no part of the value' };
const arrayBlanks: Loss = { what: 'array_blanks', reason: 'they are no part of the value' };
const halfPairs: Loss = { what: 'half_pairs', reason: 'the file is text in UTF-8' };
const variantType: Loss = {
  what: 'variant_type',
  reason: 'values do not say of which of the types of SQL Server they are',
};
const enumZero: Loss = {
  what: 'enum_zero',
  reason: 'MySQL and MariaDB show both as the empty text',
};
const storedClass: Loss = {
  what: 'stored_class',
  reason: 'cells do not say of which class they are',
};

const json: FileKind = { ending: 'json', mediaType: 'application/json' };
const ndjson: FileKind = { ending: 'ndjson', mediaType: 'application/x-ndjson' };
const sql: FileKind = { ending: 'sql', mediaType: 'application/sql' };
const xlsx: FileKind = {
  ending: 'xlsx',
  mediaType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** By the name that clients use. */
export const dataFormats = {
  json: {
    tables: json,
    table: json,
    loses: [notUtf8, jsonBlanks, variantType, enumZero],
    isScript: false,
    takesCsv: false,
    load: async () => {
      const { writeJsonTable, writeJsonTables } = await import('./json/write-rows.ts');
      return { tables: writeJsonTables, table: writeJsonTable };
    },
  },
  csv: {
    tables: { ending: 'zip', mediaType: 'application/zip' },
    table: { ending: 'csv', mediaType: 'text/csv; charset=utf-8; header=present' },
    loses: [notUtf8Hex, halfPairs, storedClass, arrayBlanks, variantType, enumZero],
    isScript: false,
    takesCsv: true,
    load: async () => {
      const { writeCsvTable, writeCsvTables } = await import('./csv/write-rows.ts');
      return {
        tables: (tables, { formulas }) => writeCsvTables(tables, formulas),
        table: (rows, { formulas }) => writeCsvTable(rows, formulas),
      };
    },
  },
  sql: {
    tables: sql,
    table: sql,
    loses: [notUtf8, halfPairs, arrayBlanks, variantType, enumZero],
    isScript: true,
    takesCsv: false,
    load: async () => {
      const { writeSqlTables } = await import('./sql/write-rows.ts');
      return {
        tables: (tables, { script }) => writeSqlTables(tables, script),
        table: (rows, { script }) => writeSqlTables(only(rows), script),
      };
    },
  },
  xlsx: {
    tables: xlsx,
    table: xlsx,
    loses: [
      notUtf8Hex,
      storedClass,
      arrayBlanks,
      variantType,
      enumZero,
      { what: 'empty_text', reason: 'a cell without text is an empty cell' },
      { what: 'long_text', reason: 'a cell holds 32,767 characters' },
    ],
    isScript: false,
    takesCsv: false,
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
    loses: [
      notUtf8,
      jsonBlanks,
      variantType,
      enumZero,
      { what: 'json_lines', reason: 'a row is a line' },
    ],
    isScript: false,
    takesCsv: false,
    load: async () => {
      const { writeNdjsonTable, writeNdjsonTables } = await import('./ndjson/write-rows.ts');
      return { tables: writeNdjsonTables, table: writeNdjsonTable };
    },
  },
} as const satisfies Record<string, DataFormat>;

export type DataFormatName = keyof typeof dataFormats;

async function* only(rows: TableRows): AsyncGenerator<TableRows> {
  yield rows;
}
