/**
 * Sends requests of every route to the real command, with clients that disconnect at random times.
 * Then checks from outside that nothing remains: by the open files and processes of the operating
 * system, and by the database's own client.
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
import type { RequestText, DatabaseStatements } from './every-request.ts';

export interface ClientDatabase {
  readonly url: string;
  readonly statements: DatabaseStatements;
  /** Runs a statement with the database's own client. */
  run(text: string): Promise<readonly Record<string, unknown>[]>;
  /**
   * A query that returns the studio's sessions that are not idle; undefined if the database has no
   * sessions.
   */
  readonly busySessions?: string;
}

export interface BurstOptions {
  readonly bursts: number;
  readonly clients: number;
  /** The requests that clients first send once, without disconnecting. */
  readonly warmUp: 'all' | 'all but exports';
}

interface Server extends Running {
  readonly url: string;
  /** The folder for its temporary files. */
  readonly folder: string;
}

/** Longer than any operation runs after its client has disconnected. */
const waitOptions = { timeout: 60_000, interval: 100 };

const account = 'ada:secret';
const maxConnectedMs = 50;

const shortRequestOf = (requests: readonly RequestText[]) =>
  record({
    request: constantFrom(...requests),
    startsMs: nat(100),
    disconnectsAfterMs: nat(maxConnectedMs),
    sentShare: oneof(constantFrom(1), double({ min: 0, max: 1, noNaN: true })),
    reads: boolean(),
    resets: boolean(),
  });

type ShortRequest = ReturnType<typeof shortRequestOf> extends Arbitrary<infer T> ? T : never;

/** Clients connect and disconnect in bursts. After each burst, no trace of them may remain. */
export async function expectNothingLeft(
  database: ClientDatabase,
  { bursts, clients, warmUp }: BurstOptions,
): Promise<void> {
  const server = await start(database);
  const requests = everyRequest(database.statements);
  const warmUpRequests = requests.filter(
    ({ path }) => warmUp === 'all' || !/export|\/diagram$/.test(path),
  );
  // Sends a few at a time. On a busy machine, more would wait too long for a connection.
  for (let i = 0; i < warmUpRequests.length; i += 4)
    await Promise.all(
      warmUpRequests.slice(i, i + 4).map((request) => sendCompletely(server, request)),
    );
  // The spare process for the next job starts as soon as a job is over.
  await ask(server, '/export/data?format=ndjson');
  const before = await settledTraces(server, database);
  // With the default bias, most requests would be the first or the last of the list.
  const burst = noBias(array(shortRequestOf(requests), { minLength: clients, maxLength: clients }));
  for (const visits of sample(burst, bursts)) {
    await Promise.all(visits.map((visit) => sendAndDisconnect(server, visit)));
    await vi.waitFor(async () => {
      const after = await traces(server, database);
      expect(after).toEqual({ ...before, children: expect.any(Number) });
      expect(after.children).toBeLessThanOrEqual(before.children);
    }, waitOptions);
  }
  // A leaked slot of the job queue would keep these requests waiting.
  const exports = Array.from({ length: 5 }, () => ask(server, '/export/data?format=ndjson'));
  expect((await Promise.all(exports)).map(({ status }) => status)).toEqual(Array(5).fill(200));
  server.child.kill('SIGTERM');
  expect(await server.outcome()).toMatchObject({ status: 0, stderr: '' });
}

async function start({ url, run, statements }: ClientDatabase): Promise<Server> {
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

/** What remains of requests, as seen from outside. */
interface Traces {
  readonly ready: unknown;
  readonly inUse: unknown;
  readonly busySessions: readonly unknown[];
  readonly files: readonly string[];
  /** Open file descriptors without sockets, by their targets. */
  readonly descriptors: readonly string[];
  /** Connections of clients. */
  readonly connections: number;
  readonly children: number;
}

/** The traces of an idle server. */
async function settledTraces(server: Server, database: ClientDatabase): Promise<Traces> {
  return vi.waitFor(async () => {
    const found = await traces(server, database);
    expect(found).toMatchObject({ ready: true, inUse: 0, busySessions: [], connections: 0 });
    expect(found.files.filter((name) => name.startsWith('tmp/'))).toEqual([]);
    return found;
  }, waitOptions);
}

async function traces(server: Server, { run, busySessions }: ClientDatabase): Promise<Traces> {
  const { pid = 0 } = server.child;
  const health = await ask(server, '/health');
  const stats = await ask(server, '/stats');
  const busy = busySessions === undefined ? [] : await run(busySessions);
  return {
    ready: health.json['ready'],
    inUse: stats.json['in_use'],
    busySessions: busy,
    files: filesIn(server.folder),
    descriptors: descriptorsOf(pid),
    connections: connectionsTo(new URL(server.url).port),
    children: childrenOf(pid),
  };
}

/** Without the records of downloads that have ended, which are kept for a minute. */
function filesIn(folder: string): string[] {
  const names = (readdirSync(folder, { recursive: true }) as string[]).toSorted();
  return names.filter((name) => {
    if (!/\/transfers(?:\/|$)/.test(name)) return true;
    return (
      /\.\w+$/.test(name) && !/"state":"(?:done|failed|cancelled)"/.test(textOf(join(folder, name)))
    );
  });
}

/** A file that has been removed meanwhile is like one of a download that has ended. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '"state":"done"';
  }
}

function descriptorsOf(pid: number): string[] {
  return readdirSync(`/proc/${pid}/fd`)
    .map((fd) => targetOf(`/proc/${pid}/fd/${fd}`))
    .filter((target) => !/^(socket:|$)/.test(target))
    .map((target) => target.replace(/^pipe:.*/, 'pipe'))
    .toSorted();
}

/** Empty for a descriptor that has been closed. */
function targetOf(link: string): string {
  try {
    return readlinkSync(link);
  } catch {
    return '';
  }
}

const established = '01';
const closeWait = '08';

/** Connections to a local port that the server has not closed. */
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

/** Sends a request on a connection that is closed afterwards. */
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

/**
 * Sends a request and reads the complete response. Fails on an internal error. Requests that write at
 * the same time can be in a deadlock: such a request is sent again, as its error asks.
 */
async function sendCompletely(server: Server, request: RequestText): Promise<void> {
  let response = await exchange(server, request);
  for (let tries = 1; tries < 5 && response.includes('"code":"write_conflict"'); tries++)
    response = await exchange(server, request);
  expect(response, `${request.method} ${request.path}`).toMatch(request.response);
}

async function exchange(server: Server, request: RequestText): Promise<string> {
  const socket = connectTo(server);
  let response = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (response += chunk));
  socket.write(headOf(server, request));
  if (request.body !== undefined) socket.write(request.body);
  await new Promise((resolve) => void socket.once('close', resolve));
  return response;
}

async function sendAndDisconnect(server: Server, visit: ShortRequest): Promise<void> {
  const { request, startsMs, disconnectsAfterMs, sentShare, reads, resets } = visit;
  await sleep(startsMs);
  const socket = connectTo(server);
  const closed = new Promise((resolve) => void socket.once('close', resolve));
  socket.write(headOf(server, request));
  if (request.body !== undefined)
    socket.write(request.body.subarray(0, Math.ceil(request.body.length * sentShare)));
  if (reads) socket.resume();
  await sleep(disconnectsAfterMs);
  if (resets) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}

function connectTo({ url }: Server): ReturnType<typeof connect> {
  const { hostname, port } = new URL(url);
  return connect(Number(port), hostname).on('error', () => {});
}
