/**
 * Three copies of the studio behind HAProxy, at three nodes of MariaDB Galera, under load while copies, nodes and
 * links fail. Needs Debian's packages haproxy, mariadb-server, galera-4 and rsync.
 */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/servers/free-port.ts';
import { startGalera } from '../test/clusters/start-galera.ts';
import { openLink, startBalancer } from './cluster-balancer.ts';
import { counterRows } from './cluster-clients.ts';
import { endCopies, openCopies, startCopy } from './cluster-copies.ts';
import { injectFaults, underLoad } from './cluster-faults.ts';
import { compareServers, newLedger } from './cluster-findings.ts';
import type { GaleraCluster } from '../test/clusters/start-galera.ts';
import type { Link } from './cluster-balancer.ts';
import type { Copy, CopyOptions } from './cluster-copies.ts';
import type { Fault, FaultReport } from './cluster-faults.ts';
import type { ClusterFindings } from './cluster-findings.ts';

export interface ClusterPlan {
  readonly clients: number;
  readonly rounds: number;
  /** The path of `bin/database-studio.js`. */
  readonly program: string;
  /** Only faults whose name contains this text. */
  readonly only: string;
  /** Whether each copy has a node of its own instead of all one node. */
  readonly isSpread?: boolean | undefined;
}

export interface ClusterReport extends ClusterFindings {
  readonly faults: readonly FaultReport[];
}

interface Running {
  readonly cluster: GaleraCluster;
  readonly copies: readonly Copy[];
  /** Between the copies and the balancer of the nodes. */
  readonly databaseLink: Link;
}

export async function runClusterChaos(plan: ClusterPlan): Promise<ClusterReport> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-chaos-cluster-'));
  const cluster = await startGalera();
  const ends: (() => void)[] = [];
  try {
    await createTables(cluster);
    const [port, databasePort] = [await freePort(), await freePort()];
    const databaseLink = await openLink(() => databasePort);
    ends.push(() => databaseLink.close());
    const copies = await openCopies(plan.program);
    ends.push(() => endCopies(copies));
    const ports: Record<string, number> = {
      '10.0.0.1:4555': port,
      '10.0.0.1:3306': databasePort,
    };
    for (const [i, { link }] of copies.entries()) ports[`10.0.0.1${i + 1}:4555`] = link.port;
    for (const [i, node] of cluster.nodes.entries()) ports[`10.0.0.2${i + 1}:3306`] = node.port;
    ends.push(startBalancer({ folder, ports }));
    const databasePorts = cluster.nodes.map((node) =>
      plan.isSpread === true ? node.port : databaseLink.port,
    );
    const options: CopyOptions = {
      program: plan.program,
      argsOf: (copy) => [
        `mysql://root:galera@127.0.0.1:${databasePorts[copy]}/shop`,
        '--state-dir',
        join(folder, 'state'),
        '--read-your-writes',
      ],
    };
    for (const copy of copies) copy.process = await startCopy(options, copy);
    const ledger = newLedger();
    const running: Running = { cluster, copies, databaseLink };
    const faults = await underLoad({ clients: plan.clients, portOf: () => port, ledger }, () =>
      injectFaults({
        ...plan,
        port,
        faultsOf: (round) => faultsOf(running, options, round),
        untilWhole: () => untilWhole(cluster),
      }),
    );
    const servers = cluster.nodes.map(
      (node) => (sql: string) => node.query(`SET STATEMENT wsrep_sync_wait = 7 FOR ${sql}`),
    );
    return { faults, ...(await compareServers(ledger, servers, 'shop.')) };
  } finally {
    for (const end of ends) end();
    await cluster.remove();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function createTables({ nodes: [first] }: GaleraCluster): Promise<void> {
  for (const statement of [
    "CREATE USER haproxy@'127.0.0.1'",
    'CREATE TABLE shop.events (id BIGINT AUTO_INCREMENT PRIMARY KEY, client INT NOT NULL, token VARCHAR(40) NOT NULL, KEY (token))',
    'CREATE TABLE shop.loaded (id BIGINT AUTO_INCREMENT PRIMARY KEY, batch INT NOT NULL, n INT NOT NULL, note TEXT, KEY (batch))',
    'CREATE TABLE shop.counters (id INT PRIMARY KEY, value INT NOT NULL)',
    `INSERT INTO shop.counters VALUES ${Array.from({ length: counterRows }, (_, i) => `(${i}, 0)`).join()}`,
  ])
    await first.query(statement);
}

function faultsOf(
  { cluster: { nodes }, copies, databaseLink }: Running,
  options: CopyOptions,
  round: number,
): Readonly<Record<string, Fault>> {
  const killedCopy = copies[round % 3]!;
  const cutCopy = copies[(round + 1) % 3]!;
  const [active, backup, third] = nodes;
  return {
    'kill -9 of a copy': {
      begin: () => killedCopy.process.kill('SIGKILL'),
      lastsMs: 4000,
      end: async () => (killedCopy.process = await startCopy(options, killedCopy)),
    },
    'kill -9 of the active node': {
      begin: () => active.kill(),
      lastsMs: 8000,
      end: () => active.start(),
    },
    'kill -9 of another node': {
      begin: () => third.kill(),
      lastsMs: 8000,
      end: () => third.start(),
    },
    'the link to a copy cut': {
      begin: () => cutCopy.link.cut(),
      lastsMs: 8000,
      end: () => cutCopy.link.restore(),
    },
    'the responses of a copy lost': {
      begin: () => cutCopy.link.loseResponses(),
      lastsMs: 3000,
      end: () => cutCopy.link.restore(),
    },
    'connections to the database lost at COMMIT': {
      begin: () => databaseLink.loseCommits(),
      lastsMs: 3000,
      end: () => databaseLink.restore(),
    },
    'SIGSTOP of the active node for 30 s': {
      begin: () => active.freeze(),
      lastsMs: 30_000,
      end: () => active.thaw(),
    },
    'SIGSTOP of another node for 30 s': {
      begin: () => third.freeze(),
      lastsMs: 30_000,
      end: () => third.thaw(),
    },
    'two nodes killed: no quorum': {
      begin: () => Promise.all([backup.kill(), third.kill()]),
      lastsMs: 10_000,
      end: () => Promise.all([backup.start(), third.start()]),
    },
    'restart of each copy, one after the other': {
      begin: () => {},
      lastsMs: 0,
      end: async () => {
        for (const copy of copies) {
          const exited = once(copy.process, 'exit');
          copy.process.kill('SIGTERM');
          await exited;
          copy.process = await startCopy(options, copy);
        }
      },
    },
  };
}

/** Until the nodes have all received what they missed, so that the cluster survives the next fault. */
async function untilWhole({ nodes }: GaleraCluster): Promise<void> {
  for (const node of nodes) {
    const sql =
      "SHOW STATUS WHERE Variable_name IN ('wsrep_local_state_comment', 'wsrep_cluster_size')";
    const isWhole = async (): Promise<boolean> => {
      const rows = await node.query(sql).catch(() => []);
      const values = new Set(rows.map((row) => row['Value']));
      return values.has('Synced') && values.has('3');
    };
    while (!(await isWhole())) await sleep(200);
  }
}
