/** Clients that read, write, import and export, and record which writes the studio confirmed. */
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** The writes that were confirmed, and those with an unknown outcome. */
export interface Ledger {
  /** `client-n` of each row whose insert was confirmed with 201. */
  readonly rows: Set<string>;
  /** Batches whose import was confirmed with 200. */
  readonly batches: Set<number>;
  readonly counts: Record<string, number>;
  /** How many clients have started so far. Each written row contains the number of its client. */
  clients: number;
}

export const batchRows = 200;

interface ChaosRequest {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Disconnects after this many bytes of the response. */
  readonly disconnectAfterBytes?: number;
  /** Disconnects after half of the request body. */
  readonly disconnectMidBody?: boolean;
  /** Delay after each chunk of the response. */
  readonly pauseMs?: number;
}

const responseLimitMs = 60_000;

/** Resolves with the HTTP status, or 0 if the connection ended before the response was complete. */
export function send(port: number, options: ChaosRequest): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const { method, path, headers = {}, body = '' } = options;
  const length = { 'Content-Length': String(Buffer.byteLength(body)) };
  const clientRequest = request({
    host: '127.0.0.1',
    port,
    method,
    path: `/studio/api${path}`,
    headers: { ...headers, ...length },
    agent: false,
  });
  const timer = setTimeout(() => clientRequest.destroy(), responseLimitMs);
  clientRequest.on('error', () => resolve(0));
  clientRequest.on('close', () => {
    clearTimeout(timer);
    resolve(0);
  });
  clientRequest.on('response', (response) => {
    let bytes = 0;
    response.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (options.disconnectAfterBytes !== undefined && bytes >= options.disconnectAfterBytes)
        clientRequest.destroy();
      else if (options.pauseMs !== undefined) {
        response.pause();
        setTimeout(() => response.resume(), options.pauseMs);
      }
    });
    response.on('error', () => resolve(0));
    response.on('end', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
  });
  if (options.disconnectMidBody === true) {
    clientRequest.write(body.slice(0, body.length / 2));
    setTimeout(() => clientRequest.destroy(), 20);
  } else clientRequest.end(body);
  return promise;
}

const boundary = 'chaos';

function csvOf(batch: number): string {
  const lines = Array.from({ length: batchRows }, (_, n) => `${batch},${n},${'x'.repeat(100)}`);
  return `batch,n,note\n${lines.join('\n')}\n`;
}

function upload(batch: number): Pick<ChaosRequest, 'headers' | 'body'> {
  const head = 'Content-Disposition: form-data; name="file"; filename="a.csv"';
  return {
    headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    body: `--${boundary}\r\n${head}\r\n\r\n${csvOf(batch)}\r\n--${boundary}--\r\n`,
  };
}

export interface ClientEnvironment {
  readonly port: () => number;
  readonly ledger: Ledger;
  readonly stopped: () => boolean;
}

/** One client, until `stopped` is true. */
export async function runClient(
  number: number,
  { port, ledger, stopped }: ClientEnvironment,
): Promise<void> {
  const actions = actionsOf(number, port, ledger);
  for (let round = number; !stopped(); round++) {
    const [name, run] = actions[round % actions.length]!;
    const status = await run(round);
    const key = `${name} ${status === 0 ? 'disconnected' : Math.floor(status / 100)}${status === 0 ? '' : 'xx'}`;
    ledger.counts[key] = (ledger.counts[key] ?? 0) + 1;
    if (status === 0 || status >= 500) await sleep(50);
  }
}

type Action = (round: number) => Promise<number>;

function actionsOf(
  number: number,
  port: () => number,
  ledger: Ledger,
): readonly (readonly [string, Action])[] {
  const json = { 'Content-Type': 'application/json' };
  const get = (path: string, options: Partial<ChaosRequest> = {}): Promise<number> =>
    send(port(), { method: 'GET', path, ...options });
  const insertRow: Action = async (round) => {
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
  const batchNumber = (round: number): number => number * 1_000_000 + round;
  const importBatch: Action = async (round) => {
    const status = await send(port(), {
      method: 'POST',
      path: '/import/data?table=loaded',
      ...upload(batchNumber(round)),
    });
    if (status === 200) ledger.batches.add(batchNumber(round));
    return status;
  };
  const abortImport: Action = (round) =>
    send(port(), {
      method: 'POST',
      path: '/import/data?table=loaded',
      ...upload(batchNumber(round)),
      disconnectMidBody: true,
    });
  return [
    ['insert', insertRow],
    ['read', () => get('/tables/ledger/rows?page_size=50&sort_by=n&sort_order=desc')],
    ['insert', insertRow],
    ['import', importBatch],
    ['insert', insertRow],
    ['export', () => get('/tables/loaded/export?format=csv')],
    ['insert', insertRow],
    ['disconnect from an export', () => get('/export/data', { disconnectAfterBytes: 20_000 })],
    ['read', () => get('/tables/loaded/rows?filter_batch__gt=5&search=x')],
    ['abort an import', abortImport],
    ['insert', insertRow],
    ['read an export slowly', () => get('/tables/ledger/export?format=json', { pauseMs: 20 })],
  ];
}
