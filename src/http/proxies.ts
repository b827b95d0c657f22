import { StudioError } from '../model/errors.ts';
import { addressMatcher, canonicalAddress } from './addresses.ts';
import { parseForwarded, withoutPort } from './forwarded.ts';
import type { ForwardedHop } from './forwarded.ts';

export interface ProxyOptions {
  /**
   * Header in which a trusted proxy names its client: `X-Forwarded-For`, `Forwarded`, or one with a
   * single address, such as `X-Real-IP`. By default no such header is trusted.
   */
  readonly proxyHeader?: string | undefined;
  /** Addresses and networks of trusted proxies. Default: the loopback addresses. */
  readonly trustedProxies?: readonly string[] | undefined;
}

/** The client of a request, as reported by trusted proxies. */
export interface Client {
  readonly address: string;
  /** Whether the client used TLS, to the studio or to the proxy in front of it. */
  readonly isSecure: boolean;
}

/** Determines the client of a request from the socket's address and the proxy header. */
export type FindClient = (request: Request, socketAddress: string) => Client;

const loopbackNetworks = ['127.0.0.0/8', '::1'];

/** Throws `invalid_parameter` for an invalid header name or address. */
export function createFindClient({ proxyHeader, trustedProxies = [] }: ProxyOptions): FindClient {
  if (proxyHeader === undefined) {
    if (trustedProxies.length > 0)
      throw invalid('trustedProxies requires proxyHeader, the header that these proxies set.');
    return (request, address) => ({ address, isSecure: isTls(request) });
  }
  const header = proxyHeader.toLowerCase();
  if (!/^[\w!#$%&'*+.^`|~-]+$/.test(header))
    throw invalid(`"${proxyHeader}" is not a valid header name.`);
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
 * Each proxy appends the address of its peer. The client is the last address that is not a trusted
 * proxy; anything before it was sent by the client and may be forged.
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
