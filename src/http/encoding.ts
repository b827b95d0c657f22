import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { HttpResponse } from './http-response.ts';

/** The content codings that the studio sends, best first. */
export type Coding = 'br' | 'gzip';

export interface CodingOptions {
  /**
   * False: no response is compressed, for servers that do that themselves. Next.js also removes the
   * Content-Encoding of a response. True by default.
   */
  readonly compress?: boolean;
}

const codings: readonly Coding[] = ['br', 'gzip'];

/** Returns the best coding that the client accepts, or undefined for the plain bytes (RFC 9110, 12.5.3). */
export function acceptedCoding(header: string | null): Coding | undefined {
  if (header === null) return undefined;
  const weights = new Map<string, number>();
  for (const item of header.toLowerCase().split(',')) {
    const [name = '', weight] = item.split(';').map((part) => part.trim());
    weights.set(name, weight === undefined ? 1 : Number(weight.replace(/^q\s*=\s*/, '')));
  }
  const isAccepted = (coding: Coding): boolean =>
    (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
  return codings.find(isAccepted);
}

/** A smaller body fits in one packet either way. */
const minBytes = 1400;

/** Cheap levels: on responses of the API they take well under the time that a local network takes for the rest. */
const compress: Readonly<Record<Coding, (body: Uint8Array | string) => Promise<Buffer>>> = {
  br: (body) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
  gzip: (body) => promisify(gzip)(body, { level: 1 }),
};

const varyByCoding = { Vary: 'Accept-Encoding, Sec-Fetch-Site' } as const;

/**
 * Compresses a JSON response. Streams stay as they are, so that their progress is that of their
 * bytes, and so do responses with an entity tag, which is the tag of these very bytes.
 */
export async function compressJson(
  response: HttpResponse,
  { headers: request }: Pick<Request, 'headers'>,
): Promise<HttpResponse> {
  const { headers, body } = response;
  if (headers['Content-Type'] !== 'application/json' || headers['ETag'] !== undefined)
    return response;
  if (body === null || body instanceof ReadableStream || body.length < minBytes) return response;
  const coding = isOfOtherSite(request)
    ? undefined
    : acceptedCoding(request.get('accept-encoding'));
  const varied = { ...response, headers: { ...headers, ...varyByCoding } };
  if (coding === undefined) return varied;
  return {
    ...varied,
    headers: { ...varied.headers, 'Content-Encoding': coding },
    body: await compress[coding](body),
  };
}

/**
 * Whether a page of another site makes the browser send the request. Such a page chooses parts of
 * a response, and could guess the rest from its compressed length (BREACH).
 */
function isOfOtherSite(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  return site !== null && site !== 'same-origin';
}
