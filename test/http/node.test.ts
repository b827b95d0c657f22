import { once } from 'node:events';
import { request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';

import { createApp } from '../../src/http/app.ts';
import { listen } from '../../src/http/node.ts';
import { fakeStudio } from './fake-studio.ts';
import { failureOf } from './requests.ts';
import type { IncomingMessage } from 'node:http';
import type { HttpServer } from '../../src/http/node.ts';
import type { FakeStudio } from './fake-studio.ts';

const open: HttpServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function start(studio: FakeStudio = fakeStudio(), host = '127.0.0.1'): Promise<HttpServer> {
  const server = await listen({ app: createApp(studio), host, port: 0 });
  open.push(server);
  return server;
}

/** The response of the server to raw bytes that no HTTP client would send. */
async function sendBytes({ address }: HttpServer, bytes: string): Promise<string> {
  const { hostname, port } = new URL(address);
  const socket = connect(Number(port), hostname);
  socket.write(bytes, 'latin1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(socket, 'close');
  return Buffer.concat(chunks).toString();
}

describe('listening', () => {
  test('uses a free port and reports it', async () => {
    const { address } = await start();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    const response = await fetch(`${address}/studio/api/config`);
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe('58');
  });

  test.for(['::1', '[::1]'])('%s is printed in brackets', async (host, { skip }) => {
    const server = await start(fakeStudio(), host).catch((error: NodeJS.ErrnoException) => error);
    if (server instanceof Error) {
      expect(server).toMatchObject({ syscall: 'listen' });
      skip('this machine has no IPv6');
      return;
    }
    expect(server.address).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await fetch(`${server.address}/studio/api/health`)).status).toBe(200);
  });

  test('on a port in use fails', async () => {
    const { address } = await start();
    const port = Number(new URL(address).port);
    await expect(
      listen({ app: createApp(fakeStudio()), host: '127.0.0.1', port }),
    ).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});

describe('over a socket', () => {
  test('bytes and text arrive unchanged', async () => {
    const body = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256);
    const { address } = await start(fakeStudio({ body, meta: { fileName: 'c' } }));
    const response = await fetch(`${address}/studio/api/tables/t/rows/1/cells/c`);
    expect(new Uint8Array(await response.arrayBuffer())).toStrictEqual(body);
  });

  test('HEAD returns the length, and 304 has no body', async () => {
    const { address } = await start(fakeStudio({ body: '{"é":1}', meta: { etag: '"a"' } }));
    const url = `${address}/studio/api/tables/t/rows/1`;
    const head = await fetch(url, { method: 'HEAD' });
    expect(head.headers.get('content-length')).toBe('8');
    const unchanged = await fetch(url, { headers: { 'If-None-Match': '"a"' } });
    expect(unchanged.status).toBe(304);
  });

  test('a long query is accepted', async () => {
    const { address } = await start();
    const list = JSON.stringify(Array.from({ length: 4000 }, (_, i) => i));
    const response = await fetch(
      `${address}/studio/api/tables/t/rows?filter_id__in=${encodeURIComponent(list)}`,
    );
    expect(response.status).toBe(200);
  });

  test('a client that disconnects aborts its request', async () => {
    const ended = Promise.withResolvers<void>();
    const hasBegun = Promise.withResolvers<void>();
    const studio = fakeStudio({
      reply: ({ options }) => {
        hasBegun.resolve();
        return new Promise((_resolve, reject) => {
          options.signal?.addEventListener('abort', () => {
            ended.resolve();
            reject(new Error('aborted'));
          });
        });
      },
    });
    const { address } = await start(studio);
    const controller = new AbortController();
    const gone = fetch(`${address}/studio/api/schema`, { signal: controller.signal }).catch(
      () => 'gone',
    );
    await hasBegun.promise;
    controller.abort();
    expect(await gone).toBe('gone');
    await ended.promise;
  });
});

describe('an invalid request gets the error response of the API', () => {
  test.for([
    ['garbage\r\n\r\n', 400, 'invalid_parameter'],
    ['GET /studio/api/config HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'invalid_parameter'],
    ['GET * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n', 400, 'invalid_parameter'],
    [
      'GET /a\\b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
      'invalid_parameter',
    ],
    [
      'GET /caf\xe9 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
      400,
      'invalid_parameter',
    ],
    ['GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400, 'invalid_parameter'],
    [`GET / HTTP/1.1\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`, 431, 'too_large'],
  ] as const)('%j', async ([bytes, status, code]) => {
    const text = await sendBytes(await start(), bytes);
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    const response = new Response(body, {
      status,
      headers: { 'content-type': 'application/json' },
    });
    expect(await failureOf(response)).toMatchObject({ code });
  });
});

describe('closing', () => {
  test('waits for running requests, and closes idle connections', async () => {
    const hasBegun = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const studio = fakeStudio({
      reply: async () => {
        hasBegun.resolve();
        await finish.promise;
        return { body: '{"done":true}', meta: {} };
      },
    });
    const server = await listen({ app: createApp(studio), host: '127.0.0.1', port: 0 });
    await (await fetch(`${server.address}/studio/api/config`)).text();
    const running = fetch(`${server.address}/studio/api/schema`);
    await hasBegun.promise;
    const closed = server.close();
    finish.resolve();
    expect(await (await running).json()).toStrictEqual({ done: true });
    await closed;
    await expect(fetch(`${server.address}/studio/api/config`)).rejects.toThrow('fetch failed');
  });

  test('does not wait for the body of a rejected request', async () => {
    const server = await listen({ app: createApp(fakeStudio()), host: '127.0.0.1', port: 0 });
    const sent = request(`${server.address}/studio/api/config`, {
      method: 'POST',
      headers: { 'content-length': '1000' },
    });
    sent.on('error', () => {});
    sent.write('x');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(405);
    response.resume();
    await server.close();
    sent.destroy();
  });
});
