import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { Column, Schema, Table } from '../model/schema.ts';

/** What the functions that write DDL need. */
export interface DdlContext {
  readonly ddl: DdlDialect;
  /** The schema comes from a database of the same dialect, so native types and expressions are used. */
  readonly native: boolean;
  /** Native types are used even if expressions are neutral. */
  readonly nativeTypes: boolean;
  readonly schema: Schema;
  /** The tables that foreign keys may reference, by `Table.name`. */
  readonly tables: ReadonlyMap<string, Table>;
}

/** The column's native type; undefined where the neutral type is used. */
export function nativeTypeOf(
  column: Column,
  { ddl, nativeTypes, schema }: DdlContext,
): string | undefined {
  return nativeTypes ? ddl.nativeType(column, schema) : undefined;
}
