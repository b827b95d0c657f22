import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { userInfo } from 'node:os';
import { StudioError } from '../../../model/errors.ts';
import { decodeHost, decodePart, readPort, separateHosts } from '../../several-hosts.ts';
import { findTargetSession } from '../../target-session.ts';
import { goParameters, urlOfGo } from './data-source-name.ts';
import type { HostText } from '../../several-hosts.ts';
import type { TargetSession } from '../../target-session.ts';

/** A server to connect to. */
export interface HostSettings {
  readonly host: string;
  readonly port: number;
  /** Unix socket, used instead of host and port. */
  readonly socketPath?: string;
  /** TLS options to try in order; `undefined` connects without TLS. The next one is tried if the server has no TLS. */
  readonly tls: readonly (TlsOptions | undefined)[];
}

/** The connection settings of a URL. */
export interface ConnectionOptions {
  /** In the order in which they are tried. */
  readonly hosts: readonly HostSettings[];
  /** Undefined if the URL does not say which of its hosts to use. */
  readonly targetSession?: TargetSession | undefined;
  readonly user: string;
  readonly password: string;
  readonly database: string;
  readonly connectMs: number;
  readonly maxConnections: number;
}

export interface TlsOptions {
  readonly rejectUnauthorized: boolean;
  /** Whether the certificate must be for this host. */
  readonly verifyIdentity: boolean;
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

/** Supported URL parameters, in lower case without `-` and `_`: `ssl-mode` and `sslMode` are the same. */
const supportedParameters = [
  'socket',
  'socketpath',
  'connecttimeout',
  'poolmaxconns',
  'sslmode',
  'sslca',
  'sslcert',
  'sslkey',
  'sslaccept',
  'ssl',
  'connectionlimit',
  'targetsessionattrs',
];
/** Parameters of other clients' URLs, which are accepted and ignored: the studio sets up its sessions itself. */
const ignoredParameters = [
  'charset',
  'collation',
  'timezone',
  'servertimezone',
  'parsetime',
  'loc',
  'usessl',
  'useunicode',
  'characterencoding',
  'allowpublickeyretrieval',
  'pooltimeout',
  'sockettimeout',
  'statementcachesize',
  ...goParameters,
  'multistatements',
  'autoreconnect',
  'protocol',
];

/** `url` may also be a data source name of Go's driver, such as `ada:secret@tcp(localhost:3306)/shop`. */
export function readUrl(url: string): ConnectionOptions {
  const text = urlOfGo(url) ?? url;
  const several = separateHosts(text, invalidUrl);
  const parts = URL.parse(several?.url ?? text);
  if (parts === null) throw invalidUrl('use mysql://user:password@host:port/database');
  const query = readQuery(parts);
  const database = decode(parts.pathname.slice(1));
  if (database === '')
    throw invalidUrl('it names no database; use mysql://user:password@host:port/database');
  const targetSession = query['targetsessionattrs'];
  return {
    hosts: readHosts(several?.addresses ?? [addressOf(parts)], query),
    ...(targetSession === undefined
      ? {}
      : { targetSession: findTargetSession(targetSession, invalidUrl) }),
    user: decode(parts.username) || userInfo().username,
    password: decode(parts.password),
    database,
    connectMs: integer(query, 'connecttimeout', 10) * 1000,
    maxConnections: Math.max(
      1,
      integer(query, 'poolmaxconns', integer(query, 'connectionlimit', 10)),
    ),
  };
}

function addressOf({ hostname, port }: URL): HostText {
  return { host: decodeHost(hostname, invalidUrl), port };
}

/** A socket named by a parameter replaces the hosts. */
function readHosts(
  addresses: readonly HostText[],
  query: QueryParameters,
): readonly HostSettings[] {
  const socket = query['socket'] ?? query['socketpath'];
  const used = socket === undefined ? addresses : addresses.slice(0, 1);
  return used.map((address) => {
    const host = address.host || 'localhost';
    const socketPath = socket ?? (host.startsWith('/') ? host : undefined);
    return {
      host,
      port: readPort(address.port, invalidUrl) ?? 3306,
      ...(socketPath === undefined ? {} : { socketPath }),
      tls: socketPath === undefined ? tlsAttempts(query, host) : [undefined],
    };
  });
}

function invalidUrl(reason: string): StudioError {
  return new StudioError('invalid_parameter', `The MySQL URL is invalid: ${reason}.`);
}

function decode(text: string): string {
  return decodePart(text, invalidUrl);
}

/** For error messages: the host and the port, without credentials. */
export function nameOfHost({ host, port, socketPath }: HostSettings): string {
  return socketPath ?? `${host.includes(':') ? `[${host}]` : host}:${port}`;
}

type QueryParameters = Readonly<Record<string, string | undefined>>;

function readQuery({ searchParams }: URL): QueryParameters {
  const found = [...searchParams].map(
    ([name, value]) => [name.toLowerCase().replaceAll(/[-_]/g, ''), value, name] as const,
  );
  const unknown = found.find(
    ([normalizedName]) =>
      !supportedParameters.includes(normalizedName) && !ignoredParameters.includes(normalizedName),
  );
  if (unknown !== undefined) throw invalidUrl(`the parameter "${unknown[2]}" is unknown`);
  return Object.fromEntries(found);
}

function integer(query: QueryParameters, name: string, fallback: number): number {
  const text = query[name];
  if (text === undefined || text === '') return fallback;
  if (!/^\d{1,6}$/.test(text))
    throw invalidUrl(`${name} must be a whole number of at most six digits`);
  return Number(text);
}

const sslModes = ['disabled', 'preferred', 'required', 'verify_ca', 'verify_identity'] as const;

/** Follows --ssl-mode of the mysql client, except that connections to the local machine default to no TLS. */
function tlsAttempts(query: QueryParameters, host: string): HostSettings['tls'] {
  const requestedMode = query['sslmode']?.toLowerCase().replaceAll('-', '_');
  const strict = isStrict(query) && requestedMode !== 'disabled' ? 'verify_identity' : undefined;
  const mode =
    strict ??
    requestedMode ??
    sslModeOfOtherClients(query) ??
    (query['sslca'] === undefined ? undefined : 'verify_ca') ??
    (isLoopback(host) ? 'disabled' : 'preferred');
  if (!sslModes.some((each) => each === mode))
    throw invalidUrl(`ssl-mode must be one of ${sslModes.join(', ')}`);
  if (mode === 'disabled') return [undefined];
  const encrypted = { ...certificates(query), rejectUnauthorized: false, verifyIdentity: false };
  if (mode === 'preferred') return [encrypted, undefined];
  if (mode === 'required') return [encrypted];
  return [{ ...encrypted, rejectUnauthorized: true, verifyIdentity: mode === 'verify_identity' }];
}

/** Prisma's `sslaccept=strict` verifies the certificate. */
function isStrict(query: QueryParameters): boolean {
  const accept = query['sslaccept'];
  if (accept === undefined || accept === 'accept_invalid_certs') return false;
  if (accept === 'strict') return true;
  throw invalidUrl('sslaccept must be strict or accept_invalid_certs');
}

/** The mode that `sslaccept` of Prisma and `ssl` of mysql2 imply: each turns TLS on. */
function sslModeOfOtherClients({ ssl, sslaccept }: QueryParameters): string | undefined {
  if (ssl === undefined) return sslaccept === undefined ? undefined : 'required';
  const word = ssl.toLowerCase().replaceAll(/\s/g, '');
  if (word === 'false' || word === '0') return 'disabled';
  if (/^(?:true|1|\{\}|\{"rejectunauthorized":true\})$/.test(word)) return 'verify_identity';
  if (word === '{"rejectunauthorized":false}') return 'required';
  throw invalidUrl('ssl must be true, false or {"rejectUnauthorized":true}');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

function certificates(query: QueryParameters): Pick<TlsOptions, 'ca' | 'cert' | 'key'> {
  const files = { ca: query['sslca'], cert: query['sslcert'], key: query['sslkey'] };
  const givenFiles = Object.entries(files).flatMap(([name, path]) =>
    path === undefined ? [] : [[name, readCertificate(path)]],
  );
  return Object.fromEntries(givenFiles) as Pick<TlsOptions, 'ca' | 'cert' | 'key'>;
}

/** Certificates and keys of live pools are in the URL themselves, as PEM. */
function readCertificate(path: string): string {
  if (path.includes('-----BEGIN ')) return path;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new StudioError('database_unavailable', `The certificate file ${path} cannot be read.`);
  }
}
