/**
 * The hosts of a connection string, and which of them a session may use, as libpq reads them.
 * https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS
 */
import { StudioError } from '../../../model/errors.ts';
import { decodePart, readPort } from '../../several-hosts.ts';
import { findTargetSession } from '../../target-session.ts';
import type { TargetSession } from '../../target-session.ts';

/** Where a server listens. The driver takes missing members from the environment variables PG…. */
export interface Address {
  readonly host?: string;
  readonly port?: number;
}

/** The texts of the hosts and ports, separated by commas. */
interface HostTexts {
  readonly hosts: string | undefined;
  readonly ports: string | undefined;
}

export function decode(text: string): string {
  return decodePart(text, invalidUrl);
}

export function invalidUrl(reason: string): StudioError {
  return new StudioError('invalid_parameter', `The PostgreSQL URL is invalid: ${reason}.`);
}

/** Pairs hosts with ports: one port for each host, or one for all. Empty texts mean the default. */
export function readAddresses(hostTexts: HostTexts): readonly Address[] {
  const hosts = (hostTexts.hosts ?? listOfEnvironment('PGHOST') ?? '').split(',');
  const ports = (hostTexts.ports || (listOfEnvironment('PGPORT') ?? ''))
    .split(',')
    .map((text) => readPort(text, invalidUrl));
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

export function readTargetSession(text: string | undefined): TargetSession {
  return findTargetSession(text || process.env['PGTARGETSESSIONATTRS'] || 'any', invalidUrl);
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
