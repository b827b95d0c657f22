import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { StudioError } from '../../../model/errors.ts';
import { decodeHost, separateHosts } from '../../several-hosts.ts';
import {
  decode,
  invalidUrl,
  readAddresses,
  readLoadBalancing,
  readTargetSession,
} from './hosts.ts';
import { isKeywordList, readKeywords } from './keywords.ts';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import type { TargetSession } from '../../target-session.ts';
import type { Address } from './hosts.ts';

/** A server to connect to. */
export interface HostSettings extends Address {
  /** TLS settings to try in turn until the server accepts one. */
  readonly tls: readonly (TlsOptions | false)[];
}

/** Connection settings from a URL. The driver takes missing ones from the environment variables PG…. */
export interface ConnectionOptions {
  /** In the order in which they are tried. */
  readonly hosts: readonly HostSettings[];
  readonly targetSession: TargetSession;
  /** Whether each connection tries the hosts in a random order. */
  readonly balancesLoad: boolean;
  readonly user?: string;
  readonly password?: string;
  readonly database?: string;
  readonly tlsNegotiation: 'postgres' | 'direct';
  readonly connectMs: number;
  readonly applicationName: string;
  /** Sent at the start: `-c name=value`. */
  readonly serverOptions?: string;
  readonly searchPath?: string;
  readonly maxConnections: number;
}

/** Supported URL parameters: those of libpq, plus `search_path` and `pool_max_conns`, and those of Prisma and node-postgres. */
const usedParameters = `host hostaddr port dbname user password connect_timeout options application_name sslmode
  sslrootcert sslcert sslkey sslpassword sslnegotiation search_path pool_max_conns
  load_balance_hosts target_session_attrs
  schema connection_limit sslaccept ssl`;
/** Parameters of libpq, Prisma, node-postgres and pgx that are accepted and have no effect. */
const ignoredParameters = `channel_binding client_encoding fallback_application_name gssencmode keepalives
  keepalives_count keepalives_idle keepalives_interval krbsrvname sslcompression sslsni
  ssl_min_protocol_version tcp_user_timeout
  pgbouncer pool_timeout socket_timeout statement_cache_size uselibpqcompat TimeZone timezone`;
const knownParameters: ReadonlySet<string> = new Set(
  `${usedParameters} ${ignoredParameters}`.split(/\s+/),
);

/** `url` may also be the keywords and values of libpq, such as `host=localhost dbname=shop`. */
export function readUrl(url: string): ConnectionOptions {
  const text = isKeywordList(url) ? urlOfKeywords(url) : url;
  const several = separateHosts(text, invalidUrl);
  const { parts, hasHost } = parseUrl(several?.url ?? text);
  const query = readQuery(parts);
  const nonEmpty = (value: string | undefined): string | undefined =>
    value === '' ? undefined : value;
  const addresses = readAddresses({
    hosts:
      nonEmpty(query['host'] ?? query['hostaddr']) ??
      several?.addresses.map(({ host }) => host).join(',') ??
      (hasHost ? decodeHost(parts.hostname, invalidUrl) : undefined),
    ports:
      nonEmpty(query['port']) ?? several?.addresses.map(({ port }) => port).join(',') ?? parts.port,
  });
  return {
    hosts: addresses.map((address) => ({ ...address, tls: tlsAttempts(query, address.host) })),
    targetSession: readTargetSession(query['target_session_attrs']),
    balancesLoad: readLoadBalancing(query['load_balance_hosts']),
    ...defined({
      user: nonEmpty(query['user']) ?? nonEmpty(decode(parts.username)),
      password: nonEmpty(query['password']) ?? nonEmpty(decode(parts.password)),
      database: nonEmpty(query['dbname']) ?? nonEmpty(decode(parts.pathname.slice(1))),
      serverOptions: query['options'],
      searchPath: query['search_path'] ?? pathOfSchema(query['schema']),
    }),
    tlsNegotiation: query['sslnegotiation'] === 'direct' ? 'direct' : 'postgres',
    connectMs: (integer(query, 'connect_timeout') ?? 10) * 1000,
    applicationName: query['application_name'] ?? 'database-studio',
    maxConnections: Math.max(
      1,
      integer(query, 'pool_max_conns') ?? integer(query, 'connection_limit') ?? 10,
    ),
  };
}

/** Prisma's `schema` is one name in its exact case. */
function pathOfSchema(schema: string | undefined): string | undefined {
  return schema === undefined || schema === '' ? undefined : `"${schema.replaceAll('"', '""')}"`;
}

/** Throws with the reason, and never shows the text, which may have a password. */
function urlOfKeywords(text: string): string {
  const pairs = readKeywords(text);
  if (pairs === undefined) throw invalidUrl('use host=localhost user=ada dbname=shop');
  return `postgres:///?${new URLSearchParams(Object.fromEntries(pairs)).toString()}`;
}

type QueryParameters = Readonly<Record<string, string | undefined>>;

/** Removes members that are undefined. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as never;
}

/** `postgres://user@/db` is valid for libpq, but not in the URL standard. */
function parseUrl(url: string): { readonly parts: URL; readonly hasHost: boolean } {
  const standard = URL.parse(url);
  if (standard !== null) return { parts: standard, hasHost: standard.hostname !== '' };
  const filled = URL.parse(url.replace(/^(\w+:\/\/[^/?#]*@)(?=[/?#]|$)/, '$1placeholder'));
  if (filled?.hostname !== 'placeholder')
    throw invalidUrl('use postgres://user:password@host:port/database');
  return { parts: filled, hasHost: false };
}

function readQuery(parts: URL): QueryParameters {
  for (const name of parts.searchParams.keys()) {
    if (!knownParameters.has(name)) throw invalidUrl(`the parameter "${name}" is unknown`);
  }
  return Object.fromEntries(parts.searchParams);
}

function integer(query: QueryParameters, name: string): number | undefined {
  const text = query[name];
  if (text === undefined || text === '') return undefined;
  if (!/^\d{1,9}$/.test(text))
    throw invalidUrl(`${name} must be a whole number of at most nine digits`);
  return Number(text);
}

const sslModes = [
  ...(['disable', 'allow', 'prefer', 'require'] as const),
  ...(['verify-ca', 'verify-full', 'no-verify'] as const),
] as const;

/** Interprets sslmode as libpq does and `no-verify` as node-postgres does, but defaults to no encryption for connections to this machine. */
function tlsAttempts(query: QueryParameters, host: string | undefined): HostSettings['tls'] {
  if (isSocket(host)) return [false];
  const mode = sslModeOf(query, host);
  if (!sslModes.some((sslMode) => sslMode === mode))
    throw invalidUrl(`sslmode must be one of ${sslModes.join(', ')}`);
  if (mode === 'disable') return [false];
  const unverified = { ...certificates(query), rejectUnauthorized: false };
  if (mode === 'allow') return [false, unverified];
  if (mode === 'prefer') return [unverified, false];
  if (mode === 'no-verify') return [unverified];
  if (mode === 'require' && query['sslrootcert'] === undefined) return [unverified];
  const verified = { ...certificates(query), rejectUnauthorized: true };
  return mode === 'verify-full'
    ? [verified]
    : [{ ...verified, checkServerIdentity: () => undefined }];
}

/** Prisma's `sslaccept=strict` verifies the certificate, unless sslmode disables TLS. */
function sslModeOf(query: QueryParameters, host: string | undefined): string {
  const mode =
    query['sslmode'] ??
    sslModeOfSwitch(query['ssl']) ??
    process.env['PGSSLMODE'] ??
    (isLoopback(host) ? 'disable' : 'prefer');
  const accept = query['sslaccept'] ?? 'accept_invalid_certs';
  if (accept !== 'strict' && accept !== 'accept_invalid_certs')
    throw invalidUrl('sslaccept must be strict or accept_invalid_certs');
  if (accept === 'accept_invalid_certs' || query['sslmode'] === 'disable') return mode;
  return 'verify-full';
}

/** `ssl=true` of node-postgres and JDBC verifies the certificate. */
function sslModeOfSwitch(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  if (/^(?:true|1)$/i.test(text)) return 'verify-full';
  if (/^(?:false|0)$/i.test(text)) return 'disable';
  throw invalidUrl('ssl must be true or false');
}

function isSocket(host: string | undefined): boolean {
  return (host ?? process.env['PGHOST'] ?? '').startsWith('/');
}

function isLoopback(host: string | undefined): boolean {
  const name = host ?? process.env['PGHOST'] ?? 'localhost';
  return name === 'localhost' || name === '::1' || (isIP(name) === 4 && name.startsWith('127.'));
}

function certificates(query: QueryParameters): TlsOptions {
  const root = query['sslrootcert'];
  return defined({
    ca: root === undefined || root === 'system' ? undefined : readCertificate(root),
    cert: query['sslcert'] === undefined ? undefined : readCertificate(query['sslcert']),
    key: query['sslkey'] === undefined ? undefined : readCertificate(query['sslkey']),
    passphrase: query['sslpassword'],
  });
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
