/**
 * Three studios with all servers of a replication group in their URL. The primary changes, is killed and
 * frozen, and loses the others; afterwards every server is asked what it has.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  insertRows,
  mustFailAsUnavailable,
  mustHaveTheAcknowledged,
  openClient,
} from './cluster-clients.ts';
import { useGroupReplication } from './group-replication.ts';
import type { Attempt, Client } from './cluster-clients.ts';
import type { GroupNode } from './start-group-replication.ts';

const group = useGroupReplication(async ({ nodes: [first] }) => {
  for (const statement of [
    'CREATE TABLE shop.events (id INT AUTO_INCREMENT PRIMARY KEY, token VARCHAR(40) NOT NULL)',
    'CREATE TABLE shop.notes (id INT PRIMARY KEY)',
    // A right that the studio needs to know whether the server has the majority.
    'GRANT SELECT ON performance_schema.replication_group_members TO ada',
  ])
    await first.query(statement);
});

/** With the nodes in an order of its own for each studio. */
function urlOf(start: number): string {
  const { nodes, login } = group();
  const hosts = nodes.map((_, i) => `127.0.0.1:${nodes[(start + i) % 3]?.port}`);
  return `mysql://${login}@${hosts.join(',')}/shop`;
}

function studios(): Promise<readonly Client[]> {
  return Promise.all([0, 1, 2].map((start) => openClient(urlOf(start))));
}

/** The primary, and the others. */
async function roles(): Promise<{ primary: GroupNode; secondaries: readonly GroupNode[] }> {
  const { nodes } = group();
  const isPrimary = await Promise.all(nodes.map((node) => node.isPrimary()));
  const primary = nodes[isPrimary.indexOf(true)];
  if (primary === undefined) throw new Error('The group has no primary.');
  return { primary, secondaries: nodes.filter((node) => node !== primary) };
}

/** Starts the servers again that the group has left out: they rejoin by themselves after minutes only. */
async function restartTheLeftOut(): Promise<void> {
  for (const node of group().nodes) {
    const state = await node.stateAt(node);
    if (state !== 'ERROR' && state !== 'OFFLINE') continue;
    await node.kill();
    await node.start();
  }
}

/** Until every server of the group sees every other one, and each studio is ready. */
async function untilWhole(clients: readonly Client[]): Promise<void> {
  await vi.waitFor(
    async () => {
      await restartTheLeftOut();
      for (const node of group().nodes)
        for (const other of group().nodes) expect(await node.stateAt(other)).toBe('ONLINE');
      for (const { ask } of clients) expect((await ask('GET', '/health')).status).toBe(200);
    },
    { timeout: 200_000, interval: 300 },
  );
}

/** Inserts by eight clients while `work` runs. */
async function whileInserting(
  clients: readonly Client[],
  work: () => Promise<void>,
): Promise<readonly Attempt[]> {
  const stop = new AbortController();
  const inserting = Array.from({ length: 8 }, (_, i) => insertRows(clients, i, stop.signal));
  try {
    await work();
  } finally {
    stop.abort();
  }
  return (await Promise.all(inserting)).flat();
}

async function mustBeWhole(
  clients: readonly Client[],
  attempts: readonly Attempt[],
): Promise<void> {
  // The group may leave out a server that was frozen also after it has responded again.
  await untilWhole(clients);
  for (const node of group().nodes)
    await vi.waitFor(() => mustHaveTheAcknowledged(node, attempts), { timeout: 20_000 });
  mustFailAsUnavailable(attempts);
  expect(attempts.filter(({ status }) => status === 201).length).toBeGreaterThan(100);
}

/** Until ten inserts in a row are stored, by whichever studio. */
async function untilGood(clients: readonly Client[]): Promise<void> {
  await vi.waitFor(
    async () => {
      for (let i = 0; i < 10; i += 1) {
        const token = `probe-${randomUUID().slice(0, 8)}`;
        const reply = await clients[i % 3]?.ask('POST', '/tables/events/rows', { token });
        expect(reply?.status).toBe(201);
      }
    },
    { timeout: 60_000, interval: 200 },
  );
}

describe('a studio at one server', () => {
  test('says that a secondary takes no writes', async () => {
    const { secondaries } = await roles();
    const { ask } = await openClient(secondaries[0]?.url ?? '');
    expect(await ask('GET', '/config')).toMatchObject({
      body: {
        read_only: true,
        read_only_reason: 'The database server is read-only (super_read_only).',
      },
    });
    expect(await ask('POST', '/tables/notes/rows', { id: 1 })).toMatchObject({
      status: 403,
      body: { code: 'read_only' },
    });
    expect(await ask('GET', '/health')).toMatchObject({ status: 200 });
  });

  test('waits at a secondary for what the primary has committed, when asked to', async () => {
    const { primary, secondaries } = await roles();
    const [secondary] = secondaries;
    if (secondary === undefined) throw new Error('The group has no secondary.');
    const writing = await openClient(primary.url);
    const waiting = await openClient(secondary.url, true);
    expect((await waiting.ask('GET', '/tables/notes/rows')).status).toBe(200);
    // The secondary applies nothing while this lock is held.
    const lock = await secondary.lock();
    onTestFinished(() => lock.release());
    expect((await writing.ask('POST', '/tables/notes/rows', { id: 1 })).status).toBe(201);
    const found = waiting.ask('GET', '/tables/notes/rows/1');
    await sleep(500);
    lock.release();
    expect(await found).toMatchObject({ status: 200, body: { id: 1 } });
  });
});

describe('three studios with all servers in their URL', () => {
  test('follow a change of the primary', { timeout: 240_000 }, async () => {
    const clients = await studios();
    const attempts = await whileInserting(clients, async () => {
      for (let round = 0; round < 4; round += 1) {
        await sleep(1500);
        const { primary, secondaries } = await roles();
        const [row] = (await secondaries[round % 2]?.query('SELECT @@server_uuid AS uuid')) ?? [];
        await primary.query(`SELECT group_replication_set_as_primary('${String(row?.['uuid'])}')`);
      }
      await untilGood(clients);
    });
    await mustBeWhole(clients, attempts);
  });

  test('follow a killed and a frozen primary', { timeout: 400_000 }, async () => {
    const clients = await studios();
    const attempts = await whileInserting(clients, async () => {
      await sleep(2000);
      const { primary: killed } = await roles();
      await killed.kill();
      await untilGood(clients);
      await killed.start();
      await sleep(2000);
      const { primary: frozen } = await roles();
      frozen.freeze();
      await untilGood(clients);
      frozen.thaw();
      await sleep(3000);
      await untilGood(clients);
      await untilWhole(clients);
      await untilGood(clients);
    });
    await mustBeWhole(clients, attempts);
  });

  test('say at once that the majority is lost', { timeout: 400_000 }, async () => {
    const clients = await studios();
    const reading = await openClient(urlOf(0), true);
    const attempts = await whileInserting(clients, async () => {
      await sleep(2000);
      const { primary, secondaries } = await roles();
      for (const node of secondaries) node.freeze();
      const unavailable = { status: 503, retryAfter: '2', body: { code: 'database_unavailable' } };
      await vi.waitFor(
        async () => {
          expect(await primary.stateAt(primary)).toBe('ONLINE');
          for (const node of secondaries) expect(await node.stateAt(primary)).toBe('UNREACHABLE');
        },
        { timeout: 60_000, interval: 200 },
      );
      const alone = await openClient(primary.url);
      for (const client of [alone, ...clients, reading]) {
        expect(
          await client.ask('POST', '/tables/events/rows', { token: 'no-majority' }),
        ).toMatchObject({
          ...unavailable,
          body: { error: expect.stringContaining('lost the majority') as string },
        });
        expect(await client.ask('GET', '/health')).toMatchObject({
          status: 503,
          body: { live: true, ready: false },
        });
      }
      expect(await reading.ask('GET', '/tables/events/rows')).toMatchObject(unavailable);
      expect(await alone.ask('GET', '/tables/events/rows')).toMatchObject({ status: 200 });
      for (const node of secondaries) node.thaw();
      await untilWhole(clients);
      await untilGood(clients);
    });
    await mustBeWhole(clients, attempts);
    const [row] = await group().nodes[0].query(
      "SELECT COUNT(*) AS n FROM shop.events WHERE token = 'no-majority'",
    );
    expect(row).toEqual({ n: 0 });
  });
});
