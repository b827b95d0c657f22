/** Who is answered: nobody beyond this machine without credentials, unless the operator says so. */
import { BlockList, isIP } from 'node:net';

import type { Credentials } from '../http/credentials.ts';
import { createFindClient } from '../http/proxies.ts';
import { StudioError } from '../model/errors.ts';
import { wrongUsage } from './exit-error.ts';
import type { OptionValues } from './options.ts';

type AccessOptions = Pick<OptionValues, 'host' | 'auth' | 'token' | 'no-auth'>;

/** Refuses options that contradict each other, or that would serve the database to a network. */
export function checkAccess(options: AccessOptions): void {
  const { host, 'no-auth': noAuth } = options;
  if (noAuth && hasCredentials(options)) {
    throw wrongUsage('--no-auth contradicts --auth and --token: give the one or the others.');
  }
  if (noAuth || hasCredentials(options) || isLoopback(host)) return;
  throw wrongUsage(
    `Listening on ${host} lets other machines in. Give one of --auth, --token, --no-auth;` +
      ' --no-auth is for a network that is guarded itself.',
  );
}

/** Wrong usage is reported before the database is opened. */
export function checkProxies({
  'proxy-header': proxyHeader,
  'trusted-proxy': trustedProxies,
}: Pick<OptionValues, 'proxy-header' | 'trusted-proxy'>): void {
  if (proxyHeader === undefined && trustedProxies.length > 0)
    throw wrongUsage('--trusted-proxy needs --proxy-header: the header that these proxies set.');
  try {
    createFindClient({ proxyHeader, trustedProxies });
  } catch (error) {
    throw error instanceof StudioError ? wrongUsage(error.message) : error;
  }
}

export function hasCredentials({ auth, token }: Pick<AccessOptions, 'auth' | 'token'>): boolean {
  return auth !== undefined || token !== undefined;
}

/** A password may hold colons, a user's name none. */
export function credentialsOf({ auth, token }: Pick<AccessOptions, 'auth' | 'token'>): Credentials {
  const colon = auth?.indexOf(':') ?? 0;
  return {
    ...(auth === undefined
      ? {}
      : { account: { user: auth.slice(0, colon), password: auth.slice(colon + 1) } }),
    ...(token === undefined ? {} : { token }),
  };
}

export const openToAll =
  'Warning: --no-auth answers everybody who can reach this address, with all the rights of the database login.';

const loopback = new BlockList();
loopback.addSubnet('127.0.0.0', 8, 'ipv4');
loopback.addAddress('::1', 'ipv6');

/** A name other than localhost counts as an address of the network: what it resolves to can change. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  const version = isIP(bare);
  if (version === 0) return bare.toLowerCase() === 'localhost';
  return loopback.check(bare, version === 4 ? 'ipv4' : 'ipv6');
}
