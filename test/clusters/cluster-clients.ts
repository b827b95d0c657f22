/** Clients of studios, which record what the studios say of each row that they insert. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { createStudio } from '../../src/index.ts';
import type { ClusterNode } from './cluster-node.ts';

export interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly etag: string | null;
  readonly body: Readonly<Record<string, unknown>>;
}

export interface Client {
  ask(method: string, path: string, body?: object, headers?: object): Promise<Reply>;
}

/** Opens a studio for the current test. */
export async function openClient(url: string, readYourWrites = false): Promise<Client> {
  const studio = await createStudio({ url, readYourWrites });
  onTestFinished(() => studio.close());
  return {
    ask: async (method, path, body, headers = {}) => {
      const init = {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      };
      const response = await studio.fetch(new Request(`http://localhost/studio/api${path}`, init));
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        etag: response.headers.get('etag'),
        body: (await response.json()) as Reply['body'],
      };
    },
  };
}

export interface Attempt extends Reply {
  readonly token: string;
}

/** Inserts rows until the signal aborts, at the next studio after each failure. */
export async function insertRows(
  clients: readonly Client[],
  start: number,
  signal: AbortSignal,
): Promise<readonly Attempt[]> {
  const attempts: Attempt[] = [];
  const run = randomUUID().slice(0, 8);
  for (let at = start, i = 0; !signal.aborted; i += 1) {
    const token = `${run}-${i}`;
    const client = clients[at % clients.length];
    if (client === undefined) break;
    const reply = await client.ask('POST', '/tables/events/rows', { token });
    attempts.push({ ...reply, token });
    if (reply.status === 201) continue;
    at += 1;
    await sleep(50);
  }
  return attempts;
}

export function countBy(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const text of texts) counts[text] = (counts[text] ?? 0) + 1;
  return counts;
}

/** A connection that was lost before the commit says so, too. */
const saysNothingWritten =
  /nothing was written|^(?!.*check whether).*(?:cannot be reached|No connection|not ready)/;

/** Every row that was acknowledged is at the node once, and none that was refused. */
export async function mustHaveTheAcknowledged(
  node: ClusterNode,
  attempts: readonly Attempt[],
): Promise<void> {
  const rows = await node.query('SELECT token, COUNT(*) AS n FROM shop.events GROUP BY token');
  const stored = new Map(rows.map(({ token, n }) => [String(token), Number(n)]));
  const acknowledged = attempts.filter(({ status }) => status === 201);
  const lost = acknowledged.filter(({ token }) => !stored.has(token));
  expect(lost, `of ${acknowledged.length} at port ${node.port}`).toEqual([]);
  expect([...stored].filter(([, count]) => count > 1)).toEqual([]);
  const rejected = attempts.filter(
    ({ status, body }) => status !== 201 && saysNothingWritten.test(String(body['error'])),
  );
  expect(rejected.filter(({ token }) => stored.has(token))).toEqual([]);
}

/** Failures are those of an unavailable database, or of a time limit, and say when to try again. */
export function mustFailAsUnavailable(attempts: readonly Attempt[]): void {
  const expected = [201, 409, 503, 504];
  expect(attempts.filter(({ status }) => !expected.includes(status))).toEqual([]);
  expect(
    attempts.filter(({ status, retryAfter }) => status === 503 && retryAfter === null),
  ).toEqual([]);
}
