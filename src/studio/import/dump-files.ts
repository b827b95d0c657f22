/** The script of a dump, and the files that it can name: those of the same archive. */
import { isSystemFile } from '../../portable/files/table-of-entry.ts';
import { compressionRatio, countReads } from '../../formats/count-reads.ts';
import { findIncludedScripts } from '../../formats/sql/included-scripts.ts';
import { openArchive } from '../../formats/unzip.ts';
import { StudioError } from '../../model/errors.ts';
import { fileSource } from './file-source.ts';
import { createFileFinder, partsOf } from './named-files.ts';
import type { ArchiveFile } from '../../portable/files/archive.ts';
import type { ByteSource } from '../../portable/files/byte-source.ts';
import type { ScriptFiles } from '../../formats/sql/script/script-files.ts';
import type { UploadedFile } from '../core/job.ts';
import type { FindFile } from './named-files.ts';

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
      others: (onRead) => filesFor(createFileFinder(files, script), onRead),
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

function filesFor(find: FindFile, onRead: OnRead): ScriptFiles {
  return {
    find: (path) => {
      const found = find(path);
      return typeof found === 'string' ? found : counted(found, onRead);
    },
  };
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

function baseOf(path: string): string {
  return partsOf(path).at(-1) ?? '';
}
