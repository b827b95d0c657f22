/** The script of a dump, and the files that it can name: those of the same archive. */
import { isSystemFile } from '../../portable/files/table-of-entry.ts';
import { compressionRatio, countReads } from '../../formats/count-reads.ts';
import { findIncludedScripts } from '../../formats/sql/included-scripts.ts';
import { openArchive } from '../../formats/unzip.ts';
import { StudioError } from '../../model/errors.ts';
import { fileSource } from './file-source.ts';
import type { ArchiveFile } from '../../portable/files/archive.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { ScriptFiles } from '../../formats/sql/script/script-files.ts';
import type { UploadedFile } from '../core/job.ts';

type OnRead = (bytes: number) => void;

export interface DumpFiles {
  readonly script: (onRead: OnRead) => ByteSource;
  /** Undefined for a script that is not in an archive. */
  readonly others: ((onRead: OnRead) => ScriptFiles) | undefined;
  readonly close: () => void;
}

export function singleFile(file: UploadedFile): DumpFiles {
  return {
    script: (onRead) => fileSource(file, onRead),
    others: undefined,
    close: () => undefined,
  };
}

/** A .zip file of the folder of a script. */
export async function openDumpArchive(file: UploadedFile, limitBytes: number): Promise<DumpFiles> {
  const zip = await openArchive({ ...file, limitBytes });
  try {
    const files = zip.files.filter((entry) => !isSystemFile(entry));
    const script = await findScript(file.name, files);
    return {
      script: (onRead) => counted(script, onRead),
      others: (onRead) => ({ find: (path) => findFile(files, { path, script, onRead }) }),
      close: () => zip.close(),
    };
  } catch (error) {
    zip.close();
    throw error;
  }
}

function counted(entry: ArchiveFile, onRead: OnRead): ArchiveFile {
  return countReads(entry, onRead, compressionRatio(entry));
}

const maxNames = 10;

/** The only script, or the only one that no other names. */
async function findScript(archive: string, files: readonly ArchiveFile[]): Promise<ArchiveFile> {
  const scripts = files.filter(({ name }) => /\.sql$/i.test(name));
  const included = scripts.length < 2 ? new Set<string>() : await includedNames(scripts);
  const [first, ...others] = scripts.filter(
    ({ name }) => !included.has(baseOf(name).toLowerCase()),
  );
  if (first !== undefined && others.length === 0) return first;
  const found = first === undefined ? scripts : [first, ...others];
  const names = found.slice(0, maxNames).map(({ name }) => JSON.stringify(name));
  const more = found.length > maxNames ? ' …' : '';
  throw new StudioError(
    'import_failed',
    scripts.length === 0
      ? `${archive} contains no .sql file; a .zip file of a dump must contain a script and the files that it names.`
      : `${archive} contains several scripts (${names.join(', ')}${more}); a .zip file of a dump must contain one .sql file, or one that runs the others.`,
  );
}

/** The file names, in lower case, that the scripts run. */
async function includedNames(scripts: readonly ArchiveFile[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for (const script of scripts)
    for (const path of await findIncludedScripts(script))
      if (baseOf(path).toLowerCase() !== baseOf(script.name).toLowerCase())
        names.add(baseOf(path).toLowerCase());
  return names;
}

interface Search {
  readonly path: string;
  readonly script: ArchiveFile;
  readonly onRead: OnRead;
}

/**
 * Compares the ends of the paths, since a script names files as they were on another machine. Of several
 * files of that name, the one in the most folders of the path is found.
 */
function findFile(
  files: readonly ArchiveFile[],
  { path, script, onRead }: Search,
): ByteSource | string {
  const parts = partsOf(path);
  const name = parts.at(-1) ?? '';
  const same = files.filter((file) => file !== script && baseOf(file.name) === name);
  const named =
    same.length > 0
      ? same
      : files.filter(
          (file) => file !== script && baseOf(file.name).toLowerCase() === name.toLowerCase(),
        );
  const scored = named.map((file) => ({ file, score: commonEnd(partsOf(file.name), parts) }));
  const best = Math.max(...scored.map(({ score }) => score));
  const [found, another] = scored.filter(({ score }) => score === best);
  if (found === undefined) return 'is not in the archive';
  if (another !== undefined)
    return `can be ${JSON.stringify(found.file.name)} or ${JSON.stringify(another.file.name)} of the archive`;
  return counted(found.file, onRead);
}

/** The folders and the name of a path. A variable such as `$(Folder)` stands for folders. */
function partsOf(path: string): readonly string[] {
  return path
    .replaceAll(/\$\([^)]*\)/g, '/')
    .split(/[/\\]/)
    .filter((part) => part !== '' && part !== '.' && part !== '..');
}

function commonEnd(first: readonly string[], second: readonly string[]): number {
  let length = 0;
  while (length < first.length && first.at(-1 - length) === second.at(-1 - length)) length++;
  return length;
}

function baseOf(path: string): string {
  return partsOf(path).at(-1) ?? '';
}
