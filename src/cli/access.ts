/** Who is answered: nobody beyond this machine without credentials, unless the operator says so. */
import { BlockList, isIP } from 'node:net';

import { wrongUsage } from './exit-error.ts';
import { availableOptions } from './options.ts';
import type { OptionValues } from './options.ts';

type AccessOptions = Pick<OptionValues, 'host' | 'auth' | 'token' | 'no-auth'>;

/** Refuses options that contradict each other, or that would serve the database to a network. */
export function checkAccess({ host, auth, token, 'no-auth': noAuth }: AccessOptions): void {
  const hasCredentials = auth !== undefined || token !== undefined;
  if (noAuth && hasCredentials) {
    throw wrongUsage('--no-auth contradicts --auth and --token: give the one or the others.');
  }
  if (noAuth || hasCredentials || isLoopback(host)) return;
  const ways = (['auth', 'token', 'no-auth'] as const)
    .filter((name) => availableOptions.includes(name))
    .map((name) => `--${name}`);
  throw wrongUsage(
    `Listening on ${host} lets other machines in. Give one of ${ways.join(', ')};` +
      ' --no-auth is for a network that is guarded itself.',
  );
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
