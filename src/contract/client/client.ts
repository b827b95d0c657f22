import { StudioError, isErrorCode } from '../../model/errors.ts';
import { encodeSegment } from '../../model/row-id.ts';
import { parseJsonWithTokens } from '../number-token.ts';
import type { ErrorDetails } from '../../model/errors.ts';
import type { Calls } from './call-types.ts';

export type { Cell } from '../cell.ts';

/** Calls are named by method and path, so that the route table is not bundled into the browser. */
export type CallNames = keyof Calls;

/** The body of the route's success response. */
export type ResponseBodyOf<Name extends CallNames> = Calls[Name]['response'];

type CallQuery<Query> = keyof Query extends never ? Readonly<Record<string, never>> : Query;

type CallParams<Name extends CallNames> = keyof Calls[Name]['params'] extends never
  ? { readonly params?: undefined }
  : { readonly params: Calls[Name]['params'] };

export type CallOptions<Name extends CallNames> = CommonOptions<Name> & CallBody<Calls[Name]>;

/** All options except the body. */
export type CommonOptions<Name extends CallNames> = CallParams<Name> & {
  readonly query?: CallQuery<Calls[Name]['query']>;
  /** Keys omit the prefix `filter_`: `{ price__gte: '10' }`. */
  readonly filters?: Readonly<Record<string, string | readonly string[]>>;
  readonly signal?: AbortSignal;
  /** The entity tag that the row must still have (`If-Match`). */
  readonly ifMatch?: string;
  /** The `Idempotency-Key` header, for requests that are repeated when their response is lost. */
  readonly idempotencyKey?: string;
};

/** JSON bodies are passed as text, so that the caller controls the format of numbers. */
type CallBody<Call> = Call extends { readonly body: { readonly json: unknown } }
  ? { readonly body: string }
  : OtherBody<Call>;

/** Files and raw values, or no body. */
export type OtherBody<Call> = Call extends { readonly body: 'files' }
  ? CallFiles
  : Call extends { readonly body: 'binary' }
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
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

export interface ClientResponse<T> {
  readonly body: T;
  readonly etag?: string;
}

/** An error response of the API, or of a proxy in between, or an import whose connection was lost. */
export class ClientError extends StudioError {
  /** The HTTP status. It is 200 if an import failed after its progress had begun. */
  readonly status: number;

  constructor(status: number, error: StudioError) {
    super(error.code, error.message, error.details);
    this.name = 'ClientError';
    this.status = status;
  }
}

/** A typed client of the API. Error responses reject with a ClientError. */
export interface Client {
  call<Name extends CallNames>(
    name: Name,
    ...options: {} extends CallOptions<Name> ? [CallOptions<Name>?] : [CallOptions<Name>]
  ): Promise<ClientResponse<ResponseBodyOf<Name>>>;
  /** Returns the response as soon as its headers are available, to read its body as a stream. */
  stream<Name extends GetNames>(
    name: Name,
    ...options: {} extends CommonOptions<Name> ? [CommonOptions<Name>?] : [CommonOptions<Name>]
  ): Promise<Response>;
  /** Returns the URL of a GET request, for links. */
  address<Name extends GetNames>(
    name: Name,
    ...options: {} extends AddressOptions<Name> ? [AddressOptions<Name>?] : [AddressOptions<Name>]
  ): string;
}

export type GetNames = Extract<CallNames, `GET ${string}`>;
export type AddressOptions<Name extends GetNames> = CallParams<Name> &
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

export function createClient(settings: ClientOptions): Client {
  const send = settings.fetch ?? ((url, init) => fetch(url, init));
  const addressOf = (path: string, request: AnyOptions): string =>
    `${settings.baseUrl}${fillPathParameters(path, request.params)}${queryText(request)}`;
  const request = async (name: string, options: AnyOptions): Promise<Response> => {
    const { method, path } = splitName(name);
    const init = { method, ...requestInit(options, settings.headers) };
    const response = await send(addressOf(path, options), init);
    if (!response.ok) throw parseError(await response.text(), response.status);
    return response;
  };
  return {
    async call(name, ...[options]) {
      const callOptions = (options ?? {}) as AnyOptions;
      const response = await request(name, callOptions);
      const etag = response.headers.get('etag');
      const body = (await readBody(response, callOptions.onProgress)) as ResponseBodyOf<
        typeof name
      >;
      return etag === null ? { body } : { body, etag };
    },
    stream: (name, ...[options]) => request(name, options ?? {}),
    address: (name, ...[options]) => addressOf(splitName(name).path, (options ?? {}) as AnyOptions),
  };
}

function requestInit(
  { body, ifMatch, idempotencyKey, onProgress, signal }: AnyOptions,
  headers: ClientOptions['headers'],
): RequestInit {
  const type = contentType(body);
  return {
    headers: {
      ...headers,
      ...(type === undefined ? {} : { 'Content-Type': type }),
      ...(onProgress === undefined ? {} : { Accept: ndjsonType }),
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
  const separator = name.indexOf(' ');
  return { method: name.slice(0, separator), path: name.slice(separator + 1) };
}

/** Ids are already encoded: they may consist of several key values. */
function fillPathParameters(path: string, params: AnyOptions['params'] = {}): string {
  return path.replace(/:(\w+)/g, (_all, name: string) => {
    const value = params[name] ?? '';
    return name === 'id' ? value : encodeSegment(value);
  });
}

function queryText({ query = {}, filters = {} }: AnyOptions): string {
  const parameters = [
    ...Object.entries(query),
    ...Object.entries(filters).map(([name, value]) => [`filter_${name}`, value]),
  ];
  const search = new URLSearchParams();
  for (const [name, value] of parameters as [string, unknown][]) {
    for (const item of Array.isArray(value) ? value : [value]) {
      if (item !== undefined) search.append(name, String(item));
    }
  }
  return search.size === 0 ? '' : `?${search.toString()}`;
}

const ndjsonType = 'application/x-ndjson';

/** Reads a JSON body, the last line of an NDJSON body, a file, or nothing. */
async function readBody(
  response: Response,
  onProgress: AnyOptions['onProgress'] = () => undefined,
): Promise<unknown> {
  if (response.status === 204) return null;
  if (response.headers.has('content-disposition')) return response.blob();
  const isNdjson = response.headers.get('content-type')?.startsWith(ndjsonType) === true;
  return isNdjson
    ? readImportResult(response, onProgress)
    : parseJsonWithTokens(await response.text());
}

/** Reads the NDJSON response of an import and reports its progress lines. The last line is the result or the error. */
async function readImportResult(
  response: Response,
  onProgress: (progress: UploadProgress) => void,
): Promise<unknown> {
  for await (const line of readLines(response)) {
    const message = parseJsonWithTokens(line) as ProgressLine;
    if (message.progress !== undefined) onProgress(message.progress);
    else if ('result' in message) return message.result;
    else throw parseError(line, response.status);
  }
  throw new ClientError(
    response.status,
    new StudioError('internal', 'The connection was lost before the import finished.'),
  );
}

interface ProgressLine {
  readonly progress?: UploadProgress;
  readonly result?: unknown;
}

async function* readLines({ body }: Response): AsyncGenerator<string, void, undefined> {
  if (body === null) return;
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let incompleteLine = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    const lines = `${incompleteLine}${value}`.split('\n');
    incompleteLine = lines.pop() ?? '';
    yield* lines;
  }
  if (incompleteLine !== '') yield incompleteLine;
}

function parseError(text: string, status: number): ClientError {
  const { error, code, ...details } = parseErrorBody(text);
  if (typeof error === 'string' && isErrorCode(code))
    return new ClientError(status, new StudioError(code, error, details));
  const message = `The server responded with ${status} and without an error message.`;
  return new ClientError(status, new StudioError('internal', message));
}

function parseErrorBody(text: string): ErrorDetails {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as ErrorDetails) : {};
  } catch {
    return {};
  }
}
