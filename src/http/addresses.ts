import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * Returns an IP address in canonical form, or undefined for an invalid one. IPv4-mapped IPv6
 * addresses (`::ffff:192.0.2.1`) become IPv4 addresses, so that both count as one client.
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

/** Returns the /64 network of an IPv6 address: one client usually controls all of its addresses. */
export function networkOf(address: string): string {
  const canonical = canonicalAddress(address) ?? address;
  if (!isIPv6(canonical)) return canonical;
  const [head = '', tail] = canonical.split('::');
  const groups = head === '' ? [] : head.split(':');
  const behind = tail === undefined || tail === '' ? [] : tail.split(':');
  const gap = Array.from({ length: 8 - groups.length - behind.length }, () => '0');
  return [...groups, ...gap, ...behind].slice(0, 4).join(':');
}

/** Returns a test whether an address belongs to one of the addresses or networks (`10.0.0.0/8`). */
export function addressMatcher(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const parsed = parseNetwork(network);
    if (parsed === undefined)
      throw new RangeError(`"${network}" is not an IP address or a network such as 10.0.0.0/8.`);
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
