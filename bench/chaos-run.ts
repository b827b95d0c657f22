/** Runs a studio under load while processes are killed and disks filled, and checks its state afterwards. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { spawnSync } from 'node:child_process';
import { batchRows, runClient } from './chaos-clients.ts';
import type { ChildProcess } from 'node:child_process';
import type { Ledger } from './chaos-clients.ts';

export interface ChaosPlan {
  /** The URL of the database, given a folder for files. The fault `database` stops and restarts it. */
  readonly url: (folder: string) => string;
  /** The tables `ledger` and `loaded`, in the SQL of the database. */
  readonly tables: readonly string[];
  /** Kills the database's server, and starts it again. */
  readonly killDatabase?: () => Promise<void>;
  readonly clients: number;
  /** Each fault occurs once a round, after this pause. */
  readonly rounds: number;
  readonly pauseMs: number;
  /** `bin/database-studio.js` or the sources. */
  readonly program: string;
}

export interface ChaosReport {
  readonly counts: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
  readonly lostWrites: number;
  readonly doubledWrites: number;
  readonly halfImports: number;
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

interface Scene {
  readonly plan: ChaosPlan;
  readonly temporary: string;
  readonly files: string;
  readonly children: Set<number>;
  server: Server;
}

export async function runChaos(plan: ChaosPlan): Promise<ChaosReport> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-chaos-'));
  const [temporary, files] = [join(folder, 'tmp'), join(folder, 'files')];
  const mounted = [temporary, files].filter((database) => mount(database));
  try {
    const server = await startServer({ plan, temporary, files });
    const scene: Scene = { plan, temporary, files, server, children: new Set() };
    try {
      return await play(scene);
    } finally {
      scene.server.process.kill('SIGKILL');
    }
  } finally {
    for (const database of mounted) spawnSync('umount', ['-l', database]);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Mounts a file system that is small enough to fill. Only root can do this. */
function mount(database: string): boolean {
  mkdirSync(database, { recursive: true });
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=96m', 'tmpfs', database]).status === 0;
}

async function play(scene: Scene): Promise<ChaosReport> {
  const { plan } = scene;
  for (const query of plan.tables) await runSql(scene, query);
  const ledger: Ledger = { rows: new Set(), batches: new Set(), counts: {}, clients: 0 };
  await underLoad(scene, ledger, () => sleep(plan.pauseMs));
  await settled(scene);
  const before = await restful(scene);
  const faults = await underLoad(scene, ledger, () => bringFaults(scene));
  return inspect(scene, { ledger, faults, before });
}

/** Clients at work for as long as something else takes. */
async function underLoad<T>(scene: Scene, ledger: Ledger, work: () => Promise<T>): Promise<T> {
  let isOver = false;
  const crowd = { port: () => scene.server.port, ledger, stopped: () => isOver };
  const clients = Array.from({ length: scene.plan.clients }, () =>
    runClient(++ledger.clients, crowd),
  );
  try {
    return await work();
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
}

async function bringFaults(scene: Scene): Promise<readonly string[]> {
  const { plan } = scene;
  const faults: string[] = [];
  await sleep(plan.pauseMs);
  for (let round = 0; round < plan.rounds; round++) {
    for (const [name, fault] of Object.entries(faultsOf(scene))) {
      rememberChildren(scene);
      await fault();
      faults.push(name);
      await sleep(plan.pauseMs);
    }
  }
  return faults;
}

type Fault = () => Promise<void>;

function faultsOf(scene: Scene): Readonly<Record<string, Fault>> {
  const { plan } = scene;
  const killServer: Fault = async () => {
    const ended = once(scene.server.process, 'exit');
    scene.server.process.kill('SIGKILL');
    await ended;
    scene.server = await startServer(scene);
  };
  return {
    // First, so that what is looked at afterwards has been through the others.
    'kill -9 of the server': killServer,
    'kill -9 of the server’s children': async () => {
      for (const pid of childrenOf(scene.server.process.pid!)) kill(pid);
    },
    'a full temporary folder': () => whileFull(scene.temporary),
    'a full disk': () => whileFull(scene.files),
    ...(plan.killDatabase === undefined
      ? {}
      : { 'kill -9 of the database’s server': plan.killDatabase }),
  };
}

/** Keeps the disk full for a second. */
async function whileFull(database: string): Promise<void> {
  const filler = join(database, 'filler');
  spawnSync('dd', ['if=/dev/zero', `of=${filler}`, 'bs=64k', 'count=2000']);
  await sleep(1000);
  rmSync(filler, { force: true });
}

async function startServer({
  plan,
  temporary,
  files,
}: Pick<Scene, 'plan' | 'temporary' | 'files'>): Promise<Server> {
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

function rememberChildren({ server, children }: Scene): void {
  for (const pid of childrenOf(server.process.pid!)) children.add(pid);
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It had ended by itself.
  }
}

interface Rest {
  /** Excludes the pipes to running child processes. */
  readonly descriptors: number;
  readonly connections: number;
  readonly memoryMb: number;
}

/** A lane has five, a job two more. */
const pipesOfAChild = 5;

/** Measures the studio when it is idle. */
async function restful(scene: Scene): Promise<Rest> {
  const pid = scene.server.process.pid!;
  const connections = Number((await ask(scene, 'GET', '/stats'))['open_connections']);
  const files = readdirSync(`/proc/${pid}/fd`).filter((name) => isFile(pid, name));
  const pipes = pipesOfAChild * childrenOf(pid).length;
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

// Afterwards

interface Course {
  readonly ledger: Ledger;
  readonly faults: readonly string[];
  readonly before: Rest;
}

async function inspect(scene: Scene, { ledger, faults, before }: Course): Promise<ChaosReport> {
  const rows = await allRows(scene, 'SELECT client, n FROM ledger');
  const found = rows.map(({ client, n }) => `${client}-${n}`);
  const stored = new Set(found);
  const batches = await allRows(scene, 'SELECT batch, count(*) AS n FROM loaded GROUP BY batch');
  const whole = new Set(
    batches.filter(({ n }) => Number(n) === batchRows).map(({ batch }) => Number(batch)),
  );
  await settled(scene);
  const after = await restful(scene);
  const own = processes();
  const server = scene.server.process.pid!;
  const alive = new Set(own.map(({ pid }) => pid));
  const current = new Set(childrenOf(server));
  return {
    counts: ledger.counts,
    faults,
    lostWrites: [...ledger.rows].filter((row) => !stored.has(row)).length,
    doubledWrites: found.length - stored.size,
    halfImports: batches.length - whole.size,
    lostImports: [...ledger.batches].filter((batch) => !whole.has(batch)).length,
    temporaryFiles: left(scene),
    zombies: own.filter(({ parent, state }) => parent === server && state === 'Z').length,
    orphans: [...scene.children].filter((pid) => alive.has(pid) && !current.has(pid)).length,
    descriptors: { before: before.descriptors, after: after.descriptors },
    connections: { before: before.connections, after: after.connections },
    connectionsInUse: Number((await ask(scene, 'GET', '/stats'))['in_use']),
    memoryMb: { before: before.memoryMb, after: after.memoryMb },
  };
}

/** One folder exists as long as the studio runs. */
function left({ temporary }: Scene): readonly string[] {
  return readdirSync(temporary, { recursive: true })
    .map(String)
    .filter((name) => name.includes('/') || !name.startsWith('database-studio-'));
}

const settleLimitMs = 20_000;

async function settled(scene: Scene): Promise<void> {
  const deadline = Date.now() + settleLimitMs;
  while (Date.now() < deadline) {
    const inUse = Number((await ask(scene, 'GET', '/stats'))['in_use']);
    if (inUse === 0 && left(scene).length === 0) return;
    await sleep(250);
  }
}

type ChaosResponse = Readonly<Record<string, unknown>>;

async function ask(
  { server }: Scene,
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

function runSql(scene: Scene, query: string): Promise<ChaosResponse> {
  return ask(scene, 'POST', '/sql', { query, max_rows: 10_000 });
}

/** Reads page by page, because raw SQL returns at most 10,000 rows. */
async function allRows(scene: Scene, query: string): Promise<readonly ChaosResponse[]> {
  const rows: ChaosResponse[] = [];
  for (;;) {
    const response = await runSql(
      scene,
      `${query} ORDER BY 1, 2 LIMIT 10000 OFFSET ${rows.length}`,
    );
    const page = response['rows'] as readonly ChaosResponse[];
    rows.push(...page);
    if (page.length < 10_000) return rows;
  }
}
