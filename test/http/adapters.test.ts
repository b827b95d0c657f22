import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createStudio } from '../../src/index.ts';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { EmbeddedStudio } from '../../src/index.ts';

/** One studio, mounted in each server that the library has an adapter for. */
let folder: string;
let studio: EmbeddedStudio;
const hostResponse = globalThis.Response;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'studio-adapters-'));
  studio = await createStudio({
    url: join(folder, 'app.db'),
    create: true,
    allowDdl: true,
    prefix: '/db/studio',
  });
  await post(await fetcher(), '/sql', {
    query: 'CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT)',
  });
});

afterAll(async () => {
  await studio.close();
  await rm(folder, { recursive: true });
});

type Send = (path: string, init?: RequestInit) => Promise<Response>;

async function fetcher(): Promise<Send> {
  return async (path, init) => studio.fetch(new Request(`http://localhost${path}`, init));
}

function post(send: Send, path: string, body: unknown): Promise<Response> {
  const init = {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
  return send(`/db/studio/api${path}`, init);
}

const servers: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(servers.map((close) => close())));

async function overSocket(listener: RequestListener): Promise<Send> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  servers.push(() => close(server));
  const { port } = server.address() as AddressInfo;
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

function close(server: Server): Promise<unknown> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
}

async function overExpress(): Promise<Send> {
  const app = express();
  app.use('/db', studio.express);
  app.use(express.json());
  app.get('/db/other', (_request, response) => void response.send('other'));
  return overSocket(app);
}

async function overFastify(): Promise<Send> {
  const app = fastify();
  app.get('/db/other', async () => 'other');
  app.post('/echo', async (request) => request.body);
  await app.register(studio.fastify);
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  servers.push(() => app.close());
  return (path, init) => fetch(`${address}${path}`, init);
}

const adapters: readonly (readonly [string, () => Promise<Send>])[] = [
  ['fetch', fetcher],
  ['node:http', () => overSocket((request, response) => void studio.node(request, response))],
  ['Express', overExpress],
  ['Fastify', overFastify],
];

describe.each(adapters)('%s', (name, open) => {
  test('serves the API and the pages at the prefix', async () => {
    const send = await open();
    const config = await send('/db/studio/api/config');
    expect(await config.json()).toMatchObject({ prefix: '/db/studio' });
    const page = await send('/db/studio/');
    expect(page.headers.get('content-type')).toMatch(/^text\/html/);
  });

  test('passes request bodies to the studio', async () => {
    const send = await open();
    const created = await post(send, '/tables/t/rows', { name });
    expect(created.status).toBe(201);
    const list = await send(`/db/studio/api/tables/t/rows?filter_name=${encodeURIComponent(name)}`);
    expect(await list.json()).toMatchObject({ total: 1, data: [{ name }] });
  });
});

describe.each([
  ['Express', overExpress],
  ['Fastify', overFastify],
] as const)('%s', (_name, open) => {
  test('still serves the routes of the program', async () => {
    expect(await (await (await open())('/db/other')).text()).toBe('other');
  });
});

const express4 = createRequire(import.meta.url)('express4') as typeof express;

describe.each([
  ['Express 4', express4],
  ['Express 5', express],
] as const)('%s behind a body parser', (_name, framework) => {
  async function overParser(): Promise<Send> {
    const app = framework();
    app.use(framework.json());
    app.use('/db', studio.express);
    return overSocket(app);
  }

  test('a body that has been read is an error that names the parser', async () => {
    const response = await post(await overParser(), '/tables/t/rows', { name: 'late' });
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({
      code: 'invalid_body',
      error: expect.stringMatching(/express\.json\(\).*before it/s) as string,
    });
  });

  test('requests without such a body are served', async () => {
    const send = await overParser();
    expect((await send('/db/studio/api/tables/t/rows')).status).toBe(200);
    const refreshed = await send('/db/studio/api/schema/refresh', { method: 'POST' });
    expect(refreshed.status).toBe(200);
    const file = new FormData();
    file.append('file', new Blob(['name\nfrom a file\n']), 't.csv');
    const imported = await send('/db/studio/api/import/data?table=t', {
      method: 'POST',
      body: file,
    });
    expect(imported.status).toBe(200);
  });
});

test("the host program's Request and Response stay its own", () => {
  expect(globalThis.Response).toBe(hostResponse);
});

test('a missing file is an error that says so', async () => {
  await expect(createStudio({ url: join(folder, 'none.db') })).rejects.toMatchObject({
    code: 'database_unavailable',
  });
});
