/**
 * The models of each import are a file of their own, beside that of the stored models, which follows from all of them.
 * Several copies of a studio may import at once, and each can be stopped or killed at any time: nobody changes what
 * another import has written, and whoever adds or removes an import writes the stored models anew.
 */
import { createHash } from 'node:crypto';
import { readFile, readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { readStored } from '../../core/models.ts';
import { writeAtomically } from '../../core/write-atomically.ts';
import type { StoredModels } from '../../core/models.ts';
import type { TableModel } from '../../../model/table-model.ts';

export interface ModelImport {
  /** Of several models of a table, that of the import with the highest number counts. */
  readonly sequence: number;
  readonly models: readonly TableModel[];
  /** Tables without a model since this import. */
  readonly removed?: readonly string[];
}

/** The tables of a pending import may not be committed. */
export type ImportState = 'pending' | 'imported';

interface ImportFile {
  readonly path: string;
  readonly state: ImportState;
  /** The name of the import's journal. */
  readonly journal: string;
}

export function importPath(file: string, journal: string, state: ImportState): string {
  return `${file}.${journal}.${state}`;
}

export async function listImports(file: string): Promise<readonly ImportFile[]> {
  const folder = dirname(file);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const prefix = `${basename(file)}.`;
  return names.toSorted(byCode).flatMap((name) => {
    const [, journal, state] = /^(.+)\.(pending|imported)$/.exec(name.slice(prefix.length)) ?? [];
    if (!name.startsWith(prefix) || journal === undefined) return [];
    return [{ path: join(folder, name), state: state as ImportState, journal }];
  });
}

/** The same at all copies. */
function byCode(one: string, other: string): number {
  return one < other ? -1 : 1;
}

/** Undefined if the file does not exist. */
export async function readImport<T>(path: string): Promise<Partial<T> | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Partial<T>;
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** The number for a new import. Earlier ones whose files are gone may be stored again with their numbers. */
export async function nextSequence(file: string): Promise<number> {
  await adoptEarlierModels(file);
  const { imports } = await readImports(file);
  return 1 + lastSequence(await readStored(file), imports.values());
}

/** Writes the stored models if they do not follow from the imports. */
export async function updateStoredModels(file: string): Promise<void> {
  let isCurrent = false;
  while (!isCurrent) {
    await adoptEarlierModels(file);
    const { files, imports } = await readImports(file);
    const stored = await readStored(file);
    if (stored === undefined && files.length === 0) return;
    const next: StoredModels = {
      version: 1,
      sequence: lastSequence(stored, imports.values()),
      models: mergeImports(imports),
    };
    if (!isDeepStrictEqual(stored, next)) await writeAtomically(file, JSON.stringify(next));
    // Another import may have written the models before, and without this look have its own replaced.
    isCurrent = isDeepStrictEqual(await listImports(file), files);
  }
}

/** Removes the imports whose models are all replaced by those of this one, which must be committed. */
export async function removeReplaced(file: string, later: ModelImport): Promise<void> {
  const tables = new Set(tablesOf(later));
  for (const [path, earlier] of (await readImports(file)).imports) {
    const isReplaced =
      earlier.sequence < later.sequence && tablesOf(earlier).every((table) => tables.has(table));
    if (isReplaced && path.endsWith('.imported' satisfies `.${ImportState}`))
      await rm(path, { force: true });
  }
}

function tablesOf({ models, removed = [] }: ModelImport): readonly string[] {
  return [...models.map(({ table }) => table), ...removed];
}

interface FoundImports {
  readonly files: readonly ImportFile[];
  /** By their paths. */
  readonly imports: ReadonlyMap<string, ModelImport>;
}

async function readImports(file: string): Promise<FoundImports> {
  for (;;) {
    const files = await listImports(file);
    const imports = new Map<string, ModelImport>();
    for (const { path } of files) {
      const found = await readImport<ModelImport>(path);
      // Damaged files, and pending ones of earlier versions, have no models of their own.
      if (found !== undefined) imports.set(path, { sequence: 0, models: [], ...found });
    }
    // One that others rename meanwhile must not be overlooked.
    if (imports.size === files.length) return { files, imports };
  }
}

/** In an order that does not depend on replaced imports. */
function mergeImports(imports: ReadonlyMap<string, ModelImport>): readonly TableModel[] {
  const merged = new Map<string, TableModel>();
  const inOrder = [...imports.values()].toSorted((one, other) => one.sequence - other.sequence);
  for (const { models, removed = [] } of inOrder) {
    for (const table of removed) merged.delete(table);
    for (const model of models) {
      merged.delete(model.table);
      merged.set(model.table, model);
    }
  }
  return [...merged.values()];
}

function lastSequence(stored: StoredModels | undefined, imports: Iterable<ModelImport>): number {
  return Math.max(stored?.sequence ?? 0, ...[...imports].map(({ sequence }) => sequence));
}

/** Makes an import of models that an earlier version has stored. */
async function adoptEarlierModels(file: string): Promise<void> {
  // Before the models are read: imports that begin later have adopted them first, and are not replaced by them.
  const { files, imports } = await readImports(file);
  const stored = await readStored(file);
  if (stored === undefined || stored.sequence !== undefined || stored.models.length === 0) return;
  const { models } = stored;
  const name = createHash('sha256').update(JSON.stringify(models)).digest('hex').slice(0, 32);
  const path = importPath(file, `earlier-${name}`, 'imported');
  if (files.some((other) => other.path === path)) return;
  const adopted: ModelImport = { sequence: 1 + lastSequence(stored, imports.values()), models };
  await writeAtomically(path, JSON.stringify(adopted));
}
