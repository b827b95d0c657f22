/** What the kit needs of a database: everything else it asks of the studio. */
import type { Dialect } from '../../../src/model/database.ts';
import type { ColumnKind } from '../../../src/model/schema.ts';

export interface Subject {
  /** As `driver` in the schema answer. */
  readonly name: string;
  readonly dialect: Dialect;
  /** An empty database of its own; fails where there is no server. */
  makeDatabase(): Promise<NativeDatabase>;
  /** Tests that cannot hold here. */
  readonly skip: readonly Skip[];
  /** Neutral kinds that come back as another, because the database has no such type. */
  readonly kinds: Readonly<Partial<Record<ColumnKind, ColumnKind>>>;
  binaryLiteral(hex: string): string;
  /** Statements that move a table to a storage engine, by the engine's name; empty where there is one engine. */
  readonly storageEngines: Readonly<Record<string, (table: string) => string>>;
  /** The database's own command-line client, reading statements from its input until one fails. */
  client(url: string): readonly [command: string, ...args: string[]];
  /** Keeps every such write of a table from happening, without an error. */
  suppress(event: WriteEvent, table: string): string;
}

export type WriteEvent = 'INSERT' | 'UPDATE' | 'DELETE';

export interface Skip {
  readonly reason: string;
  readonly feature: string;
  /** Names of tests of that feature. */
  readonly tests: readonly string[];
}

/** A database by its own client, past the studio. */
export interface NativeDatabase {
  readonly url: string;
  /** One or more statements. */
  run(sql: string): Promise<void>;
  /** The rows of one statement, each as its values in order. */
  query(sql: string): Promise<readonly (readonly unknown[])[]>;
  /** Whether a text runs by itself where nothing may be written. */
  reads(sql: string): Promise<boolean>;
  /** Changes with any change of content or structure. */
  fingerprint(): Promise<string>;
  drop(): Promise<void>;
}
