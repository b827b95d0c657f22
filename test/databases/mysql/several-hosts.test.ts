/** URLs with several hosts. Two servers without replication stand for a primary and its replica. */
import * as fc from 'fast-check';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { openMysql } from '../../../src/databases/mysql/database.ts';
import { targetSessions } from '../../../src/databases/target-session.ts';
import { createStudio } from '../../../src/index.ts';
import { startMariadb } from '../../servers/start-mariadb.ts';
import type { EmbeddedStudio } from '../../../src/index.ts';
import type { MariadbServer } from '../../servers/start-mariadb.ts';

/** A port of this machine on which nothing listens: TCP port multiplexer. */
const deadPort = 1;
type Member = 'writable' | 'readOnly' | 'dead';
type Target = (typeof targetSessions)[number];

let servers: { readonly writable: MariadbServer; readonly readOnly: MariadbServer };

beforeAll(async () => {
  servers = { writable: await startMariadb(), readOnly: await startMariadb() };
  for (const server of Object.values(servers)) {
    await query(server, 'CREATE DATABASE shop');
    await query(server, 'CREATE TABLE shop.notes (id INT PRIMARY KEY, text VARCHAR(20))');
    await query(server, "GRANT ALL ON shop.* TO ada@'127.0.0.1' IDENTIFIED BY 'secret'");
    await query(server, "GRANT ALL ON shop.* TO ada@localhost IDENTIFIED BY 'secret'");
  }
  await query(servers.readOnly, 'SET GLOBAL read_only = ON');
});

afterAll(() => Promise.all(Object.values(servers).map((server) => server.remove())));

async function query({ port, user, password }: MariadbServer, text: string): Promise<void> {
  const connection = await mysql.createConnection({ host: '127.0.0.1', port, user, password });
  await connection.query(text).finally(() => connection.destroy());
}

function portOf(member: Member): number {
  return member === 'dead' ? deadPort : servers[member].port;
}

function urlOf(members: readonly Member[], target?: Target, login = 'ada:secret'): string {
  const hosts = members.map((member) => `127.0.0.1:${portOf(member)}`).join(',');
  return `mysql://${login}@${hosts}/shop${target === undefined ? '' : `?target_session_attrs=${target}`}`;
}

/** The rule of libpq. A server that takes no writes counts as a standby. */
function expected(members: readonly Member[], target: Target): Member | undefined {
  const first = (...suitable: readonly Member[]): Member | undefined =>
    members.find((member) => suitable.includes(member));
  if (target === 'any') return first('writable', 'readOnly');
  if (target === 'prefer-standby') return first('readOnly') ?? first('writable');
  return first(target === 'read-write' || target === 'primary' ? 'writable' : 'readOnly');
}

async function portOfStudio(url: string, readOnly: boolean): Promise<number | undefined> {
  const opened = openMysql({ url, readOnly, create: false });
  const database = await opened.catch((error: unknown) => {
    expect(error).toMatchObject({ code: 'database_unavailable' });
  });
  if (database === undefined) return undefined;
  try {
    return Number((await database.run({ text: 'SELECT @@port', params: [] })).rows[0]?.[0]);
  } finally {
    await database.close();
  }
}

test('a URL with several hosts connects to the first with the requested role', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom<Member>('writable', 'readOnly', 'dead'), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.option(fc.constantFrom(...targetSessions), { nil: undefined }),
      fc.boolean(),
      async (members, target, readOnly) => {
        // A studio that writes needs the server that takes writes.
        const implied = members.length > 1 && !readOnly ? 'read-write' : 'any';
        const member = expected(members, target ?? implied);
        const port = member === undefined ? undefined : portOf(member);
        expect(await portOfStudio(urlOf(members, target), readOnly)).toBe(port);
      },
    ),
    { numRuns: 60 },
  );
});

test('each host is named with its reason if none can be used', async () => {
  const url = urlOf(['dead', 'readOnly']);
  await expect(openMysql({ url, readOnly: false, create: false })).rejects.toMatchObject({
    code: 'database_unavailable',
    message:
      `No host of the database can be used: 127.0.0.1:${deadPort}: no server listens at this address; ` +
      `127.0.0.1:${portOf('readOnly')}: it is read-only, and target_session_attrs is read-write.`,
  });
});

test('a rejected password is not offered to the next host', async () => {
  const url = urlOf(['dead', 'writable', 'readOnly'], 'any', 'ada:hunter2');
  const opening = openMysql({ url, readOnly: false, create: false });
  await expect(opening).rejects.toMatchObject({
    message: expect.stringMatching(
      `Hosts tried: 127.0.0.1:${deadPort}: [^;]*; 127.0.0.1:${portOf('writable')}: [^;]*\\.$`,
    ) as string,
  });
  await expect(opening).rejects.not.toMatchObject({
    message: expect.stringContaining('hunter2') as string,
  });
});

async function call(
  studio: EmbeddedStudio,
  path: string,
  body?: object,
): Promise<{ readonly status: number; readonly body: Readonly<Record<string, unknown>> }> {
  const init =
    body === undefined
      ? {}
      : {
          method: 'POST',
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
        };
  const response = await studio.fetch(new Request(`http://localhost/studio/api${path}`, init));
  return {
    status: response.status,
    body: (await response.json()) as Readonly<Record<string, unknown>>,
  };
}

/** Comes last: it swaps the roles. */
test('a change of roles is followed by writes, and by reads without any write', async () => {
  const members = ['writable', 'readOnly'] as const;
  const open = async (): Promise<EmbeddedStudio> => {
    const studio = await createStudio({ url: urlOf(members) });
    onTestFinished(() => studio.close());
    return studio;
  };
  const [writing, reading] = [await open(), await open()];
  expect(await call(writing, '/tables/notes/rows', { id: 1, text: 'old' })).toMatchObject({
    status: 201,
  });
  expect(await call(reading, '/tables/notes/rows/1')).toMatchObject({ body: { text: 'old' } });
  await query(servers.writable, 'SET GLOBAL read_only = ON');
  const refused = await call(writing, '/tables/notes/rows', { id: 2, text: 'new' });
  expect(refused).toMatchObject({
    status: 503,
    body: {
      code: 'database_unavailable',
      error: expect.stringMatching('takes no writes any more.*; nothing was written') as string,
    },
  });
  expect(await call(writing, '/tables/notes/rows', { id: 2, text: 'new' })).toMatchObject({
    status: 503,
    body: { error: expect.stringContaining('No host') as string },
  });
  await query(servers.readOnly, 'SET GLOBAL read_only = OFF');
  expect(await call(writing, '/tables/notes/rows', { id: 1, text: 'new' })).toMatchObject({
    status: 201,
  });
  await vi.waitFor(
    async () =>
      expect(await call(reading, '/tables/notes/rows/1')).toMatchObject({ body: { text: 'new' } }),
    { timeout: 20_000 },
  );
  expect(await call(reading, '/config')).toMatchObject({ body: { read_only: false } });
});
