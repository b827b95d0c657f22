import { StudioError } from '../model/errors.ts';
import type { HeaderFields } from './headers.ts';

export interface GuardOptions {
  /** Credentials, or the operator's word, guard instead of the Host header. */
  readonly anyHost?: boolean;
  /** Names beside the loopback ones that the studio answers to; with a port, to that port only. */
  readonly allowHosts?: readonly string[];
  /** Origins beside the studio's own whose pages may use it. */
  readonly allowOrigins?: readonly string[];
}

/** Keeps pages of other origins from using a visitor's browser as their way in. */
export interface Guard {
  /** Throws `forbidden_host` or `forbidden_origin`; `isSecure`: whether the client spoke TLS. */
  check(request: Request, isSecure: boolean): void;
  /** Throws `forbidden_origin`, whatever the method. */
  checkOrigin(request: Request, isSecure: boolean): void;
  /** What a page of a listed origin needs to read the answer. */
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

/** The answer to a preflight of a page whose origin is listed. */
export const preflightHeaders: HeaderFields = {
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-Match, If-None-Match',
  'Access-Control-Max-Age': '600',
};

function corsOf(origin: string): HeaderFields {
  return {
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    'Access-Control-Expose-Headers': 'Content-Disposition, ETag, Location, Retry-After',
  };
}

function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** As the client sent it, with its port where that is not its scheme's own. */
export function hostOf(request: Request): string {
  return (request.headers.get('host') ?? new URL(request.url).host).toLowerCase();
}

/** A name that DNS could be made to point here is not to be trusted (DNS rebinding); a loopback name cannot. */
function isKnownHost(host: string, listed: ReadonlySet<string>): boolean {
  const name = host.replace(/:\d*$/, '');
  return isLoopback(name.replace(/\.$/, '')) || listed.has(name) || listed.has(host);
}

function isLoopback(name: string): boolean {
  if (name === 'localhost' || name === '[::1]') return true;
  return name.endsWith('.localhost') || /^127(\.\d{1,3}){3}$/.test(name);
}

interface Provenance {
  readonly host: string;
  readonly origin: string | null;
  readonly isSecure: boolean;
}

/** Clients that say nothing of where they come from are no browsers, and pass. */
function checkOwnOrigin(request: Request, { host, origin, isSecure }: Provenance): void {
  const site = request.headers.get('sec-fetch-site');
  const isOwnSite = site === null || site === 'same-origin' || site === 'none';
  if (isOwnSite && origin === null) return;
  const scheme = isSecure ? 'https:' : 'http:';
  if (isOwnSite && isOriginOf(origin, { host, schemes: [scheme] })) return;
  // The browser compares the scheme too, with the one that it called: that of a proxy that ends TLS.
  if (site === 'same-origin' && isOriginOf(origin, { host, schemes: ['http:', 'https:'] })) return;
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

function forbiddenOrigin({ host, origin, isSecure }: Provenance): StudioError {
  const from = origin === null ? 'another site' : `the origin ${origin}`;
  const isBehindTls = !isSecure && isOriginOf(origin, { host, schemes: ['https:'] });
  const advice = isBehindTls
    ? ` Behind a proxy that ends TLS, start the studio with --proxy-header, or with --allow-origin ${origin}.`
    : '';
  return new StudioError(
    'forbidden_origin',
    `This request comes from a page of ${from}, which is neither the studio nor a listed origin.${advice}`,
  );
}

function forbiddenHost(host: string): StudioError {
  return new StudioError(
    'forbidden_host',
    `The studio does not answer to the host name "${host}".`,
  );
}

function readOrigin(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.origin;
  throw new StudioError(
    'invalid_parameter',
    `"${text}" is no origin; one looks like https://example.com.`,
  );
}
