/**
 * Three studios, each at its node of a Galera cluster, as behind a balancer that knows `/health`. Nodes
 * are killed and frozen meanwhile; afterwards every node is asked what it has.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import mysql from 'mysql2/promise';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  countBy,
  insertRows,
  mustFailAsUnavailable,
  mustHaveTheAcknowledged,
  openClient,
} from './cluster-clients.ts';
import { useGalera } from './galera.ts';
import type { Client, Reply } from './cluster-clients.ts';

function studios(): Promise<readonly Client[]> {
  return Promise.all(cluster().nodes.map(({ url }) => openClient(url)));
}

const cluster = useGalera(async ({ nodes }) => {
  const [first] = nodes;
  for (const statement of [
    'CREATE TABLE shop.events (id INT AUTO_INCREMENT PRIMARY KEY, token VARCHAR(40) NOT NULL)',
    'CREATE TABLE shop.counters (id INT PRIMARY KEY, value INT NOT NULL)',
    'CREATE TABLE shop.notes (id INT PRIMARY KEY)',
    'INSERT INTO shop.counters VALUES (1, 0), (2, 0)',
  ])
    await first.query(statement);
});

describe('reads', () => {
  test('wait for what other nodes have committed, when asked to', async () => {
    const [first, second] = cluster().nodes;
    const writing = await openClient(first.url);
    const waiting = await openClient(second.url, true);
    expect((await waiting.ask('GET', '/tables/notes/rows')).status).toBe(200);
    // The second node applies nothing while this lock is held.
    const { port } = second;
    const options = { host: '127.0.0.1', port, user: 'root', password: 'galera' };
    const locking = await mysql.createConnection(options);
    onTestFinished(() => locking.destroy());
    await locking.query('FLUSH TABLES WITH READ LOCK');
    expect((await writing.ask('POST', '/tables/notes/rows', { id: 1 })).status).toBe(201);
    const found = waiting.ask('GET', '/tables/notes/rows/1');
    await sleep(500);
    await locking.query('UNLOCK TABLES');
    expect(await found).toMatchObject({ status: 200, body: { id: 1 } });
  });
});

describe('writes of one row at three nodes at once', () => {
  test('with the same If-Match have one winner', async () => {
    const clients = await studios();
    for (let round = 1; round <= 300; round += 1) {
      const [reader] = clients;
      const current = await reader?.ask('GET', '/tables/counters/rows/1');
      const headers = { 'If-Match': current?.etag ?? '' };
      const replies = await Promise.all(
        clients.map(({ ask }, i) =>
          ask('PUT', '/tables/counters/rows/1', { value: round * 10 + i }, headers),
        ),
      );
      const statuses = replies.map(({ status }) => status);
      expect(
        statuses.filter((status) => status === 200),
        `round ${round}`,
      ).toHaveLength(1);
      expect(statuses.every((status) => [200, 409, 412].includes(status))).toBe(true);
      // The next round reads at another node than the winner wrote.
      await vi.waitFor(async () => {
        const values = await Promise.all(
          cluster().nodes.map((each) => each.query('SELECT value FROM shop.counters WHERE id = 1')),
        );
        expect(new Set(values.map(([row]) => row?.['value'])).size).toBe(1);
      });
    }
  });

  test('without a condition are repeated where another node won', async () => {
    const clients = await studios();
    const replies: Reply[] = [];
    for (let round = 1; round <= 30; round += 1)
      replies.push(
        ...(await Promise.all(
          clients.map(({ ask }, i) =>
            ask('PUT', '/tables/counters/rows/2', { value: round * 10 + i }),
          ),
        )),
      );
    const counts = countBy(replies.map(({ status }) => String(status)));
    expect(Object.keys(counts).every((status) => ['200', '409'].includes(status))).toBe(true);
    // Without repeating, a third of them gets the deadlock (error 1213).
    expect(counts['200'] ?? 0).toBeGreaterThan(80);
  });
});

test('a killed and a frozen node lose and double nothing', { timeout: 240_000 }, async () => {
  const clients = await studios();
  const { nodes } = cluster();
  const stop = new AbortController();
  const inserting = Array.from({ length: 6 }, (_, i) => insertRows(clients, i, stop.signal));
  await sleep(3000);
  await nodes[2].kill();
  await sleep(6000);
  await nodes[2].start();
  await sleep(2000);
  nodes[1].freeze();
  await sleep(8000);
  nodes[1].thaw();
  await sleep(6000);
  stop.abort();
  const attempts = (await Promise.all(inserting)).flat();
  await vi.waitFor(
    async () => {
      for (const { ask } of clients) expect((await ask('GET', '/health')).status).toBe(200);
    },
    { timeout: 60_000, interval: 200 },
  );
  for (const node of nodes) {
    await node.query('SET GLOBAL wsrep_sync_wait = 1');
    await mustHaveTheAcknowledged(node, attempts);
  }
  mustFailAsUnavailable(attempts);
  expect(attempts.filter(({ status }) => status === 201).length).toBeGreaterThan(100);
});

/** Comes last: it ends with a cluster that is started anew. */
test(
  'a node without quorum is not ready, and says when to try again',
  { timeout: 240_000 },
  async () => {
    const [client] = await studios();
    const { nodes } = cluster();
    expect(await client?.ask('GET', '/health')).toMatchObject({ status: 200 });
    await Promise.all([nodes[1].kill(), nodes[2].kill()]);
    await vi.waitFor(
      async () => {
        for (const [method, path, body] of [
          ['GET', '/tables/events/rows', undefined],
          ['POST', '/tables/events/rows', { token: 'no-quorum' }],
        ] as const)
          expect(await client?.ask(method, path, body)).toMatchObject({
            status: 503,
            retryAfter: '2',
            body: { code: 'database_unavailable' },
          });
        expect(await client?.ask('GET', '/health')).toMatchObject({
          status: 503,
          body: { live: true, ready: false },
        });
      },
      { timeout: 60_000, interval: 500 },
    );
    await Promise.all([nodes[1].start(), nodes[2].start()]);
    await vi.waitFor(
      async () => expect(await client?.ask('GET', '/health')).toMatchObject({ status: 200 }),
      { timeout: 60_000, interval: 500 },
    );
  },
);
