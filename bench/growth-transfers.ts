/** Growth of the time of exports and imports by rows and by the size of the file, beside the `sqlite3` client. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, mkdtempSync, openAsBlob, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import SqliteDatabase from 'better-sqlite3';
import { benchFolder } from './database.ts';
import { limitName, studioName } from './growth-curves.ts';
import type { GrowthCurve, GrowthPoint } from './growth-curves.ts';
import { fileOfRows } from './growth-databases.ts';
import type { GrowthSettings } from './growth-reads.ts';
import { startStudio } from './servers.ts';
import type { RunningServer } from './servers.ts';

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

async function runSqlite(args: readonly string[], out: Writable): Promise<void> {
  const child = spawn('sqlite3', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  await pipeline(child.stdout, out);
  const [status] = (await exited) as [number];
  if (status !== 0) throw new Error(`sqlite3 ${args.join(' ')} ended with ${status}.`);
}

function discard(): Writable {
  return new Writable({ write: (_chunk, _encoding, done) => done() });
}

async function download({ port }: RunningServer, out: Writable): Promise<void> {
  const path = '/studio/api/tables/events/export?format=csv';
  const { body, status } = await fetch(`http://127.0.0.1:${port}${path}`);
  if (status !== 200 || body === null) throw new Error(`The export responded with ${status}.`);
  await pipeline(Readable.fromWeb(body), out);
}

async function upload({ port }: RunningServer, path: string, rows: number): Promise<void> {
  const form = new FormData();
  form.append('file', await openAsBlob(path), 'events.csv');
  const response = await fetch(`http://127.0.0.1:${port}/studio/api/import/data?table=events`, {
    method: 'POST',
    body: form,
  });
  const body = (await response.json()) as { readonly rows_imported?: number; error?: string };
  if (body.rows_imported !== rows) throw new Error(body.error ?? `Imported ${body.rows_imported}.`);
}

/** An empty table `events` like that of another file, without its index. */
function makeEmptyFile(file: string, like: string): void {
  const source = new SqliteDatabase(like, { readonly: true });
  const sql = source.prepare("SELECT sql FROM sqlite_schema WHERE name = 'events'").pluck().get();
  source.close();
  const database = new SqliteDatabase(file);
  database.pragma('journal_mode = WAL');
  database.exec(String(sql));
  database.close();
}

interface Transfers {
  readonly exports: GrowthPoint[];
  readonly imports: GrowthPoint[];
}

async function measureSize(rows: number, folder: string, transfers: Transfers): Promise<void> {
  const source = fileOfRows(rows);
  const csv = join(folder, 'events.csv');
  const query = 'SELECT * FROM events';
  const studio = await startStudio(source, {});
  await download(studio, createWriteStream(csv));
  const exportCosts = new Map([
    [limitName, await secondsOf(() => runSqlite(['-csv', '-header', source, query], discard()))],
    [studioName, await secondsOf(() => download(studio, discard()))],
  ]);
  await studio.stop();
  transfers.exports.push({ size: rows, costs: exportCosts });

  const [clientFile, studioFile] = [join(folder, 'client.db'), join(folder, 'studio.db')];
  makeEmptyFile(clientFile, source);
  makeEmptyFile(studioFile, source);
  const load = ['-cmd', '.mode csv', clientFile, `.import --skip 1 ${csv} events`];
  const client = await secondsOf(() => runSqlite(load, discard()));
  const target = await startStudio(studioFile, {});
  const importSeconds = await secondsOf(() => upload(target, csv, rows));
  await target.stop();
  const costs = new Map([
    [limitName, client],
    [studioName, importSeconds],
  ]);
  transfers.imports.push({ size: statSync(csv).size, costs });
  process.stderr.write('.');
}

export async function measureGrowthOfTransfers({
  isSmall,
}: GrowthSettings): Promise<readonly GrowthCurve[]> {
  const transfers: Transfers = { exports: [], imports: [] };
  for (const rows of [1e4, 1e5, 1e6, ...(isSmall ? [] : [1e7])]) {
    const folder = mkdtempSync(join(benchFolder, 'growth-transfers-'));
    try {
      await measureSize(rows, folder, transfers);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
  return [
    { title: 'CSV export', dimension: 'rows', unit: 's', points: transfers.exports },
    { title: 'CSV import', dimension: 'bytes in the file', unit: 's', points: transfers.imports },
  ];
}
