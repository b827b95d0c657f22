/**
 * `npm run build`, then `node bench/workbooks.ts --exceljs FOLDER [--rows 200000] [--rounds 3]`: writes the rows of an
 * SQLite table to a workbook and loads them from it again, with the command of the studio and with a script of the
 * streaming writer and reader of exceljs, alternately. The folder has exceljs and better-sqlite3 in node_modules.
 * Prints seconds, processor time and peak memory of the process with its children. Needs Linux.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createEventTable, eventTable } from './event-table.ts';
import { median } from './statistics.ts';
import { openDatabase } from '../test/databases/registered-databases.ts';

const { values } = parseArgs({
  options: {
    exceljs: { type: 'string', default: '' },
    rows: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
  },
});
if (values.exceljs === '')
  throw new Error(
    '--exceljs FOLDER names a folder in which exceljs and better-sqlite3 are installed.',
  );

const rowCount = Number(values.rows);
const folder = mkdtempSync(join(tmpdir(), 'studio-workbooks-'));
const file = join(folder, 'events.db');
const target = { url: file, readOnly: false, create: true };
const studio = join(import.meta.dirname, '..', 'bin', 'database-studio.js');
const script = join(import.meta.dirname, 'exceljs-script.cjs');

interface Run {
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakMb: number;
}

type Work = 'export' | 'import';

function commandOf(name: 'studio' | 'exceljs', work: Work, workbook: string): readonly string[] {
  if (name === 'exceljs') return [script, values.exceljs, work, file, eventTable, workbook];
  return work === 'export'
    ? [
        studio,
        'export',
        'data',
        file,
        '--tables',
        eventTable,
        '--format',
        'xlsx',
        '--out',
        workbook,
      ]
    : [studio, 'import', 'data', file, workbook, '--table', eventTable];
}

/** Runs a program with Node to its end. */
async function run(args: readonly string[]): Promise<Run> {
  const start = performance.now();
  const processorStart = childSeconds();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  let peakMb = 0;
  const timer = setInterval(() => (peakMb = Math.max(peakMb, treeMb(child.pid!))), 100);
  const [code] = (await once(child, 'exit')) as [number];
  clearInterval(timer);
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${errors}`);
  const seconds = (performance.now() - start) / 1000;
  return { seconds, processorSeconds: childSeconds() - processorStart, peakMb };
}

const ticksPerSecond = 100;

/** Processor time of the children that have ended, with that of their children. */
function childSeconds(): number {
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) / ticksPerSecond;
}

/** Resident memory of a process and its children. */
function treeMb(pid: number): number {
  const kb = Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${pid}/status`))?.[1] ?? 0);
  const children = read(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean);
  return children.reduce((sum, child) => sum + treeMb(Number(child)), kb / 1024);
}

/** Empty if the process has ended. */
function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

async function emptyTable(): Promise<void> {
  const database = await openDatabase(target);
  await database.run({ text: `DELETE FROM ${eventTable}`, params: [] });
  await database.close();
}

async function countRows(): Promise<number> {
  const database = await openDatabase(target);
  const { rows } = await database.run({ text: `SELECT count(*) FROM ${eventTable}`, params: [] });
  await database.close();
  return Number(rows[0]?.[0]);
}

function print(name: string, work: Work, runs: readonly Run[]): number {
  const seconds = median(runs.map((each) => each.seconds));
  const processor = median(runs.map((each) => each.processorSeconds));
  const peak = Math.max(...runs.map(({ peakMb }) => peakMb));
  process.stdout.write(
    `${work} ${name}: ${seconds.toFixed(1)} s, ${processor.toFixed(1)} s of processor time, ${peak.toFixed(0)} MB, ${Math.round(rowCount / seconds)} rows/s\n`,
  );
  return seconds;
}

const names = ['studio', 'exceljs'] as const;

try {
  const database = await openDatabase(target);
  await createEventTable(database, rowCount);
  await database.close();
  for (const work of ['export', 'import'] as const) {
    const runs = { studio: [] as Run[], exceljs: [] as Run[] };
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const name of names) {
        if (work === 'import') await emptyTable();
        // The studio's own workbook is imported by both.
        const workbook = join(folder, work === 'import' ? 'studio.xlsx' : `${name}.xlsx`);
        runs[name].push(await run(commandOf(name, work, workbook)));
        if ((await countRows()) !== rowCount) throw new Error(`${name} lost rows.`);
      }
    }
    const [own, other] = names.map((name) => print(name, work, runs[name]));
    process.stdout.write(`${work}: ${(other! / own!).toFixed(2)} times as fast as exceljs\n`);
  }
  const sizes = names.map((name) => statSync(join(folder, `${name}.xlsx`)).size / 2 ** 20);
  process.stdout.write(`workbooks: ${sizes.map((size) => size.toFixed(1)).join(' and ')} MB\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
