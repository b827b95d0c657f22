/**
 * The client, in a process of its own: raw sockets kept alive, one request at a time on each, and as
 * little work an answer as can be, so that it is the server that is measured.
 */
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** A window of load, sent to this process as a message. */
export interface LoadOrder {
  readonly port: number;
  readonly connections: number;
  /** Load before the window, which does not count. */
  readonly settleMs: number;
  readonly windowMs: number;
  /** Sent over and over, each connection beginning elsewhere. */
  readonly requests: readonly LoadRequest[];
}

/** What came of it, sent back. */
export interface LoadResult {
  /** In the window. */
  readonly responses: number;
  /** Those before the window and of the last requests too. */
  readonly allResponses: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The share of a core that this process took: near 1, it is the client that was measured. */
  readonly clientCores: number;
  /** The first answer that was none. */
  readonly failure?: string;
}

interface Load {
  readonly order: LoadOrder;
  readonly messages: readonly Buffer[];
  readonly beginMs: number;
  readonly endMs: number;
  readonly latenciesMs: number[];
  allResponses: number;
  failure: string | undefined;
}

async function run(order: LoadOrder): Promise<LoadResult> {
  const sockets = await Promise.all(
    Array.from({ length: order.connections }, () => connect(order.port)),
  );
  const beginMs = performance.now() + order.settleMs;
  const load: Load = {
    order,
    messages: order.requests.map(toMessage),
    beginMs,
    endMs: beginMs + order.windowMs,
    latenciesMs: [],
    allResponses: 0,
    failure: undefined,
  };
  const before = process.cpuUsage();
  await Promise.all(sockets.map((socket, i) => sendOnAndOn(socket, load, i)));
  const used = process.cpuUsage(before);
  const lastedMs = performance.now() - beginMs + order.settleMs;
  return summarize(load, (used.user + used.system) / 1000 / lastedMs);
}

function connect(port: number): Promise<Socket> {
  const { promise, resolve, reject } = Promise.withResolvers<Socket>();
  const socket = createConnection({ port, host: '127.0.0.1', noDelay: true }, () =>
    resolve(socket),
  );
  socket.on('error', reject);
  return promise;
}

function toMessage({ method, path, body }: LoadRequest): Buffer {
  const head = `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept: application/json\r\n`;
  if (body === undefined) return Buffer.from(`${head}\r\n`);
  const length = Buffer.byteLength(body);
  return Buffer.from(
    `${head}Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`,
  );
}

/** Until the window is over; what is under way then is waited for, so that nothing is left half done. */
function sendOnAndOn(socket: Socket, load: Load, number: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { messages } = load;
  let next = Math.floor((number * messages.length) / load.order.connections);
  let sentMs = 0;
  const send = (): void => {
    sentMs = performance.now();
    socket.write(messages[next++ % messages.length]!);
  };
  const fail = (text: string): void => {
    load.failure ??= text;
    socket.destroy();
  };
  socket.on('error', (error) => fail(String(error)));
  socket.on('close', () => resolve());
  socket.on(
    'data',
    responseReader({
      fail,
      done: () => {
        const nowMs = performance.now();
        load.allResponses++;
        if (nowMs >= load.beginMs && nowMs < load.endMs) load.latenciesMs.push(nowMs - sentMs);
        if (nowMs < load.endMs) send();
        else socket.destroy();
      },
    }),
  );
  send();
  return promise;
}

const nothing = Buffer.alloc(0);

interface ResponseEvents {
  readonly done: () => void;
  readonly fail: (text: string) => void;
}

/** Counts an answer's bytes by its Content-Length. */
function responseReader({ done, fail }: ResponseEvents): (chunk: Buffer) => void {
  let head: Buffer = nothing;
  let left = 0;
  const take = (bytes: number): void => {
    left -= bytes;
    if (left === 0) done();
    else if (left < 0) fail('An answer was longer than its Content-Length.');
  };
  return (chunk) => {
    if (left > 0) return take(chunk.length);
    const begun = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    const end = begun.indexOf('\r\n\r\n');
    head = end < 0 ? begun : nothing;
    if (end < 0) return;
    const length = /\r\ncontent-length: *(\d+)/i.exec(begun.toString('latin1', 0, end))?.[1];
    // The status code's first digit: HTTP/1.1 200 OK.
    if (begun[9] !== 0x32 || length === undefined) return fail(begun.toString('utf8', 0, 1000));
    left = Number(length);
    take(begun.length - end - 4);
  };
}

function summarize(
  { order, latenciesMs, allResponses, failure }: Load,
  clientCores: number,
): LoadResult {
  const sorted = Float64Array.from(latenciesMs).toSorted();
  const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
  return {
    responses: sorted.length,
    allResponses,
    seconds: order.windowMs / 1000,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    clientCores,
    ...(failure === undefined ? {} : { failure }),
  };
}

process.on('message', (order: LoadOrder) => {
  void run(order).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
