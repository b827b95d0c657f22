/** `database-studio export …`: writes what the export endpoints send to a file or to stdout. */
import { stat } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDiagram } from '../contract/exports.ts';
import { tableExport } from '../http/list-query.ts';
import type { CommandContext } from './context.ts';
import { failed, wrongUsage } from './exit-error.ts';
import type { Invocation } from './parse.ts';
import { openOutputFile } from './output-file.ts';
import type { OutputFile } from './output-file.ts';
import type { ProgressLine } from './progress-line.ts';
import { createProgressLine, noProgressLine, rowsText, sizeText } from './progress-line.ts';
import { filtersOf } from './rows.ts';
import { untilSignalled } from './signals.ts';
import { defaultStateDir } from './state-dir.ts';
import { withStudio } from './with-studio.ts';
import type { OperationName } from '../studio/execution/operations.ts';
import type { JobName } from '../studio/core/job.ts';
import type { FileHead } from '../studio/core/job.ts';
import type { Studio } from '../studio/studio.ts';

/** An export that is being written. */
interface OutgoingFile {
  readonly bytes: Readable;
  /** Rejects if the file is incomplete. */
  readonly done: Promise<unknown>;
  readonly warnings: readonly string[];
}

export async function exportFile(invocation: Invocation, context: CommandContext): Promise<void> {
  const { values } = invocation;
  const out = values.out === '-' ? undefined : values.out;
  const showsFile = out === undefined && process.stdout.isTTY;
  if (showsFile && isBinary(invocation))
    throw wrongUsage(
      'This format is binary. Write it to a file with --out, or redirect the output.',
    );
  const stop = new AbortController();
  void untilSignalled().then(() => stop.abort(failed('Interrupted.')));
  const stateDir = values['state-dir'] ?? defaultStateDir(process.platform, context.env);
  await withStudio(invocation, { readOnly: true, stateDir }, async (studio) => {
    const target = out === undefined ? undefined : await openOutputFile({ flag: 'out', path: out });
    // The terminal that shows the file has no line to spare.
    const line = showsFile ? noProgressLine : createProgressLine(process.stderr);
    try {
      const file = await begin(studio, invocation, { signal: stop.signal, line });
      await save(file, target);
      // Not before, because the line of the progress is on the terminal until then.
      file.warnings.forEach(context.note);
      const files = filesOfArchive(invocation);
      if (files !== undefined && out !== undefined && !/\.zip$/i.test(out))
        context.note(`${out} is a zip archive with a ${files} file for each table.`);
      if (out !== undefined && target !== undefined && process.stderr.isTTY)
        process.stderr.write(await writtenText(out, file));
    } finally {
      await target?.remove();
    }
  });
}

const binaryFormats: ReadonlySet<unknown> = new Set(['xlsx', 'parquet', 'png', 'pdf']);

function isBinary(invocation: Invocation): boolean {
  return (
    binaryFormats.has(invocation.parameters['format']) || filesOfArchive(invocation) !== undefined
  );
}

/** The files of a zip archive: several tables in a format whose files have one. */
function filesOfArchive({ command, parameters }: Invocation): 'CSV' | 'Parquet' | undefined {
  if (command !== 'export data') return undefined;
  if (parameters['format'] === 'csv') return 'CSV';
  return parameters['format'] === 'parquet' ? 'Parquet' : undefined;
}

/** `users.csv: 1,200 rows, 83.0 kB`. A file of the structure has no rows. */
async function writtenText(out: string, { done }: OutgoingFile): Promise<string> {
  const { rows } = ((await done) ?? {}) as { readonly rows?: number };
  const { size } = await stat(out);
  const parts = [...(rows === undefined ? [] : [rowsText(rows)]), sizeText(size)];
  return `${out}: ${parts.join(', ')}\n`;
}

interface ExportRun {
  readonly signal: AbortSignal;
  readonly line: ProgressLine;
}

function begin(studio: Studio, invocation: Invocation, run: ExportRun): Promise<OutgoingFile> {
  const { command, parameters } = invocation;
  if (command === 'export models') return fileOfOperation(studio, 'export-models', parameters);
  if (command === 'export dump')
    return fileOfJob(studio, { name: 'export-dump', input: parameters, ...run });
  if (command === 'export data')
    return fileOfJob(studio, { name: 'export-data', input: parameters, ...run });
  if (command === 'export schema') {
    return isDiagram(parameters['format'])
      ? fileOfJob(studio, { name: 'export-diagram', input: parameters, ...run })
      : fileOfOperation(studio, 'export-schema', parameters);
  }
  return fileOfJob(studio, { name: 'export-table', input: tableInput(invocation), ...run });
}

function tableInput({ operands: [table], parameters, values }: Invocation): object {
  return { table, ...tableExport(parameters, filtersOf(values.filter)) };
}

async function fileOfOperation(
  studio: Studio,
  name: OperationName,
  input: object,
): Promise<OutgoingFile> {
  const { body, meta } = await studio.perform(name, input);
  return {
    bytes: Readable.from([body]),
    done: Promise.resolve(),
    warnings: meta.warnings ?? [],
  };
}

interface JobRequest extends ExportRun {
  readonly name: JobName;
  readonly input: object;
}

async function fileOfJob(
  studio: Studio,
  { name, input, signal, line }: JobRequest,
): Promise<OutgoingFile> {
  const job = await studio.start(name, input, { signal, onProgress: line.show });
  const head: FileHead = await job.head;
  return {
    bytes: job.output,
    done: job.result.finally(line.end),
    warnings: [
      ...(head.consistent === false
        ? ['The file is not a consistent snapshot: the database does not support snapshots.']
        : []),
      ...(head.warnings ?? []),
    ],
  };
}

async function save({ bytes, done }: OutgoingFile, target: OutputFile | undefined): Promise<void> {
  // If writing fails, the export fails too. Only the error of writing is reported.
  done.catch(() => {});
  if (target === undefined) {
    if (await pipeToOutput(bytes)) await done;
    return;
  }
  await pipeline(bytes, target.bytes);
  await done;
  await target.complete();
}

/** False if the reader has closed the pipe (`| head`), which ends the export without an error. */
async function pipeToOutput(bytes: Readable): Promise<boolean> {
  try {
    await pipeline(bytes, output());
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') return false;
    throw error;
  }
}

/** `pipeline` must not close stdout. */
function output(): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => void process.stdout.write(chunk, done),
  });
}
