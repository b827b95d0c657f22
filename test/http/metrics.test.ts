/** Metrics, request ids, liveness and draining. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { createRequestMetrics, metricsText } from '../../src/http/metrics.ts';
import { routes } from '../../src/contract/routes.ts';
import { fakeStudio } from './fake-studio.ts';
import { failureOf, origin } from './requests.ts';
import type { AppOptions } from '../../src/http/app.ts';

const state = {
  pool: {
    maxOpenConnections: 11,
    openConnections: 3,
    inUse: 1,
    idle: 2,
    waitCount: 4,
    waitDurationMs: 1500,
  },
  jobs: { running: 2, waiting: 5 },
  children: 7,
  caches: {
    structure: { hits: 30, misses: 2 },
    totals: { hits: 4, misses: 5 },
    diagrams: { hits: 0, misses: 1 },
  },
};

/** Reads the text format by its grammar: `name{label="value",…} number`. */
function readMetrics(text: string): ReadonlyMap<string, number> {
  expect(text.endsWith('\n')).toBe(true);
  const types = new Map<string, string>();
  const samples = new Map<string, number>();
  for (const line of text.split('\n').slice(0, -1)) {
    const [, name = '', type = ''] = /^# TYPE (\w+) (gauge|counter|histogram)$/.exec(line) ?? [];
    if (name !== '') types.set(name, type);
    if (line.startsWith('#')) continue;
    const [match, metric = '', labels = '', value] =
      /^(\w+)((?:\{(?:\w+="[^"\\\n]*",?)*\})?) (\S+)$/.exec(line) ?? [];
    expect(match, line).toBeDefined();
    expect(samples.has(`${metric}${labels}`), line).toBe(false);
    expect(types.has(metric.replace(/_(bucket|sum|count)$/, '')) || types.has(metric), line).toBe(
      true,
    );
    samples.set(`${metric}${labels}`, Number(value));
  }
  expect([...samples.values()].every(Number.isFinite)).toBe(true);
  return samples;
}

const completed = fc.record({
  route: fc.constantFrom(...Object.keys(routes), 'page', 'other'),
  method: fc.constantFrom('GET', 'POST', 'DELETE'),
  status: fc.constantFrom(200, 404, 500, 503),
  seconds: fc.oneof(fc.double({ min: 0, max: 60, noNaN: true }), fc.constantFrom(0.005, 1, 30, 31)),
});

describe('the metrics', () => {
  test('count every request in each bucket that is wide enough', () => {
    fc.assert(
      fc.property(fc.array(completed, { maxLength: 200 }), (requests) => {
        const metrics = createRequestMetrics();
        for (const request of requests) metrics.record(request);
        const samples = readMetrics(metricsText(metrics, state));
        const name = 'studio_http_request_duration_seconds';
        let counted = 0;
        for (const [key, value] of samples) {
          const [, part, labels = ''] =
            new RegExp(`^${name}_(bucket|count|sum)\\{(.*)\\}$`).exec(key) ?? [];
          const of = ({ route, method, status }: (typeof requests)[number]): boolean =>
            labels.startsWith(`route="${route}",method="${method}",status="${status}"`);
          const ownRequests = requests.filter(of);
          if (part === 'bucket') {
            const bound = /le="([^"]+)"$/.exec(labels)?.[1];
            const maxSeconds = bound === '+Inf' ? Infinity : Number(bound);
            expect(value).toBe(ownRequests.filter(({ seconds }) => seconds <= maxSeconds).length);
          }
          if (part === 'count') counted += value;
          if (part === 'sum')
            expect(value).toBeCloseTo(
              ownRequests.reduce((sum, { seconds }) => sum + seconds, 0),
              6,
            );
        }
        expect(counted).toBe(requests.length);
      }),
    );
  });

  test('have the state of connections, jobs, processes and caches', () => {
    const samples = readMetrics(metricsText(createRequestMetrics(), state));
    expect(Object.fromEntries(samples)).toMatchObject({
      studio_database_connections_max: 11,
      studio_database_connections_open: 3,
      studio_database_connections_in_use: 1,
      studio_database_connection_waits_total: 4,
      studio_database_connection_wait_seconds_total: 1.5,
      studio_jobs_running: 2,
      studio_jobs_waiting: 5,
      studio_child_processes: 7,
      'studio_cache_hits_total{cache="structure"}': 30,
      'studio_cache_misses_total{cache="structure"}': 2,
      'studio_cache_hits_total{cache="totals"}': 4,
      'studio_cache_misses_total{cache="totals"}': 5,
      'studio_cache_hits_total{cache="diagrams"}': 0,
      'studio_cache_misses_total{cache="diagrams"}': 1,
    });
    expect(samples.get('process_resident_memory_bytes')).toBeGreaterThan(1_000_000);
  });
});

function open(options: AppOptions = {}, studio = fakeStudio()) {
  const app = createApp(studio, options);
  const ask = (path: string, init: RequestInit = {}): Promise<Response> =>
    app.fetch(new Request(`${origin}${path}`, init), { address: '192.0.2.1' });
  return { app, ask };
}

describe('a studio', () => {
  test('counts requests by route, without names of the database or of clients', async () => {
    const { ask } = open();
    for (const path of [
      '/studio/api/config',
      '/studio/',
      '/studio/api/tables/secret/rows',
      '/studio/api/nothing',
    ])
      await ask(path);
    await ask('/studio/api/config', { method: 'PATCH' });
    const response = await ask('/studio/api/metrics');
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await response.text();
    expect(text).not.toMatch(/secret|nothing|PATCH/);
    const samples = readMetrics(text);
    const count = (labels: string) =>
      samples.get(`studio_http_request_duration_seconds_count{${labels}}`);
    expect(count('route="get-config",method="GET",status="200"')).toBe(1);
    expect(count('route="list-rows",method="GET",status="200"')).toBe(1);
    expect(count('route="other",method="GET",status="404"')).toBe(1);
    expect(count('route="other",method="other",status="405"')).toBe(1);
    expect(text).toContain('route="page"');
  });

  test('shows metrics only with the credentials of the API', async () => {
    const { ask } = open({ anyHost: true, credentials: { token: 'tok' } });
    expect((await ask('/studio/api/metrics')).status).toBe(401);
    const headers = { Authorization: 'Bearer tok' };
    expect((await ask('/studio/api/metrics', { headers })).status).toBe(200);
  });

  test('is live whatever the database does, and not ready once it drains', async () => {
    const { app, ask } = open({}, fakeStudio({ ready: false }));
    expect(await (await ask('/studio/api/live')).json()).toEqual({ live: true });
    expect((await ask('/studio/api/health')).status).toBe(503);
    const good = open();
    expect((await good.ask('/studio/api/health')).status).toBe(200);
    good.app.drain();
    const health = await good.ask('/studio/api/health');
    expect(health.status).toBe(503);
    expect(await health.json()).toEqual({ live: true, ready: false });
    for (const path of ['/studio/api/live', '/studio/api/config', '/studio/']) {
      const response = await good.ask(path);
      expect(response.headers.get('connection'), path).toBe('close');
      if (path !== '/studio/') expect(response.status, path).toBe(200);
    }
    app.drain();
  });

  test('says that nothing was written to a write that arrives after it has stopped', async () => {
    const { app, ask } = open();
    app.drain();
    app.stop();
    const response = await ask('/studio/api/tables/items/rows', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect([response.status, await response.json()]).toEqual([
      503,
      {
        code: 'database_unavailable',
        error: 'The studio is shutting down; nothing was written.',
      },
    ]);
  });

  test('closes the connection of a request that arrived before it drained', async () => {
    const { app, ask } = open();
    const response = ask('/studio/api/config');
    app.drain();
    expect((await response).headers.get('connection')).toBe('close');
  });
});

describe('the id of a request', () => {
  const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

  test('is the given one if it is short and plain, else a new one, on every response', async () => {
    const { ask } = open({ anyHost: true, credentials: { token: 'tok' } });
    const paths = [
      '/studio/api/live',
      '/studio/api/config',
      '/studio/api/nothing',
      '/studio/',
      '/elsewhere',
    ];
    const requestIds = fc.oneof(
      fc.stringMatching(/^[\w.:-]{1,128}$/),
      fc.string({ unit: fc.constantFrom(...'ab1 ,;"=-é'), maxLength: 140 }),
      fc.stringMatching(/^[a-z]{129,200}$/),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...paths), requestIds, async (path, id) => {
        const response = await ask(path, { headers: { 'X-Request-Id': id } });
        const expected = id.trim();
        const isPlain = /^[A-Za-z\d_.:-]{1,128}$/.test(expected);
        expect(response.headers.get('x-request-id')).toMatch(isPlain ? /^/ : uuid);
        if (isPlain) expect(response.headers.get('x-request-id')).toBe(expected);
      }),
    );
    expect((await ask('/studio/api/live')).headers.get('x-request-id')).toMatch(uuid);
  });

  test('is in the log line of the request, and in that of a defect', async () => {
    const lines: [level: string, fields: object][] = [];
    const log = {
      info: (fields: object) => void lines.push(['info', fields]),
      error: (fields: object) => void lines.push(['error', fields]),
    };
    const reply = () => Promise.reject(new Error('a defect'));
    const { ask } = open({ log }, fakeStudio({ reply }));
    const response = await ask('/studio/api/tables/secret/rows', {
      headers: { 'X-Request-Id': 'r-1' },
    });
    expect(await failureOf(response)).toMatchObject({ status: 500, code: 'internal', id: 'r-1' });
    expect(lines).toMatchObject([
      ['error', { id: 'r-1', route: 'list-rows' }],
      ['info', { request: 'r-1', route: 'list-rows', method: 'GET', status: 500 }],
    ]);
    expect(JSON.stringify(lines)).not.toContain('secret');
  });
});
