/** The registry of databases. An entry loads its modules on demand, so that a process loads only the database that it uses. */
import { acceptsUrl as isMysql } from './mysql/url.ts';
import { acceptsUrl as isPostgres } from './postgres/url.ts';
import { acceptsUrl as isSqlite } from './sqlite/driver/location.ts';
import { acceptsUrl as isSqlserver } from './sqlserver/url.ts';
import type { Database, DatabaseKind, Dialect, DatabaseTarget } from '../model/database.ts';
import type { Language } from '../sql/classify.ts';
import type { DatabaseSyntax } from './syntax.ts';

interface Entry {
  /** `Dialect.name` */
  readonly name: string;
  accepts(url: string): boolean;
  loadKind(): Promise<DatabaseKind>;
  loadSyntax(): Promise<DatabaseSyntax>;
}

/** SQLite is last because it accepts any path. */
export const registry: readonly Entry[] = [
  {
    name: 'postgres',
    accepts: isPostgres,
    loadKind: async () => (await import('./postgres/kind.ts')).postgres,
    loadSyntax: async () => (await import('./postgres/syntax.ts')).postgresSyntax,
  },
  {
    name: 'mysql',
    accepts: isMysql,
    loadKind: async () => (await import('./mysql/kind.ts')).mysql,
    loadSyntax: async () => (await import('./mysql/syntax.ts')).mysqlSyntax,
  },
  {
    name: 'sqlserver',
    accepts: isSqlserver,
    loadKind: async () => (await import('./sqlserver/kind.ts')).sqlserver,
    loadSyntax: async () => (await import('./sqlserver/syntax.ts')).sqlserverSyntax,
  },
  {
    name: 'sqlite',
    accepts: isSqlite,
    loadKind: async () => (await import('./sqlite/kind.ts')).sqlite,
    loadSyntax: async () => (await import('./sqlite/syntax.ts')).sqliteSyntax,
  },
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

function entryOf(url: string): Entry | undefined {
  return registry.find(({ accepts }) => accepts(url));
}

/** Opens a database in this process. */
export async function openDatabase(target: DatabaseTarget): Promise<Database> {
  const kind = await kindOf(target.url);
  if (kind === undefined) throw new Error('No registered database accepts this URL.');
  return kind.open(target);
}

/** The lexical and statement rules of a dialect. */
export async function loadLanguage(dialect: Pick<Dialect, 'name'>): Promise<Language> {
  const entry = registry.find(({ name }) => name === dialect.name);
  if (entry === undefined) throw new Error(`The dialect ${dialect.name} is not in the registry.`);
  return (await entry.loadSyntax()).language;
}
