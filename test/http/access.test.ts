import { describe, expect, test } from 'vitest';
import { routes } from '../../src/contract/routes.ts';
import { createApp } from '../../src/http/app.ts';
import { createThrottle } from '../../src/http/throttle.ts';
import { fakeStudio } from './fake-studio.ts';
import { failureOf, origin } from './requests.ts';
import type { Route } from '../../src/contract/route.ts';
import type { AppOptions } from '../../src/http/app.ts';

const account = { user: 'ada', password: 'se:crét' };
const withAccount: AppOptions = { anyHost: true, credentials: { account } };
const withToken: AppOptions = { anyHost: true, credentials: { token: 'tok' } };

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** Requests from one visitor to one app. */
function visit(options: AppOptions, address = '192.0.2.1') {
  const studio = fakeStudio();
  const app = createApp(studio, options);
  return {
    studio,
    ask: (path: string, init: RequestInit = {}, from = address) =>
      app.fetch(new Request(`${origin}/studio/api${path}`, init), { address: from }),
  };
}

function login(body: unknown = account): RequestInit {
  return {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  };
}

const guarded = Object.values<Route>(routes).filter((route) => route.access !== 'open');

describe('without credentials', () => {
  test.for(guarded)('$method $path is 401', async ({ method, path }) => {
    const { ask, studio } = visit(withAccount);
    const response = await ask(path.replace(/:\w+/g, '1'), { method });
    expect(await failureOf(response)).toMatchObject({ status: 401, code: 'unauthorized' });
    expect(studio.asked).toStrictEqual([]);
  });

  test('so is what is no route', async () => {
    expect((await visit(withAccount).ask('/nope')).status).toBe(401);
  });

  test('only health, login and logout are open', () => {
    const open = Object.values<Route>(routes).filter(({ access }) => access === 'open');
    expect(open.map(({ path }) => path).toSorted()).toStrictEqual(['/health', '/login', '/logout']);
  });

  test('a program is told how to log in, a page of the studio is not', async () => {
    const { ask } = visit({ ...withAccount, credentials: { account, token: 'tok' } });
    const told = (await ask('/config')).headers.get('www-authenticate');
    expect(told).toMatch(/^Basic realm=.*, Bearer realm=/);
    const page = await ask('/config', { headers: { 'Sec-Fetch-Site': 'same-origin' } });
    expect(page.status).toBe(401);
    expect(page.headers.get('www-authenticate')).toBeNull();
  });
});

describe('credentials', () => {
  test('Basic lets in, with colons and other letters in the password', async () => {
    const authorization = basic(account.user, account.password);
    const response = await visit(withAccount).ask('/config', { headers: { authorization } });
    expect(response.status).toBe(200);
  });

  test('Bearer lets in', async () => {
    const headers = { Authorization: 'bearer tok' };
    expect((await visit(withToken).ask('/config', { headers })).status).toBe(200);
  });

  test.each([
    basic('ada', 'wrong'),
    basic('eve', account.password),
    basic('', ''),
    'Bearer tok',
    'Basic !!!',
    'Basic',
    'Digest x',
  ])('%s does not', async (authorization) => {
    const response = await visit(withAccount).ask('/config', { headers: { authorization } });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  test('a token is no password, and no login begins without an account', async () => {
    const { ask } = visit(withToken);
    expect((await ask('/login', login({ user: '', password: 'tok' }))).status).toBe(401);
    expect((await ask('/login', login({ user: '', password: '' }))).status).toBe(401);
  });

  test('an embedding program decides for itself', async () => {
    const authenticate = (request: Request) => request.headers.get('x-user') === 'ada';
    const { ask } = visit({ authenticate });
    expect((await ask('/config')).status).toBe(401);
    expect((await ask('/config', { headers: { 'X-User': 'ada' } })).status).toBe(200);
  });
});

describe('a session', () => {
  async function begin(options = withAccount) {
    const { ask } = visit(options);
    const response = await ask('/login', login());
    const cookie = response.headers.get('set-cookie') ?? '';
    return { ask, response, cookie, headers: { Cookie: `other=1; ${cookie.split(';')[0]}` } };
  }

  test('begins by a login and lets in', async () => {
    const { ask, response, headers } = await begin();
    expect(response.status).toBe(204);
    expect((await ask('/config', { headers })).status).toBe(200);
  });

  test('has a cookie that scripts and other sites do not get', async () => {
    const { cookie } = await begin();
    expect(cookie).toMatch(
      /^studio_session=[\w-]{43}; Path=\/studio; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
  });

  test('has a cookie for TLS only where there is TLS', async () => {
    const app = createApp(fakeStudio(), withAccount);
    const request = new Request('https://db.example/studio/api/login', login());
    expect((await app.fetch(request)).headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test('ends at once with a logout', async () => {
    const { ask, headers } = await begin();
    const response = await ask('/logout', { method: 'POST', headers });
    expect(response.headers.get('set-cookie')).toMatch(
      /^studio_session=; Path=\/studio; Max-Age=0;/,
    );
    expect((await ask('/config', { headers })).status).toBe(401);
  });

  test('is not guessed by an empty cookie', async () => {
    const { ask } = visit(withAccount);
    expect((await ask('/config', { headers: { Cookie: 'studio_session=' } })).status).toBe(401);
  });

  test.each([{ user: 'ada' }, [], { user: 1, password: 'x' }])(
    'does not begin with %j',
    async (body) => {
      expect((await visit(withAccount).ask('/login', login(body))).status).toBe(400);
    },
  );
});

describe('guessing', () => {
  const wrong = { headers: { authorization: basic('ada', 'wrong') } };
  const right = { headers: { authorization: basic(account.user, account.password) } };

  async function fail(ask: ReturnType<typeof visit>['ask'], times: number, from?: string) {
    for (let i = 0; i < times; i++) await ask('/config', wrong, from);
  }

  test('is slowed down, and no header of the request changes that', async () => {
    const { ask } = visit(withAccount);
    await fail(ask, 5);
    const response = await ask('/config', {
      headers: { ...right.headers, 'X-Forwarded-For': '198.51.100.7' },
    });
    expect(await failureOf(response)).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('elsewhere slows nobody else down', async () => {
    const { ask } = visit(withAccount);
    await fail(ask, 6, '198.51.100.7');
    expect((await ask('/config', right, '192.0.2.9')).status).toBe(200);
  });

  test('waits longer each time, up to a minute, and starts anew after a success', () => {
    let nowMs = 0;
    const throttle = createThrottle(() => nowMs);
    const waits: number[] = [];
    for (let i = 0; i < 14; i++) {
      throttle.failed('x');
      waits.push(throttle.waitSeconds('x'));
      nowMs += throttle.waitSeconds('x') * 1000;
    }
    expect(waits).toStrictEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    throttle.succeeded('x');
    throttle.failed('x');
    expect(throttle.waitSeconds('x')).toBe(0);
  });
});
