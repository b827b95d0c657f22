/** The available packages: those of the user's files, and known third-party packages. */
import { StudioError } from '../../model/errors.ts';
import { isSyntaxFault } from './outline.ts';
import { parseFile } from './parse-file.ts';
import type { ParsedFile } from './parse-file.ts';
import type { GoType } from './types.ts';
import type {
  FunctionDeclaration,
  GoFile,
  SourceFile,
  TypeDeclaration,
  ValueDeclaration,
} from './syntax.ts';

export interface GoPackage {
  readonly name: string;
  readonly files: readonly GoFile[];
  /** In source order, files by name. */
  readonly types: ReadonlyMap<string, TypeDeclaration>;
  readonly values: ReadonlyMap<string, ValueDeclaration>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** By receiver type, then by name. */
  readonly methods: ReadonlyMap<string, ReadonlyMap<string, FunctionDeclaration>>;
}

export interface Program {
  /** The user's packages. */
  readonly packages: readonly GoPackage[];
  packageOf(file: GoFile): GoPackage;
  /** The package that a file calls by this name; undefined if its source is not available. */
  importedAs(file: GoFile, name: string): GoPackage | undefined;
  /** The types of the package that were resolved, by their names in reflection. */
  namedTypes(of: GoPackage): Map<string, GoType>;
  /** The values of constants and variables, as far as they are known. Undefined during their evaluation. */
  readonly values: Map<ValueDeclaration, unknown>;
  readonly workDone: WorkDone;
}

/** Counters of the work done so far. They bound the work that a hostile source can cause. */
export interface WorkDone {
  calls: number;
  types: number;
  fields: number;
}

/** A problem in the sources, with its file, line and column. */
export interface SourceProblem {
  readonly code: string;
  readonly message: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Reads files as one program. Throws `parse_failed` with the errors of all files that are not valid Go. */
export function readProgram(
  sources: readonly SourceFile[],
  known: readonly KnownPackage[],
): Program {
  const files = parseFiles(sources.toSorted((a, b) => compareText(a.name, b.name)));
  const own = groupPackages(files);
  const byFile = new Map<GoFile, GoPackage>();
  const named = new Map<GoPackage, Map<string, GoType>>();
  const register = (one: GoPackage): GoPackage => {
    if (named.has(one)) return one;
    named.set(one, new Map());
    one.files.forEach((file) => byFile.set(file, one));
    return one;
  };
  for (const one of own.values()) register(one);
  const byPath = new Map<string, KnownPackage | undefined>();
  const findKnown = (path: string): GoPackage | undefined => {
    if (!byPath.has(path))
      byPath.set(
        path,
        known.find(({ paths }) => paths.test(path)),
      );
    const found = byPath.get(path);
    return found === undefined ? undefined : register(found.content());
  };
  return {
    packages: [...own.values()],
    packageOf: (file) => byFile.get(file)!,
    importedAs: (file, name) => {
      const path = file.imports.get(name) ?? findImportPath(file, name, findKnown) ?? name;
      return findKnown(path) ?? own.get(lastSegment(path));
    },
    namedTypes: (of) => named.get(of)!,
    values: new Map(),
    workDone: { calls: 0, types: 0, fields: 0 },
  };
}

/** Known third-party packages, by their import paths. */
export interface KnownPackage {
  readonly paths: RegExp;
  readonly content: () => GoPackage;
}

function lastSegment(path: string): string {
  return path.split('/').at(-1) ?? path;
}

/** The name of a package may differ from the last part of its path. */
function findImportPath(
  file: GoFile,
  name: string,
  find: (path: string) => GoPackage | undefined,
): string | undefined {
  return [...file.imports.values()].find((path) => find(path)?.name === name);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function parseFiles(sources: readonly SourceFile[]): readonly ParsedFile[] {
  const read = sources.map((source) => ({ source, result: parseFile(source) }));
  const problems = read.flatMap(({ source, result }) =>
    isSyntaxFault(result)
      ? problemAt(source, result.offset, { code: 'parse_failed', message: result.message })
      : [],
  );
  const [first] = problems;
  if (first !== undefined) throw sourceError('parse_failed', problems);
  return read.flatMap(({ result }) => (isSyntaxFault(result) ? [] : result));
}

/** The error for a list of problems. Its message is that of the first problem. */
export function sourceError(
  code: 'parse_failed' | 'import_failed',
  problems: readonly SourceProblem[],
): StudioError {
  const [first] = problems;
  const where = first === undefined ? '' : `${first.file}:${first.line}:${first.column}: `;
  const reason = first?.message ?? 'the files cannot be read';
  return new StudioError(code, `${where}${reason.replace(/\.$/, '')}.`, {
    errors: problems.slice(0, 100),
    ...(first === undefined ? {} : { line: first.line, column: first.column }),
  });
}

/** A problem with the line and column (from 1) of a position in a file. */
export function problemAt(
  source: SourceFile,
  offset: number,
  { code, message }: { readonly code: string; readonly message: string },
): SourceProblem {
  const before = source.text.slice(0, offset).split('\n');
  const column = (before.at(-1)?.length ?? 0) + 1;
  return { code, message, file: source.name, line: before.length, column };
}

/** The declarations of files, by package. */
export function groupPackages(files: readonly ParsedFile[]): ReadonlyMap<string, GoPackage> {
  const grouped = Map.groupBy(files, ({ file }) => file.packageName);
  return new Map([...grouped].map(([name, ofPackage]) => [name, packageOf(name, ofPackage)]));
}

function packageOf(name: string, files: readonly ParsedFile[]): GoPackage {
  const functions = files.flatMap((file) => file.functions);
  const methods = Map.groupBy(
    functions.filter(({ receiver }) => receiver !== undefined),
    ({ receiver }) => receiver!.type,
  );
  return {
    name,
    files: files.map(({ file }) => file),
    types: byName(files.flatMap((file) => file.types)),
    values: byName(files.flatMap((file) => file.values)),
    functions: byName(functions.filter(({ receiver }) => receiver === undefined)),
    methods: new Map([...methods].map(([type, list]) => [type, byName(list)])),
  };
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}
