/** `database-studio export …`: writes what the export endpoints send to a file or to stdout. */
import { open, rename, rm, stat } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDiagram } from '../contract/exports.ts';
import { tableExport } from '../http/list-query.ts';
import type { CommandContext } from './context.ts';
import { failed, wrongUsage } from './exit-error.ts';
import type { Invocation } from './parse.ts';
import { createProgressLine, rowsText, sizeText } from './progress-line.ts';
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
  const { out } = values;
  if (out === undefined && process.stdout.isTTY && isBinary(invocation))
    throw wrongUsage(
      'This format is binary. Write it to a file with --out, or redirect the output.',
    );
  const stop = new AbortController();
  void untilSignalled().then(() => stop.abort(failed('Interrupted.')));
  const stateDir = values['state-dir'] ?? defaultStateDir(process.platform, context.env);
  await withStudio(invocation, { readOnly: true, stateDir }, async (studio) => {
    const target = await openTarget(out);
    try {
      const file = await begin(studio, invocation, stop.signal);
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

function begin(studio: Studio, invocation: Invocation, signal: AbortSignal): Promise<OutgoingFile> {
  const { command, parameters } = invocation;
  if (command === 'export models') return fileOfOperation(studio, 'export-models', parameters);
  if (command === 'export dump')
    return fileOfJob(studio, { name: 'export-dump', input: parameters, signal });
  if (command === 'export data')
    return fileOfJob(studio, { name: 'export-data', input: parameters, signal });
  if (command === 'export schema') {
    return isDiagram(parameters['format'])
      ? fileOfJob(studio, { name: 'export-diagram', input: parameters, signal })
      : fileOfOperation(studio, 'export-schema', parameters);
  }
  return fileOfJob(studio, { name: 'export-table', input: tableInput(invocation), signal });
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

interface JobRequest {
  readonly name: JobName;
  readonly input: object;
  readonly signal: AbortSignal;
}

async function fileOfJob(
  studio: Studio,
  { name, input, signal }: JobRequest,
): Promise<OutgoingFile> {
  const line = createProgressLine(process.stderr);
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

/** A file under a temporary name until it is complete. */
interface Target {
  readonly bytes: Writable;
  /** Gives the complete file its name. */
  complete(): Promise<void>;
  /** Removes an incomplete file. */
  remove(): Promise<void>;
}

/** Opens the file before the export starts, so that nothing is read if the file cannot be written. */
async function openTarget(out: string | undefined): Promise<Target | undefined> {
  if (out === undefined || out === '-') return undefined;
  const partial = `${out}.${process.pid}.part`;
  try {
    const bytes = (await open(partial, 'w')).createWriteStream();
    const remove = async (): Promise<void> => {
      bytes.destroy();
      await rm(partial, { force: true });
    };
    return { bytes, complete: () => rename(partial, out), remove };
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    const reason = code === 'ENOENT' ? 'its folder does not exist' : code;
    throw failed(`--out: ${out} cannot be written: ${reason}.`);
  }
}

async function save({ bytes, done }: OutgoingFile, target: Target | undefined): Promise<void> {
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
