/** Exports that run in the process of the test. */
import { Writable } from 'node:stream';
import { callbackify } from 'node:util';
import { exportData } from '../../src/studio/export/export-data.ts';
import { exportDump } from '../../src/studio/export/export-dump.ts';
import { exportTable } from '../../src/studio/export/export-table.ts';
import { findCachedTables } from '../../src/studio/core/cached-tables.ts';
import { createContext } from '../../src/studio/core/create-context.ts';
import { listDefaults } from './kit/harness.ts';
import type { Schema } from '../../src/model/schema.ts';
import type { ExportDataInput } from '../../src/studio/export/export-data.ts';
import type { ExportDumpInput } from '../../src/studio/export/export-dump.ts';
import type { ExportTableInput } from '../../src/studio/export/export-table.ts';
import type { FileHead, JobContext, JobOutput } from '../../src/studio/core/job.ts';
import type { ListQuery } from '../../src/studio/rows/read/page-plan.ts';
import { openDatabase } from './registered-databases.ts';

export interface Exported {
  readonly head: FileHead;
  readonly bytes: Buffer;
  readonly text: string;
  readonly rows: number;
}

type Perform = (context: JobContext, output: JobOutput) => Promise<{ readonly rows: number }>;

export function exportAll(
  url: string,
  input: ExportDataInput = {},
  onChunk?: OnChunk,
): Promise<Exported> {
  return collect(url, (context, output) => exportData(context, input, output), onChunk);
}

export function dumpOf(url: string, input: ExportDumpInput = {}): Promise<Exported> {
  return collect(url, (context, output) => exportDump(context, input, output));
}

export interface TableExport extends Omit<ExportTableInput, 'query'> {
  readonly query?: Partial<ListQuery>;
}

export function exportOne(url: string, input: TableExport): Promise<Exported> {
  const query = { ...listDefaults, ...input.query };
  return collect(url, (context, output) => exportTable(context, { ...input, query }, output));
}

/** Exports with a context that the test has changed, such as its cached tables or its database. */
export function exportOneFrom(
  url: string,
  input: TableExport,
  change: (context: JobContext) => JobContext,
): Promise<Exported> {
  const query = { ...listDefaults, ...input.query };
  return collect(url, (context, output) =>
    exportTable(change(context), { ...input, query }, output),
  );
}

export function exportAllFrom(
  url: string,
  input: ExportDataInput,
  change: (context: JobContext) => JobContext,
): Promise<Exported> {
  return collect(url, (context, output) => exportData(change(context), input, output));
}

/** The tables as a studio that has just been opened hands them to a job. */
export async function cachedTablesOf(
  url: string,
  tables: readonly string[],
): Promise<Schema | undefined> {
  const { context, close } = await open(url);
  try {
    const found = await findCachedTables(context, tables);
    return found && (JSON.parse(JSON.stringify(found)) as Schema);
  } finally {
    await close();
  }
}

/** Called before each chunk is consumed. The next chunk waits until it returns. */
type OnChunk = (chunk: Buffer) => Promise<void>;

/** Exports on one connection, which reads the structure once. For tests with many exports. */
export interface OpenExports {
  exportOne(input: TableExport): Promise<Exported>;
  close(): Promise<void>;
}

export async function openExports(url: string): Promise<OpenExports> {
  const opened = await open(url);
  return {
    exportOne: ({ query, ...input }) =>
      collectFrom(opened.context, (context, output) =>
        exportTable(context, { ...input, query: { ...listDefaults, ...query } }, output),
      ),
    close: opened.close,
  };
}

async function collect(url: string, perform: Perform, onChunk?: OnChunk): Promise<Exported> {
  const { context, close } = await open(url);
  try {
    return await collectFrom(context, perform, onChunk);
  } finally {
    await close();
  }
}

interface Opened {
  readonly context: JobContext;
  close(): Promise<void>;
}

async function open(url: string): Promise<Opened> {
  const target = { url, readOnly: true, create: false };
  const database = await openDatabase(target);
  const access = { readOnly: true, disableSql: false, allowDdl: false };
  const context: JobContext = {
    ...createContext(database, access),
    target,
    folder: '',
    maxUploadBytes: 0,
    fonts: [],
  };
  return { context, close: async () => database.close() };
}

async function collectFrom(
  context: JobContext,
  perform: Perform,
  onChunk?: OnChunk,
): Promise<Exported> {
  const chunks: Buffer[] = [];
  let head: FileHead | undefined;
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      if (onChunk === undefined) return done();
      callbackify(onChunk)(chunk, done);
    },
  });
  const output: JobOutput = { head: (received) => (head = received), stream, progress: () => {} };
  const { rows } = await perform(context, output);
  const bytes = Buffer.concat(chunks);
  return { head: head!, bytes, text: bytes.toString(), rows };
}
