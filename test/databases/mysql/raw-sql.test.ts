/** What is MySQL's own in what raw SQL answers; the rest is the kit's. */
import { afterAll, beforeAll, expect, test } from 'vitest';

import { createStudio } from '../../../src/studio/studio.ts';
import { useMariadb } from '../../servers/mariadb.ts';
import type { Studio } from '../../../src/studio/studio.ts';

const server = useMariadb();
let studio: Studio;

beforeAll(async () => {
  await server().query(`
    CREATE TABLE items (id int PRIMARY KEY, n int);
    INSERT INTO items VALUES (1, 10), (2, 20);
    CREATE FUNCTION set_all(v int) RETURNS int NOT DETERMINISTIC MODIFIES SQL DATA
      BEGIN UPDATE items SET n = v; RETURN v; END;
    CREATE DEFINER = 'nobody'@'nowhere' VIEW orphaned AS SELECT * FROM items`);
  studio = await createStudio({ url: server().url, allowDdl: true });
});

afterAll(() => studio?.close());

async function run(query: string): Promise<unknown> {
  const reply = await studio.perform('run-sql', { body: JSON.stringify({ query }) });
  return JSON.parse(Buffer.from(reply.body as Uint8Array).toString());
}

test('a lock gives the rows that it locks', async () => {
  expect(await run('SELECT id FROM items WHERE id = 1 FOR UPDATE')).toMatchObject({
    type: 'write',
    rows_affected: 0,
    rows: [{ id: 1 }],
  });
});

test('the maintenance of a table gives what it says', async () => {
  for (const query of ['ANALYZE TABLE items', 'OPTIMIZE TABLE items', 'CHECK TABLE items'])
    expect(await run(query), query).toMatchObject({
      type: 'write',
      columns: ['Table', 'Op', 'Msg_type', 'Msg_text'],
    });
});

test('a function that writes is run as a write', async () => {
  expect(await run('SELECT set_all(5) AS v')).toMatchObject({ type: 'write', rows: [{ v: 5 }] });
  expect(await server().query('SELECT sum(n) AS n FROM items')).toEqual([{ n: '10' }]);
});

test('a view whose definer is gone is told of where it is read', async () => {
  const query = {
    ...{ page: 1, pageSize: 1, sort: [], showDeleted: false, filters: [] },
    ...{ count: 'auto', etags: false, labels: false, cells: 'full' },
  };
  const failure = {
    code: 'table_unreadable',
    message: expect.stringContaining('nobody') as string,
  };
  await expect(studio.perform('list-rows', { table: 'orphaned', query })).rejects.toMatchObject(
    failure,
  );
  await expect(run('SELECT * FROM orphaned')).rejects.toMatchObject({ code: 'table_unreadable' });
});
