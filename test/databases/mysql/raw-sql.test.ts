/** Raw SQL features that only MySQL has. The kit tests the common ones. */
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
    CREATE FUNCTION opens() RETURNS text NO SQL RETURN load_file('/none');
    CREATE VIEW opening AS SELECT opens() AS content;
    CREATE VIEW behind AS SELECT * FROM opening;
    CREATE TABLE fired (id int PRIMARY KEY, n int);
    INSERT INTO fired VALUES (1, 1), (2, 2);
    CREATE TRIGGER limits BEFORE UPDATE ON fired FOR EACH ROW SET SESSION sql_select_limit = 1, @kept = 5;
    CREATE TRIGGER keeps BEFORE INSERT ON fired FOR EACH ROW SET @kept = 6;
    CREATE DEFINER = 'nobody'@'nowhere' VIEW orphaned AS SELECT * FROM items`);
  studio = await createStudio({ url: server().url, allowDdl: true });
});

afterAll(() => studio?.close());

async function run(query: string): Promise<unknown> {
  const reply = await studio.perform('run-sql', { body: JSON.stringify({ query }) });
  return JSON.parse(Buffer.from(reply.body as Uint8Array).toString());
}

test('a locking read returns the locked rows', async () => {
  expect(await run('SELECT id FROM items WHERE id = 1 FOR UPDATE')).toMatchObject({
    type: 'write',
    rows_affected: 0,
    rows: [{ id: 1 }],
  });
});

test('table maintenance returns its messages', async () => {
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

test('a view whose definer does not exist is reported when it is read', async () => {
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

test('session variables that a trigger sets do not affect later requests', async () => {
  for (const n of [3, 4, 5]) {
    await studio.perform('update-row', {
      ...{ table: 'fired', id: '1', ifMatch: undefined },
      body: JSON.stringify({ n }),
    });
    expect(await run('SELECT @kept AS stored, n FROM fired')).toMatchObject({
      rows: [
        { stored: null, n },
        { stored: null, n: 2 },
      ],
    });
  }
});

test('nor do those that a trigger of an INSERT with RETURNING sets on MariaDB', async () => {
  for (const n of [13, 14]) {
    await studio.perform('create-row', { table: 'fired', body: JSON.stringify({ id: n, n }) });
    expect(await run('SELECT @kept AS stored')).toMatchObject({ rows: [{ stored: null }] });
  }
  await server().query('DELETE FROM fired WHERE id > 2');
});

test.each(['SELECT * FROM opening', 'SELECT (SELECT content FROM `behind`)', 'SELECT opens()'])(
  'file access behind a view is rejected: %s',
  async (query) => {
    await expect(run(query)).rejects.toMatchObject({ code: 'statement_refused' });
  },
);

test.each([
  "INSERT INTO mysql.func VALUES ('x', 0, 'x.so', 'function')",
  'DELETE FROM /**/ `MySQL` . plugin',
  "UPDATE items, mysql.servers SET host = 'x'",
  'CREATE TRIGGER adds AFTER INSERT ON items FOR EACH ROW DELETE FROM mysql.plugin',
  'CREATE VIEW servers AS SELECT * FROM mysql.servers',
])('changes of system tables are rejected: %s', async (query) => {
  await expect(run(query)).rejects.toMatchObject({ code: 'statement_refused' });
});

test('system tables can be read', async () => {
  expect(await run('SELECT count(*) AS n FROM mysql.func')).toMatchObject({ type: 'read' });
});

test('a dry run is rejected if a table is not transactional', async () => {
  await server().query(
    'CREATE TABLE journal (id int) ENGINE=MyISAM; INSERT INTO journal VALUES (1)',
  );
  const body = JSON.stringify({ query: 'DELETE FROM journal', dry_run: true });
  await expect(studio.perform('run-sql', { body })).rejects.toMatchObject({
    code: 'statement_refused',
    details: { table: 'journal' },
  });
  expect(await run('SELECT count(*) AS n FROM journal')).toMatchObject({ rows: [{ n: 1 }] });
  await server().query('DROP TABLE journal');
});
