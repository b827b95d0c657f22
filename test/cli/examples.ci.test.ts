/** The programs of examples/ run with the built package, and with each supported version of their framework. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createClient } from '../../src/client.ts';
import { makeFolder } from './command.ts';
import { copyPackage } from './copy-package.ts';
import { freePort } from '../servers/free-port.ts';
import type { AddressInfo, Server } from 'node:net';

const root = join(import.meta.dirname, '..', '..');
const isBuilt = existsSync(join(root, 'dist', 'LICENSES.txt'));

/** The names under which a framework is imported, and where it is installed here. */
type Packages = Readonly<Record<string, string>>;

function installExample(example: string, packages: Packages): string {
  const folder = makeFolder();
  cpSync(join(root, 'examples', example), folder, { recursive: true });
  copyPackage(join(folder, 'node_modules', 'database-studio'));
  for (const [name, installed] of Object.entries(packages)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, 'node_modules', installed), link, 'junction');
  }
  return folder;
}

async function portOf(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

/** Runs the program of an example, and returns its address. */
async function startExample(example: string, packages: Packages): Promise<string> {
  const folder = installExample(example, packages);
  const port = await freePort();
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const address = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The program ended: ${stderr}`);
    const response = await fetch(`${address}/studio/api/health`).catch(() => undefined);
    if (response?.ok === true) return address;
    await sleep(50);
  }
}

/** Creates a table from a file, reads it, and changes and exports a row. */
async function useStudio(address: string): Promise<void> {
  const client = createClient({ url: `${address}/studio` });
  const body = new FormData();
  body.append('file', new Blob(['id,name\n1,Ada\n']), 'people.csv');
  const imported = await client.call('POST /import/data', { body, query: { create_table: true } });
  expect(imported.body.rows_imported).toBe(1);
  const params = { table: 'people', id: '1' };
  const changed = await client.call('PUT /tables/:table/rows/:id', {
    params,
    body: { name: 'Grace' },
  });
  expect(changed.body.data).toEqual({ id: 1, name: 'Grace' });
  const file = await client.stream('GET /export/data', { query: { format: 'json' } });
  expect(await file.json()).toEqual({ people: [{ id: 1, name: 'Grace' }] });
  await expect(
    client.call('GET /tables/:table/rows', { params: { table: 'x' } }),
  ).rejects.toMatchObject({ status: 404, code: 'table_not_found' });
  const page = await fetch(`${address}/studio`);
  expect(page.url).toBe(`${address}/studio/`);
  expect(await page.text()).toContain('<script');
}

const frameworks: readonly (readonly [title: string, example: string, Packages])[] = [
  ['Express 4', 'express', { express: 'express4' }],
  ['Express 5', 'express', { express: 'express' }],
  ['Fastify', 'fastify', { fastify: 'fastify' }],
  ['Hono', 'hono', { hono: 'hono', '@hono/node-server': '@hono/node-server' }],
  ['Koa', 'koa', { koa: 'koa' }],
];

describe.skipIf(!isBuilt)('the example of', () => {
  test.each(frameworks)(
    '%s serves the studio and its own routes',
    async (_title, example, packages) => {
      const address = await startExample(example, packages);
      await useStudio(address);
      const response = await fetch(`${address}/echo`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: '{"a":1}',
      });
      expect(await response.json()).toEqual({ a: 1 });
    },
  );

  test('Next.js serves the page where Next.js removes the slash, without a loop', async () => {
    const folder = installExample('nextjs', {});
    const route = join(folder, 'app', 'studio', '[[...path]]', 'route.js');
    const previous = process.env['DATABASE_URL'];
    process.env['DATABASE_URL'] = join(folder, 'shop.db');
    const handlers = (await import(/* @vite-ignore */ pathToFileURL(route).href)) as Readonly<
      Record<string, (request: Request) => Promise<Response>>
    >;
    if (previous === undefined) delete process.env['DATABASE_URL'];
    else process.env['DATABASE_URL'] = previous;
    // Next.js redirects paths that end in a slash before any handler sees them.
    const server = createServer(async (incoming, outgoing) => {
      const { url = '/', method = 'GET', headers } = incoming;
      if (url.endsWith('/')) {
        outgoing.writeHead(308, { Location: url.slice(0, -1) }).end();
        return;
      }
      const body = Buffer.concat(await incoming.toArray());
      const request = new Request(`http://${headers.host}${url}`, {
        method,
        headers: Object.entries(headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ]),
        ...(body.length === 0 ? {} : { body }),
      });
      const response = await handlers[method]!(request);
      outgoing.writeHead(response.status, Object.fromEntries(response.headers));
      outgoing.end(Buffer.from(await response.arrayBuffer()));
    });
    const address = `http://127.0.0.1:${await portOf(server)}`;
    onTestFinished(() => void server.close());
    for (const path of ['/studio', '/studio/', '/studio/sql']) {
      const page = await fetch(`${address}${path}`);
      expect(page.status, path).toBe(200);
      const text = await page.text();
      const [, script = ''] = /<script[^>]*src="([^"]+)"/.exec(text) ?? [];
      expect((await fetch(`${address}${script}`)).status, script).toBe(200);
    }
    const client = createClient({ url: `${address}/studio` });
    const { body } = await client.call('POST /sql', { body: { query: 'SELECT 1 AS one' } });
    expect(body).toMatchObject({ rows: [{ one: 1 }] });
  });
});
