/**
 * `npm run build`, then `node bench/diagrams.ts`: how long diagrams of 60, 150 and 500 tables take from the request
 * to the last byte, the first time and again, and how much memory their process takes at most.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import type * as Package from '../src/index.ts';
import type { DiagramFormat } from '../src/studio/export/diagram-input.ts';
import { generatedSchema } from '../test/diagram/schemas.ts';

/** The built package. Running the sources would add the time that Node needs to strip their types. */
const builtModule = new URL('../dist/index.js', import.meta.url).href;
const { createStudio } = (await import(builtModule)) as typeof Package;

const sizes = [60, 150, 500];
const formats: readonly DiagramFormat[] = ['svg', 'png', 'pdf'];
const folder = mkdtempSync(join(tmpdir(), 'diagrams-'));

function makeDatabase(tables: number): string {
  const path = join(folder, `${tables}.db`);
  const database = new BetterSqlite3(path);
  for (const table of generatedSchema({ tables }).tables) {
    const columns = table.columns.map(
      ({ name, nativeType, nullable }) => `"${name}" ${nativeType}${nullable ? '' : ' NOT NULL'}`,
    );
    const keys = table.foreignKeys.map(
      (key) => `FOREIGN KEY ("${key.columns[0]}") REFERENCES "${key.table}" ("id")`,
    );
    const definitions = [...columns, 'PRIMARY KEY ("id")', ...keys];
    database.exec(`CREATE TABLE "${table.name}" (${definitions.join(', ')})`);
  }
  database.close();
  return path;
}

interface DiagramTiming {
  readonly ms: number;
  readonly bytes: number;
}

async function requestDiagram(
  studio: Package.EmbeddedStudio,
  format: DiagramFormat,
): Promise<DiagramTiming> {
  const start = performance.now();
  const request = new Request(`http://localhost/studio/api/export/schema?format=${format}`);
  const response = await studio.fetch(request);
  if (!response.ok) throw new Error(await response.text());
  const { byteLength } = await response.arrayBuffer();
  return { ms: Math.round(performance.now() - start), bytes: byteLength };
}

/** Samples the peak resident memory of the largest child process, on Linux. Elsewhere it is 0. */
function trackPeakMemory(): () => number {
  let peakMb = 0;
  const sample = (): void => {
    for (const pid of childrenOf(process.pid)) peakMb = Math.max(peakMb, residentMb(pid));
  };
  const timer = setInterval(sample, 20);
  return () => {
    clearInterval(timer);
    return peakMb;
  };
}

function childrenOf(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
  } catch {
    return [];
  }
}

function residentMb(pid: string): number {
  try {
    const [, kilobytes = '0'] =
      /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Math.round(Number(kilobytes) / 1024);
  } catch {
    return 0;
  }
}

const [load = 0] = loadavg();
process.stdout.write(`Load average ${load.toFixed(1)} on ${availableParallelism()} processors.\n`);
process.stdout.write(
  '| Tables | Format | First, ms | Again, ms | KB | Most MB |\n| --- | --- | --- | --- | --- | --- |\n',
);
for (const tables of sizes) {
  const studio = await createStudio({ url: makeDatabase(tables), readOnly: true });
  await studio.fetch(new Request('http://localhost/studio/api/schema'));
  for (const format of formats) {
    const stopTracking = trackPeakMemory();
    const first = await requestDiagram(studio, format);
    const memory = stopTracking();
    // Lets the process of the job become ready for the next job.
    await setTimeout(100);
    const again = await requestDiagram(studio, format);
    const kilobytes = Math.round(first.bytes / 1000);
    process.stdout.write(
      `| ${tables} | ${format} | ${first.ms} | ${again.ms} | ${kilobytes} | ${memory} |\n`,
    );
  }
  await studio.close();
}
rmSync(folder, { recursive: true });
