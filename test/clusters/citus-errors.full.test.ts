/** Rows, structure and errors of Citus where it differs from PostgreSQL. */
import { expect, test } from 'vitest';
import { openVisitor, useCitus, valueAt } from './citus.ts';

const long = 'a'.repeat(63);

const cluster = useCitus(async ({ nodes }) => {
  for (const statement of [
    'CREATE TYPE pair AS (a int, b text)',
    'CREATE TABLE loose (t int, a int[], times timestamptz[], r tstzrange, m int4multirange, price money, p pair, note text)',
    "SELECT create_distributed_table('loose', 't')",
    'CREATE TABLE kinds (id int PRIMARY KEY)',
    "SELECT create_reference_table('kinds')",
    'CREATE TABLE items (id int PRIMARY KEY, at timestamptz)',
    "SELECT create_distributed_table('items', 'id')",
    `CREATE TABLE ${long} (id int PRIMARY KEY, v int NOT NULL)`,
    `SELECT create_distributed_table('${long}', 'id')`,
  ])
    await nodes[0].query(statement);
});

test('a row without a key has all its values in the response', async () => {
  const { ask } = await openVisitor(cluster());
  const row = {
    t: 1,
    a: [1, 2],
    times: ['2025-01-01T00:00:00Z'],
    r: '["2025-01-01 00:00:00+00",)',
    m: '{[1,2)}',
    price: 12.5,
    p: '(1,x)',
    note: 'new',
  };
  const created = await ask('POST', '/tables/loose/rows', row);
  expect([created.status, created.body['data']]).toEqual([201, row]);
  const changed = await ask('POST', '/tables/loose/changes', { create: [row] });
  expect([changed.status, changed.body['created']]).toEqual([200, [row]]);
});

test('a serial column and a key to a reference table are imported', async () => {
  const { sendFile } = await openVisitor(cluster());
  const table = (name: string): string =>
    `CREATE TABLE ${name} (id serial PRIMARY KEY, kind int REFERENCES kinds);\n`;
  const structure = await sendFile('/import/schema', 'a.sql', table('things'));
  expect(structure.status, structure.text).toBe(200);
  const rows = 'INSERT INTO kinds VALUES (1);\nINSERT INTO parts (kind) VALUES (1);\n';
  const dump = await sendFile('/import/dump', 'b.sql', table('parts') + rows);
  expect(dump.status, dump.text).toBe(200);
  expect(await valueAt(cluster(), "SELECT pg_get_serial_sequence('parts', 'id')")).toBe(
    'public.parts_id_seq',
  );
});

test.each(['items', long])('the error of a key of %s names the table', async (table) => {
  const { ask } = await openVisitor(cluster());
  const send = () =>
    ask('POST', `/tables/${table}/rows`, { id: 1, ...(table === long && { v: 1 }) });
  expect((await send()).status).toBe(201);
  const { status, body } = await send();
  expect([status, body]).toEqual([
    409,
    expect.objectContaining({
      error: `Table "${table}" already has a row with the same id.`,
      table,
      columns: ['id'],
    }),
  ]);
});

test('the error of a value of a table with a long name names the table', async () => {
  const { ask } = await openVisitor(cluster());
  const { body } = await ask('POST', `/tables/${long}/rows`, { id: 2, v: null });
  expect(body).toMatchObject({ code: 'not_null_violation', table: long, column: 'v' });
});
