/** Three servers of MySQL 9.7 in Group Replication with one primary, on 127.0.0.1. */
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { ChildProcess } from 'node:child_process';
import mysql from 'mysql2/promise';
import { freePort } from '../servers/free-port.ts';
import { installMysql, mysqlRoot } from '../servers/mysql-files.ts';
import { createNodeProcess, queryNode, untilReady } from './cluster-node.ts';
import type { ClusterNode, NodeProcess } from './cluster-node.ts';

export interface GroupNode extends ClusterNode {
  /** Of this node as the others see it: ONLINE, RECOVERING, UNREACHABLE … Undefined if it is no member. */
  stateAt(other: ClusterNode): Promise<string | undefined>;
  isPrimary(): Promise<boolean>;
  /** Keeps the node from applying what others write, until `release`. */
  lock(): Promise<{ release(): void }>;
}

export interface ReplicationGroup {
  readonly nodes: readonly [GroupNode, GroupNode, GroupNode];
  /** The login of a URL. It has the rights of an application, no more. */
  readonly login: string;
  remove(): Promise<void>;
}

const administrator = { user: 'admin', password: 'group' };
const login = 'ada:secret';

/** As accounts of a server whose packages were just installed. They exist before the group does. */
const accounts = [
  `CREATE USER ${administrator.user}@'%' IDENTIFIED BY '${administrator.password}'`,
  `GRANT ALL ON *.* TO ${administrator.user}@'%' WITH GRANT OPTION`,
  "CREATE USER ada@'%' IDENTIFIED BY 'secret'",
  "GRANT ALL ON shop.* TO ada@'%'",
  "CREATE USER copier@'%' IDENTIFIED BY 'copier'",
  "GRANT REPLICATION SLAVE, BACKUP_ADMIN, GROUP_REPLICATION_STREAM, CONNECTION_ADMIN ON *.* TO copier@'%'",
];

export const whatIsMissing = installMysql;

interface NodeFiles {
  /** Inside the root folder of MySQL. */
  readonly folder: string;
  readonly port: number;
  readonly number: number;
  readonly group: Group;
}

interface Group {
  readonly name: string;
  readonly ports: readonly number[];
}

export async function startGroupReplication(): Promise<ReplicationGroup> {
  const missing = await whatIsMissing();
  if (missing !== undefined) throw new Error(missing);
  const outside = await mkdtemp(join(mysqlRoot, 'tmp/database-studio-group-'));
  const folder = join('/tmp', basename(outside));
  const ports = [await freePort(), await freePort(), await freePort()];
  const group = { name: randomUUID(), ports };
  const nodes = await Promise.all(
    ports.map((port, i) =>
      createNode({ folder: join(folder, String(i)), port, number: i + 1, group }),
    ),
  );
  const remove = async (): Promise<void> => {
    await Promise.all(nodes.map((node) => node.kill()));
    await rm(outside, { recursive: true, force: true });
  };
  try {
    const [first, ...others] = nodes;
    await first?.begin();
    await first?.query('CREATE DATABASE shop CHARACTER SET utf8mb4');
    for (const node of others) await node.start();
  } catch (error) {
    await remove();
    throw error;
  }
  return { nodes: nodes as unknown as ReplicationGroup['nodes'], login, remove };
}

interface StartableNode extends GroupNode {
  /** Starts the first node of a new group. */
  begin(): Promise<void>;
}

async function createNode(files: NodeFiles): Promise<StartableNode> {
  await initialize(files);
  const { port } = files;
  const running = createNodeProcess();
  const query: GroupNode['query'] = (text) => queryNode({ port, ...administrator }, text);
  const ownMember = async (at: ClusterNode): Promise<Record<string, unknown> | undefined> =>
    (await at.query(memberQuery(port)))[0];
  const node: StartableNode = {
    port,
    url: `mysql://${login}@127.0.0.1:${port}/shop`,
    query,
    stateAt: async (other) => (await ownMember(other))?.['state'] as string | undefined,
    isPrimary: async () => (await ownMember(node))?.['role'] === 'PRIMARY',
    lock: () => lockNode(port),
    kill: running.kill,
    freeze: running.freeze,
    thaw: running.thaw,
    begin: async () => {
      await launch(files, running, query);
      await query('SET GLOBAL group_replication_bootstrap_group = ON');
      await query('START GROUP_REPLICATION');
      await query('SET GLOBAL group_replication_bootstrap_group = OFF');
    },
    start: async () => {
      const server = await launch(files, running, query);
      const isOnline = async (): Promise<boolean> => {
        const state = await node.stateAt(node);
        if (state === 'ONLINE') return true;
        // Joining waits for a minute while the others still have the process that was killed.
        if (state !== 'RECOVERING' && !(await isMemberAtOthers(files)))
          await query('START GROUP_REPLICATION');
        return false;
      };
      await untilReady({ server, log: logOf(files) }, isOnline);
    },
  };
  return node;
}

function memberQuery(port: number): string {
  return `SELECT MEMBER_STATE AS state, MEMBER_ROLE AS role FROM performance_schema.replication_group_members WHERE MEMBER_PORT = ${port}`;
}

async function isMemberAtOthers({ port, group }: NodeFiles): Promise<boolean> {
  const others = group.ports.filter((other) => other !== port);
  const found = await Promise.all(
    others.map((other) =>
      queryNode({ port: other, ...administrator }, memberQuery(port)).catch(() => []),
    ),
  );
  return found.some((rows) => rows.length > 0);
}

async function lockNode(port: number): ReturnType<GroupNode['lock']> {
  const connection = await mysql.createConnection({ host: '127.0.0.1', port, ...administrator });
  await connection.query('FLUSH TABLES WITH READ LOCK');
  return { release: () => connection.destroy() };
}

function logOf({ folder }: NodeFiles): string {
  return join(mysqlRoot, folder, 'log');
}

async function initialize({ folder }: NodeFiles): Promise<void> {
  await mkdir(join(mysqlRoot, folder));
  const script = join(folder, 'accounts.sql');
  await writeFile(join(mysqlRoot, script), accounts.map((each) => `${each};\n`).join(''));
  await promisify(execFile)('chroot', [
    mysqlRoot,
    'mysqld',
    '--no-defaults',
    '--initialize-insecure',
    '--user=root',
    `--datadir=${join(folder, 'data')}`,
    `--init-file=${script}`,
  ]);
}

/** Resolves when the server accepts logins. */
async function launch(
  files: NodeFiles,
  running: NodeProcess,
  query: GroupNode['query'],
): Promise<ChildProcess> {
  const log = await open(logOf(files), 'a');
  const server = spawn('chroot', [mysqlRoot, 'mysqld', ...serverOptions(files)], {
    stdio: ['ignore', log.fd, log.fd],
  });
  server.once('error', () => {});
  await log.close();
  running.run(server);
  await untilReady({ server, log: logOf(files) }, async () => (await query('SELECT 1')).length > 0);
  await query(
    "CHANGE REPLICATION SOURCE TO SOURCE_USER = 'copier', SOURCE_PASSWORD = 'copier' FOR CHANNEL 'group_replication_recovery'",
  );
  return server;
}

function serverOptions({ folder, port, number, group }: NodeFiles): readonly string[] {
  const own = (each: number): string => `127.0.0.1:${each}`;
  return [
    '--no-defaults',
    '--user=root',
    `--datadir=${join(folder, 'data')}`,
    `--socket=${join(folder, 's')}`,
    `--pid-file=${join(folder, 'pid')}`,
    `--port=${port}`,
    '--bind-address=127.0.0.1',
    '--mysqlx=OFF',
    '--secure-file-priv=NULL',
    '--skip-name-resolve',
    '--innodb-buffer-pool-size=64M',
    '--innodb-redo-log-capacity=16M',
    `--server-id=${number}`,
    '--gtid-mode=ON',
    '--enforce-gtid-consistency=ON',
    '--report-host=127.0.0.1',
    '--plugin-load-add=group_replication.so',
    ...Object.entries({
      'group-name': group.name,
      'start-on-boot': 'OFF',
      'group-seeds': group.ports.map(own).join(','),
      'local-address': own(port),
      // The other stack listens on every interface.
      'communication-stack': 'MYSQL',
      'recovery-use-ssl': 'ON',
      'ssl-mode': 'REQUIRED',
      // A member that does not answer is left out when it is suspected, after 5 s.
      'member-expel-timeout': '0',
      // The least that is possible.
      'message-cache-size': '134217728',
    }).map(([name, value]) => `--loose-group-replication-${name}=${value}`),
  ];
}
