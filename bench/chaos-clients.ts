/** Clients that read, write, import and export, and record which writes the studio confirmed. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The writes that were confirmed, and those with an unknown outcome. */
export interface Ledger {
  /** `client-number` of each row whose creation was answered with 201. */
  readonly rows: Set<string>;
  /** Batches whose import was answered with 200. */
  readonly batches: Set<number>;
  readonly counts: Record<string, number>;
  /** Number of clients so far; each write contains the number of its client. */
  clients: number;
}

export const batchRows = 200;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Disconnects after this many bytes of the response. */
  readonly leavesAfter?: number;
  /** Disconnects before the request body is complete. */
  readonly breaksOff?: boolean;
  /** Delay before it reads more of the response. */
  readonly pauseMs?: number;
}

const responseLimitMs = 60_000;

/** The status; 0 where the connection ended first. */
export function send(port: number, sent: Sent): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const { method, path, headers = {}, body = '' } = sent;
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  const asked = request({
    host: '127.0.0.1',
    port,
    method,
    path: `/studio/api${path}`,
    headers: { ...headers, ...length },
    agent: false,
  });
  const timer = setTimeout(() => asked.destroy(), responseLimitMs);
  asked.on('error', () => resolve(0));
  asked.on('close', () => {
    clearTimeout(timer);
    resolve(0);
  });
  asked.on('response', (response) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (sent.leavesAfter !== undefined && bytes >= sent.leavesAfter) asked.destroy();
      else if (sent.pauseMs !== undefined) {
        response.pause();
        setTimeout(() => response.resume(), sent.pauseMs);
      }
    });
    response.on('error', () => resolve(0));
    response.on('end', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
  });
  if (sent.breaksOff === true) {
    asked.write(body.slice(0, body.length / 2));
    setTimeout(() => asked.destroy(), 20);
  } else asked.end(body);
  return promise;
}

const boundary = 'chaos';

function csvOf(batch: number): string {
  const lines = Array.from({ length: batchRows }, (_, n) => `${batch},${n},${'x'.repeat(100)}`);
  return `batch,n,note\n${lines.join('\n')}\n`;
}

function upload(batch: number): Pick<Sent, 'headers' | 'body'> {
  const head = 'Content-Disposition: form-data; name="file"; filename="a.csv"';
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: `--${boundary}\r\n${head}\r\n\r\n${csvOf(batch)}\r\n--${boundary}--\r\n`,
  };
}

export interface Crowd {
  readonly port: () => number;
  readonly ledger: Ledger;
  readonly stopped: () => boolean;
}

/** One client, until `stopped` is true. */
export async function runClient(number: number, { port, ledger, stopped }: Crowd): Promise<void> {
  const acts = actsOf(number, port, ledger);
  for (let round = number; !stopped(); round++) {
    const [name, act] = acts[round % acts.length]!;
    const status = await act(round);
    const key = `${name} ${status === 0 ? 'cut' : Math.floor(status / 100)}${status === 0 ? '' : 'xx'}`;
    ledger.counts[key] = (ledger.counts[key] ?? 0) + 1;
    if (status === 0 || status >= 500) await sleep(50);
  }
}

type Act = (round: number) => Promise<number>;

function actsOf(
  number: number,
  port: () => number,
  ledger: Ledger,
): readonly (readonly [string, Act])[] {
  const json = { 'Content-Type': 'application/json' };
  const get = (path: string, more: Partial<Sent> = {}): Promise<number> =>
    send(port(), { method: 'GET', path, ...more });
  const write: Act = async (round) => {
    const body = JSON.stringify({ client: number, n: round, note: 'y'.repeat(50) });
    const status = await send(port(), {
      method: 'POST',
      path: '/tables/ledger/rows',
      headers: json,
      body,
    });
    if (status === 201) ledger.rows.add(`${number}-${round}`);
    return status;
  };
  const batchOf = (round: number): number => number * 1_000_000 + round;
  const load: Act = async (round) => {
    const status = await send(port(), {
      method: 'POST',
      path: '/import/data?table=loaded',
      ...upload(batchOf(round)),
    });
    if (status === 200) ledger.batches.add(batchOf(round));
    return status;
  };
  const cutLoad: Act = (round) =>
    send(port(), {
      method: 'POST',
      path: '/import/data?table=loaded',
      ...upload(batchOf(round)),
      breaksOff: true,
    });
  return [
    ['write', write],
    ['read', () => get('/tables/ledger/rows?page_size=50&sort_by=n&sort_order=desc')],
    ['write', write],
    ['import', load],
    ['write', write],
    ['export', () => get('/tables/loaded/export?format=csv')],
    ['write', write],
    ['leave an export', () => get('/export/data', { leavesAfter: 20_000 })],
    ['read', () => get('/tables/loaded/rows?filter_batch__gt=5&search=x')],
    ['break off an import', cutLoad],
    ['write', write],
    ['take an export slowly', () => get('/tables/ledger/export?format=json', { pauseMs: 20 })],
  ];
}
