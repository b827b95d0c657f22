import { encodeSegment } from '../model/row-id.ts';
import { attachment } from './content-disposition.ts';
import { apiHeaders, jsonHeaders } from './headers.ts';
import type { Reply } from '../studio/core/reply.ts';
import type { HeaderFields } from './headers.ts';

/** The parts of a response. `toResponse` makes a Response of them. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

export interface TextResponse extends HttpResponse {
  readonly body: string;
}

export function jsonResponse(status: number, body: unknown): TextResponse {
  return { status, headers: jsonHeaders, body: JSON.stringify(body) };
}

/** Converts the reply of an operation to a response. */
export function replyResponse({ body, meta }: Reply, apiBase: string): HttpResponse {
  if (meta.isNull === true) return { status: 204, headers: apiHeaders, body: null };
  if (meta.fileName !== undefined) return fileResponse(body, meta.fileName, meta);
  if (meta.etag === undefined && meta.location === undefined)
    return { status: 200, headers: jsonHeaders, body };
  const headers = {
    ...jsonHeaders,
    ...(meta.etag === undefined ? {} : { ETag: meta.etag }),
    ...(meta.location === undefined ? {} : { Location: addressOf(meta.location, apiBase) }),
  };
  return { status: 200, headers, body };
}

function addressOf({ table, id }: NonNullable<Reply['meta']['location']>, apiBase: string): string {
  return `${apiBase}/tables/${encodeSegment(table)}/rows/${id}`;
}

function fileResponse(
  body: HttpResponse['body'],
  fileName: string,
  { contentType: mediaType = 'application/octet-stream', warnings }: Reply['meta'],
): HttpResponse {
  return { status: 200, headers: fileHeaders({ fileName, mediaType, warnings }), body };
}

interface SentFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly warnings?: readonly string[] | undefined;
}

/** Headers that make browsers save the file. `Studio-Warnings` is a percent-encoded JSON array. */
export function fileHeaders({ fileName, mediaType, warnings = [] }: SentFile): HeaderFields {
  return {
    ...apiHeaders,
    'Content-Type': mediaType,
    'Content-Disposition': attachment(fileName),
    ...(warnings.length === 0
      ? {}
      : { 'Studio-Warnings': encodeURIComponent(JSON.stringify(shortWarnings(warnings))) }),
  };
}

/** Servers and proxies reject headers of many kilobytes. */
const maxWarnings = 20;
const maxWarningBytes = 6000;
const maxSentenceLength = 400;

/** Truncates the list of warnings to the size of a header and appends the number of omitted ones. */
function shortWarnings(warnings: readonly string[]): readonly string[] {
  const listed: string[] = [];
  let bytes = 0;
  for (const warning of warnings.slice(0, maxWarnings)) {
    const sentence = shortened(warning);
    bytes += encodeURIComponent(sentence).length;
    if (bytes > maxWarningBytes) break;
    listed.push(sentence);
  }
  const more = warnings.length - listed.length;
  return more === 0 ? listed : [...listed, `Warnings that are not listed here: ${more}.`];
}

function shortened(sentence: string): string {
  const characters = [...sentence.slice(0, maxSentenceLength * 2)];
  if (characters.length <= maxSentenceLength) return sentence.toWellFormed();
  return `${characters.slice(0, maxSentenceLength).join('').toWellFormed()}…`;
}

/** Returns 304 if the client already has this response. Tags are compared weakly (RFC 9110, 13.1.2). */
export function unlessNotModified(
  response: HttpResponse,
  ifNoneMatch: string | null,
): HttpResponse {
  const etag = response.headers['ETag'];
  if (ifNoneMatch === null || etag === undefined) return response;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(etag) && !tags.includes('*')) return response;
  const { 'Content-Type': _type, 'Content-Encoding': _coding, ...headers } = response.headers;
  return { status: 304, headers, body: null };
}

/** Creates the Response. For HEAD it has the headers of GET and no body. */
export function toResponse(
  response: HttpResponse,
  request: Pick<Request, 'method'>,
  extra?: HeaderFields,
): Response {
  const { status, body } = response;
  const headers = extra === undefined ? response.headers : joinHeaders(response.headers, extra);
  if (request.method !== 'HEAD')
    return new Response(body as ConstructorParameters<typeof Response>[0], { status, headers });
  const length =
    body === null || body instanceof ReadableStream
      ? {}
      : { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Response(null, { status, headers: { ...headers, ...length } });
}

/** Both may name request headers that the response depends on. */
function joinHeaders(headers: HeaderFields, extra: HeaderFields): HeaderFields {
  const vary = [headers['Vary'], extra['Vary']].filter((names) => names !== undefined);
  return { ...headers, ...extra, ...(vary.length === 0 ? {} : { Vary: vary.join(', ') }) };
}
