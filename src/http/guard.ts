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
  /** Throws `forbidden_host` or `forbidden_origin`. */
  check(request: Request): void;
  /** What a page of a listed origin needs to read the answer. */
  corsHeaders(request: Request): HeaderFields | undefined;
}

export function createGuard(options: GuardOptions): Guard {
  const hosts = new Set((options.allowHosts ?? []).map((host) => host.toLowerCase()));
  const origins = new Set((options.allowOrigins ?? []).map(readOrigin));
  const isListed = (origin: string | null): origin is string =>
    origin !== null && origins.has(origin);

  return {
    check(request) {
      const host = hostOf(request);
      if (options.anyHost !== true && !isKnownHost(host, hosts)) throw forbiddenHost(host);
      if (isSafe(request.method)) return;
      const origin = request.headers.get('origin');
      if (!isListed(origin)) checkOwnOrigin(request, { host, origin });
    },
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

function hostOf(request: Request): string {
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
}

/** Clients that say nothing of where they come from are no browsers, and pass. */
function checkOwnOrigin(request: Request, { host, origin }: Provenance): void {
  const site = request.headers.get('sec-fetch-site');
  const isOwnSite = site === null || site === 'same-origin' || site === 'none';
  const isOwn = isOwnSite && (origin === null || isOriginOf(origin, host));
  if (isOwn) return;
  const from = origin === null ? 'another site' : `the origin ${origin}`;
  throw new StudioError(
    'forbidden_origin',
    `This request comes from a page of ${from}, which is neither the studio nor a listed origin.`,
  );
}

function isOriginOf(origin: string, host: string): boolean {
  const url = URL.parse(origin);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return URL.parse(`${url.protocol}//${host}`)?.host === url.host;
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
