import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { ChildProcess } from 'node:child_process';
import mysql from 'mysql2/promise';
import { freePort } from './free-port.ts';

/** A separate MariaDB server on 127.0.0.1 and on a socket in its directory. */
export interface MariadbServer {
  readonly port: number;
  readonly socket: string;
  readonly user: string;
  readonly password: string;
  /** Stops the server and keeps its data. */
  stop(): Promise<void>;
  /** Starts the server again on the same port. */
  start(): Promise<void>;
  /** Stops the server and removes its data. */
  remove(): Promise<void>;
  /** Resolves with the end of the log if the server ends without a call of `stop`. */
  readonly crashed: Promise<string>;
}

export interface MariadbOptions {
  /** Additional server options: `--name=value`. */
  readonly settings?: readonly string[];
}

const account = { user: 'root', password: 'mariadb' };

/** The data does not outlive the test run, so it need not be synced to disk. */
const fastSettings = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-flush-method=nosync',
  '--innodb-doublewrite=0',
  '--innodb-buffer-pool-size=64M',
  '--innodb-log-file-size=16M',
  '--skip-log-bin',
  '--skip-name-resolve',
  '--character-set-server=utf8mb4',
  '--max-connections=200',
];

export async function startMariadb(options: MariadbOptions = {}): Promise<MariadbServer> {
  const directory = await mkdtemp(join(tmpdir(), 'database-studio-mariadb-'));
  const port = await freePort();
  const serverOptions: ServerOptions = {
    directory,
    port,
    socket: join(directory, 'socket'),
    settings: options.settings ?? [],
  };
  let running: ChildProcess | undefined;
  const crash = Promise.withResolvers<string>();
  const stop = async (): Promise<void> => {
    const server = running;
    running = undefined;
    if (server !== undefined) await end(server);
  };
  const start = async (): Promise<void> => {
    const server = await launch(serverOptions);
    running = server;
    server.once('exit', () => {
      if (running === server) void endOfLog(serverOptions, 100).then(crash.resolve);
    });
  };
  const remove = async (): Promise<void> => {
    await stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await install(serverOptions);
    await start();
    await setRootPassword(serverOptions);
  } catch (error) {
    await remove();
    throw new Error(
      `MariaDB did not start: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  return {
    ...account,
    port,
    socket: serverOptions.socket,
    stop,
    start,
    remove,
    crashed: crash.promise,
  };
}

interface ServerOptions {
  readonly directory: string;
  readonly port: number;
  readonly socket: string;
  readonly settings: readonly string[];
}

/** Debian installs the server outside the PATH of ordinary users. */
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` };

async function install({ directory }: ServerOptions): Promise<void> {
  const options = [
    '--no-defaults',
    `--datadir=${join(directory, 'data')}`,
    `--user=${userInfo().username}`,
    '--auth-root-authentication-method=normal',
    '--skip-test-db',
  ];
  await promisify(execFile)('mariadb-install-db', options, { env });
}

const startLimitMs = 30_000;

async function launch({ directory, port, socket, settings }: ServerOptions): Promise<ChildProcess> {
  // A server removes all temporary tables in its temporary directory when it starts, so each server
  // needs its own.
  const temporary = join(directory, 'tmp');
  await mkdir(temporary, { recursive: true });
  const log = await open(join(directory, 'log'), 'a');
  const server = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--user=${userInfo().username}`,
      `--datadir=${join(directory, 'data')}`,
      `--socket=${socket}`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--pid-file=${join(directory, 'pid')}`,
      `--tmpdir=${temporary}`,
      ...fastSettings,
      ...settings,
    ],
    { stdio: ['ignore', log.fd, log.fd], env },
  );
  const failed = new Promise<never>((_resolve, reject) => void server.once('error', reject));
  failed.catch(() => {});
  await log.close();
  const deadline = Date.now() + startLimitMs;
  while (!(await Promise.race([acceptsConnections(socket), failed]))) {
    if (server.exitCode !== null || Date.now() > deadline) {
      server.kill('SIGKILL');
      throw new Error(await endOfLog({ directory }, 5));
    }
    await sleep(50);
  }
  return server;
}

async function endOfLog(
  { directory }: Pick<ServerOptions, 'directory'>,
  lines: number,
): Promise<string> {
  const log = await readFile(join(directory, 'log'), 'utf8');
  return log.trimEnd().split('\n').slice(-lines).join('\n');
}

const accessDenied = 1045;

/** Whether the server accepts connections, even if it rejects the login. */
async function acceptsConnections(socketPath: string): Promise<boolean> {
  try {
    const connection = await mysql.createConnection({ socketPath, ...account });
    await connection.end();
    return true;
  } catch (error) {
    return error instanceof Error && 'errno' in error && error.errno === accessDenied;
  }
}

/** Sets the password of root, also for TCP. */
async function setRootPassword({ socket }: ServerOptions): Promise<void> {
  const connection = await mysql.createConnection({ socketPath: socket, user: account.user });
  for (const host of ['127.0.0.1', 'localhost']) {
    await connection.query(
      `SET PASSWORD FOR '${account.user}'@'${host}' = PASSWORD('${account.password}')`,
    );
  }
  await connection.end();
}

async function end(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const exit = once(server, 'exit');
  server.kill('SIGTERM');
  await exit;
}
