import { afterAll, beforeAll, beforeEach, onTestFinished } from 'vitest';
import { createStudio } from '../../src/index.ts';
import { startCitus, whatIsMissing } from './start-citus.ts';
import type { CitusCluster } from './start-citus.ts';

/** Starts a cluster for the tests of a file and prepares it. Skips them with a reason if it cannot be started. */
export function useCitus(prepare?: (cluster: CitusCluster) => Promise<void>): () => CitusCluster {
  let cluster: CitusCluster | undefined;
  let unavailableReason = '';
  beforeAll(async () => {
    const missing = await whatIsMissing();
    if (missing !== undefined) {
      unavailableReason = missing;
      return;
    }
    cluster = await startCitus();
    await prepare?.(cluster);
  });
  beforeEach((context) => {
    if (cluster === undefined) context.skip(`no Citus cluster: ${unavailableReason}`);
  });
  afterAll(() => cluster?.remove());
  return () => {
    if (cluster === undefined) throw new Error(`no Citus cluster: ${unavailableReason}`);
    return cluster;
  };
}

export type Row = Readonly<Record<string, unknown>>;

interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of a JSON response. */
  readonly body: Row;
}

export interface Visitor {
  ask(method: string, path: string, body?: object, headers?: object): Promise<Reply>;
  sendFile(path: string, name: string, text: string): Promise<Reply>;
}

/** A client of a new studio at the coordinator, for the current test. */
export async function openVisitor(
  { nodes: [{ url }] }: CitusCluster,
  options: object = {},
): Promise<Visitor> {
  const studio = await createStudio({ url, allowDdl: true, ...options });
  onTestFinished(() => studio.close());
  const send = async (path: string, init: RequestInit): Promise<Reply> => {
    const response = await studio.fetch(new Request(`http://localhost/studio/api${path}`, init));
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    const body = isJson ? (JSON.parse(text) as Row) : {};
    return { status: response.status, headers: response.headers, text, body };
  };
  return {
    ask: (method, path, body, headers = {}) =>
      send(path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    sendFile: (path, name, text) => {
      const form = new FormData();
      form.set('file', new File([text], name));
      return send(path, { method: 'POST', body: form });
    },
  };
}

/** The first value of a query, from the coordinator itself. */
export async function valueAt(
  { nodes: [coordinator] }: CitusCluster,
  query: string,
): Promise<unknown> {
  const [row] = await coordinator.query(query);
  return Object.values(row ?? {})[0];
}
