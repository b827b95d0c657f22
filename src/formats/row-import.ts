/** Interfaces of the readers of data files. Readers know no database: they ask an ImportContext for the columns. */
import type { CounterPosition } from '../model/counters.ts';
import type { RowChunk, RowError } from '../model/load.ts';
import type { JsonNode } from '../model/values/exact-json.ts';
import type { Column, Table } from '../model/schema.ts';
import type { NamedCounter } from '../sql/counter-statement.ts';

/** The table and columns that a file's columns are imported into. */
export interface ColumnMapping {
  readonly table: Table;
  /** In the order of the file; undefined for columns that are skipped. */
  readonly columns: readonly (Column | undefined)[];
  /** Names that match no column, or the same column twice. Every row is rejected with these errors. */
  readonly errors: readonly Pick<RowError, 'code' | 'message' | 'column'>[];
  /** The first number of the numbered column, if the import has created the table. */
  readonly firstNumber?: bigint | undefined;
  /**
   * How JSON values are read. By default, by the type of their column. `tokens`: each as its JSON text,
   * for an import that infers the types; null is NULL. `texts`: columns of kind `text` accept any value, as its text.
   */
  readonly jsonValues?: 'tokens' | 'texts';
  /** Called with each number that a workbook stores as one, for an import that infers the types. */
  readonly onNumber?: (column: Column, digits: string) => void;
  /** Whether rows without any value at the end of a file are rows: the table exists and can store them. */
  readonly storesBlankRows?: boolean;
  /** Whether a column on the right of the header, by its number from 1, is added when a row has a value in it. */
  readonly takesUnnamed?: (columnNumber: number) => boolean;
  /** Called if such a column, by its number from 1, has a value that is not imported. */
  readonly onSkippedUnnamed?: (columnNumber: number) => void;
}

/** A table by its name in requests, or by the parts of its qualified name in SQL. */
export type TableReference =
  | string
  | {
      readonly parts: readonly string[];
      /** Search path: schemas in which a name of one part is looked up, in this order. */
      readonly path?: readonly string[];
      /** Set if the file says that the table is a partition. */
      readonly partition?: PartitionReference;
    };

/** Where rows of a partition are imported if the database does not have the partition. */
export interface PartitionReference {
  /** The parts of the names of its parent and further ancestors, nearest first. */
  readonly parents: readonly (readonly string[])[];
  /** The columns of the partition in its own order; undefined if the file does not list them. */
  readonly columns: readonly string[] | undefined;
}

/** Table and columns of the rows that follow. */
export interface RowsHeader {
  /** Undefined: the table of the request. */
  readonly table: TableReference | undefined;
  /** Undefined: rows have all columns of the table, in its order. */
  readonly columns: readonly string[] | undefined;
  /** The parameter `tables` maps the part of the file to this table, which exists. */
  readonly isMapped?: boolean;
  /** The field delimiter of a CSV file. */
  readonly delimiter?: string;
  /** The file has no names: those of the columns are `column 1`, `column 2` … */
  readonly isNumbered?: boolean;
}

/** What a file says about the next generated value of a table's column or of a sequence. */
export interface FileCounter {
  readonly counter: NamedCounter;
  /** Search path for a name without a schema; undefined: that of the database. */
  readonly path?: readonly string[];
  readonly position: CounterPosition;
  /** The statement and its line, for warnings. */
  readonly statement: string;
}

export interface RowPosition {
  /** The line on which the row begins; in a workbook the number of the row in its sheet. */
  readonly line: number;
  /** The sheet or the file of an archive, if there are several. */
  readonly source?: string;
}

/** The text of a warning, for a number of occurrences. */
export type Warning = (count: number) => string;

/** What a reader gets from the import: the columns, and where to report errors and warnings. */
export interface ImportContext {
  /** Throws for an unknown table. */
  mapColumns(heading: RowsHeader): ColumnMapping;
  /** Whether the table of the request has a column of this name. */
  hasColumn(column: string): boolean;
  /** Sets a counter after the rows, if the database can. Otherwise a warning says so. */
  setCounter(counter: FileCounter): void;
  /** Reports one or more rows that cannot be imported. The reader continues. */
  report(error: RowError): void;
  /** Tells where the values are that the following warnings are about. */
  readonly beginRow?: (position: RowPosition) => void;
  /** Adds one warning, which counts its occurrences. With `value`, it lists the positions of the first ones. */
  warn(warning: Warning, value?: string): void;
  /** Receives each row as the file has it, valid or not. Files of SQL have no such rows. */
  readonly onRecord?: (record: SourceRecord) => void;
  /** Awaited at times between rows, so that the receiver can write them before it gets more. */
  readonly afterRecords?: () => Promise<void>;
}

/** A row as the file has it. The buffers it refers to are overwritten after the call. */
export interface SourceRecord {
  /** Row number within its table, from 1. */
  readonly number: number;
  /** The line on which the row begins; in a workbook the number of the row in its sheet. */
  readonly line: number;
  /** The sheet or the file of an archive, if there are several. */
  readonly source?: string;
  readonly content: CsvRecord | CellRecord | JsonRecord;
}

export interface CsvRecord {
  readonly kind: 'csv';
  readonly delimiter: string;
  readonly quote: string;
  /** The text from a field on, without the line break. */
  text(firstField: number): string;
}

/** A row of a workbook. */
export interface CellRecord {
  readonly kind: 'cells';
  /** The cells as the texts that the columns would read the same value from. */
  texts(columns: ColumnMapping['columns']): readonly string[];
}

export interface JsonRecord {
  readonly kind: 'json';
  readonly node: JsonNode;
  readonly text: string;
  /** The table as the file names it. Undefined: the table of the request. */
  readonly table: string | undefined;
}

export type RowBatches = AsyncGenerator<RowChunk, void, undefined>;

/** A row must fit into memory. Anything longer is probably a quote or bracket that is not closed. */
export const maxRowBytes = 64 * 1024 * 1024;
