/** Go models that were imported or configured: what they say of tables, kept for each database in the state folder. */
import { randomUUID } from 'node:crypto';
import { statSync } from 'node:fs';
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

import { makeFolder, removeFolder } from '../../processes/scratch-folder.ts';
import { StudioError } from '../../model/errors.ts';
import { stateFileName } from './state-file-name.ts';
import type { SourceFile } from '../../gorm/go/syntax.ts';
import type { TableModel } from '../../model/table-model.ts';

/** Where models come from: the state folder's file for a database, and those given at start. */
export interface ModelSettings {
  /** Undefined when nothing is kept. */
  readonly file?: string;
  /** Of `--models`: they count before kept ones of the same table. */
  readonly configured: readonly TableModel[];
}

/** The models as they are now. */
export interface Models {
  /** Changes when they do. */
  version(): string;
  current(): Promise<readonly TableModel[]>;
}

export const noModels: ModelSettings = { configured: [] };

export interface ModelOptions {
  /** Without one, imported models are known as long as the studio is open. */
  readonly stateDir?: string | undefined;
  readonly models?: readonly TableModel[] | undefined;
}

export interface ModelStore {
  readonly settings: ModelSettings;
  /** Removes what is not kept. */
  release(): Promise<void>;
}

/** Where the models of a database are, by the URL that it is opened by. */
export async function openModels(url: string, options: ModelOptions): Promise<ModelStore> {
  const { stateDir, models: configured = [] } = options;
  const folder = stateDir ?? (await makeFolder());
  return {
    settings: { file: join(folder, 'models', `${stateFileName(url)}.json`), configured },
    release: async () => {
      if (stateDir === undefined) await removeFolder(folder);
    },
  };
}

export function createModels({ file, configured }: ModelSettings): Models {
  let known: { readonly version: string; readonly models: readonly TableModel[] } | undefined;
  const version = (): string => (file === undefined ? '' : versionOf(file));
  return {
    version,
    current: async () => {
      const now = version();
      if (known?.version !== now) {
        const kept = file === undefined ? [] : await readStoredModels(file);
        known = { version: now, models: mergeModels(kept, configured) };
      }
      return known.models;
    },
  };
}

/** Asked before every read of rows, hence without a turn of the event loop. */
function versionOf(file: string): string {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.mtimeNs}-${stats.size}-${stats.ino}`;
  } catch {
    return '';
  }
}

interface StoredModels {
  readonly version: 1;
  readonly models: readonly TableModel[];
}

/** What cannot be read was not written by this program, and tells nothing. */
export async function readStoredModels(file: string): Promise<readonly TableModel[]> {
  try {
    const kept = JSON.parse(await readFile(file, 'utf8')) as StoredModels;
    return kept.version === 1 ? kept.models : [];
  } catch {
    return [];
  }
}

/** Of models of one table the later ones count. */
export function mergeModels(
  earlier: readonly TableModel[],
  later: readonly TableModel[],
): readonly TableModel[] {
  const tables = new Set(later.map(({ table }) => table));
  return [...earlier.filter(({ table }) => !tables.has(table)), ...later];
}

export async function writeStoredModels(
  file: string,
  models: readonly TableModel[],
): Promise<void> {
  const kept: StoredModels = { version: 1, models };
  await writeWhole(file, JSON.stringify(kept));
}

/** Readers see the old file or the new one, never a part. */
export async function writeWhole(file: string, text: string): Promise<void> {
  const draft = join(dirname(file), `.${basename(file)}-${randomUUID()}`);
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  try {
    await writeFile(draft, text, { mode: 0o600 });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** The models of Go files and folders, for `--models`; tests and hidden folders are left out. */
export async function readModelSources(paths: readonly string[]): Promise<readonly TableModel[]> {
  const files = (await Promise.all(paths.map(goFilesIn))).flat();
  if (paths.length > 0 && files.length === 0)
    throw new StudioError('invalid_parameter', `There are no .go files in ${paths.join(', ')}.`);
  const sources = await Promise.all(files.map(readSource));
  // Only who has sources needs the reader of Go.
  if (sources.length === 0) return [];
  const { readGoModels } = await import('../../gorm/models/read.ts');
  const { tableModelOf } = await import('../../gorm/models/table-models.ts');
  return readGoModels(sources, { skipRejected: true }).models.map(tableModelOf);
}

async function goFilesIn(path: string): Promise<readonly string[]> {
  const info = await stat(path).catch(() => {
    throw new StudioError(
      'invalid_parameter',
      `There is no file or folder "${path}" to read models from.`,
    );
  });
  if (!info.isDirectory()) return [path];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(
      (file) =>
        !/[\\/](?:\.|vendor[\\/]|testdata[\\/]|node_modules[\\/])/.test(file.slice(path.length)),
    );
}

function isSource(name: string): boolean {
  return name.endsWith('.go') && !name.endsWith('_test.go');
}

async function readSource(path: string): Promise<SourceFile> {
  return { name: path, text: await readFile(path, 'utf8') };
}
