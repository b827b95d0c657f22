import type { DdlDialect } from '../model/ddl-dialect.ts';
import type { Table } from '../model/schema.ts';

/** What a schema is made to fit, and who is told what that costs. */
export interface Adaptation {
  readonly ddl: DdlDialect;
  /** By `Table.name`: those of the schema, and those that are there. */
  readonly tables: ReadonlyMap<string, Table>;
  readonly warn: (warning: string) => void;
}
