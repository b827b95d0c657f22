/**
 * The load client, which runs in a process of its own: raw keep-alive sockets, one request at a time on
 * each, and as little work per response as possible, so that the server is the bottleneck.
 */
import { createConnection } from 'node:net';
import type { Socket } from 'node:net';

export interface LoadRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: string;
}

/** A window of load, sent to this process as a message. */
export interface LoadSpec {
  readonly port: number;
  readonly connections: number;
  /** Duration of the load before the window. It is not measured. */
  readonly settleMs: number;
  readonly windowMs: number;
  /** Sent repeatedly. Each connection begins at a different one. */
  readonly requests: readonly LoadRequest[];
}

/** The result of a window, returned as a message. */
export interface LoadResult {
  /** In the window. */
  readonly responses: number;
  /** Includes responses before the window, and of requests that were pending at its end. */
  readonly allResponses: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** The share of a core that this process used. Near 1, the client was the bottleneck. */
  readonly clientCores: number;
  /** The first response that was not a valid 2xx. */
  readonly failure?: string;
}

interface Load {
  readonly spec: LoadSpec;
  readonly messages: readonly Buffer[];
  readonly beginMs: number;
  readonly endMs: number;
  readonly latenciesMs: number[];
  allResponses: number;
  failure: string | undefined;
}

async function run(spec: LoadSpec): Promise<LoadResult> {
  const sockets = await Promise.all(
    Array.from({ length: spec.connections }, () => connect(spec.port)),
  );
  const beginMs = performance.now() + spec.settleMs;
  const load: Load = {
    spec,
    messages: spec.requests.map(toMessage),
    beginMs,
    endMs: beginMs + spec.windowMs,
    latenciesMs: [],
    allResponses: 0,
    failure: undefined,
  };
  const before = process.cpuUsage();
  await Promise.all(sockets.map((socket, i) => sendRepeatedly(socket, load, i)));
  const cpuUsage = process.cpuUsage(before);
  const elapsedMs = performance.now() - beginMs + spec.settleMs;
  return summarize(load, (cpuUsage.user + cpuUsage.system) / 1000 / elapsedMs);
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

/** Sends requests until the window ends, and then waits for the pending response, so that no write is left half done. */
function sendRepeatedly(socket: Socket, load: Load, connectionIndex: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { messages } = load;
  let nextRequest = Math.floor((connectionIndex * messages.length) / load.spec.connections);
  let sentMs = 0;
  const send = (): void => {
    sentMs = performance.now();
    socket.write(messages[nextRequest++ % messages.length]!);
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

const emptyBuffer = Buffer.alloc(0);

interface ResponseEvents {
  readonly done: () => void;
  readonly fail: (text: string) => void;
}

const lastChunk = Buffer.from('\r\n0\r\n\r\n');

/** Finds the end of each response by its Content-Length, or by its last chunk. */
function responseReader({ done, fail }: ResponseEvents): (data: Buffer) => void {
  let head: Buffer = emptyBuffer;
  let missingBytes = 0;
  /** The last bytes of a response in chunks. Only one response is on its way, so it ends with the data. */
  let tail: Buffer | undefined;
  const countBodyBytes = (bytes: number): void => {
    missingBytes -= bytes;
    if (missingBytes === 0) done();
    else if (missingBytes < 0) fail('A response was longer than its Content-Length.');
  };
  const readChunks = (data: Buffer): void => {
    tail = Buffer.concat([tail ?? emptyBuffer, data]).subarray(-lastChunk.length);
    if (!tail.equals(lastChunk)) return;
    tail = undefined;
    done();
  };
  return (data) => {
    if (missingBytes > 0) return countBodyBytes(data.length);
    if (tail !== undefined) return readChunks(data);
    const received = head.length === 0 ? data : Buffer.concat([head, data]);
    const end = received.indexOf('\r\n\r\n');
    head = end < 0 ? received : emptyBuffer;
    if (end < 0) return;
    const headText = received.toString('latin1', 0, end);
    // The first digit of the status code in `HTTP/1.1 200 OK` must be 2.
    if (received[9] !== 0x32) return fail(received.toString('utf8', 0, 1000));
    const length = /\r\ncontent-length: *(\d+)/i.exec(headText)?.[1];
    if (length === undefined) return readChunks(received.subarray(end + 2));
    missingBytes = Number(length);
    countBodyBytes(received.length - end - 4);
  };
}

function summarize(
  { spec, latenciesMs, allResponses, failure }: Load,
  clientCores: number,
): LoadResult {
  const sorted = Float64Array.from(latenciesMs).toSorted();
  const percentile = (share: number): number =>
    sorted[Math.floor(share * (sorted.length - 1))] ?? NaN;
  return {
    responses: sorted.length,
    allResponses,
    seconds: spec.windowMs / 1000,
    p50Ms: percentile(0.5),
    p99Ms: percentile(0.99),
    clientCores,
    ...(failure === undefined ? {} : { failure }),
  };
}

process.on('message', (spec: LoadSpec) => {
  void run(spec).then(
    (result) => process.send?.({ result }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
