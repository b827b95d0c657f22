/** How far a standby is behind, and writes that wait until it is not. */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createStudio } from '../../../src/index.ts';
import { queryServer, usePostgresCluster } from '../../servers/postgres-cluster.ts';
import type { CreateStudioOptions } from '../../../src/index.ts';

const cluster = usePostgresCluster();

interface Config {
  readonly replication_lag_seconds?: number;
}

async function studioAt(
  member: 'primary' | 'standby',
  options: Partial<CreateStudioOptions> = {},
): Promise<(path: string, body?: object) => Promise<unknown>> {
  const { port } = cluster()[member];
  const url = `postgres://postgres:postgres@127.0.0.1:${port}/postgres`;
  const studio = await createStudio({ ...options, url } as CreateStudioOptions);
  onTestFinished(() => studio.close());
  return async (path, body) => {
    const init =
      body === undefined
        ? {}
        : {
            method: 'POST',
            headers: { 'Content-Type': 'application/json' },
            body: JSON.stringify(body),
          };
    const response = await studio.fetch(new Request(`http://localhost/studio/api${path}`, init));
    return path === '/metrics' ? response.text() : response.json();
  };
}

async function createTable(name: string): Promise<void> {
  const { primary, standby } = cluster();
  await queryServer(primary, `CREATE TABLE ${name} (id int PRIMARY KEY)`);
  await vi.waitFor(() => queryServer(standby, `SELECT * FROM ${name}`), { timeout: 20_000 });
}

describe('a standby', { timeout: 60_000 }, () => {
  test('shows for how long it has not applied what it has received', async () => {
    const { primary, standby } = cluster();
    await createTable('seen');
    const ask = await studioAt('standby');
    const lag = async (): Promise<number | undefined> =>
      ((await ask('/config')) as Config).replication_lag_seconds;
    await vi.waitFor(async () => expect(await lag()).toBe(0), { timeout: 20_000 });
    expect(await ask('/metrics')).toMatch(/^studio_database_replication_lag_seconds 0$/m);

    await queryServer(standby, 'SELECT pg_wal_replay_pause()');
    await queryServer(primary, 'INSERT INTO seen VALUES (1)');
    await vi.waitFor(async () => expect(await lag()).toBeGreaterThan(0), { timeout: 20_000 });
    expect(await ask('/metrics')).toMatch(/^studio_database_replication_lag_seconds [\d.]+$/m);

    await queryServer(standby, 'SELECT pg_wal_replay_resume()');
    await vi.waitFor(async () => expect(await lag()).toBe(0), { timeout: 20_000 });
  });

  test('shows its lag to clients of a read-only studio too, and a primary has none', async () => {
    expect(await (await studioAt('standby', { readOnly: true }))('/config')).toMatchObject({
      read_only: true,
      replication_lag_seconds: expect.any(Number) as number,
    });
    const ask = await studioAt('primary');
    expect(await ask('/config')).not.toHaveProperty('replication_lag_seconds');
    expect(await ask('/metrics')).not.toContain('replication_lag');
  });

  test('that is synchronous has a row when the response to its write arrives', async () => {
    const { primary, standby } = cluster();
    await createTable('waited');
    // Without the wait, each row would be missing for that long.
    await queryServer(standby, "ALTER SYSTEM SET recovery_min_apply_delay = '300ms'");
    await queryServer(standby, 'SELECT pg_reload_conf()');
    await queryServer(primary, "ALTER SYSTEM SET synchronous_standby_names = '*'");
    await queryServer(primary, 'SELECT pg_reload_conf()');
    await vi.waitFor(
      async () =>
        expect(await queryServer(primary, 'SELECT sync_state FROM pg_stat_replication')).toEqual([
          { sync_state: 'sync' },
        ]),
      { timeout: 20_000 },
    );
    const write = await studioAt('primary', { readYourWrites: true });
    for (let id = 1; id <= 10; id += 1) {
      expect(await write('/tables/waited/rows', { id })).toMatchObject({ data: { id } });
      const rows = await queryServer(standby, `SELECT id FROM waited WHERE id = ${id}`);
      expect(rows, `row ${id}`).toEqual([{ id }]);
    }
  });
});
