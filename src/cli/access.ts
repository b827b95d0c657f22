/** Access rules of `serve`: without credentials only this machine has access, unless --no-auth is set. */
import { BlockList, isIP } from 'node:net';

import type { Logger } from 'pino';
import type { AppOptions } from '../http/app.ts';
import type { Credentials } from '../http/credentials.ts';
import { createFindClient } from '../http/proxies.ts';
import { checkSecret } from '../http/signed-sessions.ts';
import { StudioError } from '../model/errors.ts';
import { wrongUsage } from './exit-error.ts';
import type { OptionValues } from './options.ts';

type AccessOptions = Pick<OptionValues, 'host' | 'auth' | 'token' | 'no-auth'>;
type SecretOptions = Pick<OptionValues, 'auth' | 'secret'>;

/** Rejects options that contradict each other or that would expose the database to a network. */
export function checkAccess(options: AccessOptions): void {
  const { host, 'no-auth': noAuth } = options;
  if (noAuth && hasCredentials(options)) {
    throw wrongUsage('--no-auth cannot be combined with --auth or --token. Remove one of them.');
  }
  if (noAuth || hasCredentials(options) || isLoopback(host)) return;
  throw wrongUsage(
    `Listening on ${host} gives other machines access. Set --auth or --token,` +
      ' or --no-auth if the network itself is protected.',
  );
}

/** Checks the proxy options before the database is opened. */
export function checkProxies({
  'proxy-header': proxyHeader,
  'trusted-proxy': trustedProxies,
}: Pick<OptionValues, 'proxy-header' | 'trusted-proxy'>): void {
  if (proxyHeader === undefined && trustedProxies.length > 0)
    throw wrongUsage('--trusted-proxy requires --proxy-header, the header that these proxies set.');
  try {
    createFindClient({ proxyHeader, trustedProxies });
  } catch (error) {
    throw error instanceof StudioError ? wrongUsage(error.message) : error;
  }
}

/** Checks the secret of sessions before the database is opened. */
export function checkSessionSecret({ auth, secret }: SecretOptions): void {
  if (secret === undefined) return;
  if (auth === undefined)
    throw wrongUsage(
      '--secret signs the sessions of --auth, which is not set. Set both or neither.',
    );
  try {
    checkSecret(secret);
  } catch (error) {
    throw error instanceof StudioError ? wrongUsage(error.message) : error;
  }
}

function hasCredentials({ auth, token }: Pick<AccessOptions, 'auth' | 'token'>): boolean {
  return auth !== undefined || token !== undefined;
}

/** A password may contain colons, a user name may not (RFC 7617). */
function credentialsOf({ auth, token }: Pick<AccessOptions, 'auth' | 'token'>): Credentials {
  const colon = auth?.indexOf(':') ?? 0;
  return {
    ...(auth === undefined
      ? {}
      : { account: { user: auth.slice(0, colon), password: auth.slice(colon + 1) } }),
    ...(token === undefined ? {} : { token }),
  };
}

/** The checks of requests that the options ask for. */
export function appOptions(values: OptionValues, log: Logger): AppOptions {
  return {
    anyHost: values['no-auth'] || hasCredentials(values),
    credentials: credentialsOf(values),
    ...(values.secret === undefined ? {} : { secret: values.secret }),
    allowHosts: values['allow-host'],
    allowOrigins: values['allow-origin'],
    proxyHeader: values['proxy-header'],
    trustedProxies: values['trusted-proxy'],
    traceSql: values['trace-sql'],
    log,
  };
}

export const noAuthWarning =
  'Warning: --no-auth gives everyone who can reach this address all privileges of the database login.';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** Host names other than localhost do not count as loopback: their addresses can change. */
export function isLoopback(host: string): boolean {
  const hostName = host.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(hostName);
  if (version === 0) return hostName.toLowerCase() === 'localhost';
  return loopback.check(hostName, version === 4 ? 'ipv4' : 'ipv6');
}
