/**
 * Stops and continues processes of the database at random times, while clients disconnect: every
 * connection returns to the pool when its request is over, and SIGTERM ends the command.
 */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import SqliteDatabase from 'better-sqlite3';
import { array, boolean, constantFrom, nat, record, sample } from 'fast-check';
import mysql from 'mysql2/promise';
import { Client } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeFolder, serve } from '../cli/command.ts';
import { startPostgres } from '../servers/embedded-postgres.ts';
import { startMariadb } from '../servers/start-mariadb.ts';
import { requests, waitOptions } from './silent-server.ts';
import type { Arbitrary } from 'fast-check';
import type { TestContext } from 'vitest';

interface FreezableServer {
  readonly url: string;
  /** The processes to stop; for SQLite, children of the command. */
  processes(command: number): Promise<readonly number[]>;
}

const tables =
  'CREATE TABLE items (id INTEGER PRIMARY KEY, n INTEGER); INSERT INTO items VALUES (1, 1), (2, 2)';

/** Separate servers, because other tests of the run share the default ones. */
const freezableServers: Readonly<Record<string, () => Promise<FreezableServer>>> = {
  postgres: async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const url = `postgres://${server.user}:${server.password}@127.0.0.1:${server.port}/postgres`;
    const client = new Client({ connectionString: url });
    await client.connect();
    await client.query(tables);
    await client.end();
    return {
      url,
      processes: async () => {
        const text = await readFile(join(server.socketDirectory, 'postmaster.pid'), 'utf8');
        const postmaster = Number(text.split('\n')[0]);
        return [postmaster, ...(await childrenOf(postmaster))];
      },
    };
  },
  mariadb: async () => {
    const server = await startMariadb();
    onTestFinished(() => server.remove());
    const account = `${server.user}:${server.password}@127.0.0.1:${server.port}`;
    const client = await mysql.createConnection({
      uri: `mysql://${account}/`,
      multipleStatements: true,
    });
    await client.query(`CREATE DATABASE shop; USE shop; ${tables}`);
    const [rows] = await client.query<mysql.RowDataPacket[]>('SELECT @@pid_file AS file');
    await client.end();
    const pid = Number(await readFile(String(rows[0]?.['file']), 'utf8'));
    return { url: `mysql://${account}/shop`, processes: () => Promise.resolve([pid]) };
  },
  sqlite: async () => {
    const url = join(makeFolder(), 'shop.db');
    const database = new SqliteDatabase(url);
    database.exec(tables);
    database.close();
    return { url, processes: childrenOf };
  },
};

async function childrenOf(parent: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-e', '-o', 'pid=,ppid=']);
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([pid = 0, of]) => (of === parent ? [pid] : []));
}

/** Ignores a process that has already ended. */
function send(pids: readonly number[], signal: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
    }
  }
}

const rounds = record({
  visits: array(
    record({ request: constantFrom(...requests), startsMs: nat(400), leavesAfterMs: nat(300) }),
    { minLength: 20, maxLength: 40 },
  ),
  freezes: array(record({ startsMs: nat(400), forMs: nat(2500), which: array(boolean()) }), {
    minLength: 1,
    maxLength: 3,
  }),
});

type Round = typeof rounds extends Arbitrary<infer T> ? T : never;

async function visit(url: string, { request, startsMs, leavesAfterMs }: Round['visits'][number]) {
  await sleep(startsMs);
  const signal = AbortSignal.timeout(leavesAfterMs);
  const [path, init] = request;
  await fetch(`${url}/api${path}`, { ...init, signal })
    .then((response) => response.arrayBuffer())
    .catch(() => undefined);
}

async function freeze(
  pids: readonly number[],
  { startsMs, forMs, which: isFrozen }: Round['freezes'][number],
) {
  await sleep(startsMs);
  const selected = pids.filter((_, i) => isFrozen[i % Math.max(1, isFrozen.length)] ?? true);
  send(selected, 'SIGSTOP');
  await sleep(forMs);
  send(selected, 'SIGCONT');
}

async function read(url: string, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}/api${path}`);
  expect(response.status, path).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

async function openOrSkip(
  open: () => Promise<FreezableServer>,
  context: TestContext,
): Promise<FreezableServer> {
  return open().catch((error: unknown) => {
    if (process.env['CI']) throw error;
    return context.skip(String(error));
  });
}

/** These tell about the studio itself. */
const pathsWithoutRows = ['/config', '/metrics', '/stats', '/live', '/config', '/openapi.json'];

describe.each(Object.entries(freezableServers))('%s', (_name, open) => {
  test(
    'what needs no rows responds while the processes are frozen',
    { timeout: 120_000 },
    async (context) => {
      const server = await openOrSkip(open, context);
      const { child, url } = await serve([server.url, '--statement-timeout', '20s']);
      await read(url, '/tables/items/rows');
      const pids = await server.processes(child.pid ?? 0);
      expect(pids).not.toEqual([]);
      send(pids, 'SIGSTOP');
      try {
        let hasEnded = false;
        const controller = new AbortController();
        const rows = fetch(`${url}/api/tables/items/rows?count=exact`, controller)
          .catch(() => undefined)
          .finally(() => (hasEnded = true));
        for (const path of pathsWithoutRows) {
          const { status } = await fetch(`${url}/api${path}`);
          expect([path, status, hasEnded]).toEqual([path, 200, false]);
        }
        controller.abort();
        await rows;
      } finally {
        send(pids, 'SIGCONT');
      }
    },
  );

  test(
    'frozen processes affect only requests that are sent meanwhile',
    { timeout: 600_000 },
    async (context) => {
      const server = await openOrSkip(open, context);
      const { child, url, outcome } = await serve([server.url, '--statement-timeout', '1s']);
      const command = child.pid ?? 0;
      await read(url, '/tables/items/rows');
      for (const { visits, freezes } of sample(rounds, 4)) {
        const pids = await server.processes(command);
        try {
          await Promise.all([
            ...visits.map((each) => visit(url, each)),
            ...freezes.map((each) => freeze(pids, each)),
          ]);
        } finally {
          send(pids, 'SIGCONT');
        }
        await vi.waitFor(
          async () => expect(await read(url, '/stats')).toMatchObject({ in_use: 0 }),
          waitOptions,
        );
        await vi.waitFor(
          async () => expect((await read(url, '/tables/items/rows')).total).toBe(2),
          waitOptions,
        );
      }
      const pids = await server.processes(command);
      send(pids, 'SIGSTOP');
      try {
        void visit(url, { request: requests[0]!, startsMs: 0, leavesAfterMs: 5000 });
        await sleep(100);
        child.kill('SIGTERM');
        expect(await outcome()).toMatchObject({ status: 0 });
      } finally {
        send(pids, 'SIGCONT');
      }
    },
  );
});
