/** Authentication, and throttling of failed logins (SECURITY.md 7). */
import { describe, expect, test, vi } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { matches } from '../../src/http/credentials.ts';
import { createThrottle } from '../../src/http/throttle.ts';
import { fakeStudio } from '../http/fake-studio.ts';
import { failureOf, origin } from '../http/requests.ts';
import type * as crypto from 'node:crypto';
import type { AppOptions } from '../../src/http/app.ts';

const timingSafeEqualSpy = vi.hoisted(() => vi.fn<typeof crypto.timingSafeEqual>());

vi.mock('node:crypto', async (importOriginal) => {
  const original = await importOriginal<typeof crypto>();
  return {
    ...original,
    timingSafeEqual: timingSafeEqualSpy.mockImplementation(original.timingSafeEqual),
  };
});

const account = { user: 'ada', password: 'se:crét' };
const withAccount: AppOptions = { anyHost: true, credentials: { account } };
const withToken: AppOptions = { anyHost: true, credentials: { token: 'tok' } };

function basic(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}

/** A new app, and a function that sends requests to it from one address. */
function createVisitor(options: AppOptions, address = '192.0.2.1') {
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
  test('has a challenge for programs, and none for a page, which shows its login form', async () => {
    const { ask } = createVisitor({ ...withAccount, credentials: { account, token: 'tok' } });
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
    const response = await createVisitor(withAccount).ask('/config', {
      headers: { authorization },
    });
    expect(response.status).toBe(200);
  });

  test('Bearer is accepted', async () => {
    const headers = { Authorization: 'bearer tok' };
    expect((await createVisitor(withToken).ask('/config', { headers })).status).toBe(200);
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
    const response = await createVisitor(withAccount).ask('/config', {
      headers: { authorization },
    });
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic /);
  });

  test('a token is not accepted as a password, and a login needs an account', async () => {
    const { ask } = createVisitor(withToken);
    expect((await ask('/login', login({ user: '', password: 'tok' }))).status).toBe(401);
    expect((await ask('/login', login({ user: '', password: '' }))).status).toBe(401);
  });

  test('can be replaced by the `authenticate` function of an embedding program', async () => {
    const authenticate = (request: Request) => request.headers.get('x-user') === 'ada';
    const { ask } = createVisitor({ authenticate });
    expect((await ask('/config')).status).toBe(401);
    expect((await ask('/config', { headers: { 'X-User': 'ada' } })).status).toBe(200);
  });
});

describe('a session', () => {
  async function beginSession(options = withAccount) {
    const { ask } = createVisitor(options);
    const response = await ask('/login', login());
    const cookie = response.headers.get('set-cookie') ?? '';
    return { ask, response, cookie, headers: { Cookie: `other=1; ${cookie.split(';')[0]}` } };
  }

  test('begins with a login and gives access', async () => {
    const { ask, response, headers } = await beginSession();
    expect(response.status).toBe(204);
    expect((await ask('/config', { headers })).status).toBe(200);
  });

  test('has a cookie that scripts and other sites cannot read', async () => {
    const { cookie } = await beginSession();
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

  test('is found among several cookies of its name, in any order', async () => {
    const { ask, cookie } = await beginSession();
    const [pair = ''] = cookie.split(';');
    const stale = `${pair.split('=')[0]}=stale`;
    for (const Cookie of [`${stale}; ${pair}`, `${pair}; ${stale}`])
      expect((await ask('/config', { headers: { Cookie } })).status).toBe(200);
  });

  test('ends at once with a logout', async () => {
    const { ask, headers } = await beginSession();
    const response = await ask('/logout', { method: 'POST', headers });
    expect(response.headers.get('set-cookie')).toMatch(
      /^studio_session_[\da-f]{12}=; Path=\/studio; Max-Age=0;/,
    );
    expect((await ask('/config', { headers })).status).toBe(401);
  });

  test('is not guessed by an empty cookie', async () => {
    const { ask, cookie } = await beginSession();
    const [name] = cookie.split('=');
    expect((await ask('/config', { headers: { Cookie: `${name}=` } })).status).toBe(401);
  });

  test.each([{ user: 'ada' }, [], { user: 1, password: 'x' }])(
    'does not begin with %j',
    async (body) => {
      expect((await createVisitor(withAccount).ask('/login', login(body))).status).toBe(400);
    },
  );
});

describe('guessing passwords', () => {
  const wrongPassword = { headers: { authorization: basic('ada', 'wrong') } };
  const rightPassword = { headers: { authorization: basic(account.user, account.password) } };

  async function failLogins(
    ask: ReturnType<typeof createVisitor>['ask'],
    times: number,
    from?: string,
  ) {
    for (let i = 0; i < times; i++) await ask('/config', wrongPassword, from);
  }

  test('is throttled, and no header of the request changes that', async () => {
    const { ask } = createVisitor(withAccount);
    await failLogins(ask, 5);
    const response = await ask('/config', {
      headers: { ...rightPassword.headers, 'X-Forwarded-For': '198.51.100.7' },
    });
    expect(await failureOf(response)).toMatchObject({ status: 429, code: 'too_many_requests' });
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  });

  test('from one address does not throttle others', async () => {
    const { ask } = createVisitor(withAccount);
    await failLogins(ask, 6, '198.51.100.7');
    expect((await ask('/config', rightPassword, '192.0.2.9')).status).toBe(200);
  });

  test('is still counted after other logins from the same address or account', async () => {
    const { ask } = createVisitor(withAccount);
    for (let i = 0; i < 4; i++) {
      await failLogins(ask, 1);
      expect((await ask('/config', rightPassword)).status).toBe(200);
    }
    await failLogins(ask, 1);
    expect((await ask('/config', rightPassword)).status).toBe(429);
  });

  test('does not end open sessions', async () => {
    const { ask } = createVisitor(withAccount);
    const [cookie = ''] =
      (await ask('/login', login())).headers.get('set-cookie')?.split(';') ?? [];
    await failLogins(ask, 9);
    expect((await ask('/config', rightPassword)).status).toBe(429);
    expect((await ask('/config', { headers: { Cookie: cookie } })).status).toBe(200);
  });

  test('is counted together for an IPv6 network, however its addresses are written', async () => {
    const { ask } = createVisitor(withAccount);
    for (const end of ['1', '2:3', 'ffff:1:2:3', '9', 'a'])
      await failLogins(ask, 1, `2001:db8::${end}`.replace('::ffff', ':0:0:ffff'));
    expect((await ask('/config', rightPassword, '2001:0db8:0:0:1::')).status).toBe(429);
    expect((await ask('/config', rightPassword, '2001:db8:0:1::1')).status).toBe(200);
    expect((await ask('/config', rightPassword, '::ffff:192.0.2.1')).status).toBe(200);
  });

  test('of one account from many addresses is throttled as well', async () => {
    const { ask } = createVisitor(withAccount);
    for (let i = 0; i < 50; i++) await failLogins(ask, 1, `192.0.2.${i}`);
    expect((await ask('/config', rightPassword, '198.51.100.1')).status).toBe(429);
    const other = { headers: { authorization: basic('eve', 'x') } };
    expect((await ask('/config', other, '198.51.100.2')).status).toBe(401);
  });

  test('does not lock out a network that has logged in as the account before', async () => {
    const { ask } = createVisitor(withAccount);
    expect((await ask('/config', rightPassword, '198.51.100.1')).status).toBe(200);
    for (let i = 0; i < 80; i++) await failLogins(ask, 1, `192.0.2.${i}`);
    expect((await ask('/config', rightPassword, '198.51.100.1')).status).toBe(200);
    expect((await ask('/config', rightPassword, '198.51.100.2')).status).toBe(429);
    await failLogins(ask, 5, '198.51.100.1');
    expect((await ask('/config', rightPassword, '198.51.100.1')).status).toBe(429);
  });

  test('by POST /login and by Basic is counted together', async () => {
    const { ask } = createVisitor(withAccount);
    for (let i = 0; i < 5; i++) await ask('/login', login({ user: 'ada', password: 'x' }));
    expect((await ask('/config', rightPassword)).status).toBe(429);
  });

  test('is delayed twice as long each time, up to a minute, and forgotten after 15 minutes', () => {
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

  test('needs bounded memory, however long the user names are', () => {
    const throttle = createThrottle();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < 200; i++)
      throttle.failed({ address: '192.0.2.1', user: String(i).padEnd(1_000_000, 'x') });
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100_000_000);
  });
});

describe('a comparison of secrets', () => {
  test('takes constant time: all parts are compared as digests of the same length', () => {
    timingSafeEqualSpy.mockClear();
    for (const [user, password] of [
      ['ada', 'x'],
      ['x', account.password],
      ['', ''],
      ['x'.repeat(9999), 'x'],
    ] as const)
      expect(matches({ kind: 'basic', user, password }, { account })).toBe(false);
    expect(timingSafeEqualSpy).toHaveBeenCalledTimes(8);
    expect(timingSafeEqualSpy.mock.calls.flat().every(({ byteLength }) => byteLength === 32)).toBe(
      true,
    );
  });

  test.for(['', 'x', 'tok', 'tok\0', 'x'.repeat(100_000)])(
    'accepts only the equal one: %j',
    (token) => {
      expect(matches({ kind: 'bearer', token }, { token: 'tok' })).toBe(token === 'tok');
    },
  );
});

describe('a program that embeds the studio', () => {
  test('decides about every route that needs credentials, before anything else', async () => {
    const authenticatedPaths: string[] = [];
    const authenticate = async (request: Request): Promise<boolean> => {
      authenticatedPaths.push(new URL(request.url).pathname);
      return false;
    };
    const { ask, studio } = createVisitor({ anyHost: true, authenticate });
    expect((await ask('/schema')).status).toBe(401);
    expect((await ask('/sql', { method: 'POST', body: '{' })).status).toBe(401);
    expect(authenticatedPaths).toEqual(['/studio/api/schema', '/studio/api/sql']);
    expect(studio.calls).toEqual([]);
  });

  test('denies access if its function fails', async () => {
    const authenticate = () => Promise.reject(new Error('the store of users is gone'));
    const { ask, studio } = createVisitor({ anyHost: true, authenticate });
    const failure = await failureOf(await ask('/schema'));
    expect(failure).toMatchObject({ status: 500, code: 'internal' });
    expect(failure.error).not.toContain('store');
    expect(studio.calls).toEqual([]);
  });

  test('requires both its consent and the credentials, if credentials are set too', async () => {
    const { ask } = createVisitor({
      ...withToken,
      authenticate: (request) => request.headers.has('x-ok'),
    });
    const bearer = { Authorization: 'Bearer tok' };
    expect((await ask('/config', { headers: bearer })).status).toBe(401);
    expect((await ask('/config', { headers: { 'X-Ok': '1' } })).status).toBe(401);
    expect((await ask('/config', { headers: { 'X-Ok': '1', ...bearer } })).status).toBe(200);
  });
});
