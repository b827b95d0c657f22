/** Foreign keys of reference tables, of tables that reference them, and what Citus cannot do with them. */
import { beforeEach, describe, expect, test } from 'vitest';
import { openVisitor, useCitus, valueAt } from './citus.ts';

const statements = [
  'CREATE TABLE kinds (id int PRIMARY KEY, v text NOT NULL, n int CHECK (n > 0), u int UNIQUE)',
  'CREATE TABLE groups (id int PRIMARY KEY, kind int REFERENCES kinds ON DELETE CASCADE)',
  'CREATE TABLE members (id int PRIMARY KEY, grp int REFERENCES groups)',
  'CREATE TABLE parts (id int PRIMARY KEY, kind int REFERENCES kinds)',
  'CREATE TABLE local (id serial PRIMARY KEY, kind int NOT NULL REFERENCES kinds, w int CHECK (w > 0))',
  // A name like that of a shard.
  'CREATE TABLE log_20240101 (id int PRIMARY KEY, v text NOT NULL, kind int REFERENCES kinds)',
  'CREATE TABLE plain_20240101 (id int PRIMARY KEY, v text NOT NULL)',
  'CREATE TABLE columns (id int, v text) USING columnar',
  ...['kinds', 'groups', 'members'].map((name) => `SELECT create_reference_table('${name}')`),
  "SELECT create_distributed_table('parts', 'id')",
];

const cluster = useCitus(async ({ nodes }) => {
  for (const statement of ['CREATE EXTENSION IF NOT EXISTS citus_columnar', ...statements])
    await nodes[0].query(statement);
});

beforeEach(async () => {
  const [coordinator] = cluster().nodes;
  for (const name of ['members', 'groups', 'parts', 'local', 'log_20240101', 'kinds'])
    await coordinator.query(`DELETE FROM ${name}`);
  for (const statement of [
    "INSERT INTO kinds SELECT g, 'k' || g, 1, g FROM generate_series(1, 9) g",
    'INSERT INTO groups VALUES (2, 2)',
    'INSERT INTO members VALUES (2, 2)',
    'INSERT INTO parts VALUES (1, 1)',
    'INSERT INTO local (id, kind) VALUES (3, 3)',
    "INSERT INTO log_20240101 VALUES (4, 'a', 4)",
    "INSERT INTO plain_20240101 VALUES (1, 'a') ON CONFLICT DO NOTHING",
  ])
    await coordinator.query(statement);
});

const foreignKey = (table: string, constraint: string): object => ({
  code: 'foreign_key_violation',
  table,
  constraint,
});

describe('an error names no shard, but the table and the constraint', () => {
  test.each([
    ['DELETE', 'kinds/rows/1', undefined, foreignKey('parts', 'parts_kind_fkey')],
    ['DELETE', 'kinds/rows/2', undefined, foreignKey('members', 'members_grp_fkey')],
    ['DELETE', 'kinds/rows/3', undefined, foreignKey('local', 'local_kind_fkey')],
    ['DELETE', 'kinds/rows/4', undefined, foreignKey('log_20240101', 'log_20240101_kind_fkey')],
    ['POST', 'parts/rows', { id: 9, kind: 99 }, foreignKey('parts', 'parts_kind_fkey')],
    ['PUT', 'local/rows/3', { kind: 99 }, { ...foreignKey('local', 'local_kind_fkey'), columns: ['kind'] }], // prettier-ignore
    ['POST', 'kinds/rows', { id: 1, v: 'a' }, { code: 'unique_violation', constraint: 'kinds_pkey', columns: ['id'] }], // prettier-ignore
    ['POST', 'kinds/rows', { id: 99 }, { code: 'not_null_violation', table: 'kinds', column: 'v' }],
    ['POST', 'kinds/rows', { id: 99, v: 'a', n: 0 }, { code: 'check_violation', table: 'kinds', constraint: 'kinds_n_check', columns: ['n'] }], // prettier-ignore
    ['PUT', 'local/rows/3', { w: 0 }, { code: 'check_violation', table: 'local', constraint: 'local_w_check' }], // prettier-ignore
    ['PUT', 'local/rows/3', { kind: null }, { code: 'not_null_violation', table: 'local' }],
    ['POST', 'local/rows', { id: 3, kind: 1 }, { code: 'unique_violation', table: 'local', constraint: 'local_pkey' }], // prettier-ignore
    ['POST', 'log_20240101/rows', { id: 4, v: 'a' }, { code: 'unique_violation', table: 'log_20240101', constraint: 'log_20240101_pkey' }], // prettier-ignore
    ['POST', 'plain_20240101/rows', { id: 1, v: 'a' }, { code: 'unique_violation', table: 'plain_20240101', constraint: 'plain_20240101_pkey' }], // prettier-ignore
  ] as const)('%s %s %j', async (method, path, body, expected) => {
    const { ask } = await openVisitor(cluster());
    const reply = await ask(method, `/tables/${path}`, body);
    expect(reply.body).toMatchObject(expected);
    expect(reply.text).not.toMatch(/_1020\d\d/);
  });

  test('in an import and in SQL', async () => {
    const { ask, sendFile } = await openVisitor(cluster());
    for (const reply of [
      await sendFile('/import/data?table=kinds', 'kinds.csv', 'id,v\n1,a\n'),
      await sendFile('/import/data?table=local', 'local.csv', 'kind\n99\n'),
      await ask('POST', '/sql', { query: 'INSERT INTO local (kind) VALUES (99)' }),
      await ask('POST', '/sql', { query: 'DELETE FROM kinds' }),
    ]) {
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
      expect(reply.text).not.toMatch(/_1020\d\d/);
    }
  });
});

describe('an import that replaces', () => {
  test('a table whose rows others reference names the table and what Citus cannot do', async () => {
    const { sendFile } = await openVisitor(cluster());
    await cluster().nodes[0].query('DELETE FROM members; DELETE FROM groups');
    const file = JSON.stringify({ kinds: [{ id: 1, v: 'new' }], parts: [{ id: 1, kind: 1 }] });
    const reply = await sendFile('/import/data?mode=replace', 'kinds.json', file);
    expect(reply.status, reply.text).toBe(409);
    expect(reply.body['error']).toBe(
      'mode=replace cannot empty table "kinds": rows of table "local" reference its rows by (kind), and Citus cannot defer the checks of foreign keys. Change or delete these rows first.',
    );
    expect(reply.body).toMatchObject(foreignKey('local', 'local_kind_fkey'));
    expect(await valueAt(cluster(), "SELECT count(*) FROM kinds WHERE v = 'new'")).toBe('0');
  });

  test('a columnar table names it', async () => {
    const { sendFile } = await openVisitor(cluster());
    const path = '/import/data?table=columns&mode=replace';
    const reply = await sendFile(path, 'columns.csv', 'id,v\n1,a\n');
    expect(reply.body).toMatchObject({
      error:
        'mode=replace cannot empty table "columns". Rows of columnar tables cannot be changed or deleted.',
      code: 'not_writable',
      table: 'columns',
    });
  });
});
