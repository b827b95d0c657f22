/** A typed client of the HTTP API, for browsers and for programs without a database driver. */
import { createClient as createTextClient } from './contract/client/client.ts';
import { NumberToken } from './contract/number-token.ts';
import { encodeSegment } from './model/row-id.ts';
import { separatedParameters } from './contract/client/call-types.ts';
import type {
  AddressOptions,
  Client,
  ClientResponse,
  CommonOptions,
  GetNames,
  CallNames,
  OtherBody,
  ResponseBodyOf,
} from './contract/client/client.ts';
import type { Calls } from './contract/client/call-types.ts';
import type { CellInput } from './contract/cell.ts';

export { ClientError } from './contract/client/client.ts';
export { NumberToken } from './contract/number-token.ts';
export type { Cell, CellInput } from './contract/cell.ts';
export type * from './contract/client/call-types.ts';
export type {
  CallNames,
  ClientResponse,
  ResponseBodyOf,
  UploadProgress,
} from './contract/client/client.ts';
export type { ErrorCode, ErrorDetails } from './model/errors.ts';

export interface StudioClientOptions {
  /** The address of the studio, such as `http://127.0.0.1:4555/studio/`. */
  readonly url: string | URL;
  /** Sent with every request, such as `{ Authorization: 'Bearer …' }`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sends the requests instead of the global `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
}

/** The parameters and the body of a call. */
export type StudioCallOptions<Name extends CallNames> = CommonOptions<Name> &
  StudioBody<Calls[Name]>;

type StudioBody<Call> = Call extends { readonly body: { readonly json: infer Body } }
  ? { readonly body: Body }
  : OtherBody<Call>;

type Optional<Options> = {} extends Options ? [Options?] : [Options];

/**
 * Calls are named by method and path, as in docs/api.md: `GET /tables/:table/rows`. Error responses reject
 * with a ClientError.
 */
export interface StudioClient {
  /** Sends a request and returns the parsed body, with the entity tag of a row. */
  call<Name extends CallNames>(
    name: Name,
    ...options: Optional<StudioCallOptions<Name>>
  ): Promise<ClientResponse<ResponseBodyOf<Name>>>;
  /** Returns the response as soon as its headers are available, to read its body as a stream. */
  stream<Name extends GetNames>(
    name: Name,
    ...options: Optional<CommonOptions<Name>>
  ): Promise<Response>;
  /** Returns the URL of a GET request, for links. */
  address<Name extends GetNames>(name: Name, ...options: Optional<AddressOptions<Name>>): string;
}

export function createClient({ url, ...options }: StudioClientOptions): StudioClient {
  const baseUrl = `${String(url).replace(/\/+$/, '')}/api`;
  const client = createTextClient({ ...options, baseUrl }) as AnyClient;
  const encodedClient: AnyClient = {
    call: (name, request) => client.call(name, encoded(request)),
    stream: (name, request) => client.stream(name, encoded(request)),
    address: (name, request) => client.address(name, encoded(request)),
  };
  return encodedClient as StudioClient;
}

/** The client whose bodies are texts, without the types of its calls. */
interface AnyClient extends Record<keyof Client, unknown> {
  readonly call: (name: string, options?: AnyOptions) => Promise<unknown>;
  readonly stream: (name: string, options?: AnyOptions) => Promise<Response>;
  readonly address: (name: string, options?: AnyOptions) => string;
}

interface AnyOptions {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, unknown>> | undefined;
}

function encoded(options: AnyOptions = {}): AnyOptions {
  const { body, query = {} } = options;
  const lists = Object.entries(query).map(([name, value]) => [name, encodedList(name, value)]);
  return {
    ...options,
    query: Object.fromEntries(lists) as Readonly<Record<string, unknown>>,
    ...(body === undefined ? {} : { body: encodedBody(body) }),
  };
}

/** The items of a list are separated by commas, so a comma in an item is encoded. */
function encodedList(name: string, value: unknown): unknown {
  if (!separatedParameters.has(name) || !Array.isArray(value)) return value;
  return value.map((item) => encodeURIComponent(String(item))).join(',');
}

function encodedBody(body: unknown): unknown {
  const isRaw = body instanceof FormData || body instanceof Blob || body instanceof Uint8Array;
  return isRaw ? body : JSON.stringify(body, withAllDigits);
}

function withAllDigits(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? new NumberToken(String(value)).toJSON() : value;
}

/**
 * Encodes the key values of a row as the `id` of a path, in the order of the key. Values of binary columns
 * are as in responses: `{ $base64: '…' }`.
 */
export function rowId(...values: readonly [CellInput, ...CellInput[]]): string {
  const texts = values.map(keyText);
  return texts.length === 1
    ? encodeSegment(texts[0] ?? '')
    : texts.map((text) => encodeURIComponent(text.toWellFormed())).join(',');
}

function keyText(value: CellInput): string {
  if (typeof value !== 'object' || value === null || value instanceof NumberToken)
    return String(value ?? '');
  const { $base64: base64, $int: integer } = value as Readonly<Record<string, unknown>>;
  if (typeof integer === 'string') return integer;
  if (typeof base64 !== 'string') return JSON.stringify(value, withAllDigits);
  return base64.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
