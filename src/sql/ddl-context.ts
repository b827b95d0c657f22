import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { Table } from '../model/schema.ts';

/** What every piece of DDL is written by. */
export interface DdlContext {
  readonly ddl: DdlDialect;
  /** The schema comes from a database of the same dialect: native types and expressions count. */
  readonly native: boolean;
  /** The tables that foreign keys may point at, by `Table.name`. */
  readonly tables: ReadonlyMap<string, Table>;
}
