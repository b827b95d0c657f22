import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * An IP address in its canonical form; undefined for a text that is none. IPv6 addresses that map an
 * IPv4 address (`::ffff:192.0.2.1`) become that IPv4 address, so that both count as one client.
 */
export function canonicalAddress(text: string): string | undefined {
  const bare = text.replace(/%.*$/, '');
  if (isIPv4(bare)) return bare;
  if (!isIPv6(bare)) return undefined;
  const canonical = new URL(`http://[${bare}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(canonical);
  if (mapped === null) return canonical;
  return [mapped[1], mapped[2]].flatMap(twoBytes).join('.');
}

function twoBytes(group = '0'): readonly number[] {
  const value = Number.parseInt(group, 16);
  return [value >> 8, value & 255];
}

/** The first 64 bits of an IPv6 address: whoever has one address of that network has them all. */
export function networkOf(address: string): string {
  const canonical = canonicalAddress(address) ?? address;
  if (!isIPv6(canonical)) return canonical;
  const [head = '', tail] = canonical.split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array.from({ length: 8 - groups.length - behind.length }, () => '0');
  return [...groups, ...gap, ...behind].slice(0, 4).join(':');
}

/** Tests whether an address belongs to one of the addresses and networks (`10.0.0.0/8`). */
export function addressMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const parsed = parseNetwork(network);
    if (parsed === undefined)
      throw new RangeError(`"${network}" is no IP address or network such as 10.0.0.0/8.`);
    list.addSubnet(parsed.address, parsed.bits, familyOf(parsed.address));
  }
  return (address) => isIP(address) !== 0 && list.check(address, familyOf(address));
}

function parseNetwork(
  text: string,
): { readonly address: string; readonly bits: number } | undefined {
  const [, host = '', prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  const address = canonicalAddress(host.replace(/^\[(.*)\]$/, '$1'));
  if (address === undefined) return undefined;
  const written = isIPv4(address) && host.includes(':') ? 96 : 0;
  const size = isIPv4(address) ? 32 : 128;
  const bits = prefix === undefined ? size : Number(prefix) - written;
  return bits >= 0 && bits <= size ? { address, bits } : undefined;
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}
