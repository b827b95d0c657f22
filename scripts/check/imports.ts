/** Checks imports: which folder may import which, by the tables in docs/architecture.md, and that there are no cycles. */
import { posix } from 'node:path';

import packageJson from '../../package.json' with { type: 'json' };
import { bundledPackages } from '../bundled-packages.ts';
import { lineAt, readSources, report } from './sources.ts';
import type { Source } from './sources.ts';

interface Import {
  from: string;
  line: number;
  /** The specifier of a package, or the path of a file of this repository, relative to its root. */
  to: string;
  /** The imported file is in this repository. */
  isRelative: boolean;
  /** Only types are imported. */
  isType: boolean;
}

const belowStudio = [
  'databases',
  'formats',
  'gorm',
  'diagram',
  'sql',
  'processes',
  'portable',
  'model',
];

/** A layer, and the layers it may import. A layer is a folder of src, one of its files, or ui. */
const layers: Record<string, readonly string[]> = {
  model: [],
  portable: ['model'],
  processes: ['model'],
  sql: ['portable', 'model'],
  databases: ['sql', 'processes', 'portable', 'model'],
  formats: ['sql', 'processes', 'portable', 'model'],
  gorm: ['databases', 'formats', 'sql', 'portable', 'model'],
  diagram: ['sql', 'processes', 'portable', 'model'],
  studio: belowStudio,
  contract: ['model'],
  http: ['studio', 'contract', 'processes', 'model'],
  mcp: ['contract', 'databases/presentations.ts', 'model'],
  demo: ['studio', 'databases', 'sql', 'model'],
  cli: ['http', 'mcp', 'demo', 'studio', 'contract', 'processes', 'model'],
  'worker.ts': ['studio', ...belowStudio],
  'job.ts': ['studio', ...belowStudio],
  'index.ts': ['http', 'studio', 'contract', 'model'],
  'client.ts': ['contract', 'model'],
  ui: ['contract', 'model', 'portable', 'databases/presentations.ts'],
};

type Folders = Readonly<Record<string, readonly string[]>>;

const anyFolder = ['*'];

/** The folders of a layer, and those of the same layer that each may import. '' has the files beside them. */
const foldersOfLayers: Readonly<Record<string, Folders>> = {
  studio: {
    core: [],
    rows: ['core'],
    sql: ['core', 'rows'],
    schema: ['core', 'rows'],
    saved: ['core'],
    load: ['core'],
    export: ['core', 'rows'],
    import: ['core', 'load', 'export'],
    execution: ['core', 'rows', 'sql', 'schema', 'load', 'export', 'import'],
    '': anyFolder,
  },
  gorm: {
    '': [],
    go: [''],
    models: ['', 'go'],
    migration: ['', 'go', 'models'],
    export: ['', 'go', 'models'],
    dialects: [''],
  },
  model: {
    values: [''],
    '': anyFolder,
  },
  contract: {
    client: [''],
    openapi: [''],
    '': [],
  },
  sql: {
    expression: [],
    ddl: ['', 'expression'],
    adapt: ['', 'expression'],
    '': anyFolder,
  },
};

/** The folders of each database, in the same way. */
const foldersOfDatabases: Folders = {
  language: [],
  dialect: ['language'],
  ddl: ['language', 'dialect'],
  driver: ['language', 'dialect'],
  effects: ['language', 'dialect', 'driver'],
  catalog: ['language', 'dialect', 'ddl', 'driver', 'effects'],
  load: ['language', 'dialect', 'driver', 'catalog'],
  '': anyFolder,
};

/** The folders inside other large folders, in the same way. */
const innerFolders: Readonly<Record<string, Folders>> = {
  'formats/sql': {
    values: [],
    script: ['values'],
    insert: ['values', 'script'],
    files: ['values', 'script', 'insert'],
    '': anyFolder,
  },
  'gorm/go': {
    syntax: [],
    program: ['syntax'],
    evaluation: ['syntax', 'program'],
    certainty: ['syntax', 'program'],
  },
  'studio/rows': {
    read: [],
    write: ['read'],
  },
  'studio/import': {
    infer: [''],
    schema: [''],
    '': anyFolder,
  },
  'ui/table': {
    filter: [''],
    '': anyFolder,
  },
  'ui/editing': {
    'cell-editor': [''],
    '': anyFolder,
  },
};

/**
 * The stages of an import of rows, in the order in which a file passes them. Each knows only the types of
 * what the stages before it return; `import-data.ts` calls them.
 */
const stages = [
  'src/studio/import/recognize-file.ts',
  'src/studio/import/read-file-rows.ts',
  'src/studio/import/map-rows.ts',
  'src/studio/load/load-rows.ts',
  'src/studio/import/report-import.ts',
];

/** Their subfolders are four databases and many formats, none of which knows another. */
const layersWithIndependentFolders = ['databases', 'formats'];

/** Files that browsers load: those of `ui`, those that it may import, and what these import. */
function browserFilesOf(imports: readonly Import[]): ReadonlySet<string> {
  const targets = targetsByFile(imports);
  const found = new Set(
    [...imports.map(({ from }) => from), ...imports.map(({ to }) => to)].filter(
      (path) => layerOf(path) === 'ui' || allows('ui', path),
    ),
  );
  for (const file of found) for (const target of targets.get(file) ?? []) found.add(target);
  return found;
}

const drivers = ['better-sqlite3', 'pg', 'pg-cursor', 'pg-copy-streams', 'mysql2', 'tedious'];
const runtimePackages = [...Object.keys(packageJson.dependencies), ...bundledPackages];

/** `import('…')` of a literal; computed requests are not checked. */
function dynamicRequests({ text, parsed }: Source): { value: string; start: number }[] {
  const spans = parsed.module.dynamicImports.map(({ moduleRequest }) => moduleRequest);
  return spans
    .filter(({ start }) => /['"`]/.test(text.charAt(start)))
    .map(({ start, end }) => ({ value: text.slice(start + 1, end - 1), start }));
}

export function importsOf(source: Source): Import[] {
  const { staticImports, staticExports } = source.parsed.module;
  const requests = [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      ...moduleRequest,
      isType: entries.length > 0 && entries.every((entry) => entry.isType),
    })),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) =>
        moduleRequest === null ? [] : { ...moduleRequest, isType },
      ),
    ),
    ...dynamicRequests(source).map((request) => ({ ...request, isType: false })),
  ];
  const folder = posix.dirname(source.path);
  return requests.map(({ value, start, isType }) => {
    const isRelative = value.startsWith('.');
    const to = isRelative ? posix.join(folder, value) : value;
    return { from: source.path, line: lineAt(source.text, start), to, isRelative, isType };
  });
}

/** `src/sql/lexer.ts` is in `sql`, `src/worker.ts` is `worker.ts`, what is elsewhere in no layer. */
function layerOf(path: string): string | undefined {
  const [top, second] = path.split('/');
  if (top === 'ui') return 'ui';
  return top === 'src' ? second : undefined;
}

function allows(layer: string, path: string): boolean {
  const allowed = layers[layer] ?? [];
  return allowed.some((name) => path === `src/${name}` || path.startsWith(`src/${name}/`));
}

function subfolderOf(path: string): string | undefined {
  const parts = path.split('/');
  return parts.length > 3 ? parts[2] : undefined;
}

/** `src/studio/rows/read/find-row.ts` is in `rows` for the depth 2; files beside such folders are in ''. */
function folderAt(path: string, depth: number): string {
  const parts = path.split('/');
  return parts.length > depth + 1 ? (parts[depth] ?? '') : '';
}

function faultBetweenFolders(
  { from, to }: Import,
  depth: number,
  folders: Folders,
): string | undefined {
  const [sourceFolder, targetFolder] = [folderAt(from, depth), folderAt(to, depth)];
  if (sourceFolder === targetFolder) return undefined;
  const allowed = folders[sourceFolder];
  if (allowed === undefined)
    return `${sourceFolder} is no folder of the tree in scripts/check/imports.ts`;
  if (allowed === anyFolder || allowed.includes(targetFolder)) return undefined;
  return `files of ${sourceFolder} may not import ${to}`;
}

function faultWithinLayer(layer: string, item: Import): string | undefined {
  const { from, to } = item;
  const [sourceFolder, targetFolder] = [from, to].map(subfolderOf);
  if (sourceFolder !== undefined && sourceFolder === targetFolder) {
    const inner =
      layer === 'databases' ? foldersOfDatabases : innerFolders[`${layer}/${sourceFolder}`];
    return inner === undefined ? undefined : faultBetweenFolders(item, 3, inner);
  }
  const folders = foldersOfLayers[layer];
  if (folders !== undefined) return faultBetweenFolders(item, 2, folders);
  const isBetweenFolders =
    layersWithIndependentFolders.includes(layer) &&
    sourceFolder !== undefined &&
    targetFolder !== undefined;
  return isBetweenFolders ? `it may not import ${to} of another database or format` : undefined;
}

function faultOfRelativeImport(item: Import): string | undefined {
  const { from, to } = item;
  const layer = layerOf(from) ?? '';
  if (!(layer in layers)) return `${layer} is no layer of the tree in scripts/check/imports.ts`;
  if (layerOf(to) === layer) return faultWithinLayer(layer, item);
  return allows(layer, to) ? undefined : `${layer} may not import ${to}`;
}

function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/');
}

function faultOfPackageImport(
  { from, to }: Import,
  browserFiles: ReadonlySet<string>,
): string | undefined {
  const name = packageOf(to);
  const layer = layerOf(from) ?? '';
  if (name.startsWith('node:')) {
    return browserFiles.has(from) ? `${from} runs in browsers, without ${to}` : undefined;
  }
  if (drivers.includes(name) && posix.basename(posix.dirname(from)) !== 'driver') {
    return `only files of a folder driver import ${name}`;
  }
  if (/^@?hono\b/.test(name) && layer !== 'http') return `only http imports ${name}`;
  if (layer === 'ui' || runtimePackages.includes(name)) return undefined;
  return `${name} is neither among the dependencies nor bundled`;
}

export function importFaults(imports: readonly Import[]): string[] {
  const browserFiles = browserFilesOf(imports);
  return imports.flatMap((item) => {
    const fault = item.isRelative
      ? faultOfRelativeImport(item)
      : faultOfPackageImport(item, browserFiles);
    return fault === undefined ? [] : [`${item.from}:${item.line} ${fault}`];
  });
}

function targetsByFile(imports: readonly Import[]): Map<string, string[]> {
  const targets = new Map<string, string[]>();
  for (const { from, to, isRelative } of imports) {
    if (isRelative) targets.set(from, [...(targets.get(from) ?? []), to]);
  }
  return targets;
}

/** Depth first; a file met again on the way down closes a cycle. Types count as well. */
export function importCycles(imports: readonly Import[]): string[] {
  const targets = targetsByFile(imports);
  const visitedFiles = new Set<string>();
  const cycles: string[] = [];
  function walk(file: string, path: readonly string[]): void {
    const start = path.indexOf(file);
    if (start >= 0) cycles.push([...path.slice(start), file].join(' -> '));
    if (start >= 0 || visitedFiles.has(file)) return;
    for (const target of targets.get(file) ?? []) walk(target, [...path, file]);
    visitedFiles.add(file);
  }
  for (const file of targets.keys()) walk(file, []);
  return cycles.map((cycle) => `cycle: ${cycle}`);
}

/** Reports stages that import another one, directly or indirectly, except for types of an earlier one. */
export function stageFaults(imports: readonly Import[]): string[] {
  const isEarlierType = ({ from, to, isType }: Import): boolean =>
    isType && stages.includes(to) && stages.indexOf(to) < stages.indexOf(from);
  const targets = targetsByFile(imports.filter((item) => !isEarlierType(item)));
  return stages.flatMap((stage) => {
    const reached = new Set(targets.get(stage));
    for (const file of reached) for (const target of targets.get(file) ?? []) reached.add(target);
    const otherStages = stages.filter((other) => other !== stage && reached.has(other));
    return otherStages.map(
      (other) => `${stage} may not reach ${other}, another stage of an import`,
    );
  });
}

if (import.meta.main) {
  const imports = readSources().flatMap(importsOf);
  report([...importFaults(imports), ...importCycles(imports), ...stageFaults(imports)]);
}
