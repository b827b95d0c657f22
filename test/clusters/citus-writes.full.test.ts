/** Writes, imports and exports of a studio at the coordinator of Citus. */
import { array, assert, asyncProperty, constantFrom, integer, record } from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTables } from './citus-tables.ts';
import { openVisitor, useCitus, valueAt } from './citus.ts';
import type { Row } from './citus.ts';

const cluster = useCitus(createTables);

/** Everything that a failed write must leave as it was. */
async function stateOf(table: string): Promise<unknown> {
  return valueAt(
    cluster(),
    `SELECT count(*) || ' ' || coalesce(sum(hashtext(t::text)), 0) FROM shop.${table} AS t`,
  );
}

describe('writes of rows', () => {
  test('at random, by two studios, leave what a model has', async () => {
    const visitors = [await openVisitor(cluster()), await openVisitor(cluster())];
    const change = record({
      kind: constantFrom('create', 'update', 'delete'),
      tenant: integer({ min: 1, max: 40 }),
      id: integer({ min: 100_001, max: 100_006 }),
      total: integer({ min: 0, max: 99_999 }),
      note: constantFrom(null, '', 'ä', "it's", 'x_102008'),
      at: constantFrom(0, 1),
    });
    const model = new Map<string, Row>();
    const statusesOf = { create: [201, 409], update: [200, 404], delete: [200, 404] };
    await assert(
      asyncProperty(array(change, { minLength: 5, maxLength: 25 }), async (changes) => {
        for (const { kind, tenant, id, total, note, at } of changes) {
          const { ask } = visitors[at]!;
          const key = `${tenant},${id}`;
          const values = { total: (total / 100).toFixed(2), note };
          const body = { tenant_id: tenant, id, ...values };
          const has = model.has(key);
          const path = `/tables/orders/rows${kind === 'create' ? '' : `/${key}`}`;
          const method = { create: 'POST', update: 'PUT', delete: 'DELETE' }[kind];
          const sent = { create: body, update: values, delete: undefined }[kind];
          const { status, text } = await ask(method, path, sent);
          const [done, refused] = statusesOf[kind];
          expect(status, text).toBe(has === (kind !== 'create') ? done : refused);
          if (kind === 'delete') model.delete(key);
          else if (status < 300) model.set(key, body);
        }
        const rows = await cluster().nodes[0].query(
          'SELECT tenant_id::int, id::int, total::text, note FROM shop.orders WHERE id > 100000',
        );
        const byKey = (list: readonly Row[]): readonly string[] =>
          list.map((row) => JSON.stringify(row)).toSorted();
        expect(byKey(rows)).toEqual(byKey([...model.values()]));
      }),
      { numRuns: 12 },
    );
  });

  test('with the same If-Match at two studios have one winner', async () => {
    const visitors = [await openVisitor(cluster()), await openVisitor(cluster())];
    for (let round = 1; round <= 40; round += 1) {
      const path = `/tables/orders/rows/${2 + (round % 3)},${1 + (round % 3)}`;
      const etag = (await visitors[0]!.ask('GET', path)).headers.get('etag') ?? '';
      const replies = await Promise.all(
        visitors.map(({ ask }, i) =>
          ask('PUT', path, { note: `${round} ${i}` }, { 'If-Match': etag }),
        ),
      );
      const statuses = replies.map(({ status }) => status).toSorted();
      expect(statuses, `round ${round}`).toEqual([200, 412]);
    }
  });

  test('of several shards are one transaction', async () => {
    const { ask } = await openVisitor(cluster());
    const create = Array.from({ length: 12 }, (_, i) => ({
      tenant_id: i + 1,
      id: 200_000,
      total: '1',
    }));
    const update = [{ id: '3,2', values: { note: 'changed' } }];
    const before = await stateOf('orders');
    const failed = await ask('POST', '/tables/orders/changes', {
      create: [...create, { tenant_id: 4_000, id: 1, total: '1' }],
    });
    expect(failed).toMatchObject({ status: 409, body: { code: 'foreign_key_violation' } });
    expect(await stateOf('orders')).toBe(before);
    const changed = await ask('POST', '/tables/orders/changes', { create, update });
    expect(changed.status, changed.text).toBe(200);
    expect(await valueAt(cluster(), 'SELECT count(*) FROM shop.orders WHERE id = 200000')).toBe(
      '12',
    );
    const ids = create.map(({ tenant_id: tenant, id }) => `${tenant},${id}`);
    const removed = await ask('POST', '/tables/orders/rows/bulk-delete', { ids });
    expect(removed.status, removed.text).toBe(200);
    expect(await valueAt(cluster(), 'SELECT count(*) FROM shop.orders WHERE id = 200000')).toBe(
      '0',
    );
  });

  test('reach reference, partitioned, local and columnar tables', async () => {
    const { ask } = await openVisitor(cluster());
    for (const [method, path, body, status] of [
      ['POST', '/tables/countries/rows', { code: 'es', name: 'Spain' }, 201],
      ['PUT', '/tables/countries/rows/es', { name: 'España' }, 200],
      ['DELETE', '/tables/countries/rows/es', undefined, 200],
      ['DELETE', '/tables/countries/rows/de', undefined, 409],
      ['POST', '/tables/readings/rows', { tenant_id: 99, day: '2025-12-30', value: 1 }, 201],
      ['PUT', '/tables/readings/rows/99,2025-12-30', { day: '2024-12-30' }, 200],
      ['DELETE', '/tables/readings/rows/99,2024-12-30', undefined, 200],
      ['POST', '/tables/readings/rows', { tenant_id: 99, day: '2029-12-30' }, 422],
      ['POST', '/tables/settings/rows', { id: 2, country: 'it' }, 201],
      ['POST', '/tables/settings/rows', { id: 3, country: 'xx' }, 409],
      ['POST', '/tables/facts/rows', { tenant_id: 1, value: 1 }, 201],
    ] as const) {
      const reply = await ask(method, path, body);
      expect(reply.status, `${method} ${path}: ${reply.text}`).toBe(status);
    }
    await cluster().nodes[0].query('DELETE FROM shop.settings WHERE id = 2');
    const copies = await cluster().nodes[1].query('SELECT name FROM shop.countries ORDER BY code');
    expect(copies.map(({ name }) => name)).toEqual(['Germany', 'France', 'Italy']);
  });
});

/** A sentence of the database, with a code that says that the request is at fault. */
describe('what Citus does not allow', () => {
  test.each([
    ['PUT', '/tables/orders/rows/2,1', { tenant_id: 3 }, 403, /partition value/],
    ['POST', '/tables/orders/rows', { total: '1' }, 422, /partition column/],
    ['POST', '/tables/orders/rows', { tenant_id: 777, total: '1' }, 409, /"orders_tenant_id_fkey"/],
    [
      'POST',
      '/tables/tenants/rows',
      { id: 1, name: 'a' },
      409,
      /already has a row with the same id/,
    ],
    ['PUT', '/tables/notes/rows/1', { note: 'a' }, 409, /cannot be addressed/],
  ] as const)('%s %s %j', async (method, path, body, status, message) => {
    const { ask } = await openVisitor(cluster());
    const reply = await ask(method, path, body);
    expect(reply.status, reply.text).toBe(status);
    expect(reply.body['error']).toMatch(message);
    expect(reply.text).not.toMatch(/_1020\d\d/);
  });

  test.each([
    'UPDATE orders SET tenant_id = 3 WHERE tenant_id = 2',
    'INSERT INTO orders (total) VALUES (1)',
    'ALTER TABLE orders ADD UNIQUE (total)',
    'CREATE UNIQUE INDEX ON orders (total)',
    'ALTER TABLE notes ADD FOREIGN KEY (tenant_id) REFERENCES plain (id)',
    'CREATE TRIGGER t BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    'SELECT * FROM orders WHERE total > (SELECT avg(o.total) FROM orders o WHERE o.ordered_at < orders.ordered_at)',
    'SELECT * FROM orders FOR UPDATE',
    'ALTER TABLE orders ALTER tenant_id TYPE int',
    'ALTER TABLE orders DROP COLUMN tenant_id',
    'UPDATE facts SET value = 1',
    'WITH RECURSIVE t AS (SELECT * FROM orders UNION ALL SELECT * FROM t WHERE false) SELECT count(*) FROM t',
  ])('%s', async (query) => {
    const { ask } = await openVisitor(cluster());
    const before = await stateOf('orders');
    const { status, body, text } = await ask('POST', '/sql', { query });
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(status, text).toBeLessThan(500);
    expect(String(body['error']).length).toBeGreaterThan(20);
    expect(text).not.toContain('internal');
    expect(await stateOf('orders')).toBe(before);
  });
});

test('structure that a studio changes reaches the workers', async () => {
  const { ask } = await openVisitor(cluster());
  for (const query of [
    'CREATE TABLE fresh (tenant_id int PRIMARY KEY, v text)',
    "ALTER TABLE orders ADD COLUMN extra text DEFAULT 'x'",
    'CREATE INDEX orders_note ON orders (note)',
  ]) {
    const reply = await ask('POST', '/sql', { query });
    expect(reply.status, reply.text).toBe(200);
  }
  const rows = Number(await valueAt(cluster(), 'SELECT count(*) FROM shop.orders'));
  const { body } = await ask('GET', '/tables/orders/rows?filter_extra=x&page_size=1');
  expect(body).toMatchObject({ total: rows, data: [{ extra: 'x' }] });
  const found = await cluster().nodes[2].query(
    "SELECT count(*)::int FROM shop.orders WHERE extra = 'x'",
  );
  expect(found).toEqual([{ count: rows }]);
  await cluster().nodes[0].query('ALTER TABLE shop.orders DROP COLUMN extra');
  await cluster().nodes[0].query('DROP TABLE shop.fresh');
});

test('a studio that only reads writes nowhere', async () => {
  const { ask } = await openVisitor(cluster(), { readOnly: true, allowDdl: false });
  const before = await stateOf('orders');
  const posted = await ask('POST', '/tables/orders/rows', { tenant_id: 1, total: '1' });
  expect(posted).toMatchObject({ status: 403, body: { code: 'read_only' } });
  for (const query of ["UPDATE orders SET note = 'x'", 'TRUNCATE orders'])
    expect((await ask('POST', '/sql', { query })).status).toBe(403);
  expect((await ask('GET', '/tables/orders/rows?page_size=1')).status).toBe(200);
  expect(await stateOf('orders')).toBe(before);
});
