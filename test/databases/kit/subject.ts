/** What the kit needs to know about a database. Everything else goes through the studio. */
import type { ColumnKind } from '../../../src/model/schema.ts';
import type { Dialect } from '../registered-databases.ts';

export interface Subject {
  /** The `driver` of the schema response. */
  readonly name: string;
  readonly dialect: Dialect;
  /** Creates an empty database. Fails if there is no server. */
  makeDatabase(): Promise<NativeDatabase>;
  /** Tests that do not apply to this database. */
  readonly skip: readonly Skip[];
  /** Neutral kinds that the database does not have, with the kind that it uses instead. */
  readonly kinds: Readonly<Partial<Record<ColumnKind, ColumnKind>>>;
  binaryLiteral(hex: string): string;
  /** The value of a quoted column as its full text. */
  exactText(name: string): string;
  /** Statements that move a table to a storage engine, by the engine's name; empty where there is one engine. */
  readonly storageEngines: Readonly<Record<string, (table: string) => string>>;
  /** The database's own command-line client, reading statements from its input until one fails. */
  client(url: string): readonly [command: string, ...args: string[]];
  /** The SQL that makes the database ignore such writes to a table without an error. */
  suppress(event: WriteEvent, table: string): string;
}

export type WriteEvent = 'INSERT' | 'UPDATE' | 'DELETE';

export interface Skip {
  readonly reason: string;
  readonly feature: string;
  /** Names of tests of that feature. */
  readonly tests: readonly string[];
}

/** A database accessed by its own client, without the studio. */
export interface NativeDatabase {
  readonly url: string;
  /** One or more statements. */
  run(sql: string): Promise<void>;
  /** The rows of one statement, each as its values in order. */
  query(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Whether the SQL runs in a read-only session. */
  reads(sql: string): Promise<boolean>;
  /** A fingerprint that differs after any change of content or structure. */
  fingerprint(): Promise<string>;
  drop(): Promise<void>;
}
