/** The available packages: those of the user's files, and known third-party packages. */
import { StudioError } from '../../../model/errors.ts';
import { isBuilt } from './build-constraints.ts';
import { folderOfFile, isModuleFile, lastSegment, modulePaths } from './module-paths.ts';
import { defaultNaming } from './naming.ts';
import { isGoSyntaxError } from '../syntax/outline.ts';
import { importNames, packageNameOf, parseFile } from '../syntax/parse-file.ts';
import type { Naming } from './naming.ts';
import type { ParsedFile } from '../syntax/parse-file.ts';
import type { GoType } from './types.ts';
import type {
  FunctionDeclaration,
  GoFile,
  SourceFile,
  TypeDeclaration,
  TypeExpression,
  ValueDeclaration,
} from '../syntax/syntax.ts';

export interface GoPackage {
  /** The name in the package clauses of its files. */
  readonly name: string;
  /** The folder of its files, relative to the upload. */
  readonly folder: string;
  readonly files: readonly GoFile[];
  /** In source order, files by name. */
  readonly types: ReadonlyMap<string, TypeDeclaration>;
  readonly values: ReadonlyMap<string, ValueDeclaration>;
  readonly functions: ReadonlyMap<string, FunctionDeclaration>;
  /** All functions and methods, also those of the same name (`init`). */
  readonly bodies: readonly FunctionDeclaration[];
  /** By receiver type, then by name. */
  readonly methods: ReadonlyMap<string, ReadonlyMap<string, FunctionDeclaration>>;
}

export interface Program {
  /** The user's packages. */
  readonly packages: readonly GoPackage[];
  /** Names of files that the go command would not build: tests, other systems, other build tags. */
  readonly unbuilt: readonly string[];
  packageOf(file: GoFile): GoPackage;
  /** The package that a file imports under this name; undefined if its source is not available. */
  importedAs(file: GoFile, name: string): GoPackage | undefined;
  /** The packages whose declarations a file uses without a qualifier. */
  dotImportsOf(file: GoFile): readonly GoPackage[];
  /** The types of the package that were resolved, by their names in reflection. */
  namedTypes(of: GoPackage): Map<string, GoType>;
  /** The values of constants and variables, as far as they are known. Undefined during their evaluation. */
  readonly values: Map<ValueDeclaration, unknown>;
  readonly workDone: WorkDone;
  readonly naming: Naming;
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
  knownPackages: readonly KnownPackage[],
  naming: Naming = defaultNaming,
): Program {
  const { built: builtFiles, unbuilt } = selectFiles(sources);
  const userPackages = [...groupPackages(parseFiles(builtFiles)).values()];
  const byFile = new Map<GoFile, GoPackage>();
  const namedTypes = new Map<GoPackage, Map<string, GoType>>();
  const register = (one: GoPackage): GoPackage => {
    if (namedTypes.has(one)) return one;
    namedTypes.set(one, new Map());
    one.files.forEach((file) => byFile.set(file, one));
    return one;
  };
  userPackages.forEach(register);
  const findKnown = knownPackageFinder(knownPackages);
  const findOwn = ownPackageFinder(userPackages, sources);
  const find = (path: string, file: GoFile): GoPackage | undefined => {
    const found = findKnown(path);
    return found === undefined ? findOwn(path, file) : register(found);
  };
  for (const file of byFile.keys()) nameImports(file, (path) => find(path, file)?.name);
  return {
    packages: userPackages,
    unbuilt,
    packageOf: (file) => byFile.get(file)!,
    importedAs: (file, name) => {
      const path = file.imports.get(name);
      if (path !== undefined) return find(path, file);
      return find(name, file);
    },
    dotImportsOf: (file) => file.dotImports.flatMap((path) => find(path, file) ?? []),
    namedTypes: (of) => namedTypes.get(of)!,
    values: new Map(),
    workDone: { calls: 0, types: 0, fields: 0 },
    naming,
  };
}

/** The files of an ordinary build. If there are none, all: `go run` builds any file that it is given. */
function selectFiles(sources: readonly SourceFile[]): {
  readonly built: readonly SourceFile[];
  readonly unbuilt: readonly string[];
} {
  const files = sources
    .filter(({ name }) => !isModuleFile(name))
    .toSorted((a, b) => compareText(a.name, b.name));
  const builtFiles = files.filter(isBuilt);
  if (builtFiles.length === 0) return { built: files, unbuilt: [] };
  return {
    built: builtFiles,
    unbuilt: files.filter((file) => !builtFiles.includes(file)).map(({ name }) => name),
  };
}

/** Known third-party packages, by their import paths. */
export interface KnownPackage {
  readonly paths: RegExp;
  readonly content: () => GoPackage;
}

function knownPackageFinder(
  knownPackages: readonly KnownPackage[],
): (path: string) => GoPackage | undefined {
  const byPath = new Map<string, KnownPackage | undefined>();
  return (path) => {
    if (!byPath.has(path))
      byPath.set(
        path,
        knownPackages.find(({ paths }) => paths.test(path)),
      );
    return byPath.get(path)?.content();
  };
}

/** Finds the user's package of an import path. Without folders, by the name at the end of the path. */
function ownPackageFinder(
  userPackages: readonly GoPackage[],
  sources: readonly SourceFile[],
): (path: string, file: GoFile) => GoPackage | undefined {
  const byFolder = Map.groupBy(userPackages, ({ folder }) => folder);
  const paths = modulePaths(
    sources.filter(({ name }) => isModuleFile(name)),
    new Set(byFolder.keys()),
  );
  const findIn = (from: string, path: string): GoPackage | undefined => {
    const folder = paths.folderOf(path, from);
    const inFolder = folder === undefined ? [] : (byFolder.get(folder) ?? []);
    const flat = paths.isModular(from) ? [] : (byFolder.get('') ?? []);
    return (
      inFolder.find(({ name }) => name !== 'main') ??
      flat.find(({ name }) => name === lastSegment(path))
    );
  };
  const found = new Map<string, GoPackage | undefined>();
  return (path, file) => {
    const from = folderOfFile(file.name);
    const key = `${from}\0${path}`;
    if (!found.has(key)) found.set(key, findIn(from, path));
    return found.get(key);
  };
}

/** Names the imports of a file by the package clauses of the imported packages, which may differ from their paths. */
function nameImports(file: GoFile, nameOf: (path: string) => string | undefined): void {
  const imports = file.imports as Map<string, string>;
  // Of two packages with one name, the one whose clause was read has it.
  const guessedFirst = file.importSpecs.toSorted(
    (a, b) => Number(nameOf(a.path) !== undefined) - Number(nameOf(b.path) !== undefined),
  );
  const names = importNames(guessedFirst, (path) => nameOf(path) ?? packageNameOf(path));
  imports.clear();
  for (const [name, path] of names) imports.set(name, path);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

function parseFiles(sources: readonly SourceFile[]): readonly ParsedFile[] {
  const read = sources.map((source) => ({ source, result: parseFile(source) }));
  const problems = read.flatMap(({ source, result }) =>
    isGoSyntaxError(result)
      ? problemAt(source, result.offset, { code: 'parse_failed', message: result.message })
      : [],
  );
  const [first] = problems;
  if (first !== undefined) throw sourceError('parse_failed', problems);
  return read.flatMap(({ result }) => (isGoSyntaxError(result) ? [] : result));
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

/** The declarations of files, by package: the files of one folder with the same package clause. */
export function groupPackages(files: readonly ParsedFile[]): ReadonlyMap<string, GoPackage> {
  const grouped = Map.groupBy(
    files,
    ({ file }) => `${folderOfFile(file.name)}\0${file.packageName}`,
  );
  return new Map([...grouped].map(([key, ofPackage]) => [key, packageOf(ofPackage)]));
}

function packageOf(files: readonly ParsedFile[]): GoPackage {
  const [first] = files;
  const types = byName(files.flatMap((file) => file.types));
  const functions = files
    .flatMap((file) => file.functions)
    .map((declared) => withoutAliases(declared, types));
  const methods = Map.groupBy(
    functions.filter(({ receiver }) => receiver !== undefined),
    ({ receiver }) => targetOf(receiver!.type, types),
  );
  return {
    name: first?.file.packageName ?? '',
    folder: folderOfFile(first?.file.name ?? ''),
    files: files.map(({ file }) => file),
    types,
    values: byName(files.flatMap((file) => file.values)),
    bodies: functions,
    functions: byName(functions.filter(({ receiver }) => receiver === undefined)),
    methods: new Map([...methods].map(([type, list]) => [type, byName(list)])),
  };
}

/** The signature with the aliases of the package replaced by their types, because methods are found by their signatures. */
function withoutAliases(
  declared: FunctionDeclaration,
  types: ReadonlyMap<string, TypeDeclaration>,
): FunctionDeclaration {
  const isAlias = (type: TypeExpression): boolean =>
    type.form === 'pointer'
      ? isAlias(type.to)
      : type.form === 'name' && types.get(type.name)?.isAlias === true;
  const { results, parameters } = declared;
  if (![...results, ...parameters.map(({ type }) => type)].some(isAlias)) return declared;
  const resolve = (type: TypeExpression): TypeExpression => resolveAlias(type, types);
  return {
    ...declared,
    results: results.map(resolve),
    parameters: parameters.map((parameter) => ({ ...parameter, type: resolve(parameter.type) })),
  };
}

function targetOf(name: string, types: ReadonlyMap<string, TypeDeclaration>): string {
  const named: TypeExpression = { form: 'name', name, qualifier: undefined, args: [] };
  const target = resolveAlias(named, types);
  return target.form === 'name' && target.qualifier === undefined ? target.name : name;
}

const maxAliases = 20;

function resolveAlias(
  type: TypeExpression,
  types: ReadonlyMap<string, TypeDeclaration>,
): TypeExpression {
  if (type.form === 'pointer') return { form: 'pointer', to: resolveAlias(type.to, types) };
  let target: TypeExpression = type;
  for (let i = 0; i < maxAliases && target.form === 'name'; i++) {
    const declaration: TypeDeclaration | undefined =
      target.qualifier === undefined ? types.get(target.name) : undefined;
    if (declaration?.isAlias !== true || declaration.parameters.length > 0) break;
    target = declaration.type;
  }
  return target;
}

function byName<T extends { readonly name: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.name, item]));
}
