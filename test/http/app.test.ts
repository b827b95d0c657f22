import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createApp } from '../../src/http/app.ts';
import { StudioError } from '../../src/model/errors.ts';
import { encodeSegment } from '../../src/model/row-id.ts';
import { fakeStudio } from './fake-studio.ts';
import { ask, askApi, failureOf, origin } from './requests.ts';

describe('each route calls its operation', () => {
  test.for([
    ['/schema', 'get-schema', {}],
    ['/schema?counts=exact', 'get-schema', { counts: 'exact' }],
    ['/tables/users/rows/1', 'get-row', { table: 'users', id: '1', showDeleted: false }],
    [
      '/tables/users/rows/1/cells/avatar',
      'read-cell',
      { table: 'users', id: '1', column: 'avatar', showDeleted: false },
    ],
  ] as const)('GET %s', async ([path, operation, input]) => {
    const { studio, response } = await askApi(path);
    expect(response.status).toBe(200);
    expect(studio.calls).toMatchObject([{ operation, input }]);
  });

  test('POST /schema/refresh calls refresh-schema', async () => {
    const { studio } = await askApi('/schema/refresh?counts=exact', { init: { method: 'POST' } });
    expect(studio.calls).toMatchObject([
      { operation: 'refresh-schema', input: { counts: 'exact' } },
    ]);
  });

  test('a relation accepts every parameter of the row list', async () => {
    const { studio } = await askApi(
      '/tables/users/rows/1/relations/Posts?page=2&filter_a=1&sort_by=b',
    );
    expect(studio.calls).toMatchObject([
      {
        operation: 'list-related',
        input: {
          table: 'users',
          id: '1',
          relation: 'Posts',
          query: {
            page: 2,
            filters: [{ name: 'a', value: '1' }],
            sort: [{ column: 'b', descending: false }],
          },
        },
      },
    ]);
  });

  test('the end of a request aborts the operation', async () => {
    const { studio } = await askApi('/schema');
    expect(studio.calls[0]?.options.signal).toBeInstanceOf(AbortSignal);
  });
});

describe('path segments', () => {
  test.for(['1,2', 'a%2Cb,c', '%2e', '~', '~~.', 'a%2Fb', '%C3%A9', 'A+B', "it's", '%E2%80%AE'])(
    'the id %s stays percent-encoded',
    async (id) => {
      const { studio } = await askApi(`/tables/t/rows/x${id}`);
      expect(studio.calls[0]?.input).toMatchObject({ id: `x${id}` });
    },
  );

  test('any name is decoded, for tables and columns', async () => {
    const name = fc
      .string({ unit: 'grapheme' })
      .filter((text) => text.isWellFormed() && !text.includes('\0'));
    await fc.assert(
      fc.asyncProperty(name, name, async (table, column) => {
        const path = `/tables/${encodeSegment(table)}/rows/1/cells/${encodeSegment(column)}`;
        const { studio } = await askApi(path);
        expect(studio.calls[0]?.input).toMatchObject({ table, column });
      }),
    );
  });

  test.for([
    ['~', ''],
    ['~.', '.'],
    ['~..', '..'],
    ['~~', '~'],
    ['~~..', '~..'],
    ['~a', '~a'],
    ['a%2Fb%3Fc', 'a/b?c'],
    ['__proto__', '__proto__'],
    ['sales.orders', 'sales.orders'],
    ['a+b', 'a+b'],
  ] as const)('%s is the table "%s"', async ([segment, table]) => {
    const { studio } = await askApi(`/tables/${segment}/rows`);
    expect(studio.calls[0]?.input).toMatchObject({ table });
  });

  test.for([
    ['/tables/%FF/rows', 'invalid_parameter'],
    ['/tables/%zz/rows', 'invalid_parameter'],
    ['/tables/a%00b/rows', 'invalid_parameter'],
    ['/tables/t/rows/%FF', 'invalid_id'],
    ['/tables/t/rows/1,%zz', 'invalid_id'],
    ['/tables/t/rows/%00', 'invalid_id'],
    ['/tables/t/rows/1/relations/%C3', 'invalid_parameter'],
    ['/tables/t/rows/1/cells/%', 'invalid_parameter'],
  ] as const)('%s is 400 %s', async ([path, code]) => {
    const { studio, response } = await askApi(path);
    expect(await failureOf(response)).toMatchObject({ status: 400, code });
    expect(studio.calls).toStrictEqual([]);
  });
});

describe('responses', () => {
  test('the JSON of an operation is returned unchanged', async () => {
    const body = '{"price":10.50,"big":"9007199254740993"}';
    const { response } = await askApi('/tables/t/rows/1', { studio: fakeStudio({ body }) });
    expect(response.headers.get('content-type')).toBe('application/json');
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe(body);
  });

  test('GET /config has the settings of the studio', async () => {
    const studio = fakeStudio({ config: { readOnly: true, disableSql: true } });
    const { response } = await askApi('/config', { studio });
    expect(await response.json()).toStrictEqual({
      read_only: true,
      disable_sql: true,
      prefix: '/studio',
    });
  });

  test('GET /stats has the counters of the connections', async () => {
    const { response } = await askApi('/stats');
    expect(await response.json()).toStrictEqual({
      max_open_connections: 10,
      open_connections: 3,
      in_use: 1,
      idle: 2,
      wait_count: 4,
      wait_duration: 1.5,
    });
  });

  test.for([
    [true, 200],
    [false, 503],
  ] as const)(
    'GET /health of a studio that is ready (%s) has the status %s',
    async ([ready, status]) => {
      const { response } = await askApi('/health', { studio: fakeStudio({ ready }) });
      expect(response.status).toBe(status);
      expect(await response.json()).toStrictEqual({ live: true, ready });
    },
  );

  test('a value of a cell is a download', async () => {
    const body = Uint8Array.of(0, 255, 1);
    const studio = fakeStudio({
      body,
      meta: { fileName: '../a"b\r\né.png', contentType: 'text/html' },
    });
    const { response } = await askApi('/tables/t/rows/1/cells/c', { studio });
    expect(response.headers.get('content-type')).toBe('text/html');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain('sandbox');
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="_a_b___.png"; filename*=UTF-8''_a_b__%C3%A9.png`,
    );
    expect(new Uint8Array(await response.arrayBuffer())).toStrictEqual(body);
  });

  test('a cell that is NULL has status 204 and no content', async () => {
    const studio = fakeStudio({ body: '', meta: { isNull: true, fileName: 'c' } });
    const { response } = await askApi('/tables/t/rows/1/cells/c', { studio });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe('');
  });
});

describe('If-None-Match', () => {
  const studio = () => fakeStudio({ body: '{"id":1}', meta: { etag: '"abc"' } });
  const askWith = (tags: string) =>
    askApi('/tables/t/rows/1', { studio: studio(), init: { headers: { 'If-None-Match': tags } } });

  test.for(['"abc"', 'W/"abc"', '"x", "abc"', '*'])(
    '%s: 304, with the entity tag and without a body',
    async (tags) => {
      const { response } = await askWith(tags);
      expect(response.status).toBe(304);
      expect(response.headers.get('etag')).toBe('"abc"');
      expect(await response.text()).toBe('');
    },
  );

  test.for(['"abd"', 'abc', ''])('"%s": returns the row', async (tags) => {
    const { response } = await askWith(tags);
    expect(response.status).toBe(200);
    expect(response.headers.get('etag')).toBe('"abc"');
  });
});

describe('methods', () => {
  test.for(['/config', '/schema', '/tables/t/rows', '/openapi.json'])(
    'HEAD %s is GET without the body',
    async (path) => {
      const studio = () => fakeStudio({ body: '{"é":1}' });
      const headers = { 'X-Request-Id': 'one' };
      const get = await askApi(path, { studio: studio(), init: { headers } });
      const head = await askApi(path, { studio: studio(), init: { method: 'HEAD', headers } });
      expect(head.response.status).toBe(200);
      expect(await head.response.text()).toBe('');
      const length = new TextEncoder().encode(await get.response.text()).length;
      expect(head.response.headers.get('content-length')).toBe(String(length));
      for (const [name, value] of get.response.headers) {
        // Each of the two requests took its own time.
        if (name !== 'server-timing') expect(head.response.headers.get(name)).toBe(value);
      }
      expect(head.response.headers.has('server-timing')).toBe(true);
    },
  );

  test.for([
    ['DELETE', '/schema', 'GET, HEAD, OPTIONS'],
    ['POST', '/config', 'GET, HEAD, OPTIONS'],
    ['GET', '/schema/refresh', 'POST, OPTIONS'],
    ['HEAD', '/schema/refresh', 'POST, OPTIONS'],
    ['PATCH', '/tables/t/rows/1/cells/c', 'GET, HEAD, PUT, OPTIONS'],
  ] as const)('%s %s: 405, allowed are %s', async ([method, path, allow]) => {
    const { response } = await askApi(path, { init: { method } });
    expect(response.headers.get('allow')).toBe(allow);
    expect(response.status).toBe(405);
    if (method === 'HEAD') return;
    expect(await failureOf(response)).toMatchObject({
      code: 'method_not_allowed',
      allow: allow.split(', '),
    });
  });

  test('OPTIONS lists the methods of a path', async () => {
    const { response, studio } = await askApi('/schema/refresh', { init: { method: 'OPTIONS' } });
    expect(response.status).toBe(204);
    expect(response.headers.get('allow')).toBe('POST, OPTIONS');
    expect(response.headers.get('access-control-allow-methods')).toBeNull();
    expect(studio.calls).toStrictEqual([]);
  });
});

describe('unknown routes', () => {
  test.for([
    ['/tabels/users/rows', 'GET /tables/:table/rows'],
    ['/tables/users/row', 'GET /tables/:table/rows'],
    ['/tables/users/rows/1/relation/Posts', 'GET /tables/:table/rows/:id/relations/:relation'],
    ['/shema', 'GET /schema'],
    ['/schema/', 'GET /schema'],
    ['/openapi.jsn', 'GET /openapi.json'],
  ] as const)('%s: the error suggests %s', async ([path, near]) => {
    const { response } = await askApi(path);
    expect(await failureOf(response)).toMatchObject({
      status: 404,
      code: 'not_found',
      nearest: near,
    });
  });

  test('without a similar route: the error says where all routes are listed', async () => {
    const { response } = await askApi(`/${'x'.repeat(5000)}`);
    const failure = await failureOf(response);
    expect(failure.error).toContain('openapi.json lists all routes');
    expect(failure.error.length).toBeLessThan(400);
  });

  test.for([
    '/studio/api',
    '/studio/nothing',
    '/other',
    '/studio/../etc/passwd',
    '/studioapi/config',
  ])('%s is 404', async (path) => {
    const { response } = await ask(path);
    expect(await failureOf(response)).toMatchObject({ status: 404, code: 'not_found' });
  });
});

describe('the prefix', () => {
  test.for(['/studio', '/', '/db/studio', '/a b'])(
    '%s is that of the API and the pages',
    async (prefix) => {
      const base = encodeURI(prefix === '/' ? '' : prefix);
      const studio = fakeStudio({ config: { prefix } });
      const config = await ask(`${base}/api/config`, { studio });
      expect(await config.response.json()).toMatchObject({ prefix });
      const rows = await ask(`${base}/api/tables/t/rows?page=2`, { studio });
      expect(rows.response.status).toBe(200);
      const page = await ask(`${base}/`, { studio });
      expect(page.response.headers.get('content-type')).toBe('text/html; charset=utf-8');
    },
  );

  test.for([
    ['/studio', '/studio', '/studio/'],
    ['/studio', '/', '/studio/'],
    ['/db/studio', '/db/studio', '/db/studio/'],
  ] as const)('under %s, %s redirects to %s', async ([prefix, path, location]) => {
    const { response } = await ask(path, { studio: fakeStudio({ config: { prefix } }) });
    expect(response.status).toBe(302);
    expect(response.headers.get('location')).toBe(location);
  });

  test('paths outside the prefix are not found', async () => {
    const { response } = await ask('/studio/api/config', {
      studio: fakeStudio({ config: { prefix: '/db' } }),
    });
    expect(response.status).toBe(404);
  });
});

describe('the start page', () => {
  test('loads nothing that its Content-Security-Policy forbids', async () => {
    const { response } = await ask('/studio/');
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    expect(response.headers.get('x-frame-options')).toBe('DENY');
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|style=|\son\w+=|https?:/);
    const links = [...html.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, link]) => link ?? '');
    expect(links.length).toBeGreaterThan(1);
    for (const link of links) {
      expect(link.startsWith('/studio/')).toBe(true);
      expect((await ask(link)).response.status, link).toBe(200);
    }
  });

  test('is the same at every path, under any prefix', async () => {
    const studio = fakeStudio({ config: { prefix: '/db/studio' } });
    for (const path of ['', 'tables/users', 'tables/a%2Fb', 'sql', 'import']) {
      const { response } = await ask(`/db/studio/${path}`, { studio });
      expect(response.status, path).toBe(200);
      expect(await response.text()).toContain('name="studio-base" content="/db/studio"');
    }
    const { response } = await ask('/db/studio/nothing', { studio });
    expect(response.status).toBe(404);
  });

  test('accepts GET and HEAD only', async () => {
    const { response } = await ask('/studio/', { init: { method: 'POST' } });
    expect(response.headers.get('allow')).toBe('GET, HEAD');
    expect(await failureOf(response)).toMatchObject({ status: 405 });
  });
});

describe('failures', () => {
  test('a StudioError has the status of its code, and its details', async () => {
    const error = new StudioError('table_not_found', 'There is no table "x".', {
      nearest: 'y',
      count: 9007199254740993n,
    });
    const { response } = await askApi('/tables/x/rows', {
      studio: fakeStudio({ reply: () => Promise.reject(error) }),
    });
    expect(await failureOf(response)).toStrictEqual({
      status: 404,
      error: 'There is no table "x".',
      code: 'table_not_found',
      nearest: 'y',
      count: '9007199254740993',
    });
  });

  test('any other error is an internal error, whose details go to the log only', async () => {
    const secret = 'SELECT password FROM users at /srv/app.ts:1';
    const studio = fakeStudio({ reply: () => Promise.reject(new Error(secret)) });
    const logged: { readonly id?: string; readonly err?: Error }[] = [];
    const app = createApp(studio, { log: { error: (fields) => logged.push(fields) } });
    const response = await app.fetch(new Request(`${origin}/studio/api/schema`));
    const failure = await failureOf(response);
    expect(failure).toMatchObject({ status: 500, code: 'internal' });
    expect(JSON.stringify(failure)).not.toContain('password');
    expect(logged).toHaveLength(1);
    expect(logged[0]?.id).toBe(failure['id']);
    expect(logged[0]?.err?.message).toBe(secret);
  });

  test('a thrown value that is not an Error is an internal error too', async () => {
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    const { response } = await askApi('/schema', {
      studio: fakeStudio({ reply: () => Promise.reject('text') }),
    });
    expect(await failureOf(response)).toMatchObject({ status: 500, code: 'internal' });
  });

  test('a client that disconnects is no error', async () => {
    const logged: object[] = [];
    const controller = new AbortController();
    const studio = fakeStudio({
      reply: async ({ options }) => {
        controller.abort();
        throw options.signal?.reason;
      },
    });
    const app = createApp(studio, { log: { error: (fields) => logged.push(fields) } });
    await app.fetch(new Request(`${origin}/studio/api/schema`, { signal: controller.signal }));
    expect(logged).toStrictEqual([]);
  });
});
