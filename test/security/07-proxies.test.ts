/** Clients behind proxies: which part of the proxy header is trusted (SECURITY.md 7). */
import {
  array,
  assert,
  asyncProperty,
  boolean,
  constant,
  constantFrom,
  nat,
  oneof,
  property,
  record,
  subarray,
  tuple,
} from 'fast-check';
import type { Arbitrary } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { networkOf } from '../../src/http/addresses.ts';
import { createFindClient } from '../../src/http/proxies.ts';
import { fakeStudio } from '../http/fake-studio.ts';
import { failureOf } from '../http/requests.ts';
import type { AppOptions } from '../../src/http/app.ts';
import type { ProxyOptions } from '../../src/http/proxies.ts';

const account = { user: 'ada', password: 'right' };
const url = 'http://localhost:4555/studio/api';

function basic(password: string): string {
  return `Basic ${Buffer.from(`${account.user}:${password}`).toString('base64')}`;
}

const headerKinds = ['X-Forwarded-For', 'Forwarded', 'X-Real-IP'] as const;
type HeaderKind = (typeof headerKinds)[number];

/** How a proxy such as nginx changes the header that it received. */
function afterProxy(kind: HeaderKind, received: string | undefined, caller: string): string {
  if (kind === 'X-Real-IP') return caller;
  const isIpv6 = caller.includes(':');
  const headerEntry =
    kind === 'Forwarded' ? `for=${isIpv6 ? `"[${caller}]:80"` : caller};proto=http` : caller;
  return received === undefined ? headerEntry : `${received}, ${headerEntry}`;
}

const proxies = ['127.0.0.1', '10.0.0.1', '10.9.9.9'];
const options = (proxyHeader: string): AppOptions => ({
  anyHost: true,
  credentials: { account },
  proxyHeader,
  trustedProxies: ['127.0.0.1', '10.0.0.0/8'],
});

/** Addresses of clients. The last two are in one IPv6 network, each of the others is in its own. */
const clients = ['192.0.2.1', '192.0.2.2', '198.51.100.9', '2001:db8:0:1::1', '2001:db8:0:1::2'];
/** The number of the network of each client. */
const networks = [0, 1, 2, 3, 3];

/** Forged values of the proxy header, by which a client may impersonate another one. */
const forgedHeaders = constantFrom(
  undefined,
  '203.0.113.1',
  '127.0.0.1',
  '10.0.0.1',
  'for=203.0.113.1',
  'for=203.0.113.1;proto=https',
  'unknown',
  '203.0.113.1, 127.0.0.1',
  '198.51.100.9',
  'for="',
  'for=203.0.113.1;host="',
);

/** One request: which client sends it, with which forged header, through which proxies. */
interface RequestStep {
  readonly client: number;
  readonly forgedHeader: string | undefined;
  readonly path: readonly string[];
  readonly isDirect: boolean;
}

const stepsArbitrary: Arbitrary<readonly RequestStep[]> = array(
  record({
    client: nat(clients.length - 1),
    forgedHeader: forgedHeaders,
    path: subarray(proxies, { minLength: 1 }),
    isDirect: boolean(),
  }),
  { minLength: 20, maxLength: 40 },
);

describe('behind trusted proxies', () => {
  test('each network is throttled by its own failures, whatever its clients claim', async () => {
    await assert(
      asyncProperty(constantFrom(...headerKinds), stepsArbitrary, async (kind, steps) => {
        const app = createApp(fakeStudio(), options(kind));
        const failures = new Map<number, number>();
        for (const { client, forgedHeader, path, isDirect } of steps) {
          const network = networks[client]!;
          let header = forgedHeader;
          let caller = clients[client]!;
          for (const proxy of isDirect ? [] : kind === 'X-Real-IP' ? path.slice(0, 1) : path) {
            header = afterProxy(kind, header, caller);
            caller = proxy;
          }
          const headers = {
            authorization: basic('wrong'),
            ...(header === undefined ? {} : { [kind]: header }),
          };
          const response = await app.fetch(new Request(`${url}/config`, { headers }), {
            address: caller,
          });
          const before = failures.get(network) ?? 0;
          expect([client, response.status]).toEqual([client, before >= 5 ? 429 : 401]);
          if (before < 5) failures.set(network, before + 1);
        }
      }),
      { numRuns: 60 },
    );
  });

  test('a client is not throttled by failures of its neighbors', async () => {
    const app = createApp(fakeStudio(), options('X-Forwarded-For'));
    const ask = (client: string, password: string) =>
      app.fetch(
        new Request(`${url}/config`, {
          headers: { authorization: basic(password), 'X-Forwarded-For': client },
        }),
        { address: '10.0.0.1' },
      );
    for (let i = 0; i < 6; i++) await ask('192.0.2.1', 'wrong');
    expect((await ask('192.0.2.1', 'right')).status).toBe(429);
    expect((await ask('192.0.2.2', 'right')).status).toBe(200);
  });
});

describe('the address of the client', () => {
  const findClient = (
    proxyOptions: ProxyOptions,
    { from = '127.0.0.1', ...headers }: Record<string, string>,
  ) => createFindClient(proxyOptions)(new Request(url, { headers }), from);

  test.for<[string, Record<string, string>, string]>([
    ['X-Forwarded-For', { 'X-Forwarded-For': '192.0.2.1' }, '192.0.2.1'],
    ['X-Forwarded-For', { 'X-Forwarded-For': '192.0.2.1:5678' }, '192.0.2.1'],
    ['X-Forwarded-For', { 'X-Forwarded-For': '[2001:DB8::1]:5678' }, '2001:db8::1'],
    ['X-Forwarded-For', { 'X-Forwarded-For': '::ffff:192.0.2.1' }, '192.0.2.1'],
    ['X-Forwarded-For', { 'X-Forwarded-For': '::ffff:c000:201' }, '192.0.2.1'],
    ['X-Forwarded-For', { from: '::ffff:127.0.0.1', 'X-Forwarded-For': '192.0.2.1' }, '192.0.2.1'],
    ['X-Forwarded-For', { 'X-Forwarded-For': '127.0.0.1' }, '127.0.0.1'],
    ['X-Forwarded-For', { 'X-Forwarded-For': 'unknown' }, '127.0.0.1'],
    ['X-Forwarded-For', { 'X-Forwarded-For': '192.0.2.1, ' }, '127.0.0.1'],
    ['X-Forwarded-For', {}, '127.0.0.1'],
    ['X-Forwarded-For', { Forwarded: 'for=192.0.2.1' }, '127.0.0.1'],
    ['X-Forwarded-For', { from: '192.0.2.7', 'X-Forwarded-For': '192.0.2.1' }, '192.0.2.7'],
    ['X-Forwarded-For', { from: '', 'X-Forwarded-For': '192.0.2.1' }, ''],
    ['Forwarded', { Forwarded: 'For="[2001:db8:cafe::17]:4711"' }, '2001:db8:cafe::17'],
    ['Forwarded', { Forwarded: 'for=192.0.2.43, for=198.51.100.17' }, '198.51.100.17'],
    ['Forwarded', { Forwarded: 'by=203.0.113.43;for=192.0.2.60;proto=http' }, '192.0.2.60'],
    ['Forwarded', { Forwarded: 'for=_hidden, for="_SEVKISEK"' }, '127.0.0.1'],
    ['Forwarded', { Forwarded: 'for=192.0.2.9;x="a,b\\"", for=192.0.2.1' }, '192.0.2.1'],
    ['Forwarded', { Forwarded: 'for=203.0.113.1;x=", for=192.0.2.1' }, '192.0.2.1'],
    ['Forwarded', { 'X-Forwarded-For': '192.0.2.1' }, '127.0.0.1'],
  ])('%s %o is %s', ([proxyHeader, headers, address]) => {
    expect(findClient({ proxyHeader }, headers).address).toBe(address);
  });

  test('is the address of the socket if no header is configured', () => {
    const headers = { 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'https' };
    expect(findClient({}, headers)).toEqual({ address: '127.0.0.1', isSecure: false });
  });

  test.for<[string, Record<string, string>, boolean]>([
    ['X-Forwarded-For', { 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'https' }, true],
    ['X-Forwarded-For', { 'X-Forwarded-For': '192.0.2.1', 'X-Forwarded-Proto': 'http' }, false],
    [
      'X-Forwarded-For',
      { 'X-Forwarded-For': '192.0.2.1, 127.0.0.2', 'X-Forwarded-Proto': 'https, http' },
      true,
    ],
    [
      'X-Forwarded-For',
      { 'X-Forwarded-For': '9.9.9.9, 192.0.2.1', 'X-Forwarded-Proto': 'https, http' },
      false,
    ],
    ['X-Forwarded-For', { from: '192.0.2.7', 'X-Forwarded-Proto': 'https' }, false],
    ['Forwarded', { Forwarded: 'for=192.0.2.1;proto=https, for=127.0.0.2;proto=http' }, true],
    ['Forwarded', { Forwarded: 'for=192.0.2.1', 'X-Forwarded-Proto': 'https' }, false],
  ])('%s %o used TLS: %s', ([proxyHeader, headers, isSecure]) => {
    expect(findClient({ proxyHeader }, headers).isSecure).toBe(isSecure);
  });

  test('comes with TLS through a trusted proxy: the origin is https and the cookie Secure', async () => {
    const app = createApp(fakeStudio(), { ...options('X-Forwarded-For') });
    const login = (headers: Record<string, string>) =>
      app.fetch(
        new Request(`${url}/login`, {
          method: 'POST',
          headers: {
            host: 'db.example',
            'Content-Type': 'application/json',
            'X-Forwarded-For': '192.0.2.1',
            ...headers,
          },
          body: JSON.stringify(account),
        }),
        { address: '10.0.0.1' },
      );
    const https = { origin: 'https://db.example', 'X-Forwarded-Proto': 'https' };
    const response = await login(https);
    expect(response.status).toBe(204);
    expect(response.headers.get('set-cookie')).toMatch(/; Secure$/);
    const http = await login({ ...https, origin: 'http://db.example' });
    expect(await failureOf(http)).toMatchObject({ status: 403, code: 'forbidden_origin' });
  });

  test.for<ProxyOptions>([
    { trustedProxies: ['127.0.0.1'] },
    { proxyHeader: 'x y' },
    { proxyHeader: 'Forwarded', trustedProxies: ['localhost'] },
    { proxyHeader: 'Forwarded', trustedProxies: ['10.0.0.0/33'] },
    { proxyHeader: 'Forwarded', trustedProxies: ['::/129'] },
    { proxyHeader: 'Forwarded', trustedProxies: ['10.0.0.0/'] },
  ])('cannot be found with %o', (proxyOptions) => {
    expect(() => createApp(fakeStudio(), proxyOptions)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter' }),
    );
  });
});

const group = oneof(constant(0), nat(0xffff));
const networkGroups = tuple(group, group, group, group);
/** The last four groups of an address. The first is not zero, because `::ffff:…` is an IPv4-mapped address. */
const hostGroups = tuple(
  nat({ max: 0xfffe }).map((value) => value + 1),
  group,
  group,
  group,
);

/** Notations of an address: without and with leading zeros, and with `::` for zeros. */
const notations: readonly ((groups: readonly number[]) => string)[] = [
  (groups) => groups.map((value) => value.toString(16)).join(':'),
  (groups) => groups.map((value) => value.toString(16).toUpperCase().padStart(4, '0')).join(':'),
  (groups) => new URL(`http://[${notations[0]!(groups)}]`).hostname.slice(1, -1),
];
const notationArbitrary = constantFrom(...notations);

test('an IPv6 network is recognized, however its addresses are written', () => {
  assert(
    property(
      tuple(networkGroups, hostGroups),
      tuple(networkGroups, hostGroups),
      notationArbitrary,
      notationArbitrary,
      (one, other, ...selectedNotations) => {
        const [first, second] = [one, other].map(([network, hostPart], i) =>
          networkOf(selectedNotations[i]!([...network, ...hostPart])),
        );
        const neighborNetwork = networkOf(selectedNotations[1]([...one[0], ...other[1]]));
        expect(neighborNetwork).toBe(first);
        expect(first === second).toBe(one[0].join() === other[0].join());
      },
    ),
  );
});
