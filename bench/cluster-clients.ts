/** Clients of a balancer that repeat what got no reply, and record what the studio has said of each write. */
import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** What a client knows of a write in the end. */
export type Known = 'acknowledged' | 'refused' | 'unknown';

export interface ClusterLedger {
  /** By the token of the row. */
  readonly inserts: Map<string, Known>;
  /** By the number of the batch. */
  readonly imports: Map<number, Known>;
  /** Of the counter of each client. */
  readonly increments: { readonly row: number; readonly known: Known }[];
  readonly wrongReplies: string[];
  readonly defects: string[];
  readonly counts: Record<string, number>;
}

export const rowsOfBatch = 200;
export const counterRows = 4;

interface Reply {
  /** 0 if the connection ended before the response was complete. */
  readonly status: number;
  readonly etag: string | undefined;
  readonly text: string;
}

interface Question {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const replyLimitMs = 60_000;

export function ask(port: number, { method, path, headers, body = '' }: Question): Promise<Reply> {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const lost = (): void => resolve({ status: 0, etag: undefined, text: '' });
  const sent = request({
    host: '127.0.0.1',
    port,
    method,
    path: `/studio/api${path}`,
    headers: {
      'Content-Type': 'application/json',
      ...headers,
      'Content-Length': String(Buffer.byteLength(body)),
    },
    agent: false,
  });
  const timer = setTimeout(() => sent.destroy(), replyLimitMs);
  sent.on('error', lost);
  sent.on('close', () => {
    clearTimeout(timer);
    lost();
  });
  sent.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('error', lost);
    response.on('end', () => {
      const { complete, statusCode: status = 0, headers } = response;
      if (complete) resolve({ status, etag: headers.etag, text });
      else lost();
    });
  });
  sent.end(body);
  return promise;
}

/** 503 without a JSON body is the balancer's: no copy has received the request. */
function saysNotWritten({ status, text }: Reply): boolean {
  if (status >= 400 && status < 500) return !text.includes('"outcome_unknown"');
  if (status !== 503) return false;
  return !text.startsWith('{') || /nothing was written|database_busy|not ready/.test(text);
}

export interface ClusterClient {
  readonly port: number;
  readonly number: number;
  readonly ledger: ClusterLedger;
  readonly stopped: () => boolean;
}

/** Works until `stopped` is true. */
export async function runClusterClient(client: ClusterClient): Promise<void> {
  const actions = [insertRow, readOwnRow, increment, insertRow, importBatch, exportBatches];
  for (let round = client.number; !client.stopped(); round++)
    await actions[round % actions.length]!(client, round);
}

function record({ ledger }: ClusterClient, name: string, reply: Reply): void {
  const { status, text } = reply;
  const key = `${name} ${status === 0 ? 'lost' : status}`;
  ledger.counts[key] = (ledger.counts[key] ?? 0) + 1;
  if (status === 500) ledger.defects.push(`${name}: ${text.slice(0, 300)}`);
}

const repeatLimitMs = 90_000;

/** Repeats a request with its key until a studio says what has happened to it. */
async function sendOnce(client: ClusterClient, name: string, question: Question): Promise<Known> {
  const key = randomUUID();
  const startedAt = performance.now();
  let isOnlyRefused = true;
  for (let attempt = 0; performance.now() - startedAt < repeatLimitMs; attempt++) {
    const age = Math.floor((performance.now() - startedAt) / 1000);
    const headers = { 'Idempotency-Key': attempt === 0 ? `"${key}"` : `"${key}";age=${age}` };
    const reply = await ask(client.port, { ...question, headers });
    record(client, name, reply);
    if (reply.status === 200 || reply.status === 201) return 'acknowledged';
    if (reply.text.includes('"outcome_unknown"')) return isOnlyRefused ? 'refused' : 'unknown';
    if (!saysNotWritten(reply)) isOnlyRefused = false;
    else if (reply.status < 500 && reply.status !== 409) return 'refused';
    await sleep(200);
  }
  return isOnlyRefused ? 'refused' : 'unknown';
}

async function insertRow(client: ClusterClient, round: number): Promise<void> {
  const token = `${client.number}-${round}`;
  const body = JSON.stringify({ client: client.number, token });
  const question = { method: 'POST', path: '/tables/events/rows', body };
  client.ledger.inserts.set(token, await sendOnce(client, 'insert', question));
}

/** Reads a row that has been acknowledged to this client just before. */
async function readOwnRow(client: ClusterClient, round: number): Promise<void> {
  const token = `${client.number}-${round - 1}`;
  if (client.ledger.inserts.get(token) !== 'acknowledged') return;
  const path = `/tables/events/rows?filter_token=${token}`;
  const reply = await ask(client.port, { method: 'GET', path });
  record(client, 'read', reply);
  if (reply.status === 200 && !reply.text.includes(`"${token}"`))
    client.ledger.wrongReplies.push(`${token} was acknowledged and not readable`);
}

/** Increments a counter that other clients increment too. */
async function increment(client: ClusterClient, round: number): Promise<void> {
  const row = (client.number + round) % counterRows;
  const path = `/tables/counters/rows/${row}`;
  const current = await ask(client.port, { method: 'GET', path });
  record(client, 'read a counter', current);
  if (current.status !== 200) return;
  const value = /"value":(\d+)/.exec(current.text)?.[1];
  if (value === undefined || current.etag === undefined) {
    client.ledger.wrongReplies.push(`a counter without value or entity tag: ${current.text}`);
    return;
  }
  const reply = await ask(client.port, {
    method: 'PUT',
    path,
    headers: { 'If-Match': current.etag },
    body: JSON.stringify({ value: Number(value) + 1 }),
  });
  record(client, 'increment', reply);
  client.ledger.increments.push({ row, known: knownOf(reply) });
}

function knownOf(reply: Reply): Known {
  if (reply.status === 200 || reply.status === 201) return 'acknowledged';
  return saysNotWritten(reply) ? 'refused' : 'unknown';
}

async function importBatch(client: ClusterClient, round: number): Promise<void> {
  const batch = client.number * 1_000_000 + round;
  const lines = Array.from({ length: rowsOfBatch }, (_, n) => `${batch},${n},${'x'.repeat(50)}`);
  const csv = `batch,n,note\n${lines.join('\n')}\n`;
  const head = 'Content-Disposition: form-data; name="file"; filename="a.csv"';
  const reply = await ask(client.port, {
    method: 'POST',
    path: '/import/data?table=loaded',
    headers: { 'Content-Type': 'multipart/form-data; boundary=chaos' },
    body: `--chaos\r\n${head}\r\n\r\n${csv}\r\n--chaos--\r\n`,
  });
  record(client, 'import', reply);
  client.ledger.imports.set(batch, knownOf(reply));
}

/** A complete export has all rows of each batch or none, and those that were acknowledged to this client before. */
async function exportBatches(client: ClusterClient): Promise<void> {
  const isOwn = (batch: number): boolean => Math.floor(batch / 1_000_000) === client.number;
  const own = [...client.ledger.imports].filter(([batch]) => isOwn(batch));
  const path = `/tables/loaded/export?format=csv&filter_batch__gt=${client.number * 1_000_000}&filter_batch__lt=${(client.number + 1) * 1_000_000}`;
  const reply = await ask(client.port, { method: 'GET', path });
  record(client, 'export', reply);
  if (reply.status !== 200) return;
  const rows = rowsByBatch(reply.text);
  const wrong = (detail: string): void =>
    void client.ledger.wrongReplies.push(`an export had ${detail}: ${reply.text.slice(-100)}`);
  for (const [batch, count] of rows)
    if (count !== rowsOfBatch) wrong(`${count} rows of batch ${batch}`);
  for (const [batch, known] of own) {
    const count = rows.get(batch) ?? 0;
    if (known === 'acknowledged' && count === 0) wrong(`no rows of the stored batch ${batch}`);
    if (known === 'refused' && count > 0) wrong(`rows of the refused batch ${batch}`);
  }
}

function rowsByBatch(csv: string): ReadonlyMap<number, number> {
  const [header = '', ...lines] = csv.trimEnd().split('\n');
  const at = header.trim().split(',').indexOf('batch');
  const counts = new Map<number, number>();
  for (const line of lines) {
    const batch = Number(line.split(',')[at]);
    counts.set(batch, (counts.get(batch) ?? 0) + 1);
  }
  return counts;
}
