import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorResponse } from '../../src/contract/error-response.ts';
import { errorsOf } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { untestable, failingRequestOf } from './errors.ts';
import { createStudioStates, expectFailure, sendIn } from './studio-states.ts';
import type { Route } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';
import type { ErrorCode } from '../../src/model/errors.ts';
import type { FailingRequest } from './errors.ts';

const everyRoute = Object.entries<Route>(routes) as [RouteId, Route][];
const states = createStudioStates();

beforeAll(() => states.in('plain'));

afterAll(() => states.close());

describe.each(everyRoute)('%s responds with', (id, route) => {
  const declared = errorsOf(route).map((code) => [code, failingRequestOf(id, code)] as const);

  test('every declared error is caused by a test or listed as impossible', () => {
    const unknown = declared.filter(
      ([code, request]) => (request === undefined) === (untestable[code] === undefined),
    );
    expect(unknown.map(([code]) => code)).toEqual([]);
  });

  // Waiting for a lock takes five seconds per request, so the long variant tests it.
  const testable = declared.flatMap(([code, request]): [ErrorCode, FailingRequest][] =>
    request === undefined || request.on === 'locked' ? [] : [[code, request]],
  );

  test.each(testable)('%s', async (code, request) => {
    expectFailure(await sendIn(states, route, request), code);
  });
});

describe('error responses', () => {
  test('a 401 names the ways to log in, except to the studio’s own pages', async () => {
    const studio = await states.in('guarded');
    expect((await studio.ask(routes['get-config'])).headers['www-authenticate']).toMatch(
      /^Basic realm=/,
    );
    const sameOriginResponse = await studio.ask(routes['get-config'], {
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    });
    expect([sameOriginResponse.status, sameOriginResponse.headers['www-authenticate']]).toEqual([
      401,
      undefined,
    ]);
  });

  test('a 429 says when to retry', async () => {
    const { status, headers } = await sendIn(states, routes.login, {
      on: 'throttled',
      body: '{"user":"eve","password":"wrong"}',
    });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  test('none of the failed requests wrote anything', async () => {
    const { database } = await states.in('plain');
    const count = (table: string): unknown =>
      database.raw.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    expect(
      ['users', 'posts', 'tags', 'memberships', 'typed', 'ambiguous', 'frozen'].map(count),
    ).toEqual([40, 3, 2, 2, 1, 2, 1]);
  });
});

describe('an unknown path', () => {
  test.each([
    '/',
    '/nowhere',
    '/tables',
    '/tables/users',
    '/tables/users/rows/1/2/3',
    '/tables//rows',
    '/schema/',
    '/tables/users/rows/',
  ])('%s', async (path) => {
    const studio = await states.in('plain');
    const { status, text } = await studio.ask({ method: 'GET', path: path as `/${string}` });
    expect(status).toBe(404);
    expect(errorResponse.schema.parse(JSON.parse(text)).code).toMatch(/not_found$/);
  });
});
