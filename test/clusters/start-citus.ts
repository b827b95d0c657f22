/**
 * Citus on 127.0.0.1: a coordinator and two workers, of an installed PostgreSQL that has the extension
 * `citus`. `pg_config` on the PATH tells where it is.
 */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import type { ChildProcess } from 'node:child_process';
import { freePort } from '../servers/free-port.ts';
import { createNodeProcess, untilReady } from './cluster-node.ts';
import type { Cluster, ClusterNode, NodeProcess } from './cluster-node.ts';

/** The nodes are the coordinator and both workers. */
export type CitusCluster = Cluster;

const user = 'postgres';

interface Installation {
  readonly programs: string;
  readonly extensions: string;
}

async function findInstallation(): Promise<Installation | undefined> {
  try {
    const { stdout } = await promisify(execFile)('pg_config', ['--bindir', '--sharedir']);
    const [programs = '', shared = ''] = stdout.trim().split('\n');
    return { programs, extensions: join(shared, 'extension') };
  } catch {
    return undefined;
  }
}

/** Returns why no cluster can be started; undefined if it can. */
export async function whatIsMissing(): Promise<string | undefined> {
  const found = await findInstallation();
  if (found === undefined) return 'the program pg_config is not installed';
  if (!existsSync(join(found.programs, 'postgres'))) return `${found.programs} has no PostgreSQL`;
  if (!existsSync(join(found.extensions, 'citus.control')))
    return `the PostgreSQL of ${found.programs} does not have the extension citus`;
  if ((await serverAccount()) === undefined) return `root needs a user ${user} to run the servers`;
  return undefined;
}

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** PostgreSQL does not run as root. */
async function serverAccount(): Promise<Account | undefined> {
  if (userInfo().uid !== 0) return {};
  try {
    const id = async (option: string): Promise<number> =>
      Number((await promisify(execFile)('id', [option, user])).stdout);
    return { uid: await id('-u'), gid: await id('-g') };
  } catch {
    return undefined;
  }
}

interface NodeFiles {
  readonly programs: string;
  readonly account: Account;
  readonly folder: string;
  readonly port: number;
}

export async function startCitus(): Promise<CitusCluster> {
  const missing = await whatIsMissing();
  if (missing !== undefined) throw new Error(missing);
  const { programs } = (await findInstallation())!;
  const account = (await serverAccount())!;
  const folder = await mkdtemp(join(tmpdir(), 'database-studio-citus-'));
  await chmod(folder, 0o755);
  const nodes: ClusterNode[] = [];
  const remove = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()));
    // Processes of a killed server write until they notice.
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
  };
  try {
    for (const name of ['coordinator', 'worker1', 'worker2']) {
      const files = { programs, account, folder: join(folder, name), port: await freePort() };
      nodes.push(await createNode(files));
    }
    await Promise.all(nodes.map((node) => node.start()));
    await joinNodes(nodes);
  } catch (error) {
    await remove();
    throw error;
  }
  return { nodes: nodes as unknown as CitusCluster['nodes'], remove };
}

/** Makes the database of the tests at each node, and one cluster of the nodes. */
async function joinNodes(nodes: readonly ClusterNode[]): Promise<void> {
  for (const { port } of nodes) {
    await queryAt({ port, database: 'postgres' }, 'CREATE DATABASE shop');
    await queryAt({ port, database: 'shop' }, 'CREATE EXTENSION citus');
  }
  const [coordinator, ...workers] = nodes;
  await coordinator?.query(`SELECT citus_set_coordinator_host('127.0.0.1', ${coordinator.port})`);
  for (const { port } of workers)
    await coordinator?.query(`SELECT citus_add_node('127.0.0.1', ${port})`);
}

async function createNode(files: NodeFiles): Promise<ClusterNode> {
  const { programs, account, folder, port } = files;
  await mkdir(folder);
  if (account.uid !== undefined) await chown(folder, account.uid, account.gid ?? account.uid);
  const options = ['--encoding=UTF8', '--locale=C.UTF-8', '--no-sync', '--auth=trust'];
  await promisify(execFile)(
    join(programs, 'initdb'),
    [`--pgdata=${join(folder, 'data')}`, `--username=${user}`, ...options],
    { ...account, cwd: '/' },
  );
  const running = createNodeProcess();
  return {
    port,
    url: `postgres://${user}@127.0.0.1:${port}/shop`,
    query: (text) => queryAt({ port, database: 'shop' }, text),
    kill: running.kill,
    start: () => start(files, running),
    freeze: () => signalAll(folder, 'SIGSTOP'),
    thaw: () => signalAll(folder, 'SIGCONT'),
  };
}

/** Processes of a server that was killed keep its memory for a moment, and prevent it from starting. */
async function start(files: NodeFiles, running: NodeProcess): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const server = await launch(files);
    running.run(server);
    try {
      const ask = { port: files.port, database: 'postgres' };
      await untilReady({ server, log: join(files.folder, 'log') }, async () => {
        await queryAt(ask, 'SELECT 1');
        return true;
      });
      return;
    } catch (error) {
      if (attempt === 20) throw error;
      await sleep(250);
    }
  }
}

/** Sends a signal to the server and to the processes of its sessions. */
function signalAll(folder: string, signal: NodeJS.Signals): void {
  const [pid = ''] = readFileSync(join(folder, 'data', 'postmaster.pid'), 'utf8').split('\n');
  const { stdout } = spawnSync('ps', ['-o', 'pid=', '--ppid', pid], { encoding: 'utf8' });
  for (const each of [pid, ...stdout.trim().split(/\s+/)]) {
    try {
      process.kill(Number(each), signal);
    } catch {
      // It has ended.
    }
  }
}

async function launch({ programs, account, folder, port }: NodeFiles): Promise<ChildProcess> {
  const log = await open(join(folder, 'log'), 'a');
  const settings = {
    port: String(port),
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    shared_preload_libraries: 'citus',
    wal_level: 'logical',
    max_connections: '120',
    shared_buffers: '32MB',
    // The files outlive a killed server, but not the machine.
    fsync: 'off',
    // Of other time zones than the studio's sessions, which the nodes do not learn.
    TimeZone: 'Asia/Kathmandu',
    'citus.shard_count': '4',
    'citus.enable_statistics_collection': 'off',
    'citus.enable_version_checks': 'on',
    'citus.node_connection_timeout': '3000',
    'citus.node_conninfo': 'sslmode=disable',
  };
  const server = spawn(
    join(programs, 'postgres'),
    [
      `-D${join(folder, 'data')}`,
      ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
    ],
    {
      stdio: ['ignore', log.fd, log.fd],
      cwd: '/',
      // Connections between the nodes read settings and keys in the folder of the user.
      env: { ...process.env, HOME: folder },
      ...account,
    },
  );
  server.once('error', () => {});
  await log.close();
  return server;
}

async function queryAt(
  at: { readonly port: number; readonly database: string },
  text: string,
): Promise<readonly Record<string, unknown>[]> {
  const client = new Client({ host: '127.0.0.1', user, ...at });
  client.on('error', () => {});
  await client.connect();
  try {
    const result: unknown = await client.query(text);
    // Several statements have several results.
    const last = Array.isArray(result) ? result.at(-1) : result;
    return (last as { readonly rows: readonly Record<string, unknown>[] }).rows;
  } finally {
    await client.end();
  }
}
