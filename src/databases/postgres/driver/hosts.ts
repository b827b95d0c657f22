/**
 * The hosts of a connection string, and which of them a session may use, as libpq reads them.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
import { StudioError } from '../../../model/errors.ts';

/** Where a server listens. The driver takes missing members from the environment variables PG…. */
export interface Address {
  readonly host?: string;
  readonly port?: number;
}

export const targetSessions = [
  'any',
  'read-write',
  'read-only',
  'primary',
  'standby',
  'prefer-standby',
] as const;

/** The values of `target_session_attrs`. */
export type TargetSession = (typeof targetSessions)[number];

/** The texts of the hosts and ports, separated by commas. */
interface HostTexts {
  readonly hosts: string | undefined;
  readonly ports: string | undefined;
}

/**
 * Replaces the hosts of `postgres://ada@a:5432,b:5433/shop`, which the URL standard does not have, by
 * one placeholder. Undefined if the URL has one host only.
 */
export function separateHosts(
  url: string,
): { readonly url: string; readonly hosts: string; readonly ports: string } | undefined {
  const [, start = '', list = '', rest = ''] =
    /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(url) ?? [];
  if (!list.includes(',')) return undefined;
  const addresses = list.split(',').map((text) => {
    const [match, host = '', port = ''] = /^(\[[^\]]*\]|[^:[\]]*)(?::([^:]*))?$/.exec(text) ?? [];
    if (match === undefined) throw invalidUrl('an IPv6 address must be in brackets');
    return { host: decodeHost(host), port };
  });
  return {
    url: `${start}placeholder${rest}`,
    hosts: addresses.map(({ host }) => host).join(','),
    ports: addresses.map(({ port }) => port).join(','),
  };
}

/** The host may be the directory of a socket, with slashes as %2F, or an IPv6 address in brackets. */
export function decodeHost(text: string): string {
  return decode(text).replace(/^\[(.*)\]$/, '$1');
}

export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUrl('a % is not followed by two hexadecimal digits');
  }
}

export function invalidUrl(reason: string): StudioError {
  return new StudioError('invalid_parameter', `The PostgreSQL URL is invalid: ${reason}.`);
}

/** Pairs hosts with ports: one port for each host, or one for all. Empty texts mean the default. */
export function readAddresses(hostTexts: HostTexts): readonly Address[] {
  const hosts = (hostTexts.hosts ?? listOfEnvironment('PGHOST') ?? '').split(',');
  const ports = (hostTexts.ports || (listOfEnvironment('PGPORT') ?? '')).split(',').map(readPort);
  if (ports.length > 1 && ports.length !== hosts.length)
    throw invalidUrl(
      `it names ${hosts.length} hosts and ${ports.length} ports; name one port for each host, or one for all`,
    );
  return hosts.map((text, i) => {
    const host = text.trim();
    const port = ports.length === 1 ? ports[0] : ports[i];
    return { ...(host === '' ? {} : { host }), ...(port === undefined ? {} : { port }) };
  });
}

/** The driver reads single values of these variables itself. */
function listOfEnvironment(name: 'PGHOST' | 'PGPORT'): string | undefined {
  const text = process.env[name];
  return text?.includes(',') ? text : undefined;
}

function readPort(text: string): number | undefined {
  const digits = text.trim();
  if (digits === '') return undefined;
  if (!/^\d{1,5}$/.test(digits) || Number(digits) < 1 || Number(digits) > 65_535)
    throw invalidUrl('a port must be a number from 1 to 65535');
  return Number(digits);
}

export function readTargetSession(text: string | undefined): TargetSession {
  const setting = text || process.env['PGTARGETSESSIONATTRS'] || 'any';
  const found = targetSessions.find((name) => name === setting);
  if (found === undefined)
    throw invalidUrl(`target_session_attrs must be one of ${targetSessions.join(', ')}`);
  return found;
}

/** Whether each connection tries the hosts in a random order. */
export function readLoadBalancing(text: string | undefined): boolean {
  const setting = text || process.env['PGLOADBALANCEHOSTS'] || 'disable';
  if (setting !== 'disable' && setting !== 'random')
    throw invalidUrl('load_balance_hosts must be disable or random');
  return setting === 'random';
}

/** For error messages: the host and the port, without credentials. */
export function nameOfHost({ host, port }: Address): string {
  const name = host ?? process.env['PGHOST'] ?? 'localhost';
  const text = name.includes(':') ? `[${name}]` : name;
  return `${text}:${port ?? process.env['PGPORT'] ?? 5432}`;
}

/** The order in which connections try the hosts. */
export interface HostOrder<H> {
  next(): readonly H[];
  /** Tries the host after the others for a while, so that a dead one delays few connections. */
  failed(host: H): void;
}

const avoidMs = 30_000;

export function createHostOrder<H>(
  hosts: readonly H[],
  isRandom: boolean,
  now: () => number = Date.now,
): HostOrder<H> {
  const failedAt = new Map<H, number>();
  const isAvoided = (host: H): boolean => now() - (failedAt.get(host) ?? -Infinity) < avoidMs;
  return {
    next: () => {
      const order = isRandom ? shuffled(hosts) : hosts;
      return [...order.filter((host) => !isAvoided(host)), ...order.filter(isAvoided)];
    },
    failed: (host) => void failedAt.set(host, now()),
  };
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, rank: Math.random() }))
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ item }) => item);
}
