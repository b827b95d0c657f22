/** Finds the files of an archive by the paths that its scripts name, which may be those of another machine. */
import type { ArchiveFile } from '../../portable/files/archive.ts';
import type { FilePath } from '../../formats/sql/script/script-files.ts';

/** Returns the problem, as the end of a sentence, if no file or several fit. */
export type FindFile = (path: FilePath) => ArchiveFile | string;

type Path = readonly string[];

interface NamedFile {
  readonly file: ArchiveFile;
  readonly path: Path;
}

/** Never finds the script of the archive itself. */
export function createFileFinder(files: readonly ArchiveFile[], script: ArchiveFile): FindFile {
  const all = files.map((file) => ({ file, path: partsOf(file.name) }));
  const root = topFolderOf(all);
  const named = all.filter(({ file }) => file !== script);
  const pathsOfFiles = new Map<ArchiveFile, FilePath>();
  return (search) => {
    const found = choose(named, { ...search, root });
    if (typeof found === 'string') return found;
    const other = pathsOfFiles.get(found) ?? search;
    // Two paths of the other machine are two files, of which the archive has one.
    if (!isEndOfOther(partsOf(other.path).map(fold), partsOf(search.path).map(fold)))
      return `is not in the archive; ${JSON.stringify(found.name)} is already that of ${JSON.stringify(other.path)}`;
    pathsOfFiles.set(found, other);
    return found;
  };
}

interface Search extends FilePath {
  /** The only folder at the top of the archive, if all files are in it. */
  readonly root: Path;
}

/** First the file that the path names exactly, then that with the longest common end. */
function choose(files: readonly NamedFile[], search: Search): ArchiveFile | string {
  const folder = partsOf(search.from).slice(0, -1);
  const exact = isAbsolute(search.path) ? [] : [folder, [], search.root];
  for (const base of exact) {
    const path = partsOf([...base, search.path].join('/'));
    const found = onlyOne(withPath(files, path));
    if (found !== undefined) return found;
  }
  const path = partsOf(search.path);
  const same = files.filter((file) => fold(file.path.at(-1) ?? '') === fold(path.at(-1) ?? ''));
  const bases = [[], search.root, folder];
  const fitting = same.filter((file) => bases.some((base) => fits(file.path, path, base)));
  const near = same[0] && `; ${JSON.stringify(same[0].file.name)} is in another folder`;
  return onlyOne(longestEnds(fitting, path)) ?? `is not in the archive${near ?? ''}`;
}

/** Those with the path in the same case, or else in any. */
function withPath(files: readonly NamedFile[], path: Path): readonly NamedFile[] {
  const text = path.join('/');
  const same = files.filter((file) => file.path.join('/') === text);
  if (same.length > 0) return same;
  return files.filter((file) => fold(file.path.join('/')) === fold(text));
}

function onlyOne([found, another]: readonly NamedFile[]): ArchiveFile | string | undefined {
  if (found === undefined || another === undefined) return found?.file;
  const [name, other] = [found, another].map(({ file }) => JSON.stringify(file.name));
  return name === other ? 'is in the archive twice' : `can be ${name} or ${other} of the archive`;
}

/** A file in a folder that the path does not have is another one. */
function fits(file: Path, path: Path, base: Path): boolean {
  if (base.some((part, index) => part !== file[index])) return false;
  return isEndOfOther(file.slice(base.length).map(fold), path.map(fold));
}

function isEndOfOther(first: Path, second: Path): boolean {
  return commonEnd(first, second) === Math.min(first.length, second.length);
}

function longestEnds(files: readonly NamedFile[], path: Path): readonly NamedFile[] {
  const longest = (score: (file: NamedFile) => number, of: readonly NamedFile[]): NamedFile[] => {
    const best = Math.max(...of.map(score));
    return of.filter((file) => score(file) === best);
  };
  const inAnyCase = longest((file) => commonEnd(file.path.map(fold), path.map(fold)), files);
  return longest((file) => commonEnd(file.path, path), inAnyCase);
}

function topFolderOf(files: readonly NamedFile[]): Path {
  const [top, ...others] = new Set(files.map(({ path }) => (path.length > 1 ? path[0]! : '')));
  return top === undefined || top === '' || others.length > 0 ? [] : [top];
}

function isAbsolute(path: string): boolean {
  return /^(?:[/\\]|[a-z]:|\$\()/i.test(path);
}

/**
 * The folders and the name of a path. A variable such as `$(Folder)` stands for folders. macOS decomposes
 * the accented letters of names, which scripts have composed.
 */
export function partsOf(path: string): Path {
  const parts: string[] = [];
  for (const part of path
    .normalize('NFC')
    .replaceAll(/\$\([^)]*\)/g, '/')
    .split(/[/\\]/))
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  return parts;
}

function fold(text: string): string {
  return text.toLowerCase();
}

function commonEnd(first: Path, second: Path): number {
  let length = 0;
  while (length < first.length && first.at(-1 - length) === second.at(-1 - length)) length++;
  return length;
}
