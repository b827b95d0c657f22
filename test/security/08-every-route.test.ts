/** Every route of the router requires credentials (SECURITY.md 8). */
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { routes } from '../../src/contract/routes.ts';
import { createApp } from '../../src/http/app.ts';
import { goodRequests } from '../contract/requests.ts';
import { createStudioStates, expectFailure } from '../contract/studio-states.ts';
import { fakeStudio } from '../http/fake-studio.ts';
import { failureOf, origin } from '../http/requests.ts';
import type * as hono from 'hono';
import type { Hono } from 'hono';
import type { Route } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';

/** The routers that the app creates. The test reads the routes from them, so that none is forgotten. */
const createdRouters = vi.hoisted(() => [] as Hono[]);

vi.mock('hono', async (importOriginal) => {
  const original = await importOriginal<typeof hono>();
  return {
    ...original,
    Hono: class extends original.Hono {
      constructor(options?: ConstructorParameters<typeof original.Hono>[0]) {
        super(options);
        createdRouters.push(this);
      }
    },
  };
});

const studio = fakeStudio();
const account = { user: 'ada', password: 'secret' };
const app = createApp(studio, { anyHost: true, credentials: { account } });
const registeredRoutes = createdRouters.flatMap((router) => router.routes);

let addressCount = 0;

/** Each request has an address of its own, because repeated failures are throttled. */
function ask(path: string, init: RequestInit): Promise<Response> {
  const requestPath = path.replaceAll(/:\w+/g, '1');
  const address = `192.0.2.${addressCount++}`;
  return app.fetch(new Request(`${origin}/studio/api${requestPath}`, init), { address });
}

describe('the router', () => {
  test('has exactly the routes of the contract', () => {
    expect(registeredRoutes.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(
      Object.values<Route>(routes)
        .map(({ method, path }) => `${method} ${path}`)
        .toSorted(),
    );
  });

  const publicRoutes = ['GET /health', 'GET /live', 'POST /login', 'POST /logout'];
  const protectedRoutes = registeredRoutes.filter(
    ({ method, path }) => !publicRoutes.includes(`${method} ${path}`),
  );

  test.each(protectedRoutes.map(({ method, path }) => [method, path]))(
    '%s %s is 401 without credentials, and with wrong ones',
    async (method, path) => {
      const wrongHeaders = [
        {},
        { Authorization: 'Bearer x' },
        { Authorization: 'Basic !' },
        { Cookie: 'studio_session=x' },
        { 'X-Forwarded-For': '127.0.0.1', 'X-Real-IP': '127.0.0.1', 'X-Forwarded-User': 'ada' },
        { 'X-HTTP-Method-Override': 'GET', 'X-Original-URL': '/studio/api/health' },
      ];
      for (const headers of wrongHeaders) {
        const failure = await failureOf(await ask(path, { method, headers }));
        expect(failure, JSON.stringify(headers)).toMatchObject({ status: 401 });
      }
      const other = createApp(studio, { anyHost: true, credentials: { token: 'token' } });
      const requestWithoutCredentials = new Request(
        `${origin}/studio/api${path.replaceAll(/:\w+/g, '1')}`,
        { method },
      );
      expect((await other.fetch(requestWithoutCredentials)).status).toBe(401);
      expect(studio.calls).toEqual([]);
    },
  );

  test.each(protectedRoutes.filter(({ method }) => method === 'GET').map(({ path }) => path))(
    'HEAD %s is 401 too',
    async (path) => {
      expect((await ask(path, { method: 'HEAD' })).status).toBe(401);
    },
  );

  test.each([
    '/nothing',
    '/health/',
    '/HEALTH',
    '/health/../config',
    '//config',
    '/config;/health',
    '/config?/health',
    '/config/health',
  ])('%s does not bypass authentication', async (path) => {
    expect((await ask(path, {})).status).toBe(401);
    expect(studio.calls).toEqual([]);
  });

  test('methods that no route has are 401 before they are 405', async () => {
    for (const method of ['PATCH', 'PROPFIND', 'DELETE'])
      expect((await ask('/config', { method })).status).toBe(401);
  });
});

const everyRoute = Object.entries<Route>(routes) as [RouteId, Route][];
const states = createStudioStates();

beforeAll(() => states.in('guarded'));

afterAll(() => states.close());

describe('over a socket, every route that is not open', () => {
  test.each(everyRoute.filter(([, { access }]) => access !== 'open'))(
    '%s asks for credentials before anything else',
    async (id, route) => {
      const studio = await states.in('guarded');
      const validRequest = goodRequests[id][0];
      for (const params of [{}, { table: 'nobody', id: '~', relation: 'x', column: 'y' }]) {
        expectFailure(
          await studio.ask(route, {
            ...validRequest,
            params: { ...validRequest.params, ...params },
            query: 'nonsense=1',
            body: '{',
          }),
          'unauthorized',
        );
      }
      expect((await studio.ask({ method: 'GET', path: '/nowhere' })).status).toBe(401);
    },
  );
});
