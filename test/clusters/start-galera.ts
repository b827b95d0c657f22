/** Three nodes of MariaDB Galera on 127.0.0.1, of Debian's packages mariadb-server, galera-4 and rsync. */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ChildProcess } from 'node:child_process';
import { freePort } from '../servers/free-port.ts';
import { createNodeProcess, queryNode, untilReady } from './cluster-node.ts';
import type { Cluster, ClusterNode, Login } from './cluster-node.ts';

export type GaleraCluster = Cluster;

const account = { user: 'root', password: 'galera' };
const provider = ['/usr/lib/galera/libgalera_smm.so', '/usr/lib/libgalera_smm.so'].find(existsSync);
/** Debian installs servers outside the PATH of ordinary users. */
const env = { ...process.env, PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` };
/** rsync receives nothing as root. */
const serverUser = userInfo().uid === 0 ? 'mysql' : userInfo().username;

interface Ports {
  readonly sql: number;
  readonly group: number;
  readonly missing: number;
  readonly whole: number;
}

interface NodeFiles {
  readonly folder: string;
  readonly ports: Ports;
  /** The ports of all nodes for the cluster's own messages. */
  readonly members: readonly number[];
}

/** Returns why no cluster can be started; undefined if it can. */
export async function whatIsMissing(): Promise<string | undefined> {
  if (provider === undefined) return 'the package galera-4 is not installed';
  for (const program of ['mariadbd', 'mariadb-install-db', 'rsync']) {
    const found = await promisify(execFile)('which', [program], { env }).catch(() => undefined);
    if (found === undefined) return `the program ${program} is not installed`;
  }
  return undefined;
}

export async function startGalera(): Promise<GaleraCluster> {
  const missing = await whatIsMissing();
  if (missing !== undefined) throw new Error(missing);
  const folder = await mkdtemp(join(tmpdir(), 'database-studio-galera-'));
  await chmod(folder, 0o755);
  const ports: Ports[] = [];
  for (let i = 0; i < 3; i += 1)
    ports.push({
      sql: await freePort(),
      group: await freePort(),
      missing: await freePort(),
      whole: await freePort(),
    });
  const members = ports.map(({ group }) => group);
  const nodes = await Promise.all(
    ports.map((own, i) => createNode({ folder: join(folder, String(i)), ports: own, members })),
  );
  const remove = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()));
    await rm(folder, { recursive: true, force: true });
  };
  try {
    const [first, ...others] = nodes;
    await first?.begin();
    for (const node of others) await node.start();
  } catch (error) {
    await remove();
    throw error;
  }
  return { nodes: nodes as unknown as GaleraCluster['nodes'], remove };
}

interface StartableNode extends ClusterNode {
  /** Starts the first node of a new cluster. */
  begin(): Promise<void>;
}

async function createNode(files: NodeFiles): Promise<StartableNode> {
  await mkdir(join(files.folder, 'tmp'), { recursive: true });
  await promisify(execFile)('chown', ['-R', serverUser, files.folder]);
  await promisify(execFile)(
    'mariadb-install-db',
    [
      '--no-defaults',
      `--datadir=${join(files.folder, 'data')}`,
      `--user=${serverUser}`,
      '--auth-root-authentication-method=normal',
      '--skip-test-db',
    ],
    // Two installations at a time would remove each other's temporary tables.
    { env: { ...env, TMPDIR: join(files.folder, 'tmp') } },
  );
  const { sql: port } = files.ports;
  const node = createNodeProcess();
  const launchWith = async (login: Login, extra: readonly string[]): Promise<void> => {
    const server = await launch(files, extra);
    node.run(server);
    await untilReady({ server, log: join(files.folder, 'log') }, () => isSynced(login));
  };
  return {
    port,
    url: `mysql://${account.user}:${account.password}@127.0.0.1:${port}/shop`,
    query: (text) => queryNode({ port, ...account }, text),
    kill: node.kill,
    begin: async () => {
      const as = { port, user: account.user };
      await launchWith(as, ['--wsrep-new-cluster']);
      await queryNode(as, 'CREATE DATABASE shop CHARACTER SET utf8mb4');
      await queryNode(
        as,
        `GRANT ALL ON *.* TO '${account.user}'@'127.0.0.1' IDENTIFIED BY '${account.password}' WITH GRANT OPTION`,
      );
    },
    start: () => launchWith({ port, ...account }, []),
    freeze: node.freeze,
    thaw: node.thaw,
  };
}

async function launch(
  { folder, ports, members }: NodeFiles,
  extra: readonly string[],
): Promise<ChildProcess> {
  const log = await open(join(folder, 'log'), 'a');
  const own = (port: number): string => `127.0.0.1:${port}`;
  const server = spawn(
    'mariadbd',
    [
      '--no-defaults',
      `--user=${serverUser}`,
      `--datadir=${join(folder, 'data')}`,
      `--tmpdir=${join(folder, 'tmp')}`,
      `--socket=${join(folder, 's')}`,
      `--pid-file=${join(folder, 'pid')}`,
      `--port=${ports.sql}`,
      '--bind-address=127.0.0.1',
      '--character-set-server=utf8mb4',
      '--skip-name-resolve',
      '--binlog-format=ROW',
      '--innodb-autoinc-lock-mode=2',
      '--innodb-buffer-pool-size=64M',
      '--innodb-log-file-size=16M',
      '--wsrep-on=ON',
      `--wsrep-provider=${provider}`,
      '--wsrep-cluster-name=studio',
      `--wsrep-cluster-address=gcomm://${members.map(own).join(',')}`,
      `--wsrep-node-address=${own(ports.group)}`,
      `--wsrep-provider-options=${[
        `base_port=${ports.group}`,
        `gmcast.listen_addr=tcp://${own(ports.group)}`,
        `ist.recv_addr=${own(ports.missing)}`,
        `ist.recv_bind=${own(ports.missing)}`,
        'gcache.size=16M',
        // A node that does not answer is left out within seconds.
        'evs.keepalive_period=PT0.5S',
        'evs.suspect_timeout=PT2S',
        'evs.inactive_timeout=PT4S',
      ].join(';')}`,
      '--wsrep-sst-method=rsync',
      `--wsrep-sst-receive-address=${own(ports.whole)}`,
      ...extra,
    ],
    { stdio: ['ignore', log.fd, log.fd], env },
  );
  server.once('error', () => {});
  await log.close();
  return server;
}

/** Whether the node is part of the cluster and has all its data. */
async function isSynced(login: Login): Promise<boolean> {
  const rows = await queryNode(login, "SHOW STATUS LIKE 'wsrep_local_state_comment'");
  return rows[0]?.['Value'] === 'Synced';
}
