import { describe, expect, test } from 'vitest';

import { routes } from '../../src/contract/routes.ts';
import { createApp } from '../../src/http/app.ts';
import { fakeStudio } from '../http/fake-studio.ts';
import { failureOf, origin } from '../http/requests.ts';
import type { Route } from '../../src/contract/route.ts';
import type { AppOptions } from '../../src/http/app.ts';

/** Requests of a page of another site, sent by the browser of a visitor, are rejected (SECURITY.md 6). */
interface TestRequest {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly options?: AppOptions;
  readonly path?: string;
}

function send({
  method = 'GET',
  headers = {},
  options = {},
  path = '/studio/api/schema',
}: TestRequest): Promise<Response> {
  return createApp(fakeStudio(), options).fetch(
    new Request(`${origin}${path}`, { method, headers }),
  );
}

describe('the Host header', () => {
  const sendWithHost = (host: string, options: AppOptions = {}) =>
    send({ headers: { host }, options });

  test.for([
    'localhost',
    'localhost:4555',
    'LOCALHOST',
    'localhost.',
    'db.localhost:1',
    '127.0.0.1',
    '127.9.8.7:80',
    '[::1]',
    '[::1]:4555',
  ])('%s is a loopback name', async (host) => {
    expect((await sendWithHost(host)).status).toBe(200);
  });

  test.for([
    'evil.example',
    'localhost.evil.example',
    'evillocalhost',
    '127.0.0.1.evil.example',
    '192.168.0.7:4555',
    '[::2]',
    '0.0.0.0',
    '128.0.0.1',
    '1127.0.0.1',
  ])('%s is not a loopback name', async (host) => {
    expect(await failureOf(await sendWithHost(host))).toMatchObject({
      status: 403,
      code: 'forbidden_host',
    });
  });

  test('a listed name is accepted, with its port if one is listed', async () => {
    const options = { allowHosts: ['Studio.example', 'other.example:8080'] };
    expect((await sendWithHost('studio.example', options)).status).toBe(200);
    expect((await sendWithHost('studio.example:99', options)).status).toBe(200);
    expect((await sendWithHost('other.example:8080', options)).status).toBe(200);
    expect((await sendWithHost('other.example:8081', options)).status).toBe(403);
    expect((await sendWithHost('x.studio.example', options)).status).toBe(403);
  });

  test('any name is accepted if something else protects the studio', async () => {
    expect((await sendWithHost('evil.example', { anyHost: true })).status).toBe(200);
  });

  test.for(['/studio/', '/studio/api/health', '/studio/api/nothing', '/'])(
    'is also checked for %s',
    async (path) => {
      const response = await send({ headers: { host: 'evil.example' }, path });
      expect(await failureOf(response)).toMatchObject({ code: 'forbidden_host' });
    },
  );
});

describe('the origin of a request', () => {
  const path = '/studio/api/schema/refresh';
  const post = (headers: Record<string, string>, options: AppOptions = {}) =>
    send({ method: 'POST', path, options, headers: { host: 'localhost:4555', ...headers } });

  test.for([
    {},
    { origin: 'http://localhost:4555' },
    { origin: 'http://localhost:4555', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none' },
    { host: 'localhost', origin: 'http://localhost' },
    { host: 'localhost:80', origin: 'http://localhost' },
    // The browser calls a proxy that terminates TLS, and reports that the page has the same origin.
    { origin: 'https://localhost:4555', 'sec-fetch-site': 'same-origin' },
    { host: '[::1]:4555', origin: 'http://[::1]:4555' },
  ])('is accepted if it is the studio itself or not sent: %o', async (headers) => {
    expect((await post(headers as Record<string, string>)).status).toBe(200);
  });

  test.for([
    { origin: 'http://evil.example' },
    { origin: 'http://localhost:4556' },
    { origin: 'http://localhost' },
    { origin: 'https://localhost:4555' },
    { origin: 'https://localhost:4555', 'sec-fetch-site': 'none' },
    { host: 'localhost', origin: 'https://localhost' },
    { host: 'localhost:443', origin: 'https://localhost' },
    { origin: 'https://localhost:4555', 'x-forwarded-proto': 'https' },
    { origin: 'null' },
    { origin: '' },
    { origin: 'file://' },
    { origin: 'http://localhost:4555.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'http://localhost:4555', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://evil.example', 'sec-fetch-site': 'same-origin' },
    { origin: 'http://evil.example', 'content-type': 'text/plain' },
  ])('is rejected if it is another site: %o', async (headers) => {
    expect(await failureOf(await post(headers as Record<string, string>))).toMatchObject({
      status: 403,
      code: 'forbidden_origin',
    });
  });

  test('must be https if the studio is served over TLS', async () => {
    const app = createApp(fakeStudio());
    for (const [scheme, status] of [
      ['https', 200],
      ['http', 403],
    ] as const) {
      const headers = { host: 'localhost:4555', origin: `${scheme}://localhost:4555` };
      const request = new Request(`https://localhost:4555${path}`, { method: 'POST', headers });
      expect((await app.fetch(request)).status).toBe(status);
    }
  });

  test('is explained for an https page: the error names the option for proxies', async () => {
    const failure = await failureOf(await post({ origin: 'https://localhost:4555' }));
    expect(failure.error).toContain('--proxy-header');
  });

  test('is not checked for GET and HEAD, because they change nothing', async () => {
    const headers = { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' };
    for (const method of ['GET', 'HEAD']) {
      const response = await send({ method, headers });
      expect(response.status).toBe(200);
      expect(response.headers.get('access-control-allow-origin')).toBeNull();
      expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    }
  });

  const jobRoutes = Object.values(routes).filter((route: Route) => route.startsJob === true);

  test.for(jobRoutes.map(({ path: route }) => route))(
    'GET %s starts a process, and is rejected for pages of other origins',
    async (route) => {
      const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
      const url = `/studio/api${route.replace(':table', 'users')}`;
      for (const method of ['GET', 'HEAD']) {
        expect((await send({ method, path: url, headers })).status).toBe(403);
        const sameOrigin = { 'sec-fetch-site': 'same-origin' };
        const response = await send({ method, path: url, headers: sameOrigin });
        expect(response.status).not.toBe(403);
      }
    },
  );

  test('every GET that may start a process has startsJob in the contract', () => {
    expect(jobRoutes.map(({ path: route }) => route)).toEqual(
      expect.arrayContaining(['/export/schema', '/export/data', '/tables/:table/export']),
    );
  });

  test.for(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])(
    '%s is rejected from other origins for every media type',
    async (method) => {
      const response = await send({ method, headers: { origin: 'http://evil.example' } });
      expect(response.status).toBe(403);
    },
  );
});

describe('a listed origin', () => {
  const options = { allowOrigins: ['https://app.example/'] };
  const headers = { origin: 'https://app.example', 'sec-fetch-site': 'cross-site' };

  test('can write and read', async () => {
    const response = await send({
      method: 'POST',
      path: '/studio/api/schema/refresh',
      headers,
      options,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
    expect(response.headers.get('access-control-allow-credentials')).toBe('true');
    expect(response.headers.get('access-control-expose-headers')).toContain('ETag');
    expect(response.headers.get('vary')).toBe('Origin');
  });

  test('can read error responses', async () => {
    const response = await send({ headers, options, path: '/studio/api/nothing' });
    expect(response.status).toBe(404);
    expect(response.headers.get('access-control-allow-origin')).toBe('https://app.example');
  });

  test('gets a response to its preflight request', async () => {
    const response = await send({
      method: 'OPTIONS',
      path: '/studio/api/schema/refresh',
      headers,
      options,
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS');
    expect(response.headers.get('access-control-allow-headers')).toContain('Content-Type');
  });

  test('is the only allowed one', async () => {
    const otherOrigin = { origin: 'https://evil.example' };
    const response = await send({ headers: otherOrigin, options });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
    expect(response.headers.get('vary')).toBe('Origin');
    expect((await send({ method: 'POST', headers: otherOrigin, options })).status).toBe(403);
  });

  test('must be an origin', () => {
    expect(() => createApp(fakeStudio(), { allowOrigins: ['app.example'] })).toThrow(
      'is not an origin',
    );
    expect(() => createApp(fakeStudio(), { allowOrigins: ['*'] })).toThrow('is not an origin');
  });
});
