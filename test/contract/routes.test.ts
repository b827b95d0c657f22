import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/contract/routes.ts';
import { goodRequests } from './requests.ts';
import { serve } from './server.ts';
import type { ResponseForm, Route } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';
import type { TestResponse, TestStudio } from './server.ts';

let served: TestStudio;

beforeAll(async () => {
  served = await serve();
});

afterAll(() => served.close());

const everyRoute = Object.entries<Route>(routes) as [RouteId, Route][];

/** Parsing would drop members that the schema does not know. */
function expectFits(form: ResponseForm, { text }: TestResponse): void {
  const body: unknown = JSON.parse(text);
  expect(form.json?.schema.parse(body)).toEqual(body);
}

function expectDeclaredType({ json, contentTypes }: ResponseForm, response: TestResponse): void {
  const declared = json === undefined ? (contentTypes ?? []) : ['application/json'];
  const [type] = (response.headers['content-type'] ?? '').split(';');
  expect(declared.length === 0 ? [''] : declared).toContain(type);
}

test('every route has a request', () => {
  expect(Object.keys(goodRequests).toSorted()).toEqual(Object.keys(routes).toSorted());
});

describe.each(everyRoute)('%s', (id, route) => {
  test.each(goodRequests[id])(
    '$title: the response matches its schema',
    async ({ status = 200, ...testRequest }) => {
      const response = await served.ask(route, testRequest);
      expect({
        status: response.status,
        text: status === response.status ? '' : response.text,
      }).toEqual({
        status,
        text: '',
      });
      const form = route.responses[status];
      if (form === undefined)
        throw new Error(`The contract declares no response with status ${status}.`);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(response.headers['x-content-type-options']).toBe('nosniff');
      expectDeclaredType(form, response);
      if (form.json !== undefined) expectFits(form, response);
    },
  );

  test('responds to HEAD as to GET, without a body', async (context) => {
    if (route.method !== 'GET') context.skip('HEAD belongs to GET');
    const [{ title: _title, status, ...testRequest }] = goodRequests[id];
    const head = await served.ask({ ...route, method: 'HEAD' as Route['method'] }, testRequest);
    expect({ status: head.status, text: head.text }).toEqual({ status: status ?? 200, text: '' });
  });

  test('lists the allowed methods if another one is used', async () => {
    const wrong = await served.ask(
      { ...route, method: 'PATCH' as Route['method'] },
      goodRequests[id][0],
    );
    expect(wrong.status).toBe(405);
    expect(JSON.parse(wrong.text)).toMatchObject({ code: 'method_not_allowed' });
    expect(wrong.headers.allow?.split(', ')).toContain(route.method);
  });
});

describe('response headers', () => {
  const {
    'get-row': getRow,
    'create-row': createRow,
    'read-cell': readCell,
    'list-rows': listRows,
  } = routes;

  test('a row has a strong entity tag, and is not sent again while it is unchanged', async () => {
    const { headers } = await served.ask(getRow, { params: { table: 'users', id: '30' } });
    const tag = headers.etag ?? '';
    expect(tag).toMatch(/^"[^"]+"$/);
    const again = await served.ask(getRow, {
      params: { table: 'users', id: '30' },
      headers: { 'If-None-Match': `"x", ${tag}` },
    });
    expect({ status: again.status, text: again.text, tag: again.headers.etag }).toEqual({
      status: 304,
      text: '',
      tag,
    });
  });

  test('a new row has a Location that leads to it', async () => {
    const created = await served.ask(createRow, {
      params: { table: 'memberships' },
      body: '{"team":"a,b/c?~","user_id":4}',
    });
    const location = created.headers.location ?? '';
    expect(location).toBe('/studio/api/tables/memberships/rows/a%2Cb%2Fc%3F~,4');
    const { text, headers } = await served.ask({
      method: 'GET',
      path: location.replace('/studio/api', '') as `/${string}`,
    });
    expect(JSON.parse(text)).toEqual((JSON.parse(created.text) as { data: unknown }).data);
    expect(headers.etag).toBe(created.headers.etag);
  });

  test('a cell is a download that browsers do not display', async () => {
    const { headers, bytes } = await served.ask(readCell, {
      params: { table: 'users', id: '1', column: 'avatar' },
    });
    expect(bytes.toString('hex')).toBe('00ff');
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-disposition']).toMatch(/^attachment; filename/);
    expect(headers['content-security-policy']).toBeDefined();
  });

  test('a value out of range is clamped, and the response contains the actual value', async () => {
    const pageOf = async (query: string) => {
      const { page, page_size } = JSON.parse(
        (await served.ask(listRows, { params: { table: 'users' }, query })).text,
      ) as { page: number; page_size: number };
      return [page, page_size];
    };
    expect(await pageOf('')).toEqual([1, 50]);
    expect(await pageOf('page=0&page_size=0')).toEqual([1, 1]);
    expect(await pageOf('page=-7&page_size=-1')).toEqual([1, 1]);
    expect(await pageOf('page=3&page_size=501')).toEqual([3, 500]);
    expect(await pageOf('page_size=99999999999999999999')).toEqual([1, 500]);
  });
});
