/**
 * `node bench/exporting.ts [--rows 1000000] [--rounds 3] [URL…]`: exports a table
 * with a job of the studio and with the client of the database (`sqlite3`, `psql`, `mariadb`), alternately.
 * Without a URL, creates a SQLite file. Replaces the table `export_events`.
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
import { eventColumns, eventTable as table, createEventTable } from './event-table.ts';
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

const selectAll = `SELECT * FROM ${table}`;
const jsonMembers = eventColumns.map((column) => `'${column}', ${column}`).join(', ');

/** Commands of the database's own client, by database and format. */
const nativeCommands: Readonly<Record<string, Readonly<Record<string, (url: string) => Command>>>> =
  {
    sqlite: {
      csv: (path) => ['sqlite3', '-csv', '-header', path, selectAll],
      json: (path) => ['sqlite3', '-json', path, selectAll],
    },
    postgres: {
      csv: (url) => [
        'psql',
        '-q',
        url,
        '-c',
        `\\copy (${selectAll}) TO STDOUT WITH (FORMAT csv, HEADER)`,
      ],
      json: (url) => [
        'psql',
        '-qAt',
        url,
        '-c',
        `\\copy (SELECT row_to_json(e) FROM ${table} e) TO STDOUT`,
      ],
    },
    mysql: {
      csv: (url) => mariadb(url, selectAll),
      json: (url) => mariadb(url, `SELECT JSON_OBJECT(${jsonMembers}) FROM ${table}`),
    },
  };

interface Run {
  readonly seconds: number;
  readonly bytes: number;
  readonly firstByteMs: number;
  readonly peakMb: number;
}

interface ByteCount {
  bytes: number;
  firstByteMs: number;
}

function countingSink(start: number): { readonly count: ByteCount; readonly sink: Writable } {
  const count = { bytes: 0, firstByteMs: 0 };
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (count.bytes === 0) count.firstByteMs = performance.now() - start;
      count.bytes += chunk.length;
      done();
    },
  });
  return { count, sink };
}

async function runNative([command, ...args]: Command): Promise<Run> {
  const start = performance.now();
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const { count, sink } = countingSink(start);
  const [[code]] = await Promise.all([once(child, 'exit'), pipeline(child.stdout, sink)]);
  if (code !== 0) throw new Error(`${command} failed.`);
  return { ...count, seconds: (performance.now() - start) / 1000, peakMb: 0 };
}

async function runStudio(studio: Studio, format: string): Promise<Run> {
  const start = performance.now();
  const { count, sink } = countingSink(start);
  const tracking = trackPeakMemory();
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
  return { ...count, seconds: (performance.now() - start) / 1000, peakMb: tracking.stop() };
}

/** Samples the peak resident memory of the largest child process, on Linux. Elsewhere it is 0. */
function trackPeakMemory(): { stop(): number } {
  let peakMb = 0;
  const sample = (): void => {
    for (const pid of read(`/proc/self/task/${process.pid}/children`).split(' ')) {
      const peakKb = /VmHWM:\s+(\d+)/.exec(pid === '' ? '' : read(`/proc/${pid}/status`));
      peakMb = Math.max(peakMb, Number(peakKb?.[1] ?? 0) / 1024);
    }
  };
  const timer = setInterval(sample, 50);
  return {
    stop: () => {
      clearInterval(timer);
      return peakMb;
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
  await createEventTable(database, rowCount);
  // Servers do this by themselves within a minute. Without statistics, PostgreSQL sorts before its first row.
  const analyze = name === 'mysql' ? `ANALYZE TABLE ${table}` : `ANALYZE ${table}`;
  await database.run({ text: analyze, params: [] });
  await database.close();
  const studio = await createStudio({ url });
  try {
    for (const format of ['csv', 'json']) {
      const command = nativeCommands[name]?.[format];
      if (command === undefined)
        throw new Error(`There is no client command for ${name} and ${format}.`);
      await compare(
        `${name} ${format}`,
        () => runNative(command(url)),
        () => runStudio(studio, format),
      );
    }
    for (const format of ['ndjson', 'sql', 'xlsx'])
      printComparison(`${name} ${format}`, [await runStudio(studio, format)], []);
  } finally {
    await studio.close();
  }
}

async function compare(
  title: string,
  runClient: () => Promise<Run>,
  runJob: () => Promise<Run>,
): Promise<void> {
  const [clientRuns, studioRuns]: [Run[], Run[]] = [[], []];
  for (let round = 0; round < Number(values.rounds); round++) {
    clientRuns.push(await runClient());
    studioRuns.push(await runJob());
  }
  printComparison(title, studioRuns, clientRuns);
}

function printComparison(
  title: string,
  studioRuns: readonly Run[],
  clientRuns: readonly Run[],
): void {
  const medianOf = (runs: readonly Run[], member: keyof Run): number =>
    median(runs.map((run) => run[member]));
  const seconds = medianOf(studioRuns, 'seconds');
  const ratios = clientRuns.map((run, i) => run.seconds / (studioRuns[i]?.seconds ?? Infinity));
  const ratio =
    clientRuns.length === 0
      ? ''
      : `, ${median(ratios).toFixed(2)} of the speed of the database client (${medianOf(clientRuns, 'seconds').toFixed(1)} s)`;
  console.log(
    `${title}: ${seconds.toFixed(1)} s, ${(medianOf(studioRuns, 'bytes') / 1e6 / seconds).toFixed(0)} MB/s${ratio}; ` +
      `first byte ${medianOf(studioRuns, 'firstByteMs').toFixed(0)} ms, peak of the job ${medianOf(studioRuns, 'peakMb').toFixed(0)} MB`,
  );
}

const folder = mkdtempSync(join(tmpdir(), 'studio-exporting-'));
try {
  const urls = positionals.length === 0 ? [join(folder, 'exporting.db')] : positionals;
  for (const url of urls) await measure(url);
  console.log(
    `Peak of the process that started the jobs: ${(process.resourceUsage().maxRSS / 1024).toFixed(0)} MB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
