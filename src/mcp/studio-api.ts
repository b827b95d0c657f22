/** The studio's HTTP API as the tools call it: within the process, without a socket. */

export type JsonObject = Readonly<Record<string, unknown>>;

export interface ApiRequest {
  readonly method?: 'GET' | 'POST';
  /** The segments of the path below `/api`, not encoded. */
  readonly path: readonly string[];
  /** Values of a repeated parameter are an array. Parameters that are undefined are left out. */
  readonly query?: Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

type QueryValue = string | number | boolean;

export interface ApiResponse {
  readonly json: JsonObject;
  /** The entity tag of a single row. */
  readonly etag: string | undefined;
}

/** Fails with `ApiError` if the API rejects a request. */
export interface StudioApi {
  request(request: ApiRequest): Promise<ApiResponse>;
  /** The text of a file; fails with `ApiError` if it has more bytes. */
  readFile(request: ApiRequest, maxBytes: number): Promise<string>;
}

/** The API's error: one sentence, and the code that docs/errors.md explains. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** `respond` serves the API, whose URL is `base`: `http://localhost/studio/api`. */
export function createStudioApi(
  respond: (request: Request) => Promise<Response>,
  base: string,
): StudioApi {
  const send = async (request: ApiRequest): Promise<Response> => {
    const response = await respond(toRequest(request, base));
    if (response.ok) return response;
    throw errorOf((await response.json()) as JsonObject);
  };
  return {
    request: async (request) => {
      const response = await send(request);
      const json = (await response.json()) as JsonObject;
      return { json, etag: response.headers.get('etag') ?? undefined };
    },
    readFile: async (request, maxBytes) => readText(await send(request), maxBytes),
  };
}

function toRequest({ method = 'GET', path, query = {}, body, headers }: ApiRequest, base: string) {
  const url = new URL(`${base}/${path.join('/')}`);
  for (const [name, value] of Object.entries(query)) {
    const values = Array.isArray(value) ? value : [value];
    for (const each of values) if (each !== undefined) url.searchParams.append(name, String(each));
  }
  const json = body === undefined ? {} : { body: JSON.stringify(body) };
  return new Request(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...json,
  });
}

function errorOf({ error, code }: JsonObject): ApiError {
  return new ApiError(String(error), String(code));
}

async function readText(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    // Leaving the loop cancels the response, and with it the export.
    if (bytes > maxBytes)
      throw new ApiError(
        `The file has more than ${maxBytes} bytes; read a part of it.`,
        'too_large',
      );
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The values of a row's key: the value itself, or several in the order of the key. */
export type RowId = string | number | readonly (string | number)[];

/** The id as a segment of a path, where commas separate the values of the key. */
export function idSegment(id: RowId): string {
  return [id]
    .flat()
    .map((value) => encodeURIComponent(String(value)))
    .join(',');
}

/** The id as the member of a body, which has the value of a key of one column as it is. */
export function idMember(id: RowId): string {
  const values = [id].flat();
  return values.length === 1 ? String(values[0]) : idSegment(values);
}
