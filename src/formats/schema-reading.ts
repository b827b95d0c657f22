/** What the readers of schema files are given, and give. */
import type { ColumnType, Schema } from '../model/schema.ts';

/** What a file of a schema says. */
export interface SchemaReading {
  readonly schema: Schema;
  /**
   * The dialect whose native types and expressions the schema holds. Undefined: the schema is
   * neutral, its expressions too, but a `nativeType` that is not empty is the target's own.
   */
  readonly dialect?: string;
  readonly warnings: readonly string[];
}

/** A dialect, as far as a file's reader needs it. */
export interface TypeReader {
  /** `Dialect.name`. */
  readonly name: string;
  /** What people call it, the most usual first: `PostgreSQL`, `postgres`. */
  readonly titles: readonly string[];
  /** A native type as the dialect spells it; kind `other` for one that it does not know, or, if `assumed`, knows otherwise than all others. */
  readType(text: string, assumed?: boolean): ColumnType;
  /** A text as the dialect's literal. */
  quoteText(text: string): string;
}

/** What a reader cannot learn from the file. */
export interface SchemaHint {
  /** The dialect of the database that the schema is for. */
  readonly target: TypeReader;
  /** All dialects that a file may name. */
  readonly dialects: readonly TypeReader[];
  /** The name of the schema where the file has none. */
  readonly database: string;
}

/** Fails with `parse_failed`, whose details tell `line` and `column` from 1 and hold them in `errors` too. */
export type ReadSchema = (text: string, hint: SchemaHint) => SchemaReading;
