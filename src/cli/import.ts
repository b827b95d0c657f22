/** `database-studio import …`: runs the jobs of the import endpoints on files or stdin. */
import { createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { basename, join, posix, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { StudioError } from '../model/errors.ts';
import type { CommandContext } from './context.ts';
import type { CommandName } from './commands.ts';
import { withCreateHint } from './create-hint.ts';
import { failed, wrongUsage } from './exit-error.ts';
import type { Invocation } from './parse.ts';
import { inFlagWords } from './flag-words.ts';
import { errorLine, importText } from './import-text.ts';
import type { FileError, ImportResponse } from './import-text.ts';
import { partialFile } from './output-file.ts';
import type { PartialFile } from './output-file.ts';
import { print } from './print.ts';
import { createProgressLine } from './progress-line.ts';
import { printableLines } from './terminal-text.ts';
import { untilSignalled } from './signals.ts';
import { defaultStateDir } from './state-dir.ts';
import { withStudio } from './with-studio.ts';
import { listGoSources } from '../studio/core/go-source-files.ts';
import type { UploadedFile } from '../studio/core/job.ts';
import { makeFolder, removeFolder } from '../processes/scratch-folder.ts';
import type { JobName } from '../studio/core/job.ts';

export async function importFiles(invocation: Invocation, context: CommandContext): Promise<void> {
  const { values } = invocation;
  const rejected = await rejectedFile(invocation);
  const folder = await makeFolder();
  try {
    const files = await findFiles(invocation, folder);
    const options = {
      stateDir: values['state-dir'] ?? defaultStateDir(process.platform, context.env),
      maxUploadBytes: values['max-upload'],
      create: values.create,
      onRecovery: context.note,
    };
    await withStudio(invocation, options, async (studio) => {
      const line = createProgressLine(process.stderr);
      const stop = new AbortController();
      void untilSignalled().then(() => stop.abort(failed('Interrupted. Nothing was imported.')));
      const name = invocation.command.replace(' ', '-') as JobName;
      const input = {
        ...invocation.parameters,
        upload: { files, fields: {} },
        ...(rejected && { keep_rejected: true, rejectedTo: { path: rejected.partial } }),
      };
      const job = studio.start(name, input, { signal: stop.signal, onProgress: line.show });
      const response = await job.then(({ result }) => result).finally(line.end);
      const { rejected_rows: rows = 0, rejected_format: format } = response as ImportResponse;
      if (rejected !== undefined && rows > 0) {
        await rename(rejected.partial, rejected.target);
        context.note(
          `${rows} rejected ${rows === 1 ? 'row is' : 'rows are'} in ${values.rejected}${format === 'zip' ? ', a .zip archive with a CSV file for each table' : ''}.`,
        );
      }
      print(values, {
        json: JSON.stringify(inWordsOf(invocation.command, response as ImportResponse)),
        text: () =>
          printableLines(inFlagWords(importText(response as ImportResponse), invocation.command)),
      });
    });
  } catch (error) {
    throw withErrorLines(withCreateHint(error), invocation.command);
  } finally {
    if (rejected !== undefined) await rm(rejected.partial, { force: true });
    await removeFolder(folder);
  }
}

/** The response with messages in the words of the command line. */
function inWordsOf(command: CommandName, response: ImportResponse): ImportResponse {
  const { warnings, errors } = response;
  return {
    ...response,
    ...(errors && {
      errors: errors.map((error) => ({ ...error, message: inFlagWords(error.message, command) })),
    }),
    warnings: warnings.map((warning) => inFlagWords(warning, command)),
  };
}

/** The file for the rejected rows. */
async function rejectedFile({ values, parameters }: Invocation): Promise<PartialFile | undefined> {
  const { rejected: path } = values;
  if (path === undefined) return undefined;
  if (parameters['on_error'] !== 'skip') throw wrongUsage('--rejected needs --on-error skip.');
  return partialFile({ flag: 'rejected', path });
}

async function findFiles(
  { command, operands }: Invocation,
  folder: string,
): Promise<UploadedFile[]> {
  const open = command === 'import models' ? sourcesAt : fileAt;
  const files = await Promise.all(
    operands.map((path) => (path === '-' ? inputFile(folder) : open(path))),
  );
  return files.flat();
}

/** The Go file at a path, or all Go files in a folder and its subfolders, except tests. */
async function sourcesAt(path: string): Promise<UploadedFile[]> {
  const sources = await listGoSources(path).catch(() => [{ name: path, path }]);
  return Promise.all(
    sources.map(async (source) => ({
      ...(await fileAt(source.path)),
      folder: posix.dirname(source.name).replace(/^\.$/, ''),
    })),
  );
}

async function fileAt(path: string): Promise<UploadedFile> {
  try {
    const stats = await stat(path);
    if (stats.isFile()) return { name: basename(path), path: resolve(path), bytes: stats.size };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw failed(
      code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${code}).`,
    );
  }
  throw failed(`${path} is not a file.`);
}

/** Reads all of stdin before the import starts, so that a broken pipe imports nothing. */
async function inputFile(folder: string): Promise<UploadedFile> {
  const path = join(folder, 'input');
  await pipeline(process.stdin, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
  return { name: '', path, bytes: (await stat(path)).size };
}

/** Appends one line for each error in the file. */
function withErrorLines(error: unknown, command: CommandName): unknown {
  if (!(error instanceof StudioError)) return error;
  const errors = (error.details['errors'] ?? []) as readonly FileError[];
  const [only, another] = errors;
  // The message of the whole error contains that of a single one.
  const isInMessage =
    only !== undefined && another === undefined && error.message.includes(only.message);
  const listedErrors = isInMessage && only.value === undefined ? [] : errors;
  const lines = [error.message, ...listedErrors.map((each) => `  ${errorLine(each)}`)];
  return failed(lines.map((line) => inFlagWords(line, command)).join('\n'));
}
