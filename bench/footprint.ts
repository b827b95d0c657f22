/**
 * What a database notices of a studio: statements a request, checks of the structure, memory a
 * connection; counted by the database itself, with 30 and with 10,000 tables.
 * `node bench/footprint.ts [--tables 30,10000]`
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import mysql from 'mysql2/promise';
import { Client } from 'pg';
import { createStudio } from '../src/index.ts';
import { startPostgres } from '../test/servers/embedded-postgres.ts';
import { startMariadb } from '../test/servers/start-mariadb.ts';
import type { EmbeddedStudio } from '../src/index.ts';

const { values } = parseArgs({
  options: {
    tables: { type: 'string', default: '30,10000' },
    seconds: { type: 'string', default: '30' },
  },
});
const seconds = Number(values.seconds);
const requests = 100;

interface CatalogReads {
  readonly count: number;
  readonly ms: number;
}

/** A server whose counters are read on a connection that does not count itself. */
interface Measured {
  readonly name: string;
  readonly url: string;
  run(text: string): Promise<unknown>;
  /** Statements of clients since the start. */
  statements(): Promise<number>;
  /** Reads of the catalog, and their total time in the server in milliseconds. MariaDB does not count them. */
  catalogReads(): Promise<CatalogReads | undefined>;
  /** KB of each connection of the studio that only it uses. */
  connectionMemory(): Promise<readonly number[]>;
  remove(): Promise<void>;
}

async function openPostgres(): Promise<Measured> {
  const server = await startPostgres({
    settings: { shared_preload_libraries: 'pg_stat_statements', max_locks_per_transaction: '1024' },
  });
  const { port, user, password } = server;
  const url = `postgres://${user}:${password}@127.0.0.1:${port}/postgres`;
  const client = new Client(url);
  await client.connect();
  await client.query('CREATE EXTENSION pg_stat_statements');
  const rows = async (text: string) => (await client.query<Record<string, unknown>>(text)).rows;
  const others = `FROM pg_stat_statements WHERE query !~ 'pg_stat_(statements|activity)'`;
  return {
    name: 'PostgreSQL',
    url,
    run: (text) => client.query(text),
    statements: async () => {
      const [row] = await rows(`SELECT sum(calls)::int AS n ${others}`);
      return Number(row?.['n']);
    },
    catalogReads: async () => {
      const [row] = await rows(
        `SELECT sum(calls)::int AS n, sum(total_exec_time) AS ms ${others} AND query LIKE '%pg_class%'`,
      );
      return { count: Number(row?.['n']), ms: Number(row?.['ms']) };
    },
    connectionMemory: async () => {
      const found = await rows(
        `SELECT pid FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`,
      );
      return found.map(({ pid }) => privateKb(Number(pid)));
    },
    remove: async () => {
      await client.end();
      await server.remove();
    },
  };
}

/** Without the pages that processes share, such as shared buffers. */
function privateKb(pid: number): number {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const parts = [...text.matchAll(/^Private_(?:Clean|Dirty):\s+(\d+) kB$/gm)];
  return parts.reduce((sum, [, kb]) => sum + Number(kb), 0);
}

async function openMariadb(): Promise<Measured> {
  const server = await startMariadb({
    settings: ['--performance-schema=ON', '--table-open-cache=20000'],
  });
  const { port, user, password } = server;
  const client = await mysql.createConnection({ host: '127.0.0.1', port, user, password });
  await client.query('CREATE DATABASE shop');
  await client.query('USE shop');
  const rows = async (text: string) => (await client.query<mysql.RowDataPacket[]>(text))[0];
  let own = 0;
  return {
    name: 'MariaDB',
    url: `mysql://${user}:${password}@127.0.0.1:${port}/shop`,
    run: (text) => client.query(text),
    statements: async () => {
      own += 1;
      const [row] = await rows("SHOW GLOBAL STATUS LIKE 'Questions'");
      return Number(row?.['Value']) - own;
    },
    catalogReads: () => Promise.resolve(undefined),
    connectionMemory: async () => {
      own += 1;
      const found = await rows(
        'SELECT memory_used FROM information_schema.processlist WHERE id <> connection_id()',
      );
      return found.map(({ memory_used: bytes }) => Math.round(Number(bytes) / 1024));
    },
    remove: async () => {
      await client.end();
      await server.remove();
    },
  };
}

async function createTables(server: Measured, count: number): Promise<void> {
  for (let i = 0; i < count; i += 1)
    await server.run(
      `CREATE TABLE t${i} (id int PRIMARY KEY, name varchar(100) NOT NULL, other_id int, amount numeric(10,2), created_at timestamp NULL)`,
    );
  for (let id = 1; id <= 500; id += 1)
    await server.run(`INSERT INTO t0 (id, name) VALUES (${id}, 'name ${id}')`);
}

interface Call {
  readonly path: string;
  readonly method?: string;
  readonly body?: object;
}

async function ask(studio: EmbeddedStudio, { path, method = 'GET', body }: Call): Promise<number> {
  const response = await studio.fetch(
    new Request(`http://localhost/studio/api${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
    }),
  );
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${text}`);
  return text.length;
}

const scenarios: Readonly<Record<string, (i: number) => Call>> = {
  'first page': () => ({ path: '/tables/t0/rows' }),
  'page 5, sorted': () => ({ path: '/tables/t0/rows?page=5&sort_by=name' }),
  'filtered page': (i) => ({ path: `/tables/t0/rows?filter_id__gt=${i}` }),
  'one row': (i) => ({ path: `/tables/t0/rows/${i + 1}` }),
  'new row': (i) => ({
    path: '/tables/t0/rows',
    method: 'POST',
    body: { id: 10_000 + i, name: 'new' },
  }),
  'changed row': (i) => ({
    path: `/tables/t0/rows/${i + 1}`,
    method: 'PUT',
    body: { name: 'changed' },
  }),
};

function print(...cells: readonly (string | number)[]): void {
  process.stdout.write(`| ${cells.join(' | ')} |\n`);
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 2 ** 20);
}

/** What the catalog was asked meanwhile. */
function catalogText(before: CatalogReads | undefined, after: CatalogReads | undefined): string {
  if (before === undefined || after === undefined) return 'catalog reads not counted';
  const ms = Math.round(after.ms - before.ms);
  return `${after.count - before.count} catalog reads of ${ms} ms in the server`;
}

async function measureRequests(server: Measured, studio: EmbeddedStudio, name: string) {
  for (const [title, call] of Object.entries(scenarios)) {
    await ask(studio, call(requests));
    const catalog = await server.catalogReads();
    const statements = await server.statements();
    const cpu = process.cpuUsage();
    for (let i = 0; i < requests; i += 1) await ask(studio, call(i));
    const { user, system } = process.cpuUsage(cpu);
    const count = ((await server.statements()) - statements) / requests;
    const cpuMs = ((user + system) / 1000 / requests).toFixed(2);
    const reads = catalogText(catalog, await server.catalogReads());
    print(
      name,
      title,
      `${count.toFixed(2)} statements`,
      `${cpuMs} ms CPU, ${reads} in ${requests}`,
    );
  }
}

/** Without requests, with pages, and with pages while another client writes. */
const loads = {
  idle: [],
  'pages every 100 ms': ['page'],
  'pages while others write': ['page', 'write'],
} as const;

async function measureChecks(server: Measured, studio: EmbeddedStudio, name: string) {
  for (const [title, actions] of Object.entries(loads)) {
    const actionNames: readonly string[] = actions;
    const catalog = await server.catalogReads();
    const statements = await server.statements();
    let pages = 0;
    const end = performance.now() + seconds * 1000;
    while (performance.now() < end) {
      if (actionNames.includes('page')) await ask(studio, { path: '/tables/t0/rows' });
      if (actionNames.includes('write'))
        await server.run("UPDATE t0 SET name = 'other' WHERE id = 500");
      pages += 1;
      await sleep(100);
    }
    const count = (await server.statements()) - statements;
    const reads = catalogText(catalog, await server.catalogReads());
    print(name, `${title}, ${seconds} s`, `${count} statements in ${pages} rounds`, reads);
  }
}

async function measure(server: Measured, tables: number): Promise<void> {
  await createTables(server, tables);
  const name = `${server.name}, ${tables} tables`;
  const memoryBefore = process.memoryUsage.rss();
  const catalog = await server.catalogReads();
  const studio = await createStudio({ url: server.url });
  const cpu = process.cpuUsage();
  const bytes = await ask(studio, { path: '/schema' });
  const { user, system } = process.cpuUsage(cpu);
  const cpuMs = Math.round((user + system) / 1000);
  print(
    name,
    'structure',
    catalogText(catalog, await server.catalogReads()),
    `${cpuMs} ms CPU, ${bytes} bytes`,
  );
  await measureRequests(server, studio, name);
  await measureChecks(server, studio, name);
  await Promise.all(Array.from({ length: 10 }, () => ask(studio, { path: '/tables/t0/rows' })));
  const kb = (await server.connectionMemory()).toSorted((a, b) => a - b);
  print(name, 'connections', kb.length, `KB each: ${kb.join(', ')}`);
  const [after, before] = [process.memoryUsage.rss(), memoryBefore].map(megabytes);
  print(name, 'memory of the studio', `${after} MB`, `${before} MB before it was opened`);
  await studio.close();
}

for (const open of [openPostgres, openMariadb])
  for (const tables of values.tables.split(',').map(Number)) {
    const server = await open();
    try {
      await measure(server, tables);
    } finally {
      await server.remove();
    }
  }
