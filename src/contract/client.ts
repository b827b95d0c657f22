import { StudioError, isErrorCode } from '../model/errors.ts';
import { encodeSegment } from '../model/row-id.ts';
import { parseJsonWithTokens } from './number-token.ts';
import type { z } from 'zod';
import type { ErrorDetails } from '../model/errors.ts';
import type { NamedSchema } from './named-schema.ts';
import type { NumberToken } from './number-token.ts';
import type { QueryParameter } from './parameter.ts';
import type { ParamsOf, RouteId, Routes } from './routes.ts';

/** A value of a row, as the client returns it. */
export type Cell =
  | null
  | boolean
  | number
  | string
  | NumberToken
  | readonly Cell[]
  | { readonly [name: string]: Cell };

/** The type of a response body. Values without a schema are cells. */
type Received<T> = unknown extends T
  ? Cell
  : T extends readonly (infer Item)[]
    ? readonly Received<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Received<T[Name]> }
      : T;

/** Routes are named by method and path, so that the route table is not bundled into the browser. */
type CallName<Id extends RouteId> = `${Routes[Id]['method']} ${Routes[Id]['path']}`;
export type CallNames = { readonly [Id in RouteId]: CallName<Id> }[RouteId];
type IdOf<Name extends CallNames> = {
  [Id in RouteId]: CallName<Id> extends Name ? Id : never;
}[RouteId];

/** The body of the route's success response. */
export type ResponseBodyOf<Name extends CallNames> =
  SuccessOf<Routes[IdOf<Name>]['responses']> extends { readonly json: NamedSchema<infer Schema> }
    ? Received<z.output<Schema>>
    : Blob | null;

type SuccessOf<Responses> = Responses extends { readonly 200: infer Form }
  ? Form
  : Responses extends { readonly 201: infer Form }
    ? Form
    : never;

type CallQuery<Q> = keyof Q extends never
  ? Readonly<Record<string, never>>
  : { readonly [Name in keyof Q]?: CallQueryValue<Q[Name]> | undefined };
type CallQueryValue<P> =
  P extends QueryParameter<infer T>
    ? P extends { readonly repeated: true }
      ? readonly T[]
      : T
    : never;

type CallParams<Name extends CallNames> = keyof ParamsOf<IdOf<Name>> extends never
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<IdOf<Name>> };

export type CallOptions<Name extends CallNames> = CallParams<Name> & {
  readonly query?: CallQuery<Routes[IdOf<Name>]['query']>;
  /** Keys omit the prefix `filter_`: `{ price__gte: '10' }`. */
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
  readonly signal?: AbortSignal;
  /** The entity tag that the row must still have (`If-Match`). */
  readonly ifMatch?: string;
  /** The `Idempotency-Key` header, for requests that are repeated when their response is lost. */
  readonly idempotencyKey?: string;
} & CallBody<Routes[IdOf<Name>]>;

/** JSON bodies are passed as text, so that the caller controls the format of numbers. */
type CallBody<R> = R extends { readonly body: { readonly json: unknown } }
  ? { readonly body: string }
  : R extends { readonly body: { readonly upload: unknown } }
    ? CallFiles
    : R extends { readonly body: unknown }
      ? { readonly body: Blob | Uint8Array<ArrayBuffer> }
      : { readonly body?: undefined };

interface CallFiles {
  /** Each file must be in a field named `file`. */
  readonly body: FormData;
  /** Called repeatedly with the progress of the import. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** The progress of an import. */
export interface UploadProgress {
  /** Bytes of the files that have been read. */
  readonly bytes: number;
  readonly total_bytes: number;
  readonly rows: number;
  /** The table that is currently written. */
  readonly table?: string;
  /** Before the start: the number of imports and exports that are ahead in the queue. */
  readonly waiting?: number;
}

export interface ClientOptions {
  /** Ends in `/api`. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
}

export interface ClientResponse<T> {
  readonly body: T;
  readonly etag?: string;
}

/** A typed client of the API. Rejects with StudioErrors, whose details include the HTTP status. */
export interface Client {
  call<Name extends CallNames>(
    name: Name,
    ...options: {} extends CallOptions<Name> ? [CallOptions<Name>?] : [CallOptions<Name>]
  ): Promise<ClientResponse<ResponseBodyOf<Name>>>;
  /** Returns the URL of a GET request, for links. */
  address<Name extends GetNames>(
    name: Name,
    ...options: {} extends AddressOptions<Name> ? [AddressOptions<Name>?] : [AddressOptions<Name>]
  ): string;
}

type GetNames = Extract<CallNames, `GET ${string}`>;
type AddressOptions<Name extends GetNames> = CallParams<Name> &
  Pick<CallOptions<Name>, 'query' | 'filters'>;

interface AnyOptions {
  readonly body?: string | Blob | Uint8Array<ArrayBuffer> | FormData;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly ifMatch?: string;
  readonly idempotencyKey?: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
  readonly signal?: AbortSignal;
}

export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch;
  const addressOf = (path: string, request: AnyOptions): string =>
    `${options.baseUrl}${fillIn(path, request.params)}${queryText(request)}`;
  return {
    async call(name, ...[given]) {
      const { method, path } = splitName(name);
      const request = (given ?? {}) as AnyOptions;
      const url = addressOf(path, request);
      const response = await send(url, { method, ...contentOf(request) });
      if (!response.ok) throw await failureOf(response);
      const etag = response.headers.get('etag');
      const body = (await bodyOf(response, request.onProgress)) as ResponseBodyOf<typeof name>;
      return etag === null ? { body } : { body, etag };
    },
    address: (name, ...[given]) => addressOf(splitName(name).path, (given ?? {}) as AnyOptions),
  };
}

function contentOf({ body, ifMatch, idempotencyKey, onProgress, signal }: AnyOptions): RequestInit {
  const type = contentType(body);
  return {
    headers: {
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(onProgress === undefined ? {} : { Accept: linesType }),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** `fetch` itself sets the type of forms, because it generates the boundary. */
function contentType(body: AnyOptions['body']): string | undefined {
  if (body === undefined || body instanceof FormData) return undefined;
  return typeof body === 'string' ? 'application/json' : 'application/octet-stream';
}

function splitName(name: string): { readonly method: string; readonly path: string } {
  const space = name.indexOf(' ');
  return { method: name.slice(0, space), path: name.slice(space + 1) };
}

/** Ids are already encoded: they may consist of several key values. */
function fillIn(path: string, params: AnyOptions['params'] = {}): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => {
    const value = params[name] ?? '';
    return name === 'id' ? value : encodeSegment(value);
  });
}

function queryText({ query = {}, filters = {} }: AnyOptions): string {
  const named = [
    ...Object.entries(query),
    ...Object.entries(filters).map(([name, value]) => [`filter_${name}`, value]),
  ];
  const search = new URLSearchParams();
  for (const [name, value] of named as [string, unknown][]) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) search.append(name, String(item));
    }
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

const linesType = 'application/x-ndjson';

/** Reads a JSON body, the last line of an NDJSON body, a file, or nothing. */
async function bodyOf(
  response: Response,
  onProgress: AnyOptions['onProgress'] = () => undefined,
): Promise<unknown> {
  if (response.status === 204) return null;
  if (response.headers.has('content-disposition')) return response.blob();
  const isLines = response.headers.get('content-type')?.startsWith(linesType) === true;
  return isLines ? resultOf(response, onProgress) : parseJsonWithTokens(await response.text());
}

/** Reports the progress lines. The last line is the result or the error. */
async function resultOf(
  response: Response,
  onProgress: (progress: UploadProgress) => void,
): Promise<unknown> {
  for await (const line of linesOf(response)) {
    const message = parseJsonWithTokens(line) as ProgressLine;
    if (message.progress !== undefined) onProgress(message.progress);
    else if ('result' in message) return message.result;
    else throw parseFailure(line, response.status);
  }
  throw new StudioError('internal', 'The connection was lost before the import finished.');
}

interface ProgressLine {
  readonly progress?: UploadProgress;
  readonly result?: unknown;
}

async function* linesOf({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = `${rest}${value}`.split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest !== '') yield rest;
}

async function failureOf(response: Response): Promise<StudioError> {
  return parseFailure(await response.text(), response.status);
}

function parseFailure(text: string, status: number): StudioError {
  const { error, code, ...details } = readFailure(text);
  if (typeof error !== 'string' || !isErrorCode(code)) {
    return new StudioError(
      'internal',
      `The server responded with ${status} and without an error message.`,
      {
        status,
      },
    );
  }
  return new StudioError(code, error, { ...details, status });
}

function readFailure(text: string): ErrorDetails {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as ErrorDetails) : {};
  } catch {
    return {};
  }
}
