/**
 * `npm run build`, then `node bench/narrow-table.ts URL [--server-pid PID] [--rows 100000000]`: what a studio at a
 * table of very many narrow rows costs. Needs the table `narrow (id bigint PRIMARY KEY, n int, t smallint)` with an
 * index of n, the ids from 1 on, about a hundred values of t, and one row with t = -1. Prints the processor time of
 * the studio with its children, and of the database's server, of which PID is the first process.
 */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { processTree } from './process-tree.ts';
import { startStudio } from './servers.ts';
import type { RunningServer } from './servers.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'server-pid': { type: 'string' },
    rows: { type: 'string', default: '100000000' },
    'export-rows': { type: 'string', default: '10000000' },
    'import-rows': { type: 'string', default: '1000000' },
  },
});
const [url = ''] = positionals;
const rows = Number(values.rows);
const serverPid = values['server-pid'] === undefined ? undefined : Number(values['server-pid']);
const ticksPerSecond = 100;

/** Of a process and its descendants, also of those that have ended. */
function cpuSeconds(pid: number): number {
  const ticks = processTree(pid).map((each) => {
    try {
      const fields = readFileSync(`/proc/${each}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ');
      return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    } catch {
      return 0;
    }
  });
  return ticks.reduce((sum, each) => sum + each, 0) / ticksPerSecond;
}

/** Memory of a process and its descendants, pages that they share counted once. */
function memoryMb(pid: number): number {
  const kilobytes = processTree(pid).map((each) => {
    try {
      const text = readFileSync(`/proc/${each}/smaps_rollup`, 'utf8');
      return Number(/^Pss:\s+(\d+)/m.exec(text)?.[1] ?? 0);
    } catch {
      return 0;
    }
  });
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

async function measure(
  title: string,
  { pid }: RunningServer,
  work: () => Promise<string>,
): Promise<void> {
  const memory: number[] = [];
  let isDone = false;
  const sampling = (async (): Promise<void> => {
    for (; !isDone; await sleep(200)) memory.push(memoryMb(pid));
  })();
  const [studioBefore, serverBefore] = [cpuSeconds(pid), cpuSeconds(serverPid ?? 0)];
  const startedAt = performance.now();
  const result = await work();
  const elapsed = (performance.now() - startedAt) / 1000;
  const studio = cpuSeconds(pid) - studioBefore;
  const server = serverPid === undefined ? 0 : cpuSeconds(serverPid) - serverBefore;
  isDone = true;
  await sampling;
  const quarter = Math.max(...memory.slice(0, Math.ceil(memory.length / 4)));
  console.log(
    `| ${title} | ${studio.toFixed(2)} | ${server.toFixed(2)} | ${quarter.toFixed(0)} → ${Math.max(...memory).toFixed(0)} | ${result} | ${elapsed.toFixed(1)} |`,
  );
}

type Body = Readonly<Record<string, unknown>>;

async function ask(
  { port }: RunningServer,
  path: string,
  init: RequestInit = {},
): Promise<readonly [summary: string, body: Body]> {
  const response = await fetch(`http://127.0.0.1:${port}/studio/api${path}`, init);
  const text = await response.text();
  const body = JSON.parse(text) as Body;
  const { total, total_exact: exact, error, data } = body;
  const first = Array.isArray(data) ? `${data.length} rows from ${JSON.stringify(data[0])}` : '';
  const found =
    total === undefined ? '' : `, total ${String(total)}${exact === false ? ' (estimated)' : ''}`;
  return [`${response.status} ${String(error ?? first)}${found}`, body];
}

const list = '/tables/narrow/rows';
const deepPage = Math.floor(rows / 100);

async function measureReads(studio: RunningServer): Promise<void> {
  const get = (title: string, path: string): Promise<void> =>
    measure(title, studio, async () => (await ask(studio, path))[0]);
  await get('structure', '/schema');
  await get('first page', list);
  await get('first page again', list);
  await get('first page, counted exactly', `${list}?count=exact`);
  await get(`page ${deepPage} by its number`, `${list}?page=${deepPage}`);
  const after = `filter_id__gt=${Math.floor(rows / 2)}`;
  let cursor = '';
  await measure('rows of the second half', studio, async () => {
    const [summary, body] = await ask(studio, `${list}?${after}`);
    cursor = String(body['next_cursor']);
    return summary;
  });
  await get('the page after it by its cursor', `${list}?${after}&cursor=${cursor}`);
  await get('last page by its number', `${list}?page=${Math.ceil(rows / 50)}`);
  await get('last page: descending by key', `${list}?sort_by=id&sort_order=desc`);
  await get('filter by an indexed column', `${list}?filter_n=12345`);
  await get('filter by a column without index, 1 % of the rows', `${list}?filter_t=5`);
  await get('filter by a column without index, one row', `${list}?filter_t=-1`);
  await get('sorted by an indexed column', `${list}?sort_by=n`);
  await get('sorted by a column without index', `${list}?sort_by=t`);
  await get('search in all columns', `${list}?search=99999`);
  await get('a row by its key', `${list}/${deepPage}`);
}

async function measureWrites(studio: RunningServer): Promise<void> {
  const headers = { 'Content-Type': 'application/json' };
  const body = JSON.stringify({ n: 1 });
  await measure('a row changed', studio, async () => {
    const [summary] = await ask(studio, `${list}/7`, { method: 'PUT', headers, body });
    return summary;
  });
  const exported = Number(values['export-rows']);
  const path = `/tables/narrow/export?format=csv&filter_id__lte=${exported}`;
  await measure(`export of ${exported} rows as CSV`, studio, async () => {
    const response = await fetch(`http://127.0.0.1:${studio.port}/studio/api${path}`);
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.length;
    return `${response.status}, ${(bytes / 2 ** 20).toFixed(0)} MB`;
  });
  const imported = Number(values['import-rows']);
  await measure(`import of ${imported} rows of CSV`, studio, async () => {
    const lines = Array.from({ length: imported }, (_, i) => `${rows + 1 + i},${i},${i % 97}`);
    const form = new FormData();
    form.append('file', new Blob([`id,n,t\n${lines.join('\n')}\n`]), 'narrow.csv');
    const init = { method: 'POST', body: form };
    const [summary, reply] = await ask(studio, '/import/data?table=narrow', init);
    return `${summary} ${JSON.stringify(reply['rows_imported'] ?? '')}`;
  });
}

const studio = await startStudio(url, {});
try {
  console.log('| Request | Studio, s | Server, s | Memory, MB | Response | Elapsed, s |');
  console.log('| --- | ---: | ---: | ---: | --- | ---: |');
  await measureReads(studio);
  await measureWrites(studio);
} finally {
  await studio.stop();
}
