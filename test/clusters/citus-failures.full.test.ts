/** Workers of Citus that are killed and frozen while studios read and write. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import {
  insertRows,
  mustFailAsUnavailable,
  mustHaveTheAcknowledged,
  openClient,
} from './cluster-clients.ts';
import { createTables } from './citus-tables.ts';
import { openVisitor, useCitus, valueAt } from './citus.ts';

const cluster = useCitus(createTables);

/** Of the second worker. */
const shardAt = (
  key: string,
): string => `SELECT ${key} FROM shop.orders WHERE get_shard_id_for_distribution_column('shop.orders', tenant_id) IN (
  SELECT s.shardid FROM pg_dist_shard s JOIN pg_dist_placement USING (shardid) JOIN pg_dist_node n USING (groupid)
  WHERE s.logicalrelid = 'shop.orders'::regclass AND n.nodeport = ${cluster().nodes[2].port}) LIMIT 1`;

test('a killed worker makes its shards unavailable until it is back', async () => {
  const { ask, sendFile } = await openVisitor(cluster());
  const there = Number(await valueAt(cluster(), shardAt('tenant_id')));
  const tenants = Array.from({ length: 40 }, (_, i) => i + 1);
  const before = await valueAt(cluster(), 'SELECT count(*) FROM shop.orders');
  expect((await ask('GET', `/tables/orders/rows?page_size=1`)).status).toBe(200);
  await cluster().nodes[2].kill();
  const unavailable = [
    await ask('GET', '/tables/orders/rows?page_size=1'),
    await ask('GET', `/tables/orders/rows?filter_tenant_id=${there}`),
    await ask('POST', '/tables/orders/rows', { tenant_id: there, total: '1' }),
    await ask('POST', '/tables/orders/changes', {
      create: tenants.map((id) => ({ tenant_id: id, id: 700_000, total: '1' })),
    }),
    await ask('POST', '/tables/countries/rows', { code: 'xx', name: 'x' }),
    await ask('POST', '/sql', { query: "UPDATE orders SET note = 'x'" }),
    await ask('POST', '/sql', { query: 'ALTER TABLE orders ADD COLUMN x int' }),
    await ask('GET', '/export/data?format=json&tables=orders'),
    await sendFile(
      '/import/data?table=orders',
      'orders.csv',
      `tenant_id,total\n${tenants.map((id) => `${id},1\n`).join('')}`,
    ),
  ];
  for (const [i, { status, body, text, headers }] of unavailable.entries()) {
    expect(status, `${i}: ${text}`).toBe(503);
    expect(body).toMatchObject({ code: 'database_unavailable' });
    expect(headers.get('retry-after'), text).not.toBeNull();
    // The reason of the node, once.
    const [, reason = ''] = /\(([^)]+)\)/.exec(String(body['error'])) ?? [];
    expect(reason === '' || String(body['error']).split(reason).length === 2, text).toBe(true);
  }
  expect((await ask('GET', '/tables/countries/rows')).status).toBe(200);
  expect((await ask('GET', '/schema')).status).toBe(200);
  await cluster().nodes[2].start();
  await vi.waitFor(
    async () => expect((await ask('GET', '/tables/orders/rows?page_size=1')).status).toBe(200),
    { timeout: 30_000, interval: 250 },
  );
  expect(await valueAt(cluster(), 'SELECT count(*) FROM shop.orders')).toBe(before);
});

test(
  'four clients lose and double no row while a worker is killed',
  { timeout: 240_000 },
  async () => {
    const { nodes } = cluster();
    const [{ url }] = nodes;
    const clients = await Promise.all(Array.from({ length: 4 }, () => openClient(url)));
    const stop = new AbortController();
    const inserting = clients.map((client) => insertRows([client], 0, stop.signal));
    for (let round = 1; round <= 3; round += 1) {
      await sleep(2500);
      await nodes[2].kill();
      await sleep(2500);
      await nodes[2].start();
    }
    await sleep(2500);
    stop.abort();
    const attempts = (await Promise.all(inserting)).flat();
    // The coordinator completes prepared transactions of a node that was lost.
    await nodes[0].query('SELECT recover_prepared_transactions()');
    await mustHaveTheAcknowledged(nodes[0], attempts);
    mustFailAsUnavailable(attempts);
    expect(attempts.filter(({ status }) => status === 201).length).toBeGreaterThan(20);
    expect(attempts.filter(({ status }) => status === 503).length).toBeGreaterThan(0);
  },
);

test('a worker that does not respond ends requests at their time limit', async () => {
  const { ask } = await openVisitor(cluster(), { statementTimeoutMs: 2000 });
  expect((await ask('GET', '/tables/orders/rows?page_size=1')).status).toBe(200);
  cluster().nodes[2].freeze();
  const replies = await Promise.all([
    ask('GET', '/tables/orders/rows?page_size=1'),
    ask('POST', '/sql', { query: "UPDATE orders SET note = 'frozen'" }),
    ask('GET', '/tables/countries/rows'),
  ]);
  cluster().nodes[2].thaw();
  expect(replies.map(({ status }) => [503, 504].includes(status))).toEqual([true, true, false]);
  await vi.waitFor(
    async () => expect((await ask('GET', '/tables/orders/rows?page_size=1')).status).toBe(200),
    { timeout: 30_000, interval: 250 },
  );
  expect(await valueAt(cluster(), "SELECT count(*) FROM shop.orders WHERE note = 'frozen'")).toBe(
    '0',
  );
});

test('a write to a worker that does not respond can be repeated with its key', async () => {
  const there = Number(await valueAt(cluster(), shardAt('tenant_id')));
  // Its session at the coordinator has no connection to the worker yet.
  const { ask } = await openVisitor(cluster());
  const create = () =>
    ask(
      'POST',
      '/tables/orders/rows',
      { tenant_id: there, total: '1', note: 'repeated' },
      { 'Idempotency-Key': '"frozen"' },
    );
  cluster().nodes[2].freeze();
  const replies = [
    await create(),
    await ask('GET', '/tables/orders/rows?page_size=1'),
    await ask('POST', '/sql', { query: "UPDATE orders SET note = 'frozen'" }),
  ];
  cluster().nodes[2].thaw();
  for (const { status, body, text, headers } of replies) {
    expect([status, body['code']], text).toEqual([503, 'database_unavailable']);
    expect(headers.get('retry-after'), text).not.toBeNull();
    expect(text).not.toContain(String(cluster().nodes[2].port));
  }
  expect(replies[0]?.text).toContain('nothing was written');
  await vi.waitFor(async () => expect((await create()).status).toBe(201), {
    timeout: 30_000,
    interval: 250,
  });
  expect((await create()).status).toBe(201);
  expect(await valueAt(cluster(), "SELECT count(*) FROM shop.orders WHERE note = 'repeated'")).toBe(
    '1',
  );
});
