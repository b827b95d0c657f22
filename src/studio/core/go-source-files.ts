/** Lists the Go files of folders and their subfolders, as the go command does for `./...`. */
import { readdir, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';

/** A Go file or go.mod on disk. */
export interface GoSourcePath {
  /** The name of the file, with its folder relative to the working directory. */
  readonly name: string;
  readonly path: string;
}

/** The file itself, or the Go and go.mod files in a folder. */
export async function listGoSources(path: string): Promise<readonly GoSourcePath[]> {
  const root = nameOf(path);
  const info = await stat(path);
  if (!info.isDirectory()) return [{ name: root, path }];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(path, join(entry.parentPath, entry.name)))
    .filter(isGoSource)
    .toSorted()
    .map((name) => ({
      name: `${root}/${name.replaceAll(sep, '/')}`,
      path: join(path, name),
    }));
}

/** Relative to the working directory, without `..`: `models/user.go`. */
function nameOf(path: string): string {
  const parts = relative('.', path)
    .split(sep)
    .filter((part) => part !== '..' && part !== '');
  return parts.join('/') || basename(resolve(path));
}

const skippedFolders: ReadonlySet<string> = new Set(['vendor', 'testdata', 'node_modules']);

function isGoSource(name: string): boolean {
  const folders = name.split(sep);
  const file = folders.pop() ?? '';
  const isSkipped = folders.some((folder) => /^[._]/.test(folder) || skippedFolders.has(folder));
  if (isSkipped || /^[._]/.test(file)) return false;
  return file === 'go.mod' || (file.endsWith('.go') && !file.endsWith('_test.go'));
}
