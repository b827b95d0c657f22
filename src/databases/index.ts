/** The registry of databases. An entry loads its modules on demand, so that a process loads only the database that it uses. */
import { urlOfPool as urlOfMysqlPool } from './mysql/pool-url.ts';
import { acceptsUrl as isMysql } from './mysql/url.ts';
import { urlOfPool as urlOfPostgresPool } from './postgres/pool-url.ts';
import { acceptsUrl as isPostgres } from './postgres/url.ts';
import { acceptsUrl as isSqlite } from './sqlite/driver/location.ts';
import { urlOfHandle } from './sqlite/handle-url.ts';
import { acceptsUrl as isSqlserver } from './sqlserver/url.ts';
import type { Capability } from '../model/capabilities.ts';
import type { Database, DatabaseKind, Dialect, DatabaseTarget } from '../model/database.ts';
import type { Language } from '../sql/classify.ts';
import type { DatabaseSyntax } from './syntax.ts';

/** A database with these capabilities. Kind and syntax must both have all their members. */
interface Entry<C extends Capability = never> {
  /** `Dialect.name` */
  readonly name: string;
  accepts(url: string): boolean;
  /**
   * The URL with the settings of a pool or handle that the program has opened. Undefined if it is not of
   * this database's driver. Throws `invalid_parameter` if a URL cannot have its settings.
   */
  urlOfLive?(live: object): string | undefined;
  loadKind(): Promise<DatabaseKind<C>>;
  loadSyntax(): Promise<DatabaseSyntax<C>>;
}

/** An entry of a database that has every capability. */
type WholeEntry = Entry<Capability>;

/** SQLite is last because it accepts any path. */
export const registry: readonly Entry[] = [
  {
    name: 'postgres',
    accepts: isPostgres,
    urlOfLive: urlOfPostgresPool,
    loadKind: async () => (await import('./postgres/kind.ts')).postgres,
    loadSyntax: async () => (await import('./postgres/syntax.ts')).postgresSyntax,
  } satisfies WholeEntry,
  {
    name: 'mysql',
    accepts: isMysql,
    urlOfLive: urlOfMysqlPool,
    loadKind: async () => (await import('./mysql/kind.ts')).mysql,
    loadSyntax: async () => (await import('./mysql/syntax.ts')).mysqlSyntax,
  } satisfies WholeEntry,
  {
    name: 'sqlserver',
    accepts: isSqlserver,
    loadKind: async () => (await import('./sqlserver/kind.ts')).sqlserver,
    loadSyntax: async () => (await import('./sqlserver/syntax.ts')).sqlserverSyntax,
  } satisfies WholeEntry,
  {
    name: 'sqlite',
    accepts: isSqlite,
    urlOfLive: urlOfHandle,
    loadKind: async () => (await import('./sqlite/kind.ts')).sqlite,
    loadSyntax: async () => (await import('./sqlite/syntax.ts')).sqliteSyntax,
  } satisfies WholeEntry,
];

export const databaseNames: readonly string[] = registry.map(({ name }) => name);

/** Undefined if no database accepts the URL. */
export async function kindOf(url: string): Promise<DatabaseKind | undefined> {
  return entryOf(url)?.loadKind();
}

/** `Dialect.name` of the database that accepts the URL. */
export function databaseNameOf(url: string): string | undefined {
  return entryOf(url)?.name;
}

/** The URL with the settings of a pool or handle. Undefined if it is of no registered database's driver. */
export function urlOfLive(live: object): string | undefined {
  for (const entry of registry) {
    const url = entry.urlOfLive?.(live);
    if (url !== undefined) return url;
  }
  return undefined;
}

function entryOf(url: string): Entry | undefined {
  return registry.find(({ accepts }) => accepts(url));
}

/** Opens a database in this process. */
export async function openDatabase(target: DatabaseTarget): Promise<Database> {
  const kind = await kindOf(target.url);
  if (kind === undefined) throw new Error('No registered database accepts this URL.');
  return kind.open(target);
}

/** The lexical and statement rules of a dialect whose statements users can run. */
export async function loadLanguage(dialect: Pick<Dialect, 'name'>): Promise<Language> {
  const entry = registry.find(({ name }) => name === dialect.name);
  const language = (await entry?.loadSyntax())?.language;
  if (language !== undefined) return language;
  throw new Error(`The registry has no language for the dialect ${dialect.name}.`);
}
