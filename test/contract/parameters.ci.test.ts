/**
 * Invalid values for every parameter: each one is reported as an error of the request, never as an
 * internal error.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorResponse } from '../../src/contract/error-response.ts';
import { pathParameterNames } from '../../src/contract/path.ts';
import { routes } from '../../src/contract/routes.ts';
import { goodRequests } from './requests.ts';
import { serve } from './server.ts';
import { sentence } from './studio-states.ts';
import type { Route } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';
import type { TestResponse, TestRequest, TestStudio } from './server.ts';

const everyRoute = Object.entries<Route>(routes) as [RouteId, Route][];

const nonsense = [
  '',
  ' ',
  'x',
  '-',
  '1.5',
  '1e3',
  '0x10',
  '٣',
  'null',
  'undefined',
  'NaN',
  'TRUE',
  'yes',
  '[]',
  '[1',
  '{}',
  '%',
  '_',
  '\\',
  "'",
  '"',
  "' OR 1=1 --",
  '; DROP TABLE users',
  '<script>',
  '../../etc/passwd',
  'a,b',
  '__proto__',
  'constructor',
  '😀',
  '\u202e',
  '9'.repeat(400),
  'x'.repeat(5000),
  '-9223372036854775809',
  '$base64',
  '\r\nX: y',
  '\t',
  '\u2028',
];

/** Raw segments with invalid percent-encoding. */
const undecodable = ['%', '%zz', '%FF', '%C3', '%00', 'a%00b', '%ED%A0%80'];

/**
 * Exports run in processes of their own, so only values that are rejected before that are tested
 * here.
 */
function nonsenseFor(id: RouteId): readonly string[] {
  return id.startsWith('export-') ? nonsense.filter((_, i) => i % 6 === 0) : nonsense;
}

let served: TestStudio;

beforeAll(async () => {
  served = await serve();
});

afterAll(() => served.close());

function expectResponse({ status, text }: TestResponse, label: string): void {
  expect(status, `${label}: ${text.slice(0, 200)}`).toBeLessThan(500);
  if (status < 400) return;
  const body = errorResponse.schema.parse(JSON.parse(text));
  expect(body.error).toMatch(sentence);
}

/** Only reads and failing writes, because a successful write would affect later requests. */
const readRoutes = everyRoute.filter(
  ([, { access, query }]) => access !== 'write' && Object.keys(query).length > 0,
);

function good(id: RouteId): TestRequest {
  const { title: _title, status: _status, ...testRequest } = goodRequests[id][0];
  return testRequest;
}

describe.each(readRoutes)('%s', (id, route) => {
  const parameters = Object.entries(route.query);

  test.each(parameters)('%s rejects invalid values', async (name, parameter) => {
    for (const text of nonsenseFor(id)) {
      const response = await served.ask(route, {
        ...good(id),
        query: `${name}=${encodeURIComponent(text)}`,
      });
      expectResponse(response, `${name}=${text}`);
      if (parameter.schema.safeParse(text).success) continue;
      expect(JSON.parse(response.text)).toMatchObject({
        code: 'invalid_parameter',
        parameter: name,
      });
    }
    for (const text of undecodable) {
      const response = await served.ask(route, { ...good(id), query: `${name}=${text}` });
      expect([response.status, (JSON.parse(response.text) as { code: string }).code]).toEqual([
        400,
        'invalid_parameter',
      ]);
    }
  });

  test.each(parameters.filter(([, { repeated, separated }]) => !repeated && separated !== true))(
    '%s is rejected if it is repeated',
    async (name) => {
      const response = await served.ask(route, { ...good(id), query: `${name}=1&${name}=1` });
      expect(JSON.parse(response.text)).toMatchObject({
        code: 'invalid_parameter',
        parameter: name,
      });
    },
  );
});

describe.each(everyRoute)('%s', (id, route) => {
  test('rejects unknown parameters', async () => {
    for (const name of ['x', '', 'Page', 'page[]', '__proto__', 'filter', 'filter_']) {
      const response = await served.ask(route, {
        ...good(id),
        query: `${encodeURIComponent(name)}=1`,
      });
      expect(response.status, `${name}: ${response.text}`).toBe(400);
    }
  });

  test.each(pathParameterNames(route.path))('rejects invalid values of :%s', async (name) => {
    for (const text of nonsenseFor(id).filter((candidate) => candidate !== '')) {
      const params = { ...good(id).params, [name]: encodeURIComponent(text) };
      expectResponse(await served.ask(route, { ...good(id), params }), `${name}=${text}`);
    }
    for (const text of undecodable) {
      const params = { ...good(id).params, [name]: text };
      expect((await served.ask(route, { ...good(id), params })).status, `${name}=${text}`).toBe(
        400,
      );
    }
  });

  test('rejects invalid bodies', async (context) => {
    if (route.body === undefined || !('json' in route.body)) context.skip('it takes no JSON');
    const bodies = [
      '',
      ' ',
      '{',
      '[',
      '}',
      'null',
      'true',
      '1',
      '"x"',
      '[]',
      '[[]]',
      '{"a"}',
      "{'a':1}",
      '{"a":1,}',
      'NaN',
      '{"a":1}{"b":2}',
      '\ufeff{}',
      '{"__proto__":{"x":1}}',
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      '{"query":null}',
      '{"ids":{}}',
    ];
    for (const body of [
      ...bodies,
      Buffer.from([0xff, 0xfe, 0x7b]),
      Buffer.from('{"a":"\ud800"}', 'latin1'),
      Buffer.from([0x7b, 0x22, 0xc3, 0x22, 0x7d]),
    ]) {
      const response = await served.ask(route, { ...good(id), body });
      expectResponse(response, String(body).slice(0, 40));
      expect(response.status, String(body).slice(0, 40)).toBeGreaterThanOrEqual(400);
    }
  });
});

describe('filters', () => {
  test.each(['id', 'name', 'age', 'score', 'avatar', 'bio', 'settings', 'deleted_at'])(
    'on %s reject invalid values',
    async (column) => {
      for (const operator of ['', '__eq', '__gt', '__like', '__in', '__null', '__contains']) {
        for (const text of nonsense) {
          const query = `filter_${column}${operator}=${encodeURIComponent(text)}`;
          expectResponse(
            await served.ask(routes['list-rows'], { params: { table: 'users' }, query }),
            query,
          );
        }
      }
    },
  );
});

describe('headers', () => {
  test.each([
    'If-None-Match',
    'If-Match',
    'Content-Type',
    'Accept',
    'Authorization',
    'Cookie',
    'Origin',
    'Sec-Fetch-Site',
    'Range',
    'Host',
  ])('%s can have any value', async (header) => {
    for (const value of [
      '',
      ' ',
      'x',
      '"',
      '*',
      '",", "',
      'W/"x"',
      'a'.repeat(2000),
      '\u00ff',
      'studio_session=%',
      'Basic !',
      'Bearer',
      '127.0.0.1:x',
      '[::1',
      'null',
    ]) {
      const response = await served.ask(routes['get-row'], {
        params: { table: 'users', id: '1' },
        headers: { [header]: value },
      });
      expect(response.status, `${header}: ${value}`).toBeLessThan(500);
    }
  });
});
