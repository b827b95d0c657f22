import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { acceptedCoding } from '../../src/http/encoding.ts';
import { fakeStudio } from './fake-studio.ts';
import { ask, askApi } from './requests.ts';

const decoders: Readonly<Record<string, (bytes: Uint8Array) => Buffer>> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
};

/** The text of a response as a client reads it that knows no other codings than these. */
async function decodedText(response: Response): Promise<string> {
  const bytes = Buffer.from(await response.arrayBuffer());
  const coding = response.headers.get('content-encoding');
  return (coding === null ? bytes : (decoders[coding]?.(bytes) ?? bytes)).toString();
}

describe('the coding of a response', () => {
  test.for([
    [null, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['br;q=0, gzip;q=0.5', 'gzip'],
    ['BR ; q=0.1', 'br'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['br;q=0, *', 'gzip'],
    ['gzip;q=nonsense', undefined],
  ] as const)('"%s" accepts %s', ([header, coding]) => {
    expect(acceptedCoding(header)).toBe(coding);
  });
});

describe('JSON responses', () => {
  const long = JSON.stringify({ data: Array.from({ length: 300 }, (_, id) => ({ id })) });
  const accepting = (coding: string, more: Record<string, string> = {}) => ({
    headers: { 'Accept-Encoding': coding, ...more },
  });

  test('and pages are plain where the server around the studio compresses', async () => {
    const studio = fakeStudio({ body: long });
    const app = { compress: false };
    const { response } = await askApi('/schema', { studio, app, init: accepting('br, gzip') });
    expect(response.headers.get('content-encoding')).toBeNull();
    expect(await response.text()).toBe(long);
    const { response: page } = await ask('/studio/', { app, init: accepting('br, gzip') });
    expect(page.headers.get('content-encoding')).toBeNull();
  });

  test('have the same text in each coding', async () => {
    const bodies = fc.string({ unit: 'binary', maxLength: 5000 }).filter((s) => s.isWellFormed());
    const coding = fc.constantFrom('gzip', 'br', 'br, gzip', 'identity', 'deflate');
    await fc.assert(
      fc.asyncProperty(bodies, coding, fc.boolean(), async (text, accepted, isBytes) => {
        const json = JSON.stringify(text);
        const studio = fakeStudio({ body: isBytes ? Buffer.from(json) : json });
        const { response } = await askApi('/schema', { studio, init: accepting(accepted) });
        const usedEncoding = response.headers.get('content-encoding');
        if (usedEncoding !== null) expect(accepted.split(', ')).toContain(usedEncoding);
        expect(await decodedText(response)).toBe(json);
      }),
    );
  });

  test.for(['gzip', 'br'])(
    'that are longer than a packet are compressed with %s',
    async (coding) => {
      const studio = fakeStudio({ body: long });
      const { response } = await askApi('/schema', { studio, init: accepting(coding) });
      expect(response.headers.get('content-encoding')).toBe(coding);
      expect(response.headers.get('vary')).toContain('Accept-Encoding');
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(long.length / 2);
      const short = await askApi('/schema', { init: accepting(coding) });
      expect(short.response.headers.get('content-encoding')).toBeNull();
    },
  );

  test.for(['cross-site', 'same-site', 'none'])(
    'to requests of other origins or of none (%s) are not compressed',
    async (site) => {
      const init = accepting('gzip', { 'Sec-Fetch-Site': site });
      const { response } = await askApi('/schema', { studio: fakeStudio({ body: long }), init });
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(response.headers.get('vary')).toContain('Sec-Fetch-Site');
      expect(await response.text()).toBe(long);
    },
  );

  test('with an entity tag, and files, are not compressed', async () => {
    for (const meta of [{ etag: '"1"' }, { fileName: 'a.txt', contentType: 'text/plain' }]) {
      const studio = fakeStudio({ body: long, meta });
      const { response } = await askApi('/tables/t/rows/1', { studio, init: accepting('gzip') });
      expect(response.headers.get('content-encoding')).toBeNull();
      expect(await response.text()).toBe(long);
    }
  });

  test('keep the Vary header of CORS', async () => {
    const { response } = await askApi('/schema', {
      studio: fakeStudio({ body: long }),
      app: { allowOrigins: ['https://example.com'] },
      init: accepting('gzip'),
    });
    expect(response.headers.get('vary')).toBe('Accept-Encoding, Sec-Fetch-Site, Origin');
  });

  test('to HEAD have the headers of GET', async () => {
    const [get, head] = await Promise.all(
      ['GET', 'HEAD'].map((method) =>
        askApi('/schema', {
          studio: fakeStudio({ body: long }),
          init: { method, ...accepting('br') },
        }),
      ),
    );
    const { byteLength } = (await get?.response.arrayBuffer()) ?? { byteLength: 0 };
    expect(head?.response.headers.get('content-length')).toBe(String(byteLength));
    expect(head?.response.headers.get('content-encoding')).toBe('br');
  });
});

const isBuilt = existsSync(join(import.meta.dirname, '../../dist/ui/index.html'));

describe.skipIf(!isBuilt && process.env['CI'] === undefined)('assets of the pages', () => {
  const fetched = async (path: string, headers: Record<string, string>): Promise<Response> =>
    (await ask(path, { init: { headers } })).response;

  async function assetPaths(): Promise<readonly string[]> {
    const html = await (await fetched('/studio/', {})).text();
    return [...html.matchAll(/"(\/studio\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
  }

  test('have the same text and a tag of its own in each coding', async () => {
    const paths = await assetPaths();
    expect(paths.length).toBeGreaterThan(1);
    for (const path of paths) {
      const codings = ['identity', 'gzip', 'br'];
      const responses = await Promise.all(
        codings.map((coding) => fetched(path, { 'Accept-Encoding': coding })),
      );
      const each = (name: string) => new Set(responses.map(({ headers }) => headers.get(name)));
      // The build leaves very small files as they are.
      expect(each('etag').size).toBe(each('content-encoding').size);
      expect(each('content-type').size).toBe(1);
      if (each('etag').size > 1) expect(each('vary')).toEqual(new Set(['Accept-Encoding']));
      const texts = await Promise.all(responses.map(decodedText));
      expect(new Set(texts).size).toBe(1);
    }
  });

  test('are sent once for a tag and a coding', async () => {
    for (const path of ['/studio/', '/studio/icon.svg', ...(await assetPaths())]) {
      const { headers } = await fetched(path, { 'Accept-Encoding': 'gzip' });
      const tag = headers.get('etag') ?? '';
      const again = await fetched(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': tag });
      expect([again.status, await again.text()]).toEqual([304, '']);
      expect(again.headers.get('cache-control')).toBe(headers.get('cache-control'));
      const other = await fetched(path, { 'If-None-Match': '"another"' });
      expect(other.status).toBe(200);
    }
  });

  test('are not found by the names of the compressed files', async () => {
    for (const path of await assetPaths())
      expect((await ask(`${path}.br`)).response.status).toBe(404);
  });
});
