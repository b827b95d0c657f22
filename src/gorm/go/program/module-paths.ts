/** Finds the folder of an import path: by the go.mod files, or else by the end of the path. */
import type { SourceFile } from '../syntax/syntax.ts';

/** A module: the import path of a folder, by its go.mod. */
interface Module {
  readonly folder: string;
  readonly path: string;
}

/** The import paths of folders. */
export interface ModulePaths {
  /** The folder of an import path as a file in `from` means it, among the known folders. */
  folderOf(path: string, from: string): string | undefined;
  /** Whether a go.mod file determines the import paths in a folder. */
  isModular(folder: string): boolean;
}

export function isModuleFile(name: string): boolean {
  return name === 'go.mod' || name.endsWith('/go.mod');
}

/** The folder of a file name; empty for a name without one. */
export function folderOfFile(name: string): string {
  return name.slice(0, Math.max(0, name.lastIndexOf('/')));
}

export function modulePaths(
  moduleFiles: readonly SourceFile[],
  folders: ReadonlySet<string>,
): ModulePaths {
  const modules = moduleFiles.flatMap(readModule);
  const byEnd = Map.groupBy(folders, lastSegment);
  const isModular = (folder: string): boolean =>
    modules.some((one) => isWithin(folder, one.folder));
  return {
    isModular,
    folderOf: (path, from) => {
      const folder = modules
        .map((one) => folderWithin(one, path))
        .find((found) => found !== undefined && folders.has(found));
      if (folder !== undefined || isModular(from)) return folder;
      return bestMatch(path, byEnd.get(lastSegment(path)) ?? []);
    },
  };
}

function readModule({ name, text }: SourceFile): readonly Module[] {
  const [, quoted, plain] =
    /^[ \t]*module[ \t]+(?:["`]([^"`\n]+)["`]|([^\s"`]+))/m.exec(text) ?? [];
  const path = quoted ?? plain;
  return path === undefined ? [] : [{ folder: folderOfFile(name), path }];
}

function isWithin(folder: string, outer: string): boolean {
  return outer === '' || folder === outer || folder.startsWith(`${outer}/`);
}

function folderWithin(module: Module, path: string): string | undefined {
  if (path !== module.path && !path.startsWith(`${module.path}/`)) return undefined;
  const rest = path.slice(module.path.length + 1);
  return [module.folder, rest].filter((part) => part !== '').join('/');
}

const standardRoots: ReadonlySet<string> = new Set(
  (
    'archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar ' +
    'flag fmt go hash html image index io iter log maps math mime net os path plugin reflect regexp runtime ' +
    'slices sort strconv strings structs sync syscall testing text time unicode unique unsafe weak'
  ).split(' '),
);

/** The folder that has the most last segments in common with the path. */
function bestMatch(path: string, candidates: readonly string[]): string | undefined {
  const segments = path.split('/').toReversed();
  if (standardRoots.has(segments.at(-1) ?? '')) return undefined;
  const common = (folder: string): number => {
    const folderSegments = folder.split('/').toReversed();
    const first = folderSegments.findIndex((segment, i) => segment !== segments[i]);
    return first === -1 ? folderSegments.length : first;
  };
  return candidates.toSorted((a, b) => common(b) - common(a))[0];
}

export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
