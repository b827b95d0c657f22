import { encodeSegment } from '../model/row-id.ts';
import { attachment } from './content-disposition.ts';
import { apiHeaders, jsonHeaders } from './headers.ts';
import type { Reply } from '../studio/reply.ts';
import type { HeaderFields } from './headers.ts';

/** A response before it is one. */
export interface Answer {
  readonly status: number;
  readonly headers: HeaderFields;
  readonly body: string | Uint8Array | ReadableStream<Uint8Array> | null;
}

export interface TextAnswer extends Answer {
  readonly body: string;
}

export function jsonAnswer(status: number, body: unknown): TextAnswer {
  return { status, headers: jsonHeaders, body: JSON.stringify(body) };
}

/** What an operation replied. */
export function replyAnswer({ body, meta }: Reply, apiBase: string): Answer {
  if (meta.isNull === true) return { status: 204, headers: apiHeaders, body: null };
  if (meta.fileName !== undefined) return fileAnswer(body, meta.fileName, meta);
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

function fileAnswer(
  body: Answer['body'],
  fileName: string,
  { contentType: mediaType = 'application/octet-stream', warnings }: Reply['meta'],
): Answer {
  return { status: 200, headers: fileHeaders({ fileName, mediaType, warnings }), body };
}

interface FileFacts {
  readonly fileName: string;
  readonly mediaType: string;
  readonly warnings?: readonly string[] | undefined;
}

/** The file is saved, not shown; what it could not hold is a percent-encoded JSON array. */
export function fileHeaders({ fileName, mediaType, warnings = [] }: FileFacts): HeaderFields {
  return {
    ...apiHeaders,
    'Content-Type': mediaType,
    'Content-Disposition': attachment(fileName),
    ...(warnings.length === 0
      ? {}
      : { 'Studio-Warnings': encodeURIComponent(JSON.stringify(shortWarnings(warnings))) }),
  };
}

/** Servers and proxies refuse headers of many kilobytes. */
const mostWarnings = 20;
const mostWarningBytes = 6000;
const mostSentence = 400;

/** As many of the warnings as a header takes, and how many more there are. */
function shortWarnings(warnings: readonly string[]): readonly string[] {
  const short: string[] = [];
  let bytes = 0;
  for (const warning of warnings.slice(0, mostWarnings)) {
    const sentence = shortened(warning);
    bytes += encodeURIComponent(sentence).length;
    if (bytes > mostWarningBytes) break;
    short.push(sentence);
  }
  const more = warnings.length - short.length;
  return more === 0 ? short : [...short, `Warnings that are not listed here: ${more}.`];
}

function shortened(sentence: string): string {
  const characters = [...sentence.slice(0, mostSentence * 2)];
  if (characters.length <= mostSentence) return sentence.toWellFormed();
  return `${characters.slice(0, mostSentence).join('').toWellFormed()}…`;
}

/** 304 when the client has the very answer already (RFC 9110, 13.1.2: tags are compared weakly). */
export function unlessUnchanged(answer: Answer, ifNoneMatch: string | null): Answer {
  const etag = answer.headers['ETag'];
  if (ifNoneMatch === null || etag === undefined) return answer;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (!tags.includes(etag) && !tags.includes('*')) return answer;
  return { status: 304, headers: { ...apiHeaders, ETag: etag }, body: null };
}

/** HEAD is told what GET would be, without the body. */
export function toResponse(
  answer: Answer,
  request: Pick<Request, 'method'>,
  extra?: HeaderFields,
): Response {
  const { status, body } = answer;
  const headers = extra === undefined ? answer.headers : { ...answer.headers, ...extra };
  if (request.method !== 'HEAD')
    return new Response(body as ConstructorParameters<typeof Response>[0], { status, headers });
  const length =
    body === null || body instanceof ReadableStream
      ? {}
      : { 'Content-Length': String(Buffer.byteLength(body)) };
  return new Response(null, { status, headers: { ...headers, ...length } });
}
