/** URLs with several hosts, at a primary and its streaming standby. libpq is the reference. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openPostgres } from '../../../src/databases/postgres/database.ts';
import { readUrl } from '../../../src/databases/postgres/driver/connection-options.ts';
import { targetSessions } from '../../../src/databases/target-session.ts';
import { createStudio } from '../../../src/index.ts';
import { queryServer, usePostgresCluster } from '../../servers/postgres-cluster.ts';
import type { Address } from '../../../src/databases/postgres/driver/hosts.ts';
import type { EmbeddedStudio } from '../../../src/index.ts';

const cluster = usePostgresCluster();
const execute = promisify(execFile);

/** A port of this machine on which nothing listens: TCP port multiplexer. */
const deadPort = 1;

type Member = 'primary' | 'standby' | 'dead';

function portOf(member: Member): number {
  return member === 'dead' ? deadPort : cluster()[member].port;
}

interface UrlOptions {
  readonly members: readonly Member[];
  readonly target?: string;
  readonly asKeywords?: boolean;
  readonly password?: string;
}

function urlOf({ members, target, asKeywords, password = 'postgres' }: UrlOptions): string {
  const ports = members.map(portOf);
  if (asKeywords === true) {
    const hosts = members.map(() => '127.0.0.1').join(',');
    const end = target === undefined ? '' : ` target_session_attrs='${target}'`;
    return `host=${hosts} port=${ports.join(',')} user=postgres password=${password} dbname=postgres${end}`;
  }
  const hosts = ports.map((port) => `127.0.0.1:${port}`).join(',');
  const end = target === undefined ? '' : `?target_session_attrs=${target}`;
  return `postgres://postgres:${password}@${hosts}/postgres${end}`;
}

/** The port that libpq connects to; undefined if it does not connect. */
async function portOfLibpq(url: string): Promise<number | undefined> {
  const args = ['-X', '-A', '-t', '-d', url, '-c', 'SELECT inet_server_port()'];
  try {
    return Number((await execute('psql', args)).stdout);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    return undefined;
  }
}

async function portOfStudio(url: string): Promise<number | undefined> {
  const opened = openPostgres({ url, readOnly: true, create: false });
  const database = await opened.catch((error: unknown) => {
    expect(error).toMatchObject({ code: 'database_unavailable' });
  });
  if (database === undefined) return undefined;
  try {
    const query = { text: 'SELECT inet_server_port()', params: [] };
    return Number((await database.run(query)).rows[0]?.[0]);
  } finally {
    await database.close();
  }
}

const urlOptions = fc.record({
  members: fc.array(fc.constantFrom<Member>('primary', 'standby', 'dead'), {
    minLength: 1,
    maxLength: 4,
  }),
  target: fc.option(fc.constantFrom(...targetSessions), { nil: undefined }),
  asKeywords: fc.boolean(),
});

describe('a URL with several hosts', () => {
  test('connects where libpq connects', { timeout: 120_000 }, async (context) => {
    await execute('psql', ['--version']).catch(() => context.skip('no psql to compare with'));
    await fc.assert(
      fc.asyncProperty(urlOptions, async (options) => {
        const url = urlOf(options as UrlOptions);
        expect(await portOfStudio(url)).toBe(await portOfLibpq(url));
      }),
      { numRuns: 60 },
    );
  });

  test('names each host with its reason if none can be used', async () => {
    const members = ['dead', 'standby'] as const;
    const url = urlOf({ members, target: 'primary' });
    await expect(openPostgres({ url, readOnly: false, create: false })).rejects.toMatchObject({
      code: 'database_unavailable',
      message:
        `No host of the database can be used: 127.0.0.1:${deadPort}: no server listens at this address; ` +
        `127.0.0.1:${portOf('standby')}: it is a standby, and target_session_attrs is primary.`,
    });
  });

  test('does not offer a rejected password to the next host', async () => {
    const members = ['dead', 'primary', 'standby'] as const;
    const url = urlOf({ members, password: 'hunter2' });
    const opening = openPostgres({ url, readOnly: false, create: false });
    await expect(opening).rejects.toMatchObject({
      message: expect.stringMatching(
        `Hosts tried: 127.0.0.1:${deadPort}: [^;]*; 127.0.0.1:${portOf('primary')}: [^;]*\\.$`,
      ) as string,
    });
    await expect(opening).rejects.not.toMatchObject({
      message: expect.stringContaining('hunter2') as string,
    });
  });

  test('with one host of another role says so', async () => {
    const url = urlOf({ members: ['primary'], target: 'standby' });
    await expect(openPostgres({ url, readOnly: false, create: false })).rejects.toMatchObject({
      code: 'database_unavailable',
      message:
        'The server of the database cannot be used: it is a primary, and target_session_attrs is standby.',
    });
  });
});

/** A URL of one host shortens IPv6 addresses. */
function canonical({ host, ...more }: Address): Address {
  if (host?.includes(':') !== true) return { host: host ?? '', ...more };
  return { host: new URL(`http://[${host}]`).hostname, ...more };
}

describe('the addresses of a URL', () => {
  const name = fc.stringMatching(/^[a-z][a-z\d-]{0,9}(\.[a-z]{1,5})?$/);
  const socket = fc.stringMatching(/^(\/[a-z ]{1,6}){1,3}$/).filter((path) => path.trim() === path);
  const host = fc.oneof(
    name,
    fc.ipV4(),
    fc.ipV6().filter((text) => text.includes(':')),
    socket,
  );
  const port = fc.option(fc.integer({ min: 1, max: 65_535 }), { nil: undefined });
  const addresses = fc.array(fc.record({ host, port }), { minLength: 1, maxLength: 5 });

  test('are the same in a URL, in its parameters and in keywords', () => {
    fc.assert(
      fc.property(addresses, (list) => {
        const inUrl = list.map(({ host: text, port: number }) => {
          const encoded = text.includes(':') ? `[${text}]` : encodeURIComponent(text);
          return number === undefined ? encoded : `${encoded}:${number}`;
        });
        const hosts = list.map(({ host: text }) => text).join(',');
        const ports = list.map(({ port: number }) => number ?? '').join(',');
        const search = new URLSearchParams({ host: hosts, port: ports }).toString();
        const expected = list.map(({ host: text, port: number }) => ({
          host: text,
          ...(number === undefined ? {} : { port: number }),
        }));
        for (const url of [
          `postgres://ada:se,cr,et@${inUrl.join(',')}/shop`,
          `postgres://ada@/shop?${search}`,
          `host='${hosts}' port='${ports}' user=ada`,
        ]) {
          const found = readUrl(url);
          expect(found.hosts.map(({ tls: _tls, ...address }) => canonical(address))).toEqual(
            expected.map(canonical),
          );
          expect(found.user).toBe('ada');
        }
      }),
    );
  });

  test('share one port', () => {
    const found = readUrl('host=a,b,c port=6543').hosts.map(({ host: text, port: number }) => [
      text,
      number,
    ]);
    expect(found).toEqual([
      ['a', 6543],
      ['b', 6543],
      ['c', 6543],
    ]);
  });

  test.for([
    ['postgres://a,b/d?port=1,2,3', /2 hosts and 3 ports/],
    ['postgres://a:x,b/d', /a port must be a number from 1 to 65535/],
    ['postgres://a:0,b/d', /a port must be a number/],
    ['postgres://h/d?port=65536', /a port must be a number/],
    ['postgres://::1,b/d', /in brackets/],
    ['postgres://a,%zz/d', /two hexadecimal digits/],
    [
      'postgres://a,b/d?target_session_attrs=master',
      /target_session_attrs must be one of any, read-write/,
    ],
    ['postgres://a,b/d?load_balance_hosts=yes', /load_balance_hosts must be disable or random/],
  ] as const)('of %s are rejected with the reason', ([url, reason]) => {
    expect(() => readUrl(url)).toThrow(
      expect.objectContaining({
        code: 'invalid_parameter',
        message: expect.stringMatching(reason),
      }),
    );
  });

  test('come from the variables of libpq', () => {
    vi.stubEnv('PGHOST', 'a,b');
    vi.stubEnv('PGPORT', '1,2');
    vi.stubEnv('PGTARGETSESSIONATTRS', 'standby');
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(readUrl('postgres:///d')).toMatchObject({
      hosts: [
        { host: 'a', port: 1 },
        { host: 'b', port: 2 },
      ],
      targetSession: 'standby',
    });
  });
});

async function call(studio: EmbeddedStudio, path: string, init?: RequestInit): Promise<unknown> {
  const response = await studio.fetch(new Request(`http://localhost/studio/api${path}`, init));
  return response.json();
}

function insert(studio: EmbeddedStudio, body: object): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json' };
  const init = { method: 'POST', headers, body: JSON.stringify(body) };
  return call(studio, '/tables/notes/rows', init);
}

async function open(options: UrlOptions): Promise<EmbeddedStudio> {
  const studio = await createStudio({ url: urlOf(options) });
  onTestFinished(() => studio.close());
  return studio;
}

/** Ends the primary of the cluster, so it comes last. */
test(
  'a failover is followed, by jobs too, and shown by the configuration',
  { timeout: 120_000 },
  async () => {
    const { primary, standby } = cluster();
    await queryServer(primary, 'CREATE TABLE notes (id int PRIMARY KEY, text text)');
    await vi.waitFor(() => queryServer(standby, 'SELECT * FROM notes'), { timeout: 20_000 });
    const members = ['primary', 'standby'] as const;
    const writing = await open({ members, target: 'read-write' });
    const reading = await open({ members: ['standby'] });
    expect(await insert(writing, { id: 1, text: 'before' })).toMatchObject({ data: { id: 1 } });
    expect(await call(writing, '/config')).toMatchObject({ read_only: false });
    expect(await call(reading, '/config')).toMatchObject({
      read_only: true,
      read_only_reason: 'The database server is a standby (pg_is_in_recovery()).',
    });
    expect(await insert(reading, { id: 9 })).toMatchObject({ code: 'read_only' });
    await vi.waitFor(
      async () => expect(await call(reading, '/tables/notes/rows')).toMatchObject({ total: 1 }),
      { timeout: 20_000 },
    );

    await primary.stop();
    const failure = await insert(writing, { id: 2 });
    expect(failure).toMatchObject({ code: 'database_unavailable' });
    // The first error may be that of the lost connection; the next ones are those of the hosts.
    await vi.waitFor(
      async () =>
        expect(await insert(writing, { id: 2 })).toMatchObject({
          error: expect.stringMatching(
            `No host (?=.*${primary.port}: no server listens).*${standby.port}: it is a standby`,
          ) as string,
        }),
      { timeout: 20_000 },
    );
    await queryServer(standby, 'SELECT pg_promote()');
    await vi.waitFor(
      async () =>
        expect(await insert(writing, { id: 3, text: 'after' })).toMatchObject({ data: { id: 3 } }),
      { timeout: 20_000 },
    );
    await vi.waitFor(
      async () => expect(await call(reading, '/config')).toEqual(await call(writing, '/config')),
      { timeout: 10_000 },
    );
    expect(await call(reading, '/config')).not.toHaveProperty('read_only_reason');

    const rows = await call(writing, '/tables/notes/export?format=json');
    expect(rows).toEqual([
      { id: 1, text: 'before' },
      { id: 3, text: 'after' },
    ]);
  },
);
