/**
 * `node bench/exporting.ts [--rows 1000000] [--rounds 3] [URL…]`: a table as a file, by a job of the
 * studio and by the database's own client (`sqlite3`, `psql`, `mariadb`), in turns. Without a URL: a
 * SQLite file of its own. The table `export_events` is made anew and dropped.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { createStudio } from '../src/studio/studio.ts';
import { eventColumns, eventTable as table, makeEvents } from './event-table.ts';
import { median } from './statistics.ts';
import type { Studio } from '../src/studio/studio.ts';
import { openDatabase } from '../test/databases/registered-databases.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
  },
});

const rowCount = Number(values.rows);
type Command = readonly [command: string, ...args: string[]];

function mariadb(url: string, query: string): Command {
  const { hostname, port, username, password, pathname } = new URL(url);
  const login = [`-h${hostname}`, `-P${port || 3306}`, `-u${username}`, `-p${password}`];
  return ['mariadb', '--batch', '--quick', ...login, pathname.slice(1), '-e', query];
}

const all = `SELECT * FROM ${table}`;
const object = eventColumns.map((column) => `'${column}', ${column}`).join(', ');

/** As the database's own client writes it. */
const native: Readonly<Record<string, Readonly<Record<string, (url: string) => Command>>>> = {
  sqlite: {
    csv: (path) => ['sqlite3', '-csv', '-header', path, all],
    json: (path) => ['sqlite3', '-json', path, all],
  },
  postgres: {
    csv: (url) => ['psql', '-q', url, '-c', `\\copy (${all}) TO STDOUT WITH (FORMAT csv, HEADER)`],
    json: (url) => [
      'psql',
      '-qAt',
      url,
      '-c',
      `\\copy (SELECT row_to_json(e) FROM ${table} e) TO STDOUT`,
    ],
  },
  mysql: {
    csv: (url) => mariadb(url, all),
    json: (url) => mariadb(url, `SELECT JSON_OBJECT(${object}) FROM ${table}`),
  },
};

interface Run {
  readonly seconds: number;
  readonly bytes: number;
  readonly firstByteMs: number;
  readonly peakMb: number;
}

interface Counted {
  bytes: number;
  firstByteMs: number;
}

function counter(start: number): { readonly counted: Counted; readonly sink: Writable } {
  const counted = { bytes: 0, firstByteMs: 0 };
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (counted.bytes === 0) counted.firstByteMs = performance.now() - start;
      counted.bytes += chunk.length;
      done();
    },
  });
  return { counted, sink };
}

async function runNative([command, ...args]: Command): Promise<Run> {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { counted, sink } = counter(start);
  const [[code]] = await Promise.all([once(child, 'exit'), pipeline(child.stdout, sink)]);
  if (code !== 0) throw new Error(`${command} failed.`);
  return { ...counted, seconds: (performance.now() - start) / 1000, peakMb: 0 };
}

async function runStudio(studio: Studio, format: string): Promise<Run> {
  const start = performance.now();
  const { counted, sink } = counter(start);
  const watch = watchChildren();
  const query = {
    page: 1,
    pageSize: 1,
    sort: [],
    showDeleted: true,
    filters: [],
    count: 'none',
    etags: false,
    labels: false,
    cells: 'full',
  };
  const job = await studio.start('export-table', { table, format, query });
  await pipeline(job.output, sink);
  await job.result;
  return { ...counted, seconds: (performance.now() - start) / 1000, peakMb: watch.stop() };
}

/** The most memory that one child of this process has held, where the system tells (Linux). */
function watchChildren(): { stop(): number } {
  let most = 0;
  const look = (): void => {
    for (const pid of read(`/proc/self/task/${process.pid}/children`).split(' ')) {
      const peak = /VmHWM:\s+(\d+)/.exec(pid === '' ? '' : read(`/proc/${pid}/status`));
      most = Math.max(most, Number(peak?.[1] ?? 0) / 1024);
    }
  };
  const timer = setInterval(look, 50);
  return {
    stop: () => {
      clearInterval(timer);
      return most;
    },
  };
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return '';
  }
}

async function measure(url: string): Promise<void> {
  const database = await openDatabase({ url, readOnly: false, create: true });
  const { name } = database.dialect;
  await makeEvents(database, rowCount);
  await database.close();
  const studio = await createStudio({ url });
  try {
    for (const format of ['csv', 'json']) {
      const command = native[name]?.[format];
      if (command === undefined) throw new Error(`No client of ${name} is known here.`);
      await compare(
        `${name} ${format}`,
        () => runNative(command(url)),
        () => runStudio(studio, format),
      );
    }
    for (const format of ['ndjson', 'sql', 'xlsx'])
      report(`${name} ${format}`, [await runStudio(studio, format)], []);
  } finally {
    await studio.close();
  }
}

async function compare(
  title: string,
  byHand: () => Promise<Run>,
  ours: () => Promise<Run>,
): Promise<void> {
  const [natives, studios]: [Run[], Run[]] = [[], []];
  for (let round = 0; round < Number(values.rounds); round++) {
    natives.push(await byHand());
    studios.push(await ours());
  }
  report(title, studios, natives);
}

function report(title: string, studios: readonly Run[], natives: readonly Run[]): void {
  const typical = (runs: readonly Run[], what: keyof Run): number =>
    median(runs.map((run) => run[what]));
  const seconds = typical(studios, 'seconds');
  const ratios = natives.map((run, i) => run.seconds / (studios[i]?.seconds ?? Infinity));
  const ratio =
    natives.length === 0
      ? ''
      : `, ${median(ratios).toFixed(2)} of the speed of its own client (${typical(natives, 'seconds').toFixed(1)} s)`;
  console.log(
    `${title}: ${seconds.toFixed(1)} s, ${(typical(studios, 'bytes') / 1e6 / seconds).toFixed(0)} MB/s${ratio}; ` +
      `first byte ${typical(studios, 'firstByteMs').toFixed(0)} ms, peak of the job ${typical(studios, 'peakMb').toFixed(0)} MB`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'studio-exporting-'));
try {
  const targets = positionals.length === 0 ? [join(folder, 'exporting.db')] : positionals;
  for (const url of targets) await measure(url);
  console.log(
    `Peak of the process that started the jobs: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
