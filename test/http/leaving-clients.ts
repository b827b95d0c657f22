/**
 * Requests of every route whose clients leave at random moments, sent to the real command. What
 * they may leave behind is looked for from outside: by the system's list of files and processes,
 * and by the database's own client.
 */
import { mkdirSync, readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { get } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  array,
  boolean,
  constantFrom,
  double,
  nat,
  noBias,
  oneof,
  record,
  sample,
} from 'fast-check';
import { expect, vi } from 'vitest';
import { makeFolder, serve } from '../cli/command.ts';
import { everyRequest } from './every-request.ts';
import type { Arbitrary } from 'fast-check';
import type { Running } from '../cli/command.ts';
import type { RequestText, Statements } from './every-request.ts';

export interface LeavingPlace {
  readonly url: string;
  readonly statements: Statements;
  /** Runs a statement by the database's own client. */
  run(text: string): Promise<readonly Record<string, unknown>[]>;
  /** Selects the studio's sessions that are not idle; undefined where there are none. */
  readonly busySessions?: string;
}

export interface Bursts {
  readonly bursts: number;
  readonly clients: number;
  /** Which requests are sent once before, by clients that stay; exports need no rehearsal. */
  readonly rehearsed: 'all' | 'all but exports';
}

interface Server extends Running {
  readonly url: string;
  /** Where it may leave files. */
  readonly folder: string;
}

/** Longer than anything takes that a client has left. */
const settles = { timeout: 60_000, interval: 100 };

const account = 'ada:secret';
const longestStayMs = 50;

const visitOf = (requests: readonly RequestText[]) =>
  record({
    request: constantFrom(...requests),
    startsMs: nat(100),
    leavesAfterMs: nat(longestStayMs),
    sentShare: oneof(constantFrom(1), double({ min: 0, max: 1, noNaN: true })),
    reads: boolean(),
    resets: boolean(),
  });

type Visit = ReturnType<typeof visitOf> extends Arbitrary<infer T> ? T : never;

/** Clients come and go in bursts; after each nothing may be left of them. */
export async function expectNothingLeft(
  place: LeavingPlace,
  { bursts, clients, rehearsed }: Bursts,
): Promise<void> {
  const server = await start(place);
  const requests = everyRequest(place.statements);
  const staying = requests.filter(
    ({ path }) => rehearsed === 'all' || !/export|diagram/.test(path),
  );
  // A few at a time: on a busy machine all at once would wait for a connection for too long.
  for (let i = 0; i < staying.length; i += 4)
    await Promise.all(staying.slice(i, i + 4).map((request) => complete(server, request)));
  // A child that is kept ready for the next job is there as soon as one is over.
  await ask(server, '/export/data?format=ndjson');
  const before = await settledTraces(server, place);
  // Biased values would be the first and the last requests, again and again.
  const burst = noBias(array(visitOf(requests), { minLength: clients, maxLength: clients }));
  for (const visits of sample(burst, bursts)) {
    await Promise.all(visits.map((visit) => leave(server, visit)));
    await vi.waitFor(async () => {
      const after = await traces(server, place);
      expect(after).toEqual({ ...before, children: expect.any(Number) });
      expect(after.children).toBeLessThanOrEqual(before.children);
    }, settles);
  }
  // A place in the queue of jobs that nobody gave back would keep these waiting.
  const exports = Array.from({ length: 5 }, () => ask(server, '/export/data?format=ndjson'));
  expect((await Promise.all(exports)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  server.child.kill('SIGTERM');
  expect(await server.outcome()).toMatchObject({ status: 0, stderr: '' });
}

async function start({ url, run, statements }: LeavingPlace): Promise<Server> {
  for (const text of statements.tables) await run(text);
  const folder = makeFolder();
  for (const name of ['tmp', 'state']) mkdirSync(join(folder, name));
  const env = {
    DATABASE_URL: url,
    STUDIO_AUTH: account,
    TMPDIR: join(folder, 'tmp'),
    XDG_STATE_HOME: join(folder, 'state'),
    NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
  };
  const running = await serve(['--statement-timeout', '20s'], { env });
  return { ...running, folder };
}

/** What is there of requests, seen from outside. */
interface Traces {
  readonly ready: unknown;
  readonly inUse: unknown;
  readonly busySessions: readonly unknown[];
  readonly files: readonly string[];
  /** Descriptors that are no sockets, by what they lead to. */
  readonly descriptors: readonly string[];
  /** Connections of clients. */
  readonly connections: number;
  readonly children: number;
}

/** Traces of a server that has nothing to do. */
async function settledTraces(server: Server, place: LeavingPlace): Promise<Traces> {
  return vi.waitFor(async () => {
    const found = await traces(server, place);
    expect(found).toMatchObject({ ready: true, inUse: 0, busySessions: [], connections: 0 });
    expect(found.files.filter((name) => name.startsWith('tmp/'))).toEqual([]);
    return found;
  }, settles);
}

async function traces(server: Server, { run, busySessions }: LeavingPlace): Promise<Traces> {
  const { pid = 0 } = server.child;
  const health = await ask(server, '/health');
  const stats = await ask(server, '/stats');
  const busy = busySessions === undefined ? [] : await run(busySessions);
  return {
    ready: health.json['ready'],
    inUse: stats.json['in_use'],
    busySessions: busy,
    files: (readdirSync(server.folder, { recursive: true }) as string[]).toSorted(),
    descriptors: descriptorsOf(pid),
    connections: connectionsTo(new URL(server.url).port),
    children: childrenOf(pid),
  };
}

function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => targetOf(`/proc/${pid}/fd/${fd}`))
    .filter((target) => !/^(socket:|$)/.test(target))
    .map((target) => target.replace(/^pipe:.*/, 'pipe'))
    .toSorted();
}

/** Empty for a descriptor that has been closed meanwhile. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

const established = '01';
const closeWait = '08';

/** Connections to a local port that the server's side has not closed. */
function connectionsTo(port: string): number {
  const suffix = `:${Number(port).toString(16).toUpperCase().padStart(4, '0')}`;
  const lines = readFileSync('/proc/net/tcp', 'utf8').trim().split('\n').slice(1);
  return lines.filter((line) => {
    const [, local = '', , state = ''] = line.trim().split(/\s+/);
    return local.endsWith(suffix) && (state === established || state === closeWait);
  }).length;
}

function childrenOf(pid: number): number {
  const lists = readdirSync(`/proc/${pid}/task`).map((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim(),
  );
  return lists.join(' ').split(/\s+/).filter(Boolean).length;
}

interface Reply {
  readonly status: number;
  readonly json: Readonly<Record<string, unknown>>;
}

const authorization = `Basic ${Buffer.from(account).toString('base64')}`;

/** Asks on a connection that is closed afterwards. */
async function ask(server: Server, path: string): Promise<Reply> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply>();
  const options = { agent: false, headers: { Authorization: authorization } } as const;
  get(`${server.url}/api${path}`, options, (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('error', reject);
    response.on('close', () => {
      const isJson = response.headers['content-type'] === 'application/json';
      resolve({
        status: response.statusCode ?? 0,
        json: isJson ? (JSON.parse(text) as Reply['json']) : {},
      });
    });
  }).on('error', reject);
  return promise;
}

function headOf({ url }: Server, { method, path, type, body }: RequestText): string {
  const { host, pathname } = new URL(url);
  const lines = [
    `${method} ${pathname}/api${path} HTTP/1.1`,
    `Host: ${host}`,
    `Authorization: ${authorization}`,
    'Connection: close',
    ...(body === undefined ? [] : [`Content-Type: ${type}`, `Content-Length: ${body.length}`]),
  ];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Sends a request and reads its answer, whatever it is, but a defect of the studio. */
async function complete(server: Server, request: RequestText): Promise<void> {
  const socket = connectTo(server);
  let answer = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk));
  socket.write(headOf(server, request));
  if (request.body !== undefined) socket.write(request.body);
  await new Promise((resolve) => void socket.once('close', resolve));
  expect(answer, `${request.method} ${request.path}`).toMatch(request.answer);
}

async function leave(server: Server, visit: Visit): Promise<void> {
  const { request, startsMs, leavesAfterMs, sentShare, reads, resets } = visit;
  await sleep(startsMs);
  const socket = connectTo(server);
  const gone = new Promise((resolve) => void socket.once('close', resolve));
  socket.write(headOf(server, request));
  if (request.body !== undefined)
    socket.write(request.body.subarray(0, Math.ceil(request.body.length * sentShare)));
  if (reads) socket.resume();
  await sleep(leavesAfterMs);
  if (resets) socket.resetAndDestroy();
  else socket.destroy();
  await gone;
}

function connectTo({ url }: Server): ReturnType<typeof connect> {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on('error', () => {});
}
