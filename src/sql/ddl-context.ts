import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { Column, Schema, Table } from '../model/schema.ts';

/** What every piece of DDL is written by. */
export interface DdlContext {
  readonly ddl: DdlDialect;
  /** The schema comes from a database of the same dialect: native types and expressions count. */
  readonly native: boolean;
  /** Native types are the dialect's own, although expressions are neutral. */
  readonly nativeTypes: boolean;
  readonly schema: Schema;
  /** The tables that foreign keys may point at, by `Table.name`. */
  readonly tables: ReadonlyMap<string, Table>;
}

/** The column's type as its database spells it; undefined where the neutral type tells it. */
export function ownType(
  column: Column,
  { ddl, nativeTypes, schema }: DdlContext,
): string | undefined {
  return nativeTypes ? ddl.nativeType(column, schema) : undefined;
}
