/** The real app on a real socket and file, with full control over each byte of a request. */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { IncomingMessage } from 'node:http';
import { createApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/node.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { makeScratchDatabase } from './database.ts';
import type { Route } from '../../src/contract/route.ts';
import type { AppOptions } from '../../src/http/app.ts';
import type { Studio, StudioOptions } from '../../src/studio/studio.ts';
import type { ScratchDatabase } from './database.ts';

/** The parts of a request that do not belong to the route. */
export interface TestRequest {
  /** Raw segments, by parameter. */
  readonly params?: Readonly<Record<string, string>>;
  /** Raw, without the question mark. */
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  /** Sends this Content-Length without a body. */
  readonly announcedBytes?: number;
}

export interface TestResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly bytes: Buffer;
  readonly text: string;
}

export interface TestStudio {
  readonly database: ScratchDatabase;
  readonly studio: Studio;
  /** The path parameter `file` is the last file of rejected rows, unless the request has another. */
  ask(
    route: Pick<Route, 'method' | 'path' | 'body'>,
    testRequest?: TestRequest,
  ): Promise<TestResponse>;
  close(): Promise<void>;
}

/** Serves a scratch database of its own. */
export async function serve(
  options: Partial<StudioOptions> & AppOptions = {},
): Promise<TestStudio> {
  const database = makeScratchDatabase();
  const studio = await createStudio({ url: database.path, ...options });
  const server = await listen({ app: createApp(studio, options), host: '127.0.0.1', port: 0 });
  const address = new URL(server.address);
  let rejectedFile = await addRejectedFile(studio);
  return {
    database,
    studio,
    ask: async (route, testRequest = {}) => {
      const params = { file: rejectedFile, ...testRequest.params };
      const response = await send(address, route, { ...testRequest, params });
      rejectedFile = /"rejected_file":"([^"]+)"/.exec(response.text)?.[1] ?? rejectedFile;
      return response;
    },
    close: async () => {
      await server.close();
      await studio.close();
      database.drop();
    },
  };
}

/** A file of rejected rows, as of an import without credentials. */
async function addRejectedFile({ rejectedFiles }: Studio): Promise<string> {
  const path = join(tmpdir(), `rejected-${randomUUID()}`);
  writeFileSync(path, 'import_error,id\n');
  const file = { owner: '', name: 'a-rejected.csv', mediaType: 'text/csv' };
  return (await rejectedFiles.add(path, file)) ?? '';
}

function send(
  address: URL,
  route: Pick<Route, 'method' | 'path' | 'body'>,
  testRequest: TestRequest,
): Promise<TestResponse> {
  const { params = {}, query = '', body, announcedBytes } = testRequest;
  const path = route.path.replace(/:(\w+)/g, (_all, name: string) => params[name] ?? '');
  const isJson = route.body !== undefined && 'json' in route.body;
  const headers = {
    ...(route.body === undefined
      ? {}
      : { 'Content-Type': isJson ? 'application/json' : 'application/octet-stream' }),
    ...(announcedBytes === undefined
      ? { 'Content-Length': String(Buffer.byteLength(body ?? '')) }
      : { 'Content-Length': String(announcedBytes) }),
    ...testRequest.headers,
  };
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      {
        host: address.hostname,
        port: address.port,
        method: route.method,
        path: `/studio/api${path}${query === '' ? '' : `?${query}`}`,
        headers,
        agent: false,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const bytes = Buffer.concat(chunks);
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            bytes,
            text: bytes.toString(),
          });
          request.destroy();
        });
        response.on('error', reject);
      },
    );
    request.on('error', reject);
    if (announcedBytes === undefined) request.end(body);
    else request.flushHeaders();
  });
}
