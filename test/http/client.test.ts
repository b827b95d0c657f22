import { describe, expect, expectTypeOf, test } from 'vitest';

import { createClient } from '../../src/contract/client.ts';
import { NumberToken, parseExactJson } from '../../src/contract/number-token.ts';
import { createApp } from '../../src/http/app.ts';
import { StudioError } from '../../src/model/errors.ts';
import { fakeStudio } from './fake-studio.ts';
import { origin } from './requests.ts';
import type { Cell, Client } from '../../src/contract/client.ts';
import type { FakeStudio } from './fake-studio.ts';

/** A client whose requests go straight into an app. */
function clientOf(studio: FakeStudio): Client {
  const app = createApp(studio);
  return createClient({
    baseUrl: `${origin}/studio/api`,
    fetch: (input, init) => app.fetch(new Request(input, init)),
  });
}

describe('numbers keep their source text', () => {
  test.for(['10.50', '1.0', '-0', '1e999', '9007199254740993', '0.10', '1E5'])('%s', (source) => {
    const value = parseExactJson(`[${source}]`) as readonly unknown[];
    expect(value[0]).toBeInstanceOf(NumberToken);
    expect(String(value[0])).toBe(source);
    expect(JSON.stringify(value)).toBe(`[${source}]`);
  });

  test.for(['42', '0.1', '-7', '0', '1e+21'])('%s is a plain number', (source) => {
    expect(parseExactJson(source)).toBe(Number(source));
  });

  test('other values are as JSON.parse gives them', () => {
    const text = '{"a":[null,true,"10.50",{"b":"1.0"}],"__proto__":1}';
    expect(parseExactJson(text)).toStrictEqual(JSON.parse(text));
  });
});

describe('calls', () => {
  test('rows, by every kind of parameter', async () => {
    const studio = fakeStudio({
      body: '{"data":[{"price":10.50}],"total":1,"page":2,"page_size":50}',
    });
    const { body } = await clientOf(studio).call('GET /tables/:table/rows', {
      params: { table: '../a b' },
      query: {
        page: 2,
        sort_by: ['a', 'b'],
        sort_order: ['desc'],
        show_deleted: true,
        search: undefined,
        count: 'none',
      },
      filters: { name: 'A%', id__in: ['1', '2'] },
    });
    expect(studio.asked).toMatchObject([
      {
        operation: 'list-rows',
        input: {
          table: '../a b',
          query: {
            page: 2,
            sort: [
              { column: 'a', descending: true },
              { column: 'b', descending: false },
            ],
            showDeleted: true,
            count: 'none',
            filters: [
              { name: 'name', value: 'A%' },
              { name: 'id__in', value: '1' },
              { name: 'id__in', value: '2' },
            ],
          },
        },
      },
    ]);
    expectTypeOf(body.total).toEqualTypeOf<number | null>();
    expectTypeOf(body.data[0]).toEqualTypeOf<{ readonly [name: string]: Cell } | undefined>();
    expect(body.total).toBe(1);
    expect(body.data[0]?.['price']).toStrictEqual(new NumberToken('10.50'));
  });

  test('a row, with its tag; ids are ready for the path', async () => {
    const studio = fakeStudio({ body: '{"id":1}', meta: { etag: '"abc"' } });
    const answer = await clientOf(studio).call('GET /tables/:table/rows/:id', {
      params: { table: '', id: 'a%2Cb,c' },
    });
    expect(studio.asked[0]?.input).toMatchObject({ table: '', id: 'a%2Cb,c' });
    expect(answer).toStrictEqual({ body: { id: 1 }, etag: '"abc"' });
  });

  test('a value is a file, or null', async () => {
    const params = { table: 't', id: '1', column: 'c' };
    const file = fakeStudio({ body: Uint8Array.of(1, 2), meta: { fileName: 'c' } });
    const { body } = await clientOf(file).call('GET /tables/:table/rows/:id/cells/:column', {
      params,
    });
    expect(new Uint8Array((await body?.arrayBuffer()) ?? new ArrayBuffer())).toStrictEqual(
      Uint8Array.of(1, 2),
    );
    const empty = fakeStudio({ body: '', meta: { isNull: true } });
    const answer = await clientOf(empty).call('GET /tables/:table/rows/:id/cells/:column', {
      params,
    });
    expect(answer.body).toBeNull();
  });

  test('routes without parameters need no options', async () => {
    const client = clientOf(fakeStudio());
    expect((await client.call('GET /config')).body.prefix).toBe('/studio');
    expect(
      (await client.call('POST /schema/refresh', { query: { counts: 'exact' } })).body,
    ).toStrictEqual({});
    // @ts-expect-error a row list needs its table
    void (() => client.call('GET /tables/:table/rows'));
    // @ts-expect-error there is no such parameter
    void (() => client.call('GET /config', { query: { verbose: true } }));
  });

  test('what fails is a StudioError', async () => {
    const error = new StudioError('table_not_found', 'There is no table "x".', { nearest: 'y' });
    const client = clientOf(fakeStudio({ reply: () => Promise.reject(error) }));
    await expect(client.call('GET /schema')).rejects.toMatchObject({
      name: 'StudioError',
      code: 'table_not_found',
      message: 'There is no table "x".',
      details: { nearest: 'y', status: 404 },
    });
  });

  test('what fails without saying why is told by its status', async () => {
    const client = createClient({
      baseUrl: origin,
      fetch: async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
    });
    await expect(client.call('GET /schema')).rejects.toMatchObject({
      code: 'internal',
      details: { status: 502 },
    });
  });
});
