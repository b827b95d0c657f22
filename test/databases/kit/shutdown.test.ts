/** A studio that gets a signal cancels writes that take too long. They are rolled back, and can be repeated. */
import { expect, test } from 'vitest';
import { makeFolder, serve } from '../../cli/command.ts';
import { describeOnEachDatabase } from './harness.ts';
import { dropTrigger, slowInserts } from './slow-inserts.ts';

const writes: Readonly<Record<string, (key: object) => { path: string; init: RequestInit }>> = {
  'a row': (key) => ({
    path: 'tables/items/rows',
    init: {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...key },
      body: '{"id": 1, "seconds": 100}',
    },
  }),
  'an import': (key) => {
    const body = new FormData();
    // A server notices that the connection of the import is closed when the statement ends.
    body.set('file', new File(['id,seconds\n1,10\n'], 'items.csv'));
    return { path: 'import/data?table=items', init: { method: 'POST', headers: { ...key }, body } };
  },
};

describeOnEachDatabase('shutdown', (harness) => {
  test.for([
    { signal: 'SIGTERM', write: 'a row', key: '"one"' },
    { signal: 'SIGTERM', write: 'an import', key: '"one"' },
    { signal: 'SIGINT', write: 'a row', key: undefined },
    { signal: 'SIGINT', write: 'an import', key: undefined },
  ] as const)('$signal cancels $write with key $key', async ({ signal, write, key }) => {
    const { database, underTest } = harness;
    await database.run('DROP TABLE IF EXISTS items');
    await database.run('CREATE TABLE items (id INTEGER PRIMARY KEY, seconds INTEGER)');
    await database.run(slowInserts[underTest.name]!);
    const flags = ['--shutdown-timeout', '300ms', '--state-dir', makeFolder(), database.url];
    const first = await serve(flags);
    const send = async (url: string): Promise<Response> => {
      const { path, init } = writes[write]!(key === undefined ? {} : { 'Idempotency-Key': key });
      return fetch(`${url}/api/${path}`, init);
    };
    const sent = send(first.url);
    await expect.poll(() => isWriting(first.url), { timeout: 20_000 }).toBe(true);
    first.child.kill(signal);
    const response = await sent;
    expect(await response.json()).toEqual({
      code: 'database_unavailable',
      error: 'The studio is shutting down; nothing was written.',
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '2']);
    expect((await first.outcome()).status).toBe(0);

    await database.run(dropTrigger[underTest.name] ?? 'DROP TRIGGER slow');
    expect(await database.query('SELECT * FROM items')).toEqual([]);
    const second = await serve(flags);
    const repeated = await send(second.url);
    expect([repeated.ok, await repeated.text()]).toEqual([true, expect.any(String)]);
    expect(await database.query('SELECT id FROM items')).toHaveLength(1);
  });
});

/** Whether the studio is performing the write. */
async function isWriting(url: string): Promise<boolean> {
  const metrics = await (await fetch(`${url}/api/metrics`)).text();
  return /^studio_(?:jobs_running|database_connections_in_use) [1-9]/m.test(metrics);
}
