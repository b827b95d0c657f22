/** A write that the time limit ends is rolled back, says so, and can be repeated with its key. */
import { expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { describeOnEachDatabase } from './harness.ts';
import { dropTrigger, slowInserts } from './slow-inserts.ts';

describeOnEachDatabase('a write that exceeds its time limit', (harness) => {
  test('can be repeated with its key', async () => {
    const { database, underTest } = harness;
    await database.run('CREATE TABLE items (id INTEGER PRIMARY KEY, seconds INTEGER)');
    await database.run(slowInserts[underTest.name]!);
    const app = createApp(await harness.openStudio({ statementTimeoutMs: 1000 }));
    const send = (): Promise<Response> =>
      app.fetch(
        new Request('http://localhost/studio/api/tables/items/rows', {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'one' },
          body: '{"id": 1, "seconds": 100}',
        }),
      );
    const first = await send();
    expect([first.status, await first.json()]).toEqual([
      504,
      {
        code: 'statement_timeout',
        error: 'The statement was ended: it took longer than 1 s; nothing was written.',
      },
    ]);
    await database.run(dropTrigger[underTest.name] ?? 'DROP TRIGGER slow');
    expect((await send()).status).toBe(201);
    expect(await database.query('SELECT id FROM items')).toHaveLength(1);
  });
});
