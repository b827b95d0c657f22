import { setImmediate as nextEventLoopTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';

import { createPool } from '../../src/databases/pool.ts';
import type { Pool } from '../../src/databases/pool.ts';

interface FakeConnection {
  readonly number: number;
  usable: boolean;
  lost: boolean;
  closed: boolean;
}

let opened: FakeConnection[];
let openError: Error | undefined;
let pool: Pool<FakeConnection>;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  opened = [];
  openError = undefined;
  pool = createPool<FakeConnection>({
    maxConnections: 2,
    waitMs: 5000,
    idleMs: 60_000,
    open: async () => {
      if (openError !== undefined) throw openError;
      const connection = { number: opened.length, usable: true, lost: false, closed: false };
      opened.push(connection);
      return connection;
    },
    isUsable: (connection) => connection.usable,
    isLost: (connection) => connection.lost,
    destroy: (connection) => void (connection.lost = true),
    close: async (connection) => {
      connection.closed = true;
    },
  });
});

afterEach(() => vi.useRealTimers());

test('a returned connection is reused', async () => {
  expect(await pool.use(async ({ number }) => number)).toBe(0);
  expect(await pool.use(async ({ number }) => number)).toBe(0);
  expect(pool.stats()).toMatchObject({
    maxOpenConnections: 2,
    openConnections: 1,
    inUse: 0,
    idle: 1,
    waitCount: 0,
  });
});

test('no more are open than allowed, and waiting callers are served in order', async () => {
  const [one, two] = [await pool.acquire(), await pool.acquire()];
  const served: string[] = [];
  const waiting = ['a', 'b', 'c'].map((name) => pool.use(async () => void served.push(name)));
  await nextEventLoopTurn();
  expect(pool.stats()).toMatchObject({ openConnections: 2, inUse: 2, waitCount: 3 });
  pool.release(one);
  pool.release(two);
  await Promise.all(waiting);
  expect(served).toEqual(['a', 'b', 'c']);
  expect(opened).toHaveLength(2);
});

test('a caller that waits too long gets an error, and the next one is served', async () => {
  const lent = [await pool.acquire(), await pool.acquire()];
  const late = expect(pool.acquire()).rejects.toMatchObject({ code: 'database_busy' });
  await vi.advanceTimersByTimeAsync(5000);
  await late;
  const next = pool.acquire();
  pool.release(lent[0]!);
  expect(await next).toBe(lent[0]);
});

test('one kind of use takes at most half of the connections, and the next allowed caller is served', async () => {
  const frozen = { kind: 'reads', table: 'frozen' } as const;
  const heldConnection = await pool.acquire({ use: frozen });
  const late = expect(pool.acquire({ use: frozen })).rejects.toMatchObject({
    code: 'database_busy',
    details: { table: 'frozen' },
    message: expect.stringContaining('reads of "frozen"'),
  });
  expect(
    await pool.use(async ({ number }) => number, { use: { kind: 'reads', table: 'other' } }),
  ).toBe(1);
  await vi.advanceTimersByTimeAsync(5000);
  await late;
  const next = pool.acquire({ use: frozen });
  pool.release(heldConnection);
  pool.release(await next);
  expect(pool.stats().inUse).toBe(0);
});

test('a caller that cancels takes no connection', async () => {
  const lent = [await pool.acquire(), await pool.acquire()];
  const controller = new AbortController();
  const gone = expect(pool.acquire({ signal: controller.signal })).rejects.toBe('gone');
  await nextEventLoopTurn();
  controller.abort('gone');
  await gone;
  lent.forEach((connection) => pool.release(connection));
  expect(pool.stats()).toMatchObject({ inUse: 0, idle: 2 });
});

test('an unusable connection is closed and replaced', async () => {
  await pool.use(async (connection) => void (connection.usable = false));
  expect(opened[0]?.closed).toBe(true);
  await pool.use(async () => {});
  opened[1]!.usable = false;
  expect(await pool.use(async ({ number }) => number)).toBe(2);
  expect(opened[1]?.closed).toBe(true);
});

test('a slot is free again if opening or the work fails', async () => {
  openError = new Error('no server');
  for (let i = 0; i < 3; i++) await expect(pool.acquire()).rejects.toBe(openError);
  openError = undefined;
  for (let i = 0; i < 3; i++)
    await expect(pool.use(() => Promise.reject(new Error('work')))).rejects.toThrow('work');
  expect(pool.stats()).toMatchObject({ inUse: 0, openConnections: 1 });
});

test('an idle connection is closed', async () => {
  await pool.use(async () => {});
  await vi.advanceTimersByTimeAsync(59_999);
  expect(opened[0]?.closed).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(opened[0]?.closed).toBe(true);
  expect(pool.stats().openConnections).toBe(0);
});

test('closing waits for connections in use, rejects waiting callers, and lends no more', async () => {
  await pool.use(async () => {});
  const lent = [await pool.acquire(), await pool.acquire()];
  const waiting = expect(pool.acquire()).rejects.toMatchObject({ code: 'database_unavailable' });
  let isClosed = false;
  const closing = pool.close().then(() => (isClosed = true));
  await waiting;
  await expect(pool.acquire()).rejects.toMatchObject({ code: 'database_unavailable' });
  expect(isClosed).toBe(false);
  lent.forEach((connection) => pool.release(connection));
  await closing;
  expect(opened.map(({ closed }) => closed)).toEqual([true, true]);
});
