/** Interfaces of the readers of schema files. */
import type { ColumnType, Schema } from '../model/schema.ts';

export interface ImportedSchema {
  readonly schema: Schema;
  /**
   * The dialect whose native types and expressions the schema holds. Undefined: the schema is
   * neutral, and so are its expressions; a `nativeType` that is not empty is one of the target.
   */
  readonly dialect?: string;
  readonly warnings: readonly string[];
}

/** What a reader needs of a dialect. */
export interface FileDialect {
  /** `Dialect.name`. */
  readonly name: string;
  /** Product names, the most common first: `PostgreSQL`, `postgres`. */
  readonly titles: readonly string[];
  /** Parses a native type name. The kind is `other` for unknown types and, if `assumed`, for types that mean something else in every other dialect. */
  readType(text: string, assumed?: boolean): ColumnType;
  /** Renders a string literal. */
  quoteText(text: string): string;
}

/** What a reader needs besides the file. */
export interface SchemaContext {
  /** The dialect of the database that the schema is imported into. */
  readonly target: FileDialect;
  /** All dialects that a file can name. */
  readonly dialects: readonly FileDialect[];
  /** The database name, for a file that has none. */
  readonly database: string;
}

/** Throws `parse_failed`, whose details contain `line` and `column` from 1, also within `errors`. */
export type SchemaReader = (text: string, context: SchemaContext) => ImportedSchema;
