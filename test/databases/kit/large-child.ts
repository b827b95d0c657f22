/**
 * `node large-child.ts out|in URL FILE`: exports the table `large` to a file, or imports a file
 * into it. Prints the response as JSON.
 */
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { Writable } from 'node:stream';
import { StudioError } from '../../../src/model/errors.ts';
import { createContext } from '../../../src/studio/core/create-context.ts';
import { exportTable } from '../../../src/studio/export/export-table.ts';
import { importData } from '../../../src/studio/import/import-data.ts';
import { tableExport } from '../../../src/http/list-query.ts';
import type { JobContext, JobOutput } from '../../../src/studio/core/job.ts';
import type { Capability } from '../../../src/model/capabilities.ts';
import { openDatabase } from '../registered-databases.ts';

const [direction = '', url = '', path = ''] = process.argv.slice(2);
const target = { url, readOnly: false, create: false };
const database = await openDatabase(target);
const folder = mkdtempSync(join(tmpdir(), 'studio-large-child-'));
const context: JobContext<Capability> = {
  ...createContext(database, { readOnly: false, disableSql: false, allowDdl: false }),
  target,
  folder,
  fonts: [],
  maxUploadBytes: 2 ** 30,
};

function outputTo(stream: Writable): JobOutput {
  return { head: () => undefined, stream, progress: () => undefined };
}

function exportLarge(): Promise<unknown> {
  const input = { table: 'large', ...tableExport({}, []), format: extname(path).slice(1) };
  return exportTable(context, input, outputTo(createWriteStream(path)));
}

function importLarge(): Promise<unknown> {
  const file = { name: basename(path), path, bytes: statSync(path).size };
  const input = { table: 'large', upload: { files: [file], fields: {} } };
  return importData(context, input, outputTo(new Writable()));
}

try {
  const response = await (direction === 'out' ? exportLarge() : importLarge());
  process.stdout.write(JSON.stringify(response));
} catch (error) {
  if (!(error instanceof StudioError)) throw error;
  const { code, message, details } = error;
  process.stdout.write(JSON.stringify({ code, message, ...details }));
} finally {
  await database.close();
  rmSync(folder, { recursive: true });
}
