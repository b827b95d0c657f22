/**
 * `npm run build`, then `node bench/large-table.ts [--rows 1000000] [--out-rows 5000000] [URL…]`: a large
 * table through a running studio, out and in again, as CSV and JSON. Reports the most memory that the
 * server and its children held together, and how long `/config` took to answer meanwhile. Without a
 * URL: a SQLite file of its own. The tables `export_events` and `import_events` are made anew.
 */
import {
  createWriteStream,
  mkdtempSync,
  openAsBlob,
  readFileSync,
  readdirSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eventTable, makeEvents } from './event-table.ts';
import { startStudio } from './servers.ts';
import type { RunningServer } from './servers.ts';
import { openDatabase } from '../test/databases/registered-databases.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '1000000' },
    /** For a table that only goes out; 0 leaves it away. */
    'out-rows': { type: 'string', default: '0' },
  },
});

const target = 'import_events';
const folder = mkdtempSync(join(tmpdir(), 'studio-flat-'));
const targets = positionals.length === 0 ? [join(folder, 'flat.db')] : positionals;

function status(pid: number, name: string, entry: RegExp): number {
  try {
    return Number(entry.exec(readFileSync(`/proc/${pid}/${name}`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** A process and all that it has started. */
function family(pid: number): readonly number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean),
    );
    return [pid, ...children.map(Number).flatMap(family)];
  } catch {
    return [pid];
  }
}

interface Watch {
  stop(): Promise<{ readonly rssMb: number; readonly pssMb: number; readonly configMs: number }>;
}

const lookMs = 50;

/** Memory and answers while something goes on. PSS counts what processes share once. */
function watch({ pid, port }: RunningServer): Watch {
  let [rssMb, pssMb, configMs] = [0, 0, 0];
  let isOver = false;
  const look = async (): Promise<void> => {
    while (!isOver) {
      const pids = family(pid);
      const sum = (name: string, entry: RegExp): number =>
        pids.reduce((total, each) => total + status(each, name, entry), 0);
      rssMb = Math.max(rssMb, sum('status', /VmRSS:\s+(\d+)/));
      pssMb = Math.max(pssMb, sum('smaps_rollup', /Pss:\s+(\d+)/));
      const start = performance.now();
      await (await fetch(`http://127.0.0.1:${port}/studio/api/config`)).text();
      configMs = Math.max(configMs, performance.now() - start);
      await sleep(lookMs);
    }
  };
  const looking = look();
  return {
    stop: async () => {
      isOver = true;
      await looking;
      return { rssMb, pssMb, configMs };
    },
  };
}

async function measured(
  title: string,
  server: RunningServer,
  work: () => Promise<void>,
): Promise<void> {
  const watching = watch(server);
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  const { rssMb, pssMb, configMs } = await watching.stop();
  console.log(
    `${title}: ${seconds.toFixed(1)} s; server and children at most ${rssMb.toFixed(0)} MB RSS, ` +
      `${pssMb.toFixed(0)} MB PSS; /config in ${configMs.toFixed(0)} ms at most`,
  );
}

async function download({ port }: RunningServer, format: string, to: Writable): Promise<void> {
  const url = `http://127.0.0.1:${port}/studio/api/tables/${eventTable}/export?format=${format}`;
  const { body, status: code } = await fetch(url);
  if (code !== 200 || body === null) throw new Error(`The export was answered with ${code}.`);
  await pipeline(Readable.fromWeb(body), to);
}

async function upload({ port }: RunningServer, path: string, rows: number): Promise<void> {
  const form = new FormData();
  form.append('file', await openAsBlob(path), path);
  const response = await fetch(
    `http://127.0.0.1:${port}/studio/api/import/data?table=${target}&mode=replace`,
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
  await makeEvents(database, rows);
  await makeEvents(database, 0, target);
  await database.close();
  return database.dialect.name;
}

async function measure(url: string): Promise<void> {
  const rows = Number(values.rows);
  const name = await fill(url, rows);
  for (const format of ['csv', 'json']) {
    const path = join(folder, `events.${format}`);
    const server = await startStudio(url, {});
    await measured(`${name} ${format} out`, server, () =>
      download(server, format, createWriteStream(path)),
    );
    await measured(`${name} ${format} in`, server, () => upload(server, path, rows));
    await server.stop();
  }
  const outRows = Number(values['out-rows']);
  if (outRows > 0) await measureOut(url, outRows);
}

async function measureOut(url: string, rows: number): Promise<void> {
  const name = await fill(url, rows);
  const nowhere = (): Writable => new Writable({ write: (_chunk, _encoding, done) => done() });
  for (const format of ['csv', 'json']) {
    const server = await startStudio(url, {});
    await measured(`${name} ${format} out, ${rows} rows`, server, () =>
      download(server, format, nowhere()),
    );
    await server.stop();
  }
}

try {
  for (const url of targets) await measure(url);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
