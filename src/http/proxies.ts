import { StudioError } from '../model/errors.ts';
import { addressMatcher, canonicalAddress } from './addresses.ts';
import { parseForwarded, withoutPort } from './forwarded.ts';
import type { ForwardedHop } from './forwarded.ts';

export interface ProxyOptions {
  /**
   * Header in which a trusted proxy names its client: `X-Forwarded-For`, `Forwarded`, or one that
   * holds a single address, such as `X-Real-IP`. Without it no such header is believed.
   */
  readonly proxyHeader?: string | undefined;
  /** Addresses and networks of the proxies that are believed; the loopback addresses by default. */
  readonly trustedProxies?: readonly string[] | undefined;
}

/** Who sent a request, as far as the studio believes it. */
export interface Client {
  readonly address: string;
  /** Whether the client itself spoke TLS, to the studio or to the proxy in front of it. */
  readonly isSecure: boolean;
}

/** Finds the client behind the address that the socket has. */
export type FindClient = (request: Request, socketAddress: string) => Client;

const loopbackNetworks = ['127.0.0.0/8', '::1'];

/** Throws `invalid_parameter` for options that are no header name or no addresses. */
export function createFindClient({ proxyHeader, trustedProxies = [] }: ProxyOptions): FindClient {
  if (proxyHeader === undefined) {
    if (trustedProxies.length > 0)
      throw invalid('trustedProxies needs proxyHeader: the header that these proxies set.');
    return (request, address) => ({ address, isSecure: isTls(request) });
  }
  const header = proxyHeader.toLowerCase();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header))
    throw invalid(`"${proxyHeader}" is no name of a header.`);
  const isTrusted = matcherOf(trustedProxies.length === 0 ? loopbackNetworks : trustedProxies);
  return (request, socketAddress) => {
    const direct = { address: socketAddress, isSecure: isTls(request) };
    const proxy = canonicalAddress(socketAddress);
    if (proxy === undefined || !isTrusted(proxy)) return direct;
    const hop = clientHop(readHops(request.headers, header), isTrusted);
    if (hop?.address === undefined) return direct;
    const { address, scheme } = hop;
    return { address, isSecure: scheme === undefined ? direct.isSecure : isHttps(scheme) };
  };
}

function matcherOf(networks: readonly string[]): (address: string) => boolean {
  try {
    return addressMatcher(networks);
  } catch (error) {
    throw invalid((error as Error).message);
  }
}

function invalid(message: string): StudioError {
  return new StudioError('invalid_parameter', message);
}

function isTls(request: Request): boolean {
  return request.url.startsWith('https:');
}

function isHttps(scheme: string): boolean {
  return scheme.toLowerCase() === 'https';
}

function readHops(headers: Headers, header: string): readonly ForwardedHop[] {
  const value = headers.get(header) ?? '';
  if (header === 'forwarded') return parseForwarded(value);
  const addresses = splitList(value);
  const schemes = splitList(headers.get('x-forwarded-proto') ?? '');
  const isParallel = schemes.length === addresses.length;
  return addresses.map((address, i) => ({
    address: withoutPort(address),
    scheme: isParallel ? schemes[i] : schemes.at(-1),
  }));
}

function splitList(value: string): readonly string[] {
  return value === '' ? [] : value.split(',').map((item) => item.trim());
}

/**
 * Each proxy adds the address that it was called from at the end. Whatever stands before the last
 * address that is no trusted proxy's was sent by the client, and may be made up.
 */
function clientHop(
  hops: readonly ForwardedHop[],
  isTrusted: (address: string) => boolean,
): ForwardedHop | undefined {
  let client: ForwardedHop | undefined;
  for (const hop of hops.toReversed()) {
    const address = canonicalAddress(hop.address ?? '');
    if (address === undefined) break;
    client = { ...hop, address };
    if (!isTrusted(address)) break;
  }
  return client;
}
