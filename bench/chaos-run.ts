/** Runs a studio under load while processes are killed and disks filled, and checks its state afterwards. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { batchRows, runClient } from './chaos-clients.ts';
import type { ChildProcess } from 'node:child_process';
import type { Ledger } from './chaos-clients.ts';

export interface ChaosPlan {
  /** The URL of the database. A database file is created in the folder. */
  readonly url: (folder: string) => string;
  /** The tables `ledger` and `loaded`, in the SQL of the database. */
  readonly tables: readonly string[];
  /** Kills the database's server, and starts it again. */
  readonly killDatabase?: () => Promise<void>;
  readonly clients: number;
  /** Each fault occurs once per round, and `pauseMs` pass between two faults. */
  readonly rounds: number;
  readonly pauseMs: number;
  /** The path of `bin/database-studio.js`. */
  readonly program: string;
}

export interface ChaosReport {
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
  readonly lostWrites: number;
  readonly duplicateWrites: number;
  readonly partialImports: number;
  readonly lostImports: number;
  readonly temporaryFiles: readonly string[];
  readonly zombies: number;
  readonly orphans: number;
  readonly descriptors: Change;
  /** Connections of the studio to its database; idle ones stay open for a minute. */
  readonly connections: Change;
  readonly connectionsInUse: number;
  readonly memoryMb: Change;
}

export interface Change {
  readonly before: number;
  readonly after: number;
}

interface Server {
  readonly process: ChildProcess;
  readonly port: number;
}

interface ChaosState {
  readonly plan: ChaosPlan;
  readonly temporary: string;
  readonly files: string;
  readonly children: Set<number>;
  server: Server;
}

export async function runChaos(plan: ChaosPlan): Promise<ChaosReport> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-chaos-'));
  const [temporary, files] = [join(folder, 'tmp'), join(folder, 'files')];
  const mounted = [temporary, files].filter((folder) => mount(folder));
  try {
    const server = await startServer({ plan, temporary, files });
    const state: ChaosState = { plan, temporary, files, server, children: new Set() };
    try {
      return await runPlan(state);
    } finally {
      state.server.process.kill('SIGKILL');
    }
  } finally {
    for (const folder of mounted) spawnSync('umount', ['-l', folder]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Mounts a file system that is small enough to fill. Only root can do this. */
function mount(folder: string): boolean {
  mkdirSync(folder, { recursive: true });
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', folder]).status === 0;
}

async function runPlan(state: ChaosState): Promise<ChaosReport> {
  const { plan } = state;
  for (const query of plan.tables) await runSql(state, query);
  const ledger: Ledger = { rows: new Set(), batches: new Set(), counts: {}, clients: 0 };
  await underLoad(state, ledger, () => sleep(plan.pauseMs));
  await waitUntilIdle(state);
  const before = await measureWhenIdle(state);
  const faults = await underLoad(state, ledger, () => injectFaults(state));
  return inspect(state, { ledger, faults, before });
}

/** Keeps the clients busy until `work` is done. */
async function underLoad<T>(state: ChaosState, ledger: Ledger, work: () => Promise<T>): Promise<T> {
  let isDone = false;
  const environment = { port: () => state.server.port, ledger, stopped: () => isDone };
  const clients = Array.from({ length: state.plan.clients }, () =>
    runClient(++ledger.clients, environment),
  );
  try {
    return await work();
  } finally {
    isDone = true;
    await Promise.all(clients);
  }
}

async function injectFaults(state: ChaosState): Promise<readonly string[]> {
  const { plan } = state;
  const faults: string[] = [];
  await sleep(plan.pauseMs);
  for (let round = 0; round < plan.rounds; round++) {
    for (const [name, fault] of Object.entries(faultsOf(state))) {
      recordChildren(state);
      await fault();
      faults.push(name);
      await sleep(plan.pauseMs);
    }
  }
  return faults;
}

type Fault = () => Promise<void>;

function faultsOf(state: ChaosState): Readonly<Record<string, Fault>> {
  const { plan } = state;
  const killServer: Fault = async () => {
    const ended = once(state.server.process, 'exit');
    state.server.process.kill('SIGKILL');
    await ended;
    state.server = await startServer(state);
  };
  return {
    // First, so that the server that is inspected afterwards has survived the other faults.
    'kill -9 of the server': killServer,
    'kill -9 of the server’s children': async () => {
      for (const pid of childrenOf(state.server.process.pid!)) kill(pid);
    },
    'a full temporary folder': () => fillDiskBriefly(state.temporary),
    'a full disk': () => fillDiskBriefly(state.files),
    ...(plan.killDatabase === undefined
      ? {}
      : { 'kill -9 of the database’s server': plan.killDatabase }),
  };
}

/** Keeps the disk full for a second. */
async function fillDiskBriefly(folder: string): Promise<void> {
  const filler = join(folder, 'filler');
  spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k', 'count=2000']);
  await sleep(1000);
  rmSync(filler, { force: true });
}

async function startServer({
  plan,
  temporary,
  files,
}: Pick<ChaosState, 'plan' | 'temporary' | 'files'>): Promise<Server> {
  const args = [
    plan.program,
    plan.url(files),
    '--port',
    '0',
    '--create',
    '--allow-ddl',
    '--log-level',
    'silent',
    '--state-dir',
    join(files, 'state'),
  ];
  const child = spawn(process.execPath, args, {
    env: { ...process.env, TMPDIR: temporary },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    output += String(chunk);
    const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(output)?.[1];
    if (port !== undefined) return { process: child, port: Number(port) };
  }
  throw new Error(`The studio did not start: ${output}`);
}

// Operating system metrics

function processes(): readonly {
  readonly pid: number;
  readonly parent: number;
  readonly state: string;
}[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const [state = '', parent = ''] = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return [{ pid: Number(name), parent: Number(parent), state }];
    } catch {
      return [];
    }
  });
}

function childrenOf(pid: number): readonly number[] {
  return processes()
    .filter(({ parent }) => parent === pid)
    .map((each) => each.pid);
}

function recordChildren({ server, children }: ChaosState): void {
  for (const pid of childrenOf(server.process.pid!)) children.add(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
}

interface IdleMetrics {
  /** Excludes the pipes to running child processes. */
  readonly descriptors: number;
  readonly connections: number;
  readonly memoryMb: number;
}

/** Pipes of a child process that runs a lane. A child that runs a job has two more. */
const pipesPerChild = 5;

/** Measures the studio when it is idle. */
async function measureWhenIdle(state: ChaosState): Promise<IdleMetrics> {
  const pid = state.server.process.pid!;
  const connections = Number((await callApi(state, 'GET', '/stats'))['open_connections']);
  const files = readdirSync(`/proc/${pid}/fd`).filter((name) => isFile(pid, name));
  const pipes = pipesPerChild * childrenOf(pid).length;
  const [, kilobytes = '0'] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  const memoryMb = Math.round(Number(kilobytes) / 1024);
  return { descriptors: files.length - pipes, connections, memoryMb };
}

function isFile(pid: number, name: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/fd/${name}`) !== '';
  } catch {
    return false;
  }
}

// Inspection after the faults

interface Findings {
  readonly ledger: Ledger;
  readonly faults: readonly string[];
  readonly before: IdleMetrics;
}

async function inspect(
  state: ChaosState,
  { ledger, faults, before }: Findings,
): Promise<ChaosReport> {
  const rows = await allRows(state, 'SELECT client, n FROM ledger');
  const storedKeys = rows.map(({ client, n }) => `${client}-${n}`);
  const distinctKeys = new Set(storedKeys);
  const batches = await allRows(state, 'SELECT batch, count(*) AS n FROM loaded GROUP BY batch');
  const completeBatches = new Set(
    batches.filter(({ n }) => Number(n) === batchRows).map(({ batch }) => Number(batch)),
  );
  await waitUntilIdle(state);
  const after = await measureWhenIdle(state);
  const running = processes();
  const server = state.server.process.pid!;
  const runningPids = new Set(running.map(({ pid }) => pid));
  const currentChildren = new Set(childrenOf(server));
  return {
    counts: ledger.counts,
    faults,
    lostWrites: [...ledger.rows].filter((row) => !distinctKeys.has(row)).length,
    duplicateWrites: storedKeys.length - distinctKeys.size,
    partialImports: batches.length - completeBatches.size,
    lostImports: [...ledger.batches].filter((batch) => !completeBatches.has(batch)).length,
    temporaryFiles: remainingFiles(state),
    zombies: running.filter(({ parent, state }) => parent === server && state === 'Z').length,
    orphans: [...state.children].filter((pid) => runningPids.has(pid) && !currentChildren.has(pid))
      .length,
    descriptors: { before: before.descriptors, after: after.descriptors },
    connections: { before: before.connections, after: after.connections },
    connectionsInUse: Number((await callApi(state, 'GET', '/stats'))['in_use']),
    memoryMb: { before: before.memoryMb, after: after.memoryMb },
  };
}

/** Temporary files, without the folder that a running studio always has. */
function remainingFiles({ temporary }: ChaosState): readonly string[] {
  return readdirSync(temporary, { recursive: true })
    .map(String)
    .filter((name) => name.includes('/') || !name.startsWith('database-studio-'));
}

const idleTimeoutMs = 20_000;

async function waitUntilIdle(state: ChaosState): Promise<void> {
  const deadline = Date.now() + idleTimeoutMs;
  while (Date.now() < deadline) {
    const inUse = Number((await callApi(state, 'GET', '/stats'))['in_use']);
    if (inUse === 0 && remainingFiles(state).length === 0) return;
    await sleep(250);
  }
}

type ChaosResponse = Readonly<Record<string, unknown>>;

async function callApi(
  { server }: ChaosState,
  method: string,
  path: string,
  body?: object,
): Promise<ChaosResponse> {
  const response = await fetch(`http://127.0.0.1:${server.port}/studio/api${path}`, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  });
  const content = (await response.json()) as ChaosResponse;
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(content)}`);
  return content;
}

function runSql(state: ChaosState, query: string): Promise<ChaosResponse> {
  return callApi(state, 'POST', '/sql', { query, max_rows: 10_000 });
}

/** Reads page by page, because raw SQL returns at most 10,000 rows. */
async function allRows(state: ChaosState, query: string): Promise<readonly ChaosResponse[]> {
  const rows: ChaosResponse[] = [];
  for (;;) {
    const response = await runSql(
      state,
      `${query} ORDER BY 1, 2 LIMIT 10000 OFFSET ${rows.length}`,
    );
    const page = response['rows'] as readonly ChaosResponse[];
    rows.push(...page);
    if (page.length < 10_000) return rows;
  }
}
