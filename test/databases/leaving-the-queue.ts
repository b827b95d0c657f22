/** A client that disconnects while it waits for a connection leaves the queue. Shared by all servers. */
import { expect, test } from 'vitest';
import { boundedDatabase } from '../../src/studio/execution/bounded-database.ts';
import type { Query } from '../../src/model/database.ts';
import type { Database } from './registered-databases.ts';

const one: Query = { text: 'SELECT 1', params: [] };

const requests: readonly [title: string, ask: (database: Database) => Promise<unknown>][] = [
  ['a statement', (database) => database.run(one)],
  ['a stream', (database) => database.stream(one)],
  ['a read', (database) => database.read(neverBegun)],
  ['a transaction', (database) => database.transaction('write', neverBegun)],
];

function neverBegun(): Promise<never> {
  return Promise.reject(new Error('it was begun'));
}

/** `openSingle` opens a database that lends one connection at a time. */
export function testLeavingTheQueue(openSingle: () => Promise<Database>): void {
  test.each(requests)('leaves the queue in which %s waits', async (_title, ask) => {
    const database = await openSingle();
    const { promise: end, resolve: finish } = Promise.withResolvers<void>();
    try {
      const started = Promise.withResolvers<void>();
      const blocker = database.read(() => {
        started.resolve();
        return end;
      });
      await started.promise;
      const controller = new AbortController();
      const waiting = ask(boundedDatabase(database, { signal: controller.signal }));
      const expectedRejection = expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
      controller.abort();
      await expectedRejection;
      expect(database.poolStats().inUse).toBe(1);
      finish();
      await blocker;
      expect(database.poolStats().inUse).toBe(0);
    } finally {
      finish();
      await database.close();
    }
  });
}
