import type { DdlDialect } from '../../model/ddl-dialect.ts';
import type { Table } from '../../model/schema.ts';

/** The database that a schema is adapted to, and the callback that receives each loss. */
export interface Adaptation {
  readonly ddl: DdlDialect;
  /** By `Table.name`: the tables of the schema and those that exist already. */
  readonly tables: ReadonlyMap<string, Table>;
  readonly warn: (warning: string) => void;
}
