import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorAnswer } from '../../src/contract/error-answer.ts';
import { errorsOf } from '../../src/contract/route.ts';
import { routes } from '../../src/contract/routes.ts';
import { errorFacts } from '../../src/model/errors.ts';
import { basic, outOfReach, provocationOf } from './errors.ts';
import { goodRequests } from './requests.ts';
import { serve } from './server.ts';
import type { Route } from '../../src/contract/route.ts';
import type { RouteId } from '../../src/contract/routes.ts';
import type { ErrorCode } from '../../src/model/errors.ts';
import type { Provocation, Situation } from './errors.ts';
import type { Answered, Served } from './server.ts';

const everyRoute = Object.entries<Route>(routes) as [RouteId, Route][];
const credentials = { account: { user: 'ada', password: 'right' } };

/** Studios in each situation. Waiting for a lock takes five seconds a request: that is for the full run. */
const situations: Readonly<Record<Exclude<Situation, 'busy'>, () => Promise<Served>>> = {
  plain: () => serve({ maxUploadBytes: 1_000_000 }),
  guarded: () => serve({ credentials }),
  throttled: async () => {
    const served = await serve({ credentials });
    const attempt = { headers: { Authorization: basic('ada', 'wrong') } };
    for (let i = 0; i < 12; i++) await served.ask(routes['get-config'], attempt);
    return served;
  },
  'read-only': () => serve({ readOnly: true }),
  'without SQL': () => serve({ disableSql: true }),
  locked: async () => {
    const served = await serve({ statementTimeoutMs: 500 });
    served.database.raw.exec('BEGIN EXCLUSIVE');
    return served;
  },
  removed: async () => {
    const served = await serve();
    for (const id of ['list-rows', 'get-schema', 'create-row'] as const) await served.ask(routes[id], goodRequests[id][0]);
    rmSync(served.database.path);
    return served;
  },
};

const served = new Map<Situation, Promise<Served>>();

function studioIn(situation: Exclude<Situation, 'busy'>): Promise<Served> {
  const found = served.get(situation) ?? situations[situation]();
  served.set(situation, found);
  return found;
}

beforeAll(() => studioIn('plain'));

afterAll(async () => {
  for (const studio of served.values()) await (await studio).close();
});

function expectFailure({ status, headers, text }: Answered, code: ErrorCode): void {
  const body: unknown = JSON.parse(text);
  const failure = errorAnswer.schema.parse(body);
  expect({ status, code: failure.code, text: failure.code === code ? '' : text }).toEqual({ status: errorFacts[code].status, code, text: '' });
  expect(failure.error).toMatch(/^["A-Z].*\.$/s);
  expect(failure.error).not.toMatch(/SQLITE_|node_modules|\.ts:|INSERT INTO|SELECT "/);
  expect(headers['content-type']).toBe('application/json');
  expect(headers['cache-control']).toBe('no-store');
}

describe.each(everyRoute)('%s answers', (id, route) => {
  const declared = errorsOf(route).map((code) => [code, provocationOf(id, code)] as const);

  test('no error that neither is provoked nor cannot be', () => {
    const unknown = declared.filter(([code, provocation]) => (provocation === undefined) === (outOfReach[code] === undefined));
    expect(unknown.map(([code]) => code)).toEqual([]);
  });

  const provoked = declared.flatMap(([code, provocation]): [ErrorCode, Provocation, Exclude<Situation, 'busy'>][] => {
    const situation = provocation?.on ?? 'plain';
    return provocation === undefined || situation === 'busy' ? [] : [[code, provocation, situation]];
  });

  test.each(provoked)('%s', async (code, { on: _on, ...asked }, situation) => {
    const studio = await studioIn(situation);
    expectFailure(await studio.ask(route, asked), code);
  });
});

describe('of failures', () => {
  test('a 401 says how to log in, but not to the studio’s own pages', async () => {
    const studio = await studioIn('guarded');
    expect((await studio.ask(routes['get-config'])).headers['www-authenticate']).toMatch(/^Basic realm=/);
    const own = await studio.ask(routes['get-config'], { headers: { 'Sec-Fetch-Site': 'same-origin' } });
    expect([own.status, own.headers['www-authenticate']]).toEqual([401, undefined]);
  });

  test('a 429 says when to come again', async () => {
    const studio = await studioIn('throttled');
    const { status, headers } = await studio.ask(routes.login, { body: '{"user":"ada","password":"right"}' });
    expect(status).toBe(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  });

  test('nothing was written by any of them', async () => {
    const { database } = await studioIn('plain');
    const count = (table: string): unknown => database.raw.prepare(`SELECT count(*) FROM ${table}`).pluck().get();
    expect(['users', 'posts', 'tags', 'memberships', 'typed', 'ambiguous', 'frozen'].map(count)).toEqual([40, 3, 2, 2, 1, 2, 1]);
  });
});

describe('every route that is not open', () => {
  test.each(everyRoute.filter(([, { access }]) => access !== 'open'))('%s asks for credentials before anything else', async (id, route) => {
    const studio = await studioIn('guarded');
    const asked = goodRequests[id][0];
    for (const params of [{}, { table: 'nobody', id: '~', relation: 'x', column: 'y' }]) {
      expectFailure(await studio.ask(route, { ...asked, params: { ...asked.params, ...params }, query: 'nonsense=1', body: '{' }), 'unauthorized');
    }
    expect((await studio.ask({ method: 'GET', path: '/nowhere' })).status).toBe(401);
  });
});

describe('a path that is no route', () => {
  test.each(['/', '/nowhere', '/tables', '/tables/users', '/tables/users/rows/1/2/3', '/tables//rows', '/schema/', '/tables/users/rows/'])('%s', async (path) => {
    const studio = await studioIn('plain');
    const { status, text } = await studio.ask({ method: 'GET', path: path as `/${string}` });
    expect(status).toBe(404);
    expect(errorAnswer.schema.parse(JSON.parse(text)).code).toMatch(/not_found$/);
  });
});
