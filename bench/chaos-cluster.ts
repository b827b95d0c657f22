/**
 * Three copies of the studio behind HAProxy, at three nodes of MariaDB Galera, under load while copies, nodes and
 * links fail. Needs Debian's packages haproxy, mariadb-server, galera-4 and rsync.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/servers/free-port.ts';
import { startGalera } from '../test/clusters/start-galera.ts';
import { openLink, startBalancer } from './cluster-balancer.ts';
import { ask, counterRows, rowsOfBatch, runClusterClient } from './cluster-clients.ts';
import type { ChildProcess } from 'node:child_process';
import type { GaleraCluster } from '../test/clusters/start-galera.ts';
import type { Link } from './cluster-balancer.ts';
import type { ClusterLedger, Known } from './cluster-clients.ts';

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

export interface ClusterReport {
  readonly faults: readonly FaultReport[];
  readonly findings: Readonly<Record<string, number>>;
  readonly counts: Readonly<Record<string, number>>;
  /** What the findings are, for whoever searches their cause. */
  readonly details: readonly string[];
}

interface FaultReport {
  readonly name: string;
  /** From the fault, and from its end, until five writes and reads in a row succeeded. */
  readonly secondsFromFault: number;
  readonly secondsFromEnd: number;
}

interface Copy {
  readonly number: number;
  readonly port: number;
  readonly link: Link;
  process: ChildProcess;
}

interface Running {
  readonly plan: ClusterPlan;
  readonly cluster: GaleraCluster;
  readonly copies: readonly Copy[];
  /** Between the copies and the balancer of the nodes. */
  readonly databaseLink: Link;
  /** Of the balancer. */
  readonly port: number;
  readonly ledger: ClusterLedger;
}

type CopyOptions = Pick<ClusterPlan, 'program'> & {
  readonly folder: string;
  /** Of each copy. */
  readonly databasePorts: readonly number[];
};

export async function runClusterChaos(plan: ClusterPlan): Promise<ClusterReport> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-chaos-cluster-'));
  const cluster = await startGalera();
  const ends: (() => void)[] = [];
  try {
    await createTables(cluster);
    const [port, databasePort] = [await freePort(), await freePort()];
    const copies: Copy[] = [];
    const nodePorts = cluster.nodes.map((node) => node.port);
    const databaseLink = await openLink(() => databasePort);
    ends.push(() => databaseLink.close());
    const linkPorts = nodePorts.map(() => databaseLink.port);
    const databasePorts = plan.isSpread === true ? nodePorts : linkPorts;
    const copyOptions = { folder, databasePorts, program: plan.program };
    for (let i = 0; i < 3; i += 1) copies.push(await openCopy(copyOptions, i));
    ends.push(() => {
      for (const { process, link } of copies) {
        process.kill('SIGKILL');
        link.close();
      }
    });
    const ports: Record<string, number> = {
      '10.0.0.1:4555': port,
      '10.0.0.1:3306': databasePort,
    };
    for (const [i, { link }] of copies.entries()) ports[`10.0.0.1${i + 1}:4555`] = link.port;
    for (const [i, node] of cluster.nodes.entries()) ports[`10.0.0.2${i + 1}:3306`] = node.port;
    ends.push(startBalancer({ folder, ports }));
    for (const copy of copies) copy.process = await startCopy(copyOptions, copy);
    const ledger: ClusterLedger = {
      inserts: new Map(),
      imports: new Map(),
      increments: [],
      wrongReplies: [],
      defects: [],
      counts: {},
    };
    const running: Running = { plan, cluster, copies, databaseLink, port, ledger };
    const faults = await underLoad(running, () => injectFaults(running, copyOptions));
    return await inspect(running, faults);
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

/** Before the balancer, whose configuration needs the port. */
async function openCopy({ program }: CopyOptions, number: number): Promise<Copy> {
  const port = await freePort();
  const link = await openLink(() => port);
  return { number, port, link, process: spawn(process.execPath, [program, '--version']) };
}

async function startCopy(
  { program, folder, databasePorts }: CopyOptions,
  { number, port }: Pick<Copy, 'number' | 'port'>,
): Promise<ChildProcess> {
  const url = `mysql://root:galera@127.0.0.1:${databasePorts[number]}/shop`;
  const args = [program, url, '--port', String(port), '--log-level', 'silent'];
  args.push('--state-dir', join(folder, 'state'), '--read-your-writes');
  args.push('--wait-for-database', '60s');
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const started = Promise.withResolvers<ChildProcess>();
  // Reads to the end: the copy would end if nobody read its output.
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    if (chunk.includes('http://')) started.resolve(child);
  });
  child.once('exit', () => started.reject(new Error('A copy did not start.')));
  return started.promise;
}

async function underLoad<T>({ plan, ledger, port }: Running, work: () => Promise<T>): Promise<T> {
  let isDone = false;
  const clients = Array.from({ length: plan.clients }, (_, i) =>
    runClusterClient({ port, ledger, number: i + 1, stopped: () => isDone }),
  );
  try {
    return await work();
  } finally {
    isDone = true;
    await Promise.all(clients);
  }
}

interface Fault {
  readonly begin: () => unknown;
  readonly lastsMs: number;
  readonly end: () => unknown;
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

async function injectFaults(
  running: Running,
  options: CopyOptions,
): Promise<readonly FaultReport[]> {
  const reports: FaultReport[] = [];
  await untilGood(running);
  await sleep(3000);
  for (let round = 0; round < running.plan.rounds; round++) {
    const faults = Object.entries(faultsOf(running, options, round));
    for (const [name, fault] of faults.filter(([each]) => each.includes(running.plan.only))) {
      const beganAt = performance.now();
      await fault.begin();
      // A fault that the cluster survives is over before its cause is.
      const during = untilGood(running);
      await sleep(fault.lastsMs);
      await fault.end();
      const endedAt = performance.now();
      const after = untilGood(running);
      const secondsFromFault = ((await during) - beganAt) / 1000;
      const secondsFromEnd = ((await after) - endedAt) / 1000;
      reports.push({ name, secondsFromFault, secondsFromEnd });
      console.log(name, secondsFromFault.toFixed(1), secondsFromEnd.toFixed(1));
      await untilWhole(running.cluster);
      await sleep(1000);
    }
  }
  return reports;
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

/** Until five writes and reads in a row succeed. Resolves with the time of the first. */
async function untilGood({ port }: Running): Promise<number> {
  for (let successes = 0, firstAt = 0; ;) {
    const body = JSON.stringify({ client: 0, token: 'probe' });
    const write = ask(port, { method: 'POST', path: '/tables/events/rows', body });
    const read = ask(port, { method: 'GET', path: '/tables/events/rows?page_size=5' });
    const statuses = [(await write).status, (await read).status];
    const isGood = statuses.every((status) => status === 200 || status === 201);
    if (isGood && successes === 0) firstAt = performance.now();
    successes = isGood ? successes + 1 : 0;
    if (successes === 5) return firstAt;
    await sleep(100);
  }
}

async function inspect(
  { cluster, ledger }: Running,
  faults: readonly FaultReport[],
): Promise<ClusterReport> {
  const details = [...ledger.wrongReplies, ...ledger.defects];
  const findings: Record<string, number> = {
    'writes acknowledged and lost': 0,
    'writes applied twice': 0,
    'writes refused and applied': 0,
    'imports stored partially': 0,
    'wrong responses': ledger.wrongReplies.length,
    'responses 500': ledger.defects.length,
  };
  const found = (finding: string, detail: string): void => {
    findings[finding] = (findings[finding] ?? 0) + 1;
    details.push(`${finding}: ${detail}`);
  };
  for (const node of cluster.nodes) {
    const read = async (sql: string): Promise<ReadonlyMap<string, number>> => {
      const rows = await node.query(`SET STATEMENT wsrep_sync_wait = 7 FOR ${sql}`);
      return new Map(rows.map(({ name, n }) => [String(name), Number(n)]));
    };
    compareInserts(
      ledger.inserts,
      await read('SELECT token AS name, COUNT(*) AS n FROM shop.events GROUP BY token'),
      found,
    );
    compareImports(
      ledger.imports,
      await read('SELECT batch AS name, COUNT(*) AS n FROM shop.loaded GROUP BY batch'),
      found,
    );
    compareCounters(
      ledger.increments,
      await read('SELECT id AS name, value AS n FROM shop.counters'),
      found,
    );
  }
  const known = countKnown([
    ...ledger.inserts.values(),
    ...ledger.imports.values(),
    ...ledger.increments.map((each) => each.known),
  ]);
  return { faults, findings: { ...findings, ...known }, counts: ledger.counts, details };
}

function countKnown(all: readonly Known[]): Readonly<Record<string, number>> {
  const count = (known: Known): number => all.filter((each) => each === known).length;
  return {
    'of all writes: acknowledged': count('acknowledged'),
    'of all writes: refused': count('refused'),
    'of all writes: outcome unknown to the client': count('unknown'),
  };
}

type Found = (finding: string, detail: string) => void;

function compareInserts(
  inserts: ClusterLedger['inserts'],
  stored: ReadonlyMap<string, number>,
  found: Found,
): void {
  for (const [token, known] of inserts) {
    const n = stored.get(token) ?? 0;
    if (known === 'acknowledged' && n === 0) found('writes acknowledged and lost', `row ${token}`);
    if (known === 'refused' && n > 0) found('writes refused and applied', `row ${token}`);
    if (n > 1) found('writes applied twice', `row ${token}`);
  }
}

function compareImports(
  imports: ClusterLedger['imports'],
  stored: ReadonlyMap<string, number>,
  found: Found,
): void {
  for (const [batch, known] of imports) {
    const n = stored.get(String(batch)) ?? 0;
    const detail = `batch ${batch} has ${n} rows`;
    if (known === 'acknowledged' && n === 0) found('writes acknowledged and lost', detail);
    if (known === 'refused' && n > 0) found('writes refused and applied', detail);
    if (n % rowsOfBatch !== 0) found('imports stored partially', detail);
    if (n > rowsOfBatch) found('writes applied twice', detail);
  }
}

function compareCounters(
  increments: ClusterLedger['increments'],
  stored: ReadonlyMap<string, number>,
  found: Found,
): void {
  for (const [row, value] of stored) {
    const count = (known: Known): number =>
      increments.filter((each) => String(each.row) === row && each.known === known).length;
    const [acknowledged, unknown] = [count('acknowledged'), count('unknown')];
    const detail = `counter ${row} is ${value} after ${acknowledged} increments and ${unknown} unknown ones`;
    if (value < acknowledged) found('writes acknowledged and lost', detail);
    if (value > acknowledged + unknown) found('writes refused and applied', detail);
  }
}
