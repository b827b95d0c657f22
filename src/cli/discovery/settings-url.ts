import { isAbsolute, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The connection settings of a configuration file. */
export interface Settings {
  /** The type, adapter or dialect in the words of the tool: `mysql2`, `better-sqlite3`. */
  readonly type: string;
  readonly host?: string | undefined;
  readonly port?: string | undefined;
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly database?: string | undefined;
}

/** Returns undefined for databases that the studio does not support. `folder`: that of relative SQLite paths. */
export function urlOfSettings(settings: Settings, folder: string): string | undefined {
  const { host = 'localhost', port, user, password, database = '' } = settings;
  if (/sqlite/i.test(settings.type)) return sqliteUrl(database, folder);
  const scheme = schemeOf(settings.type);
  if (scheme === undefined) return undefined;
  const login =
    user === undefined
      ? ''
      : `${encodeURIComponent(user)}${password === undefined ? '' : `:${encodeURIComponent(password)}`}@`;
  const hostText = host.includes(':') ? `[${host}]` : encodeURIComponent(host);
  return `${scheme}://${login}${hostText}${port === undefined ? '' : `:${port}`}/${encodeURIComponent(database)}`;
}

function schemeOf(type: string): string | undefined {
  if (/^(?:postgres|postgis)/i.test(type)) return 'postgres';
  if (/^(?:mysql|mariadb|trilogy)/i.test(type)) return 'mysql';
  return /^(?:mssql|sqlserver)/i.test(type) ? 'sqlserver' : undefined;
}

/** Resolves a relative `path` or `file:path` from the folder; other URLs remain. */
export function sqliteUrl(path: string, folder: string): string {
  const [, relative = path, query = ''] = /^file:([^?#]*)(.*)$/i.exec(path) ?? [];
  if (relative === '' || relative === ':memory:' || /^\w+:\/\//.test(path)) return path;
  if (isAbsolute(relative)) return path;
  return `${pathToFileURL(join(folder, relative)).href}${query}`;
}

/**
 * The parameter of a URL for what `ssl` or `sslmode` is in a configuration file. Empty if nothing is to be
 * added, undefined if the setting cannot be expressed.
 */
export function tlsParameter(url: string, ssl: unknown): string | undefined {
  if (ssl === undefined || ssl === null || !/^(?:postgres|mysql|mariadb)/i.test(url)) return '';
  if (ssl === true || ssl === 'true') return 'ssl=true';
  if (ssl === false || ssl === 'false') return 'ssl=false';
  if (typeof ssl === 'string') return `sslmode=${encodeURIComponent(ssl.replace(/^:/, ''))}`;
  const { rejectUnauthorized, ...others } = ssl as Readonly<Record<string, unknown>>;
  if (typeof rejectUnauthorized !== 'boolean' || Object.keys(others).length > 0) return undefined;
  if (rejectUnauthorized) return 'ssl=true';
  return /^postgres/i.test(url)
    ? 'sslmode=no-verify'
    : `ssl=${encodeURIComponent('{"rejectUnauthorized":false}')}`;
}
