/** URLs with several hosts, which the URL standard does not have: `postgres://ada@a:5432,b:5433/shop`. */
import type { StudioError } from '../model/errors.ts';

/** The error for a URL of the database, with the reason as a part of a sentence. */
export type InvalidUrl = (reason: string) => StudioError;

export interface HostText {
  readonly host: string;
  readonly port: string;
}

/** Replaces the hosts of a URL by one placeholder. Undefined if the URL has one host only. */
export function separateHosts(
  url: string,
  invalidUrl: InvalidUrl,
): { readonly url: string; readonly addresses: readonly HostText[] } | undefined {
  const [, start = '', list = '', rest = ''] =
    /^(\w+:\/\/(?:[^/?#]*@)?)([^/?#@]*)(.*)$/s.exec(url) ?? [];
  if (!list.includes(',')) return undefined;
  const addresses = list.split(',').map((text) => {
    const [match, host = '', port = ''] = /^(\[[^\]]*\]|[^:[\]]*)(?::([^:]*))?$/.exec(text) ?? [];
    if (match === undefined) throw invalidUrl('an IPv6 address must be in brackets');
    return { host: decodeHost(host, invalidUrl), port };
  });
  return { url: `${start}placeholder${rest}`, addresses };
}

/** The host may be the path of a socket, with slashes as %2F, or an IPv6 address in brackets. */
export function decodeHost(text: string, invalidUrl: InvalidUrl): string {
  return decodePart(text, invalidUrl).replace(/^\[(.*)\]$/, '$1');
}

export function decodePart(text: string, invalidUrl: InvalidUrl): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw invalidUrl('a % is not followed by two hexadecimal digits');
  }
}

/** Undefined for an empty text. */
export function readPort(text: string, invalidUrl: InvalidUrl): number | undefined {
  const digits = text.trim();
  if (digits === '') return undefined;
  if (!/^\d{1,5}$/.test(digits) || Number(digits) < 1 || Number(digits) > 65_535)
    throw invalidUrl('a port must be a number from 1 to 65535');
  return Number(digits);
}
