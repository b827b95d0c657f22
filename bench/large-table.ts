/**
 * `npm run build`, then `node bench/large-table.ts [--rows 1000000] [--out-rows 5000000] [URL…]`: exports a
 * large table from a running studio and imports it again, as CSV and as JSON. Reports the peak memory of
 * the server and its children together, and the slowest response of `/config` meanwhile. Without a URL,
 * creates a SQLite file. Replaces the tables `export_events` and `import_events`.
 */
import { createWriteStream, mkdtempSync, openAsBlob, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eventTable, createEventTable } from './event-table.ts';
import { processTree } from './process-tree.ts';
import { startStudio } from './servers.ts';
import type { RunningServer } from './servers.ts';
import { openDatabase } from '../test/databases/registered-databases.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    /** Rows of a table that is only exported; 0 skips it. */
    'out-rows': { type: 'string', default: '0' },
  },
});

const importTable = 'import_events';
const folder = mkdtempSync(join(tmpdir(), 'studio-large-table-'));
const urls = positionals.length === 0 ? [join(folder, 'large-table.db')] : positionals;

/** Reads a number of kB from a file of `/proc/PID`, and returns it in MB. */
function procMegabytes(pid: number, name: string, pattern: RegExp): number {
  try {
    return Number(pattern.exec(readFileSync(`/proc/${pid}/${name}`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

interface Monitor {
  stop(): Promise<{ readonly rssMb: number; readonly pssMb: number; readonly configMs: number }>;
}

const sampleIntervalMs = 50;

/**
 * Samples memory and response times until it is stopped. RSS counts pages that processes share once for
 * each process, PSS counts them once.
 */
function startMonitor({ pid, port }: RunningServer): Monitor {
  let [rssMb, pssMb, configMs] = [0, 0, 0];
  let isStopped = false;
  const sample = async (): Promise<void> => {
    while (!isStopped) {
      const pids = processTree(pid);
      const sum = (name: string, pattern: RegExp): number =>
        pids.reduce((total, each) => total + procMegabytes(each, name, pattern), 0);
      rssMb = Math.max(rssMb, sum('status', /VmRSS:\s+(\d+)/));
      pssMb = Math.max(pssMb, sum('smaps_rollup', /Pss:\s+(\d+)/));
      const start = performance.now();
      await (await fetch(`http://127.0.0.1:${port}/studio/api/config`)).text();
      configMs = Math.max(configMs, performance.now() - start);
      await sleep(sampleIntervalMs);
    }
  };
  const sampling = sample();
  return {
    stop: async () => {
      isStopped = true;
      await sampling;
      return { rssMb, pssMb, configMs };
    },
  };
}

async function measureWhile(
  title: string,
  server: RunningServer,
  work: () => Promise<void>,
): Promise<void> {
  const monitor = startMonitor(server);
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { rssMb, pssMb, configMs } = await monitor.stop();
  console.log(
    `${title}: ${seconds.toFixed(1)} s; server and children at most ${rssMb.toFixed(0)} MB RSS, ` +
      `${pssMb.toFixed(0)} MB PSS; /config in ${configMs.toFixed(0)} ms at most`,
  );
}

async function download({ port }: RunningServer, format: string, to: Writable): Promise<void> {
  const url = `http://127.0.0.1:${port}/studio/api/tables/${eventTable}/export?format=${format}`;
  const { body, status } = await fetch(url);
  if (status !== 200 || body === null)
    throw new Error(`The export responded with status ${status}.`);
  await pipeline(Readable.fromWeb(body), to);
}

async function upload({ port }: RunningServer, path: string, rows: number): Promise<void> {
  const form = new FormData();
  form.append('file', await openAsBlob(path), path);
  const response = await fetch(
    `http://127.0.0.1:${port}/studio/api/import/data?table=${importTable}&mode=replace`,
    { method: 'POST', body: form },
  );
  const { rows_imported: imported, error } = (await response.json()) as {
    readonly rows_imported?: number;
    readonly error?: string;
  };
  if (imported !== rows) throw new Error(error ?? `${imported} rows were imported, not ${rows}.`);
}

async function fill(url: string, rows: number): Promise<string> {
  const database = await openDatabase({ url, readOnly: false, create: true });
  await createEventTable(database, rows);
  await createEventTable(database, 0, importTable);
  await database.close();
  return database.dialect.name;
}

async function measure(url: string): Promise<void> {
  const rows = Number(values.rows);
  const name = await fill(url, rows);
  for (const format of ['csv', 'json']) {
    const path = join(folder, `events.${format}`);
    const server = await startStudio(url, {});
    await measureWhile(`${name} ${format} export`, server, () =>
      download(server, format, createWriteStream(path)),
    );
    await measureWhile(`${name} ${format} import`, server, () => upload(server, path, rows));
    await server.stop();
  }
  const exportRows = Number(values['out-rows']);
  if (exportRows > 0) await measureExport(url, exportRows);
}

async function measureExport(url: string, rows: number): Promise<void> {
  const name = await fill(url, rows);
  const discard = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
  for (const format of ['csv', 'json']) {
    const server = await startStudio(url, {});
    await measureWhile(`${name} ${format} export, ${rows} rows`, server, () =>
      download(server, format, discard()),
    );
    await server.stop();
  }
}

try {
  for (const url of urls) await measure(url);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
