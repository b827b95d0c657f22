/** `database-studio export …`: writes what the export endpoints send to a file or to stdout. */
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isDiagram } from '../contract/exports.ts';
import { wholeListQuery } from '../http/list-query.ts';
import type { CommandName } from './commands.ts';
import type { CommandContext } from './context.ts';
import { failed, wrongUsage } from './exit-error.ts';
import type { Invocation } from './parse.ts';
import { createProgressLine } from './progress-line.ts';
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
  const { values, parameters } = invocation;
  const { out } = values;
  if (
    out === undefined &&
    process.stdout.isTTY &&
    isBinary(invocation.command, parameters['format'])
  )
    throw wrongUsage(
      'This format is binary. Write it to a file with --out, or redirect the output.',
    );
  const stop = new AbortController();
  void untilSignalled().then(() => stop.abort(failed('Interrupted.')));
  const stateDir = values['state-dir'] ?? defaultStateDir(process.platform, context.env);
  await withStudio(invocation, { readOnly: true, stateDir }, async (studio) => {
    const file = await begin(studio, invocation, stop.signal);
    file.warnings.forEach(context.note);
    await save(file, out);
  });
}

const binaryFormats: ReadonlySet<unknown> = new Set(['xlsx', 'png', 'pdf']);

function isBinary(command: CommandName, format: unknown): boolean {
  return binaryFormats.has(format) || (command === 'export data' && format === 'csv');
}

function begin(studio: Studio, invocation: Invocation, signal: AbortSignal): Promise<OutgoingFile> {
  const { command, parameters } = invocation;
  if (command === 'export models') return performed(studio, 'export-models', parameters);
  if (command === 'export data')
    return started(studio, { name: 'export-data', input: parameters, signal });
  if (command === 'export schema') {
    return isDiagram(parameters['format'])
      ? started(studio, { name: 'export-diagram', input: parameters, signal })
      : performed(studio, 'export-schema', parameters);
  }
  return started(studio, { name: 'export-table', input: tableInput(invocation), signal });
}

function tableInput({ operands: [table], parameters }: Invocation): object {
  const { format, columns, dialect, formulas, ...list } = parameters;
  return { table, format, columns, dialect, formulas, query: wholeListQuery(list, []) };
}

async function performed(
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

interface Started {
  readonly name: JobName;
  readonly input: object;
  readonly signal: AbortSignal;
}

async function started(studio: Studio, { name, input, signal }: Started): Promise<OutgoingFile> {
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

/** Writes to a temporary name and renames the file when it is complete. */
async function save({ bytes, done }: OutgoingFile, out: string | undefined): Promise<void> {
  if (out === undefined || out === '-') {
    await pipeline(bytes, output());
    await done;
    return;
  }
  const partial = `${out}.${process.pid}.part`;
  try {
    await pipeline(bytes, createWriteStream(partial));
    await done;
    await rename(partial, out);
  } finally {
    await rm(partial, { force: true });
  }
}

/** `pipeline` must not close stdout. */
function output(): Writable {
  return new Writable({
    write: (chunk: Uint8Array, _encoding, done) => void process.stdout.write(chunk, done),
  });
}
