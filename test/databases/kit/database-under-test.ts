/**
 * What the kit needs to know about a kind of database, and the direct access to a database without the
 * studio. Everything else goes through the studio.
 */
import type { ColumnKind } from '../../../src/model/schema.ts';
import type { Dialect } from '../registered-databases.ts';

export interface DatabaseUnderTest {
  /** The `driver` of the schema response. */
  readonly name: string;
  readonly dialect: Dialect;
  /** Creates an empty database. Fails if there is no server. */
  makeDatabase(): Promise<KitDatabase>;
  /** Tests that do not apply to this database. */
  readonly skip: readonly Skip[];
  /** Neutral kinds of types that the database does not have, with the kind that it uses instead. */
  readonly kinds: Readonly<Partial<Record<ColumnKind, ColumnKind>>>;
  binaryLiteral(hex: string): string;
  /** An SQL expression for the full text of a column, whose name is given in quotes. */
  exactText(name: string): string;
  /** Statements that move a table to a storage engine, by the engine's name; empty where there is one engine. */
  readonly storageEngines: Readonly<Record<string, (table: string) => string>>;
  /** The database's own command-line client, reading statements from its input until one fails. */
  client(url: string): readonly [command: string, ...args: string[]];
  /** The SQL of a trigger that makes the database ignore such writes to a table without an error. */
  ignoreWrites(event: WriteEvent, table: string): string;
}

export type WriteEvent = 'INSERT' | 'UPDATE' | 'DELETE';

export interface Skip {
  readonly reason: string;
  readonly feature: string;
  /** Names of tests of that feature. */
  readonly tests: readonly string[];
}

/** A database of the tests, accessed by its own client instead of the studio. */
export interface KitDatabase {
  readonly url: string;
  /** One or more statements. */
  run(sql: string): Promise<void>;
  /** The rows of one statement, each as its values in order. */
  query(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Whether the SQL runs in a read-only session. */
  runsReadOnly(sql: string): Promise<boolean>;
  /** A fingerprint that differs after any change of content or structure. */
  fingerprint(): Promise<string>;
  drop(): Promise<void>;
}
