import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { StudioError } from '../../../model/errors.ts';
import { settingsOfJdbc } from './semicolon-settings.ts';

/** The connection settings of a URL. */
export interface ConnectionOptions {
  readonly host: string;
  /** Undefined if SQL Server Browser resolves the port of the instance. */
  readonly port: number | undefined;
  readonly instance: string | undefined;
  readonly user: string;
  readonly password: string;
  /** Undefined for the login's default database. */
  readonly database: string | undefined;
  /** `strict` encrypts from the first byte (TDS 8.0). With true or `strict` the connection never falls back to plain text. */
  readonly encrypt: boolean | 'strict';
  /** Accepts any certificate. */
  readonly trustServerCertificate: boolean;
  /** The host name that the certificate must match, if it differs from `host`. */
  readonly certificateHost: string | undefined;
  /** Certificate authority to trust in addition to those of the system, as PEM. */
  readonly authority: string | undefined;
  readonly applicationName: string;
  /** Connects to a read-only replica of an availability group. */
  readonly readOnlyIntent: boolean;
  readonly multiSubnetFailover: boolean;
  readonly connectMs: number;
  readonly maxConnections: number;
}

/** Supported parameters, in lower case without `-`, `_` and spaces: `trustServerCertificate`, `Trust Server Certificate`. */
const usedParameters: ReadonlySet<string> = new Set([
  ...[
    'database',
    'instance',
    'encrypt',
    'trustservercertificate',
    'hostnameincertificate',
    'certificate',
  ],
  ...[
    'appname',
    'applicationintent',
    'multisubnetfailover',
    'connectiontimeout',
    'connecttimeout',
    'dialtimeout',
  ],
  ...['poolmaxconns', 'connectionlimit'],
]);
/** Parameters of other clients' URLs, which are accepted and ignored. */
const ignoredParameters: ReadonlySet<string> = new Set([
  ...[
    'keepalive',
    'packetsize',
    'log',
    'workstationid',
    'failoverpartner',
    'failoverport',
    'charset',
  ],
  ...[
    'schema',
    'pooltimeout',
    'sockettimeout',
    'logintimeout',
    'columnencryption',
    'guidconversion',
  ],
]);

const urlFormat = 'use sqlserver://user:password@host:port/database';

export function readUrl(url: string): ConnectionOptions {
  const parts = URL.parse(urlOfJdbc(url));
  if (parts === null) throw invalidUrl(urlFormat);
  const query = readQuery(parts);
  const path = decode(parts.pathname.slice(1));
  const host = decode(parts.hostname).replace(/^\[(.*)\]$/, '$1') || 'localhost';
  const instance = query['instance'] ?? (query['database'] === undefined ? undefined : path);
  return {
    host,
    ...portOrInstance(parts.port, instance),
    user: decode(parts.username),
    password: decode(parts.password),
    database: textOf(query['database'] ?? path),
    ...readTls(query, host),
    applicationName: query['appname'] ?? 'database-studio',
    readOnlyIntent: query['applicationintent']?.toLowerCase() === 'readonly',
    multiSubnetFailover: isYes(query, 'multisubnetfailover', false),
    connectMs: integer(query, ['connectiontimeout', 'connecttimeout', 'dialtimeout'], 10) * 1000,
    maxConnections: Math.max(1, integer(query, ['poolmaxconns', 'connectionlimit'], 10)),
  };
}

/** The URL with its settings as parameters, if they follow semicolons as in Prisma's and JDBC's URLs. */
function urlOfJdbc(url: string): string {
  const settings = settingsOfJdbc(url);
  if (settings === undefined) return url;
  const { server, values, invalid } = settings;
  if (invalid)
    throw invalidUrl('use sqlserver://host:port;database=shop;user=ada;password={secret}');
  if (values.has('integratedsecurity') && values.get('integratedsecurity') !== 'false')
    throw invalidUrl('Windows authentication is not supported; use user and password');
  const login = [values.get('user'), values.get('password')].map((text = '') =>
    encodeURIComponent(text),
  );
  const [host = '', instance] = server.split('\\');
  const [name = '', port] = (instance ?? '').split(':');
  const query = new URLSearchParams(
    [...values].filter(([key]) => !['user', 'password', 'integratedsecurity'].includes(key)),
  );
  if (name !== '') query.set('instance', name);
  return `sqlserver://${login.join(':')}@${host}${port === undefined ? '' : `:${port}`}?${query.toString()}`;
}

function invalidUrl(reason: string): StudioError {
  return new StudioError('invalid_parameter', `The SQL Server URL is invalid: ${reason}.`);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUrl('a % is not followed by two hexadecimal digits');
  }
}

function textOf(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}

const defaultPort = 1433;

function portOrInstance(
  port: string,
  instance: string | undefined,
): Pick<ConnectionOptions, 'port' | 'instance'> {
  if (port !== '' || textOf(instance) === undefined)
    return { port: port === '' ? defaultPort : Number(port), instance: undefined };
  return { port: undefined, instance };
}

type QueryParameters = Readonly<Record<string, string | undefined>>;

function readQuery({ searchParams }: URL): QueryParameters {
  const found = [...searchParams].map(
    ([name, value]) => [name.toLowerCase().replaceAll(/[-_ ]/g, ''), value, name] as const,
  );
  const unknown = found.find(
    ([normalizedName]) =>
      !usedParameters.has(normalizedName) && !ignoredParameters.has(normalizedName),
  );
  if (unknown !== undefined) throw invalidUrl(`the parameter "${unknown[2]}" is unknown`);
  return Object.fromEntries(found);
}

function integer(query: QueryParameters, names: readonly string[], fallback: number): number {
  const name = names.find((candidate) => textOf(query[candidate]) !== undefined);
  if (name === undefined) return fallback;
  const text = query[name] ?? '';
  if (!/^\d{1,6}$/.test(text))
    throw invalidUrl(`${name} must be a whole number of at most six digits`);
  return Number(text);
}

function isYes(query: QueryParameters, name: string, fallback: boolean): boolean {
  const text = query[name]?.toLowerCase();
  if (text === undefined || text === '') return fallback;
  if (/^(?:true|yes|1)$/.test(text)) return true;
  if (/^(?:false|no|0)$/.test(text)) return false;
  throw invalidUrl(`${name} must be true or false`);
}

type Tls = Pick<
  ConnectionOptions,
  'encrypt' | 'trustServerCertificate' | 'certificateHost' | 'authority'
>;

function readTls(query: QueryParameters, host: string): Tls {
  const certificate = query['certificate'];
  return {
    encrypt: readEncrypt(query['encrypt'], host),
    trustServerCertificate: isYes(query, 'trustservercertificate', false),
    certificateHost: textOf(query['hostnameincertificate']),
    authority: certificate === undefined ? undefined : readCertificate(certificate),
  };
}

/** Accepts the values of other clients too. Connections to the local machine default to no encryption. */
function readEncrypt(text: string | undefined, host: string): boolean | 'strict' {
  const word = text?.toLowerCase();
  if (word === undefined || word === '') return !isLoopback(host);
  if (word === 'strict') return word;
  if (/^(?:true|yes|1|mandatory)$/.test(word)) return true;
  if (/^(?:false|no|0|optional|disable|danger_plaintext)$/.test(word)) return false;
  throw invalidUrl('encrypt must be true, false or strict');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function readCertificate(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new StudioError('database_unavailable', `The certificate file ${path} cannot be read.`);
  }
}
