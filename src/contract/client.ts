import { StudioError, isErrorCode } from '../model/errors.ts';
import { encodeSegment } from '../model/row-id.ts';
import { parseExactJson } from './number-token.ts';
import type { z } from 'zod';
import type { ErrorDetails } from '../model/errors.ts';
import type { NamedSchema } from './named-schema.ts';
import type { NumberToken } from './number-token.ts';
import type { QueryParameter } from './parameter.ts';
import type { ParamsOf, RouteId, Routes } from './routes.ts';

/** A value in a row, as the client gives it. */
export type Cell =
  | null
  | boolean
  | number
  | string
  | NumberToken
  | readonly Cell[]
  | { readonly [name: string]: Cell };

/** A body as it arrives: values that the contract leaves open are cells. */
type Received<T> = unknown extends T
  ? Cell
  : T extends readonly (infer Item)[]
    ? readonly Received<Item>[]
    : T extends object
      ? { readonly [Name in keyof T]: Received<T[Name]> }
      : T;

/** Routes are called by method and path, so that the routes' data stays out of the browser. */
type CallName<Id extends RouteId> = `${Routes[Id]['method']} ${Routes[Id]['path']}`;
export type CallNames = { readonly [Id in RouteId]: CallName<Id> }[RouteId];
type IdOf<Name extends CallNames> = {
  [Id in RouteId]: CallName<Id> extends Name ? Id : never;
}[RouteId];

/** What the route answers when all is well. */
export type AnswerOf<Name extends CallNames> =
  SuccessOf<Routes[IdOf<Name>]['answers']> extends { readonly json: NamedSchema<infer Schema> }
    ? Received<z.output<Schema>>
    : Blob | null;

type SuccessOf<Answers> = Answers extends { readonly 200: infer Form }
  ? Form
  : Answers extends { readonly 201: infer Form }
    ? Form
    : never;

type GivenQuery<Q> = keyof Q extends never
  ? Readonly<Record<string, never>>
  : { readonly [Name in keyof Q]?: GivenValue<Q[Name]> | undefined };
type GivenValue<P> =
  P extends QueryParameter<infer T>
    ? P extends { readonly repeated: true }
      ? readonly T[]
      : T
    : never;

type GivenParams<Name extends CallNames> = keyof ParamsOf<IdOf<Name>> extends never
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<IdOf<Name>> };

export type CallOptions<Name extends CallNames> = GivenParams<Name> & {
  readonly query?: GivenQuery<Routes[IdOf<Name>]['query']>;
  /** By what follows `filter_`: `{ price__gte: '10' }`. */
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
  readonly signal?: AbortSignal;
  /** The row must still be as this entity tag says. */
  readonly ifMatch?: string;
} & GivenBody<Routes[IdOf<Name>]>;

/** JSON goes as its text, so that the caller decides how numbers are written. */
type GivenBody<R> = R extends { readonly body: { readonly json: unknown } }
  ? { readonly body: string }
  : R extends { readonly body: { readonly upload: unknown } }
    ? GivenFiles
    : R extends { readonly body: unknown }
      ? { readonly body: Blob | Uint8Array<ArrayBuffer> }
      : { readonly body?: undefined };

interface GivenFiles {
  /** Each file in a field called `file`. */
  readonly body: FormData;
  /** Told again and again how far the server is. */
  readonly onProgress?: (progress: UploadProgress) => void;
}

/** How far an import is. */
export interface UploadProgress {
  /** What has been read of the files. */
  readonly bytes: number;
  readonly total_bytes: number;
  readonly rows: number;
  /** The table that is being filled. */
  readonly table?: string;
  /** While it has not started: how many imports and exports start before it. */
  readonly waiting?: number;
}

export interface ClientOptions {
  /** Ends in `/api`. */
  readonly baseUrl: string;
  readonly fetch?: typeof fetch;
}

export interface ClientAnswer<T> {
  readonly body: T;
  readonly etag?: string;
}

/** Calls the API by its contract; failures are StudioErrors, with the status among their details. */
export interface Client {
  call<Name extends CallNames>(
    name: Name,
    ...options: {} extends CallOptions<Name> ? [CallOptions<Name>?] : [CallOptions<Name>]
  ): Promise<ClientAnswer<AnswerOf<Name>>>;
  /** Where a browser finds by itself what a call would give. */
  address<Name extends GetNames>(
    name: Name,
    ...options: {} extends AddressOptions<Name> ? [AddressOptions<Name>?] : [AddressOptions<Name>]
  ): string;
}

type GetNames = Extract<CallNames, `GET ${string}`>;
type AddressOptions<Name extends GetNames> = GivenParams<Name> &
  Pick<CallOptions<Name>, 'query' | 'filters'>;

interface AnyOptions {
  readonly body?: string | Blob | Uint8Array<ArrayBuffer> | FormData;
  readonly onProgress?: (progress: UploadProgress) => void;
  readonly ifMatch?: string;
  readonly params?: Readonly<Record<string, string>> | undefined;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
  readonly signal?: AbortSignal;
}

export function createClient(options: ClientOptions): Client {
  const send = options.fetch ?? fetch;
  const addressOf = (path: string, wanted: AnyOptions): string =>
    `${options.baseUrl}${fillIn(path, wanted.params)}${queryText(wanted)}`;
  return {
    async call(name, ...[given]) {
      const { method, path } = splitName(name);
      const wanted = (given ?? {}) as AnyOptions;
      const url = addressOf(path, wanted);
      const response = await send(url, { method, ...contentOf(wanted) });
      if (!response.ok) throw await failureOf(response);
      const etag = response.headers.get('etag');
      const body = (await bodyOf(response, wanted.onProgress)) as AnswerOf<typeof name>;
      return etag === null ? { body } : { body, etag };
    },
    address: (name, ...[given]) => addressOf(splitName(name).path, (given ?? {}) as AnyOptions),
  };
}

function contentOf({ body, ifMatch, onProgress, signal }: AnyOptions): RequestInit {
  const type = contentType(body);
  return {
    headers: {
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(onProgress === undefined ? {} : { Accept: linesType }),
      ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
    },
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  };
}

/** Of a form, only the one who sends it knows what parts it. */
function contentType(body: AnyOptions['body']): string | undefined {
  if (body === undefined || body instanceof FormData) return undefined;
  return typeof body === 'string' ? 'application/json' : 'application/octet-stream';
}

function splitName(name: string): { readonly method: string; readonly path: string } {
  const space = name.indexOf(' ');
  return { method: name.slice(0, space), path: name.slice(space + 1) };
}

/** Ids come ready for a path, since only their maker knows their parts. */
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

/** JSON, the last of several lines of it, a file, or nothing. */
async function bodyOf(
  response: Response,
  onProgress: AnyOptions['onProgress'] = () => undefined,
): Promise<unknown> {
  if (response.status === 204) return null;
  if (response.headers.has('content-disposition')) return response.blob();
  const isLines = response.headers.get('content-type')?.startsWith(linesType) === true;
  return isLines ? resultOf(response, onProgress) : parseExactJson(await response.text());
}

/** Passes on what the lines tell of progress; the last one is the result or the error. */
async function resultOf(
  response: Response,
  onProgress: (progress: UploadProgress) => void,
): Promise<unknown> {
  for await (const line of linesOf(response)) {
    const told = parseExactJson(line) as ProgressLine;
    if (told.progress !== undefined) onProgress(told.progress);
    else if ('result' in told) return told.result;
    else throw toldFailure(line, response.status);
  }
  throw new StudioError('internal', 'The connection broke before the import had ended.');
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
  return toldFailure(await response.text(), response.status);
}

function toldFailure(text: string, status: number): StudioError {
  const { error, code, ...details } = readFailure(text);
  if (typeof error !== 'string' || !isErrorCode(code)) {
    return new StudioError('internal', `The server answered ${status} without saying why.`, {
      status,
    });
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
