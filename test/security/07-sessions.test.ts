/** Sessions of several copies of a studio that share a secret (SECURITY.md 7). */
import { createHmac } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request as send } from 'node:http';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createEndedSessions } from '../../src/http/ended-sessions.ts';
import { checkSecret, createSignedSessions } from '../../src/http/signed-sessions.ts';
import { createStudio } from '../../src/index.ts';
import { makeFolder, serve } from '../cli/command.ts';
import { fakeStudio } from '../http/fake-studio.ts';
import { failureOf, origin } from '../http/requests.ts';
import type { App } from '../../src/http/app.ts';

const secret = 'Zk3vN0q8Rr5uXyB1tC7wE2sD4fG6hJ9k';
const account = { user: 'ada', password: 'se:crét' };
const hour = 3_600_000;

function openCopy(stateDir: string | undefined): App {
  const state = stateDir === undefined ? {} : { stateDir };
  return createApp(fakeStudio(), { anyHost: true, credentials: { account }, secret, ...state });
}

function call(app: App, path: string, init: RequestInit = {}): Promise<Response> {
  return app.fetch(new Request(`${origin}/studio/api${path}`, init), { address: '192.0.2.1' });
}

function logIn(app: App): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' };
  return call(app, '/login', { method: 'POST', headers, body: JSON.stringify(account) });
}

/** `name=value` of the cookie that a response sets. */
function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? '';
}

/** What the model knows of a session and of its tokens. Times are in milliseconds. */
interface ModelSession {
  readonly endsAt: number;
  loggedOut?: { readonly at: number; readonly copy: number; readonly life: number };
}

interface ModelToken {
  readonly cookie: string;
  readonly session: ModelSession;
  readonly expiresAt: number;
}

type Step =
  | { readonly do: 'log in'; readonly copy: number }
  | { readonly do: 'restart'; readonly copy: number }
  | { readonly do: 'log out' | 'request'; readonly copy: number; readonly token: number }
  | { readonly do: 'wait'; readonly ms: number };

const copyNumber = fc.nat(2);
const tokenNumber = fc.nat(1000);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 2, arbitrary: fc.record({ do: fc.constant('log in' as const), copy: copyNumber }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('restart' as const), copy: copyNumber }) },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constantFrom('log out' as const, ...Array<'request'>(5).fill('request')),
      copy: copyNumber,
      token: tokenNumber,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('wait' as const),
      ms: fc.oneof(fc.nat(6000), fc.nat(hour), fc.nat(hour), fc.nat(14 * hour)),
    }),
  },
);

/** Three copies, and the model that says which of them must accept which token. */
class Cluster {
  readonly folder: string | undefined;
  copies: App[];
  lives = [0, 0, 0];
  tokens: ModelToken[] = [];
  verdicts = { accepted: 0, refused: 0, renewed: 0 };

  constructor(folder: string | undefined) {
    this.folder = folder;
    this.copies = [0, 1, 2].map(() => openCopy(folder));
  }

  async take(next: Step): Promise<void> {
    if (next.do === 'wait') return void vi.setSystemTime(Date.now() + next.ms);
    const app = this.copies[next.copy] as App;
    if (next.do === 'restart') {
      this.copies[next.copy] = openCopy(this.folder);
      this.lives[next.copy] = (this.lives[next.copy] ?? 0) + 1;
      return;
    }
    if (next.do === 'log in') {
      const session = { endsAt: Date.now() + 12 * hour };
      return this.keep(await logIn(app), session);
    }
    const token = this.tokens[next.token % this.tokens.length];
    if (token === undefined) return;
    if (next.do === 'log out') await this.logOut(next.copy, token);
    else await this.ask(next.copy, token);
  }

  /** Records the token that a response sets. */
  keep(response: Response, session: ModelSession): void {
    const expiresAt = Math.min(session.endsAt, Date.now() + hour);
    const seconds = Math.floor((expiresAt - Date.now()) / 1000);
    expect(response.headers.get('set-cookie')).toContain(`; Max-Age=${seconds};`);
    this.tokens.push({ cookie: cookieOf(response), session, expiresAt });
  }

  async logOut(copy: number, { cookie, session, expiresAt }: ModelToken): Promise<void> {
    const app = this.copies[copy] as App;
    const response = await call(app, '/logout', { method: 'POST', headers: { Cookie: cookie } });
    expect(response.status).toBe(204);
    if (expiresAt <= Date.now()) return;
    session.loggedOut ??= { at: Date.now(), copy, life: this.lives[copy] ?? 0 };
  }

  /** Undefined: the copy may accept the token or not. */
  mustAccept(copy: number, { session, expiresAt }: ModelToken): boolean | undefined {
    if (expiresAt <= Date.now()) return false;
    const { loggedOut } = session;
    if (loggedOut === undefined) return true;
    const isOwn = loggedOut.copy === copy && loggedOut.life === this.lives[copy];
    if (isOwn) return false;
    if (this.folder === undefined) return undefined;
    return Date.now() - loggedOut.at < 5000 ? undefined : false;
  }

  async ask(copy: number, token: ModelToken): Promise<void> {
    const response = await call(this.copies[copy] as App, '/config', {
      headers: { Cookie: token.cookie },
    });
    const isAccepted = response.status === 200;
    if (!isAccepted) expect(response.status).toBe(401);
    expect(isAccepted).toBe(this.mustAccept(copy, token) ?? isAccepted);
    const isDue = token.expiresAt - Date.now() < hour / 2 && token.expiresAt < token.session.endsAt;
    expect(response.headers.has('set-cookie')).toBe(isAccepted && isDue);
    if (isAccepted && isDue) this.keep(response, token.session);
    this.verdicts[isAccepted ? 'accepted' : 'refused'] += 1;
    if (isAccepted && isDue) this.verdicts.renewed += 1;
  }
}

describe('a session of several copies', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  test.each([
    ['with a shared state folder', true],
    ['without one', false],
  ])('is open exactly where a model says, %s', async (_title, isShared) => {
    const total = { accepted: 0, refused: 0, renewed: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
        const cluster = new Cluster(isShared ? makeFolder() : undefined);
        await cluster.take({ do: 'log in', copy: 0 });
        for (const next of steps) await cluster.take(next);
        for (const verdict of ['accepted', 'refused', 'renewed'] as const)
          total[verdict] += cluster.verdicts[verdict];
      }),
      { numRuns: 60 },
    );
    // Steps that never reach one of the cases would prove nothing about it.
    expect(Math.min(...Object.values(total))).toBeGreaterThan(10);
  });

  test('that has ended leaves a file, which is removed when its tokens have expired', async () => {
    const folder = makeFolder();
    const app = openCopy(folder);
    const end = async () =>
      call(app, '/logout', { method: 'POST', headers: { Cookie: cookieOf(await logIn(app)) } });
    writeFileSync(join(folder, 'other'), '');
    await end();
    await end();
    expect(readdirSync(join(folder, 'ended-sessions'))).toHaveLength(2);
    vi.setSystemTime(Date.now() + 14 * hour);
    await end();
    expect(readdirSync(join(folder, 'ended-sessions'))).toHaveLength(1);
    expect(readdirSync(folder)).toContain('other');
  });

  test('is neither accepted nor ended silently if the state folder is broken', async () => {
    const folder = makeFolder();
    const app = openCopy(folder);
    writeFileSync(join(folder, 'ended-sessions'), 'not a folder');
    const headers = { Cookie: cookieOf(await logIn(app)) };
    for (const response of [
      await call(app, '/config', { headers }),
      await call(app, '/logout', { method: 'POST', headers }),
    ]) {
      const failure = await failureOf(response);
      expect(failure).toMatchObject({ status: 503, code: 'state_unavailable' });
      expect(failure.error).not.toContain(folder);
    }
    expect((await call(app, '/config', { headers })).status).toBe(401);
    rmSync(join(folder, 'ended-sessions'));
    mkdirSync(join(folder, 'ended-sessions'));
    const other = { Cookie: cookieOf(await logIn(app)) };
    expect((await call(app, '/config', { headers: other })).status).toBe(200);
  });
});

describe('a token', () => {
  const ended = createEndedSessions({});
  const options = { secret, account, path: '/studio', ended };
  const sessions = createSignedSessions(options);

  test('is refused after any change of a bit, as text or as bytes', async () => {
    const { value } = sessions.begin();
    expect(await sessions.find(value)).toStrictEqual({
      id: expect.stringMatching(/^[\da-f]{36}$/),
    });
    const text = Buffer.from(value);
    const bytes = Buffer.from(value, 'base64url');
    const flipped = (from: Buffer, bit: number): Buffer => {
      const copy = Buffer.from(from);
      copy.writeUInt8(copy.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3);
      return copy;
    };
    for (let bit = 0; bit < text.length * 8; bit++)
      expect(await sessions.find(flipped(text, bit).toString('latin1')), `${bit}`).toBeUndefined();
    for (let bit = 0; bit < bytes.length * 8; bit++)
      expect(await sessions.find(flipped(bytes, bit).toString('base64url'))).toBeUndefined();
  });

  test('is refused in part, with more text, and as another text of the same bytes', async () => {
    const { value } = sessions.begin();
    for (let length = 0; length < value.length; length++) {
      expect(await sessions.find(value.slice(0, length))).toBeUndefined();
      expect(await sessions.find(value.slice(length + 1))).toBeUndefined();
    }
    await fc.assert(
      fc.asyncProperty(fc.string({ minLength: 1 }), fc.nat(84), async (more, at) => {
        const longer = value.slice(0, at) + more + value.slice(at);
        expect(await sessions.find(longer)).toBeUndefined();
      }),
    );
    for (const other of [`${value}=`, ` ${value}`, `${value}\n`, value.repeat(10_000)])
      expect(await sessions.find(other)).toBeUndefined();
    const standard = Buffer.from(value, 'base64url').toString('base64');
    if (standard !== value) expect(await sessions.find(standard)).toBeUndefined();
  });

  test('is refused by a studio with another secret, path, user or password', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          secret: fc.option(
            text.map((other) => `${secret}x${other}x`),
            { nil: secret },
          ),
          path: fc.option(text, { nil: '/studio' }),
          user: fc.option(text, { nil: account.user }),
          password: fc.option(text, { nil: account.password }),
        }),
        async ({ secret: key, path, user, password }) => {
          const other = createSignedSessions({
            secret: key,
            path,
            account: { user, password },
            ended,
          });
          const isSame =
            key === secret &&
            path === '/studio' &&
            user === account.user &&
            password === account.password;
          const found = await other.find(sessions.begin().value);
          expect(found).toStrictEqual(isSame ? { id: expect.any(String) } : undefined);
        },
      ),
      { numRuns: 300 },
    );
  });

  test('is refused when the parts of user, password and path are only moved', async () => {
    const of = (path: string, user: string, password: string) =>
      createSignedSessions({ secret, path, account: { user, password }, ended });
    const { value } = of('/a', 'b', 'c:d').begin();
    for (const other of [of('/a', 'b:c', 'd'), of('/ab', '', 'c:d'), of('/', 'ab', 'c:d')])
      expect(await other.find(value)).toBeUndefined();
  });

  test('is refused if it is signed with the secret itself, or with no key', async () => {
    const payload = Buffer.from(sessions.begin().value, 'base64url').subarray(0, 31);
    for (const key of [secret, '', Buffer.alloc(32)]) {
      const signature = createHmac('sha256', key).update(payload).digest();
      const forged = Buffer.concat([payload, signature]).toString('base64url');
      expect(await sessions.find(forged)).toBeUndefined();
    }
  });

  test('is of no use to a studio without a secret', async () => {
    const app = createApp(fakeStudio(), { anyHost: true, credentials: { account } });
    const headers = { Cookie: cookieOf(await logIn(openCopy(undefined))) };
    expect((await call(app, '/config', { headers })).status).toBe(401);
  });
});

describe('a secret', () => {
  test.each([
    ['', /has 0 bytes, and at least 32/],
    ['x'.repeat(31), /has 31 bytes/],
    [`${'x'.repeat(40)}\n`, /begins or ends with white space/],
  ])('such as %j is refused, without being shown', async (weak, message) => {
    expect(() => checkSecret(weak)).toThrow(message);
    const opening = createStudio({ url: ':memory:', credentials: { account }, secret: weak });
    await expect(opening).rejects.toMatchObject({
      code: 'invalid_parameter',
      message: expect.not.stringContaining('xxxx') as string,
    });
  });

  test('counts bytes, and is of no use without an account', async () => {
    expect(() => checkSecret('é'.repeat(16))).not.toThrow();
    const opening = createStudio({ url: ':memory:', credentials: { token: 't' }, secret });
    await expect(opening).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});

/** Sends a request to a copy under the name of the balancer, which the cookie depends on. */
function behindBalancer(url: string, path: string, options: object): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const { method = 'GET', cookie = '', body = '' } = options as Record<string, string>;
    const headers = { Host: 'db.example', Cookie: cookie, 'Content-Type': 'application/json' };
    const request = send(`${url}/api${path}`, { method, headers }, (response) => {
      response.resume();
      const set = response.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
      response.on('end', () => resolve([response.statusCode ?? 0, set]));
    });
    request.on('error', reject).end(body);
  });
}

test('a session and its end outlive the processes that they began in', async () => {
  const folder = makeFolder();
  const file = join(folder, 'my.db');
  new Sqlite(file).exec('CREATE TABLE notes (id INTEGER PRIMARY KEY)').close();
  const env = { STUDIO_SECRET: secret, STUDIO_AUTH: 'ada:x', STUDIO_STATE_DIR: folder };
  const open = () => serve([file], { env });
  const [one, two] = await Promise.all([open(), open()]);
  const body = JSON.stringify({ user: 'ada', password: 'x' });
  const [status, cookie] = await behindBalancer(one.url, '/login', { method: 'POST', body });
  expect(status).toBe(204);
  one.child.kill('SIGKILL');
  const three = await open();
  for (const { url } of [two, three])
    expect(await behindBalancer(url, '/config', { cookie })).toEqual([200, '']);
  await behindBalancer(two.url, '/logout', { method: 'POST', cookie });
  two.child.kill('SIGKILL');
  const four = await open();
  expect(await behindBalancer(four.url, '/config', { cookie })).toEqual([401, '']);
  await vi.waitFor(
    async () => expect(await behindBalancer(three.url, '/config', { cookie })).toEqual([401, '']),
    { timeout: 5000 },
  );
});
