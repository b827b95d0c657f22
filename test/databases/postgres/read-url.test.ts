/** Pages from a standby, and never an earlier state than the studio itself has written. */
import * as fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createStudio } from '../../../src/index.ts';
import { startRelay } from '../../servers/relay.ts';
import { queryServer, usePostgresCluster } from '../../servers/postgres-cluster.ts';

const cluster = usePostgresCluster();

type Ask = (method: string, path: string, body?: object) => Promise<unknown>;

function urlAt(port: number): string {
  return `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
}

async function studioWith(readPort: number): Promise<Ask> {
  const { primary } = cluster();
  const studio = await createStudio({ url: urlAt(primary.port), readUrl: urlAt(readPort) });
  onTestFinished(() => studio.close());
  return async (method, path, body) => {
    const init = {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    };
    const response = await studio.fetch(new Request(`http://localhost/studio/api${path}`, init));
    return response.json();
  };
}

async function createTable(name: string): Promise<void> {
  const { primary, standby } = cluster();
  await queryServer(primary, `CREATE TABLE ${name} (id int PRIMARY KEY)`);
  await vi.waitFor(() => queryServer(standby, `SELECT * FROM ${name}`), { timeout: 20_000 });
}

const available = (value: boolean): object => ({ standby: { available: value } });

/** Nothing listens there: TCP port multiplexer. */
const deadPort = 1;

describe('--read-url', { timeout: 60_000 }, () => {
  test('has pages and their totals from the standby, and rows from the primary', async () => {
    const { primary, standby } = cluster();
    await createTable('shown');
    const ask = await studioWith(standby.port);
    await ask('GET', '/tables/shown/rows');
    await queryServer(standby, 'SELECT pg_wal_replay_pause()');
    onTestFinished(async () => void (await queryServer(standby, 'SELECT pg_wal_replay_resume()')));
    // Another client writes, so the studio does not know of it.
    await queryServer(primary, 'INSERT INTO shown VALUES (1)');
    expect(await ask('GET', '/tables/shown/rows')).toMatchObject({ data: [], total: 0 });
    expect(await ask('GET', '/tables/shown/rows/1')).toEqual({ id: 1 });
  });

  test('has pages from the primary while the standby does not respond', async () => {
    const relay = await startRelay(cluster().standby.port);
    onTestFinished(() => relay.close());
    await createTable('frozen');
    const ask = await studioWith(relay.port);
    const config = (): Promise<unknown> => ask('GET', '/config');
    for (const isFirst of [true, false]) {
      // Before the studio has connected, and while it uses the connection.
      if (!isFirst) {
        await vi.waitFor(async () => expect(await config()).toMatchObject(available(true)), {
          timeout: 30_000,
        });
        expect(await ask('GET', '/tables/frozen/rows')).toMatchObject({ total: 0 });
      }
      relay.silence();
      expect(await ask('GET', '/tables/frozen/rows')).toMatchObject({ total: 0 });
      expect(await config()).toMatchObject(available(false));
      relay.resume();
    }
  });

  test('shows what the studio has written, whether the standby has it or not', async () => {
    const { standby } = cluster();
    await createTable('written');
    const ask = await studioWith(standby.port);
    let expected: number[] = [];
    let nextId = 1;
    const step = fc.constantFrom('insert', 'delete', 'sql', 'pause', 'resume', 'read', 'wait');
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 20 }), async (steps) => {
        for (const name of steps) {
          if (name === 'pause') await queryServer(standby, 'SELECT pg_wal_replay_pause()');
          if (name === 'resume') await queryServer(standby, 'SELECT pg_wal_replay_resume()');
          if (name === 'insert') {
            await ask('POST', '/tables/written/rows', { id: nextId });
            expected.push(nextId++);
          }
          if (name === 'sql') {
            await ask('POST', '/sql', { query: `INSERT INTO written VALUES (${nextId})` });
            expected.push(nextId++);
          }
          const [first] = expected;
          if (name === 'delete' && first !== undefined) {
            await ask('DELETE', `/tables/written/rows/${first}`);
            expected = expected.slice(1);
          }
          const pages = await Promise.all([1, 2].map(() => ask('GET', '/tables/written/rows')));
          const data = expected.slice(0, 50).map((id) => ({ id }));
          for (const page of pages) expect(page).toMatchObject({ data, total: expected.length });
        }
        await queryServer(standby, 'SELECT pg_wal_replay_resume()');
      }),
      { numRuns: 8 },
    );
    // In the end the standby has everything, so pages come from it again.
    await queryServer(standby, 'SELECT pg_wal_replay_resume()');
    const position = async (server: typeof standby, lsn: string): Promise<bigint> => {
      const [row] = await queryServer(server, `SELECT pg_wal_lsn_diff(${lsn}, '0/0')::text AS at`);
      return BigInt(String(row?.['at']));
    };
    await vi.waitFor(
      async () => {
        const written = await position(cluster().primary, 'pg_current_wal_insert_lsn()');
        const applied = await position(standby, 'pg_last_wal_replay_lsn()');
        expect(applied).toBeGreaterThanOrEqual(written);
      },
      { timeout: 20_000, interval: 100 },
    );
    await ask('GET', '/tables/written/rows');
    await queryServer(standby, 'SELECT pg_wal_replay_pause()');
    onTestFinished(async () => void (await queryServer(standby, 'SELECT pg_wal_replay_resume()')));
    await queryServer(cluster().primary, 'DELETE FROM written');
    expect(await ask('GET', '/tables/written/rows')).toMatchObject({ total: expected.length });
  });

  test('uses the primary where the standby cannot be reached', async () => {
    await createTable('alone');
    const ask = await studioWith(deadPort);
    expect(await ask('POST', '/tables/alone/rows', { id: 1 })).toMatchObject({ data: { id: 1 } });
    expect(await ask('GET', '/tables/alone/rows')).toMatchObject({ data: [{ id: 1 }], total: 1 });
  });

  test('is rejected for other databases', async () => {
    const { primary } = cluster();
    for (const options of [
      { url: urlAt(primary.port), readUrl: 'mysql://root@127.0.0.1:1/shop' },
      { url: urlAt(primary.port), readUrl: './shop.db' },
      { url: ':memory:', readUrl: ':memory:' },
      { url: ':memory:', readUrl: urlAt(primary.port) },
    ])
      await expect(createStudio(options)).rejects.toMatchObject({ code: 'invalid_parameter' });
  });
});
