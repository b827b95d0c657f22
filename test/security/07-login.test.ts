/** Authentication, and throttling of failed logins (SECURITY.md 7). */
import { describe, expect, test, vi } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { matches } from '../../src/http/credentials.ts';
import { createThrottle } from '../../src/http/throttle.ts';
import { fakeStudio } from '../http/fake-studio.ts';
import { failureOf, origin } from '../http/requests.ts';
import type * as crypto from 'node:crypto';
import type { AppOptions } from '../../src/http/app.ts';

const compared = vi.hoisted(() => vi.fn<typeof crypto.timingSafeEqual>());

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof crypto>();
  return { ...original, timingSafeEqual: compared.mockImplementation(original.timingSafeEqual) };
});

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

describe('a 401 response', () => {
  test('tells a program how to log in, and sends a page to the login form', async () => {
    const { ask } = visit({ ...withAccount, credentials: { account, token: 'tok' } });
    const challenge = (await ask('/config')).headers.get('www-authenticate');
    expect(challenge).toMatch(/^Basic realm=.*, Bearer realm=/);
    const page = await ask('/config', { headers: { 'Sec-Fetch-Site': 'same-origin' } });
    expect(page.status).toBe(401);
    expect(page.headers.get('www-authenticate')).toBeNull();
  });
});

describe('credentials', () => {
  test('Basic is accepted, with colons and non-ASCII characters in the password', async () => {
    const authorization = basic(account.user, account.password);
    const response = await visit(withAccount).ask('/config', { headers: { authorization } });
    expect(response.status).toBe(200);
  });

  test('Bearer is accepted', async () => {
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
  ])('%s is rejected', async (authorization) => {
    const response = await visit(withAccount).ask('/config', { headers: { authorization } });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  test('a token is not accepted as a password, and a login needs an account', async () => {
    const { ask } = visit(withToken);
    expect((await ask('/login', login({ user: '', password: 'tok' }))).status).toBe(401);
    expect((await ask('/login', login({ user: '', password: '' }))).status).toBe(401);
  });

  test('an embedding program can decide itself', async () => {
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

  test('begins with a login and gives access', async () => {
    const { ask, response, headers } = await begin();
    expect(response.status).toBe(204);
    expect((await ask('/config', { headers })).status).toBe(200);
  });

  test('has a cookie that scripts and other sites cannot read', async () => {
    const { cookie } = await begin();
    expect(cookie).toMatch(
      /^studio_session_[\da-f]{12}=[\w-]{43}; Path=\/studio; Max-Age=43200; HttpOnly; SameSite=Strict$/,
    );
  });

  test('has a Secure cookie over TLS only', async () => {
    const app = createApp(fakeStudio(), withAccount);
    const request = new Request('https://db.example/studio/api/login', login());
    expect((await app.fetch(request)).headers.get('set-cookie')).toMatch(/; Secure$/);
  });

  test.each([
    ['http://db.example/studio', 'http://db.example:81/studio'],
    ['http://db.example:4555/studio', 'http://db.example:4555/other'],
    ['http://db.example:4555/', 'http://db.example:4555/studio'],
    ['http://db.example/studio', 'https://db.example/studio'],
  ])('has a separate cookie for each studio of a host: %s and %s', async (one, other) => {
    const [first, second] = await Promise.all(
      [one, other].map(async (url) => {
        const prefix = new URL(url).pathname;
        const app = createApp(fakeStudio({ config: { prefix } }), withAccount);
        const response = await app.fetch(
          new Request(`${url.replace(/\/$/, '')}/api/login`, login()),
        );
        return response.headers.get('set-cookie')?.split('=')[0];
      }),
    );
    expect(first).toMatch(/^studio_session_/);
    expect(first).not.toBe(second);
  });

  test('is found in any order of cookies with its name', async () => {
    const { ask, cookie } = await begin();
    const [pair = ''] = cookie.split(';');
    const stale = `${pair.split('=')[0]}=stale`;
    for (const Cookie of [`${stale}; ${pair}`, `${pair}; ${stale}`])
      expect((await ask('/config', { headers: { Cookie } })).status).toBe(200);
  });

  test('ends at once with a logout', async () => {
    const { ask, headers } = await begin();
    const response = await ask('/logout', { method: 'POST', headers });
    expect(response.headers.get('set-cookie')).toMatch(
      /^studio_session_[\da-f]{12}=; Path=\/studio; Max-Age=0;/,
    );
    expect((await ask('/config', { headers })).status).toBe(401);
  });

  test('is not guessed by an empty cookie', async () => {
    const { ask, cookie } = await begin();
    const [name] = cookie.split('=');
    expect((await ask('/config', { headers: { Cookie: `${name}=` } })).status).toBe(401);
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

  test('is throttled, and no header of the request changes that', async () => {
    const { ask } = visit(withAccount);
    await fail(ask, 5);
    const response = await ask('/config', {
      headers: { ...right.headers, 'X-Forwarded-For': '198.51.100.7' },
    });
    expect(await failureOf(response)).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('from one address does not throttle others', async () => {
    const { ask } = visit(withAccount);
    await fail(ask, 6, '198.51.100.7');
    expect((await ask('/config', right, '192.0.2.9')).status).toBe(200);
  });

  test('is still counted after other logins from the same address or account', async () => {
    const { ask } = visit(withAccount);
    for (let i = 0; i < 4; i++) {
      await fail(ask, 1);
      expect((await ask('/config', right)).status).toBe(200);
    }
    await fail(ask, 1);
    expect((await ask('/config', right)).status).toBe(429);
  });

  test('does not end open sessions', async () => {
    const { ask } = visit(withAccount);
    const [cookie = ''] =
      (await ask('/login', login())).headers.get('set-cookie')?.split(';') ?? [];
    await fail(ask, 9);
    expect((await ask('/config', right)).status).toBe(429);
    expect((await ask('/config', { headers: { Cookie: cookie } })).status).toBe(200);
  });

  test('is counted together for an IPv6 network, however its addresses are written', async () => {
    const { ask } = visit(withAccount);
    for (const end of ['1', '2:3', 'ffff:1:2:3', '9', 'a'])
      await fail(ask, 1, `2001:db8::${end}`.replace('::ffff', ':0:0:ffff'));
    expect((await ask('/config', right, '2001:0db8:0:0:1::')).status).toBe(429);
    expect((await ask('/config', right, '2001:db8:0:1::1')).status).toBe(200);
    expect((await ask('/config', right, '::ffff:192.0.2.1')).status).toBe(200);
  });

  test('one account from many addresses is slowed down as well', async () => {
    const { ask } = visit(withAccount);
    for (let i = 0; i < 50; i++) await fail(ask, 1, `192.0.2.${i}`);
    expect((await ask('/config', right, '198.51.100.1')).status).toBe(429);
    const other = { headers: { authorization: basic('eve', 'x') } };
    expect((await ask('/config', other, '198.51.100.2')).status).toBe(401);
  });

  test('does not lock out a network that has logged in as the account before', async () => {
    const { ask } = visit(withAccount);
    expect((await ask('/config', right, '198.51.100.1')).status).toBe(200);
    for (let i = 0; i < 80; i++) await fail(ask, 1, `192.0.2.${i}`);
    expect((await ask('/config', right, '198.51.100.1')).status).toBe(200);
    expect((await ask('/config', right, '198.51.100.2')).status).toBe(429);
    await fail(ask, 5, '198.51.100.1');
    expect((await ask('/config', right, '198.51.100.1')).status).toBe(429);
  });

  test('by POST /login and by Basic is counted together', async () => {
    const { ask } = visit(withAccount);
    for (let i = 0; i < 5; i++) await ask('/login', login({ user: 'ada', password: 'x' }));
    expect((await ask('/config', right)).status).toBe(429);
  });

  test('is delayed longer each time, up to a minute, and forgotten after 15 minutes', () => {
    let nowMs = 0;
    const throttle = createThrottle(() => nowMs);
    const attempt = { address: '192.0.2.1', user: 'x' };
    const waits: number[] = [];
    for (let i = 0; i < 14; i++) {
      throttle.failed(attempt);
      waits.push(throttle.waitSeconds(attempt));
      nowMs += throttle.waitSeconds(attempt) * 1000;
    }
    expect(waits).toStrictEqual([0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 60, 60, 60, 60]);
    nowMs += 15 * 60_000;
    throttle.failed(attempt);
    expect(throttle.waitSeconds(attempt)).toBe(0);
  });

  test('needs memory for at most ten thousand names, however long they are', () => {
    const throttle = createThrottle();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i++)
      throttle.failed({ address: '192.0.2.1', user: String(i).padEnd(1_000_000, 'x') });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  });
});

describe('secrets are compared', () => {
  test('in constant time: all parts are compared as digests of the same length', () => {
    compared.mockClear();
    for (const [user, password] of [
      ['ada', 'x'],
      ['x', account.password],
      ['', ''],
      ['x'.repeat(9999), 'x'],
    ] as const)
      expect(matches({ kind: 'basic', user, password }, { account })).toBe(false);
    expect(compared).toHaveBeenCalledTimes(8);
    expect(compared.mock.calls.flat().every(({ byteLength }) => byteLength === 32)).toBe(true);
  });

  test.for(['', 'x', 'tok', 'tok\0', 'x'.repeat(100_000)])('of any length: %j', (token) => {
    expect(matches({ kind: 'bearer', token }, { token: 'tok' })).toBe(token === 'tok');
  });
});

describe('a program that embeds the studio', () => {
  test('is called for every route that needs credentials, before anything else', async () => {
    const seen: string[] = [];
    const authenticate = async (request: Request): Promise<boolean> => {
      seen.push(new URL(request.url).pathname);
      return false;
    };
    const { ask, studio } = visit({ anyHost: true, authenticate });
    expect((await ask('/schema')).status).toBe(401);
    expect((await ask('/sql', { method: 'POST', body: '{' })).status).toBe(401);
    expect(seen).toEqual(['/studio/api/schema', '/studio/api/sql']);
    expect(studio.asked).toEqual([]);
  });

  test('denies access if it fails', async () => {
    const authenticate = () => Promise.reject(new Error('the store of users is gone'));
    const { ask, studio } = visit({ anyHost: true, authenticate });
    const failure = await failureOf(await ask('/schema'));
    expect(failure).toMatchObject({ status: 500, code: 'internal' });
    expect(failure.error).not.toContain('store');
    expect(studio.asked).toEqual([]);
  });

  test('requires both if credentials are set too', async () => {
    const { ask } = visit({ ...withToken, authenticate: (request) => request.headers.has('x-ok') });
    const bearer = { Authorization: 'Bearer tok' };
    expect((await ask('/config', { headers: bearer })).status).toBe(401);
    expect((await ask('/config', { headers: { 'X-Ok': '1' } })).status).toBe(401);
    expect((await ask('/config', { headers: { 'X-Ok': '1', ...bearer } })).status).toBe(200);
  });
});
