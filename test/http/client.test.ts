import { Readable } from 'node:stream';
import { describe, expect, expectTypeOf, test } from 'vitest';

import { createClient } from '../../src/contract/client/client.ts';
import { NumberToken, parseJsonWithTokens } from '../../src/contract/number-token.ts';
import { createApp } from '../../src/http/app.ts';
import { StudioError } from '../../src/model/errors.ts';
import { fakeStudio } from './fake-studio.ts';
import { origin } from './requests.ts';
import type { Cell, Client, UploadProgress } from '../../src/contract/client/client.ts';
import type { FakeStudio } from './fake-studio.ts';

/** A client whose requests go directly to an app. */
function clientOf(studio: FakeStudio): Client {
  const app = createApp(studio);
  return createClient({
    baseUrl: `${origin}/studio/api`,
    fetch: (input, init) => app.fetch(new Request(input, init)),
  });
}

describe('numbers keep their source text', () => {
  test.for(['10.50', '1.0', '-0', '1e999', '9007199254740993', '0.10', '1E5'])('%s', (source) => {
    const value = parseJsonWithTokens(`[${source}]`) as readonly unknown[];
    expect(value[0]).toBeInstanceOf(NumberToken);
    expect(String(value[0])).toBe(source);
    expect(JSON.stringify(value)).toBe(`[${source}]`);
  });

  test.for(['42', '0.1', '-7', '0', '1e+21'])('%s is a plain number', (source) => {
    expect(parseJsonWithTokens(source)).toBe(Number(source));
  });

  test('other values are those of JSON.parse', () => {
    const text = '{"a":[null,true,"10.50",{"b":"1.0"}],"__proto__":1}';
    expect(parseJsonWithTokens(text)).toStrictEqual(JSON.parse(text));
  });
});

describe('calls', () => {
  test('rows, with every kind of parameter', async () => {
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
    expect(studio.calls).toMatchObject([
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

  test('a row, with its entity tag; ids can be used in the path', async () => {
    const studio = fakeStudio({ body: '{"id":1}', meta: { etag: '"abc"' } });
    const response = await clientOf(studio).call('GET /tables/:table/rows/:id', {
      params: { table: '', id: 'a%2Cb,c' },
    });
    expect(studio.calls[0]?.input).toMatchObject({ table: '', id: 'a%2Cb,c' });
    expect(response).toStrictEqual({ body: { id: 1 }, etag: '"abc"' });
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
    const response = await clientOf(empty).call('GET /tables/:table/rows/:id/cells/:column', {
      params,
    });
    expect(response.body).toBeNull();
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

  test('an error response throws a ClientError', async () => {
    const error = new StudioError('table_not_found', 'There is no table "x".', { nearest: 'y' });
    const client = clientOf(fakeStudio({ reply: () => Promise.reject(error) }));
    await expect(client.call('GET /schema')).rejects.toMatchObject({
      name: 'ClientError',
      status: 404,
      code: 'table_not_found',
      message: 'There is no table "x".',
      details: { nearest: 'y' },
    });
  });

  test('an error response without a JSON body is described by its status', async () => {
    const client = createClient({
      baseUrl: origin,
      fetch: async () => new Response('<h1>Bad Gateway</h1>', { status: 502 }),
    });
    await expect(client.call('GET /schema')).rejects.toMatchObject({
      code: 'internal',
      status: 502,
    });
  });
});

/** A client whose server sends lines in the given chunks. */
function clientOfLines(...chunks: readonly string[]): { client: Client; sent: Request[] } {
  const sent: Request[] = [];
  const client = createClient({
    baseUrl: `${origin}/api`,
    fetch: async (input, init) => {
      sent.push(new Request(input, init));
      const bytes = chunks.map((chunk) => new TextEncoder().encode(chunk));
      return new Response(ReadableStream.from(bytes), {
        headers: { 'Content-Type': 'application/x-ndjson' },
      });
    },
  });
  return { client, sent };
}

function formOf(name: string, text: string): FormData {
  const body = new FormData();
  body.append('file', new File([text], name));
  return body;
}

describe('imports', () => {
  test('send their files as a form', async () => {
    const uploads: unknown[] = [];
    const studio = fakeStudio({
      start: async (_name, input) => {
        uploads.push(input);
        const result = Promise.resolve({ rows_imported: 1 });
        return { head: new Promise(() => {}), output: Readable.from([]), result };
      },
    });
    const { body } = await clientOf(studio).call('POST /import/data', {
      body: formOf('a b.csv', 'id\n1\n'),
      query: { table: 'users', dry_run: true },
    });
    expect(body.rows_imported).toBe(1);
    expect(uploads).toMatchObject([
      { table: 'users', dry_run: true, upload: { files: [{ name: 'a b.csv', bytes: 5 }] } },
    ]);
    // @ts-expect-error files come in a form
    void (() => clientOf(studio).call('POST /import/data', { body: 'id' }));
    // @ts-expect-error only imports report their progress
    void (() => clientOf(studio).call('GET /config', { onProgress: () => undefined }));
  });

  test('report progress on request, however the chunks are cut', async () => {
    const text =
      '{"progress":{"bytes":1,"total_bytes":9,"rows":1,"table":"ü"}}\n' +
      '{"progress":{"bytes":9,"total_bytes":9,"rows":12}}\n{"result":{"rows_imported":12}}\n';
    for (const cut of [1, 62, 63, 100, text.length]) {
      const { client, sent } = clientOfLines(text.slice(0, cut), text.slice(cut));
      const progress: UploadProgress[] = [];
      const { body } = await client.call('POST /import/data', {
        body: formOf('a.csv', 'id'),
        onProgress: (update) => progress.push(update),
      });
      expect(body).toEqual({ rows_imported: 12 });
      expect(progress).toEqual([
        { bytes: 1, total_bytes: 9, rows: 1, table: 'ü' },
        { bytes: 9, total_bytes: 9, rows: 12 },
      ]);
      expect(sent[0]?.headers.get('accept')).toBe('application/x-ndjson');
      expect(sent[0]?.headers.get('content-type')).toMatch(/^multipart\/form-data; boundary=/);
    }
  });

  test('that fail halfway throw a ClientError', async () => {
    const failure = { error: 'Row 2 is too short.', code: 'import_failed', errors: [{ row: 2 }] };
    const { client } = clientOfLines(
      '{"progress":{"bytes":1,"total_bytes":9,"rows":1}}\n',
      JSON.stringify(failure),
    );
    const call = client.call('POST /import/data', {
      body: formOf('a.csv', 'id'),
      onProgress: () => undefined,
    });
    await expect(call).rejects.toMatchObject({
      name: 'ClientError',
      code: 'import_failed',
      message: 'Row 2 is too short.',
      details: { errors: [{ row: 2 }] },
    });
  });

  test('whose response is truncated fail', async () => {
    const { client } = clientOfLines('{"progress":{"bytes":1,"total_bytes":9,"rows":1}}\n');
    const call = client.call('POST /import/models', { body: formOf('a.go', 'package a') });
    await expect(call).rejects.toMatchObject({ code: 'internal' });
  });
});

test('a URL contains all parameters of a call', () => {
  const client = createClient({ baseUrl: '/studio/api' });
  expect(client.address('GET /config')).toBe('/studio/api/config');
  const address = client.address('GET /tables/:table/export', {
    params: { table: 'a/b' },
    query: { format: 'csv', sort_by: ['x', 'y'], show_deleted: true },
    filters: { name__eq: 'a&b' },
  });
  expect(address).toBe(
    '/studio/api/tables/a%2Fb/export?format=csv&sort_by=x&sort_by=y&show_deleted=true&filter_name__eq=a%26b',
  );
  // @ts-expect-error only GET requests have a URL
  void (() => client.address('POST /schema/refresh'));
});
