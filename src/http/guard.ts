import { StudioError } from '../model/errors.ts';
import type { HeaderFields } from './headers.ts';

export interface GuardOptions {
  /** Skips the check of the Host header, because credentials or --no-auth apply instead. */
  readonly anyHost?: boolean;
  /** Accepted host names besides the loopback names. A name with a port is valid for that port only. */
  readonly allowHosts?: readonly string[];
  /** Origins, besides the studio's own, whose pages may call the API. */
  readonly allowOrigins?: readonly string[];
}

/** Protects against cross-site requests and DNS rebinding. */
export interface Guard {
  /** Throws `forbidden_host` or `forbidden_origin`. `isSecure`: whether the client used TLS. */
  check(request: Request, isSecure: boolean): void;
  /** Throws `forbidden_origin`, for any method. */
  checkOrigin(request: Request, isSecure: boolean): void;
  /** Returns the CORS headers for a page of an allowed origin. */
  corsHeaders(request: Request): HeaderFields | undefined;
}

export function createGuard(options: GuardOptions): Guard {
  const hosts = new Set((options.allowHosts ?? []).map((host) => host.toLowerCase()));
  const origins = new Set((options.allowOrigins ?? []).map(readOrigin));
  const isListed = (origin: string | null): origin is string =>
    origin !== null && origins.has(origin);

  const checkOrigin: Guard['checkOrigin'] = (request, isSecure) => {
    const origin = request.headers.get('origin');
    if (!isListed(origin)) checkOwnOrigin(request, { host: hostOf(request), origin, isSecure });
  };

  return {
    check(request, isSecure) {
      const host = hostOf(request);
      if (options.anyHost !== true && !isKnownHost(host, hosts)) throw forbiddenHost(host);
      if (!isSafe(request.method)) checkOrigin(request, isSecure);
    },
    checkOrigin,
    corsHeaders(request) {
      if (origins.size === 0) return undefined;
      const origin = request.headers.get('origin');
      return isListed(origin) ? { ...corsOf(origin), Vary: 'Origin' } : { Vary: 'Origin' };
    },
  };
}

/** Headers of the response to a preflight request from an allowed origin. */
export const preflightHeaders: HeaderFields = {
  'Access-Control-Allow-Headers':
    'Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match',
  'Access-Control-Max-Age': '600',
};

function corsOf(origin: string): HeaderFields {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers':
      'Content-Disposition, ETag, Location, Retry-After, Server-Timing, X-Request-Id',
  };
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** Returns the host as the client sent it, with a port that is not the scheme's default. */
export function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();
}

/** Only loopback names and allowed names are safe: an attacker's DNS could resolve any other name to this address. */
function isKnownHost(host: string, listed: ReadonlySet<string>): boolean {
  const name = host.replace(/:\d*$/, '');
  return isLoopback(name.replace(/\.$/, '')) || listed.has(name) || listed.has(host);
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === '[::1]') return true;
  return name.endsWith('.localhost') || /^127(\.\d{1,3}){3}$/.test(name);
}

interface RequestOrigin {
  readonly host: string;
  readonly origin: string | null;
  readonly isSecure: boolean;
}

/** Browsers send Origin or Sec-Fetch-Site. Clients that send neither are not browsers and pass. */
function checkOwnOrigin(request: Request, { host, origin, isSecure }: RequestOrigin): void {
  const context = request.headers.get('sec-fetch-site');
  const isOwnSite = context === null || context === 'same-origin' || context === 'none';
  if (isOwnSite && origin === null) return;
  const scheme = isSecure ? 'https:' : 'http:';
  if (isOwnSite && isOriginOf(origin, { host, schemes: [scheme] })) return;
  // `same-origin` includes the scheme that the browser used. Behind a proxy that terminates TLS it differs from ours.
  if (context === 'same-origin' && isOriginOf(origin, { host, schemes: ['http:', 'https:'] }))
    return;
  throw forbiddenOrigin({ host, origin, isSecure });
}

interface OwnOrigin {
  readonly host: string;
  readonly schemes: readonly string[];
}

function isOriginOf(origin: string | null, { host, schemes }: OwnOrigin): boolean {
  const url = URL.parse(origin ?? '');
  if (url === null || !schemes.includes(url.protocol)) return false;
  return URL.parse(`${url.protocol}//${host}`)?.host === url.host;
}

function forbiddenOrigin({ host, origin, isSecure }: RequestOrigin): StudioError {
  const from = origin === null ? 'another site' : `the origin ${origin}`;
  const isBehindTls = !isSecure && isOriginOf(origin, { host, schemes: ['https:'] });
  const advice = isBehindTls
    ? ` Behind a proxy that terminates TLS, start the studio with --proxy-header, or with --allow-origin ${origin}.`
    : '';
  return new StudioError(
    'forbidden_origin',
    `This request comes from a page of ${from}, which is neither the studio nor an allowed origin.${advice}`,
  );
}

function forbiddenHost(host: string): StudioError {
  return new StudioError(
    'forbidden_host',
    `The host name "${host}" is not allowed. --allow-host adds one.`,
  );
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin;
  throw new StudioError(
    'invalid_parameter',
    `"${text}" is not an origin such as https://example.com.`,
  );
}
