/** Servers that speak the protocol of a database and are another one: sessions cannot be set up there. */
import { expect, onTestFinished, test } from 'vitest';
import { createStudio } from '../../src/index.ts';
import { useMariadb } from '../servers/mariadb.ts';
import { usePostgres } from '../servers/postgres.ts';
import { startRelay } from '../servers/relay.ts';
import { failure, startPeer } from './sqlserver/tds-peer.ts';

const postgres = usePostgres();
const mariadb = useMariadb();

/** The error of opening a studio on the server of the URL, between which and the studio `from` becomes `to`. */
async function errorThroughRelay(url: string, from: string, to: string): Promise<unknown> {
  expect(to).toHaveLength(from.length);
  const target = new URL(url);
  const relay = await startRelay(Number(target.port), (chunk) => chunk.replaceAll(from, to));
  onTestFinished(() => relay.close());
  target.port = String(relay.port);
  return errorOfOpening(target.href);
}

async function errorOfOpening(url: string): Promise<unknown> {
  try {
    const studio = await createStudio({ url });
    onTestFinished(() => studio.close());
    return 'opened';
  } catch (error) {
    return error;
  }
}

const rejected = (text: string): object => ({
  code: 'database_unavailable',
  message: expect.stringMatching(
    new RegExp(`^The server rejects the settings of the studio's sessions: .*${text}`),
  ),
});

test('a setting that PostgreSQL rejects is named', async () => {
  const error = await errorThroughRelay(postgres().url, 'SET jit =', 'SET jot =');
  expect(error).toMatchObject(rejected('jot'));
});

test('a setting that MariaDB rejects is named', async () => {
  const error = await errorThroughRelay(mariadb().url, 'sql_safe_updates', 'sql_safe_updateX');
  expect(error).toMatchObject(rejected('sql_safe_updateX'));
});

test('a setting that SQL Server rejects is named', async () => {
  const response = (): readonly Buffer[] => [failure(195, "'LOCK_TIMEOUT' is not recognized")];
  const peer = await startPeer({ response });
  onTestFinished(() => peer.close());
  expect(await errorOfOpening(peer.url)).toMatchObject(rejected('LOCK_TIMEOUT'));
});

test('TiDB is not opened, because its read-only transactions take writes', async () => {
  const error = await errorThroughRelay(mariadb().url, 'MariaDB', 'TiDB-v8');
  expect(error).toMatchObject({
    code: 'database_unavailable',
    message: expect.stringMatching(/^The server is TiDB, /),
  });
});

test('the relay of these tests changes nothing else', async () => {
  expect(await errorThroughRelay(mariadb().url, 'not in a message', 'not in a message')).toBe(
    'opened',
  );
});
