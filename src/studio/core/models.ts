/** Imported and configured Go models. Imported ones are stored in the state folder, in one file for each database. */
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { StudioError } from '../../model/errors.ts';
import { listGoSources } from './go-source-files.ts';
import { stateFileName } from './state-file-name.ts';
import type { GoSourcePath } from './go-source-files.ts';
import type { TableModel } from '../../model/table-model.ts';

/** Where models come from: a file in the state folder, and the configuration. */
export interface ModelSettings {
  /** Undefined if no models are stored. */
  readonly file?: string;
  /** Of `--models`: they take precedence over stored ones of the same table. */
  readonly configured: readonly TableModel[];
}

/** The current models. */
export interface Models {
  /** Changes whenever the stored models change. */
  version(): string;
  current(): Promise<readonly TableModel[]>;
}

export const noModels: ModelSettings = { configured: [] };

/** Determines the file for the models of a database by its URL. */
export function modelSettings(
  stateFolder: string,
  url: string,
  configured: readonly TableModel[] = [],
): ModelSettings {
  return { file: join(stateFolder, 'models', `${stateFileName(url)}.json`), configured };
}

export function createModels({ file, configured }: ModelSettings): Models {
  let cached: { readonly version: string; readonly models: readonly TableModel[] } | undefined;
  const version = (): string => (file === undefined ? '' : versionOf(file));
  return {
    version,
    current: async () => {
      const currentVersion = version();
      if (cached?.version !== currentVersion) {
        const storedModels = file === undefined ? [] : await readStoredModels(file);
        cached = { version: currentVersion, models: mergeModels(storedModels, configured) };
      }
      return cached.models;
    },
  };
}

/** Synchronous, because it runs before every read of rows. */
function versionOf(file: string): string {
  try {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? '' : `${stats.mtimeNs}-${stats.size}-${stats.ino}`;
  } catch {
    return '';
  }
}

/** What the imports of models have stored together. */
export interface StoredModels {
  readonly version: 1;
  /** The highest one of an import so far. Earlier versions of the studio have none. */
  readonly sequence?: number;
  readonly models: readonly TableModel[];
}

export async function readStoredModels(file: string): Promise<readonly TableModel[]> {
  return (await readStored(file))?.models ?? [];
}

/** Undefined if there is no file. One that cannot be parsed was not written by this program and is ignored. */
export async function readStored(file: string): Promise<StoredModels | undefined> {
  try {
    const stored = JSON.parse(await readFile(file, 'utf8')) as StoredModels;
    return stored.version === 1 ? stored : undefined;
  } catch {
    return undefined;
  }
}

/** Models of the same table in `later` replace those in `earlier`. */
function mergeModels(
  earlier: readonly TableModel[],
  later: readonly TableModel[],
): readonly TableModel[] {
  const tables = new Set(later.map(({ table }) => table));
  return [...earlier.filter(({ table }) => !tables.has(table)), ...later];
}

/** Reads the models of Go files and folders, for `--models`. */
export async function readModelSources(paths: readonly string[]): Promise<readonly TableModel[]> {
  const files = (await Promise.all(paths.map(goFilesIn))).flat();
  if (paths.length > 0 && !files.some(({ name }) => name.endsWith('.go')))
    throw new StudioError('invalid_parameter', `There are no .go files in ${paths.join(', ')}.`);
  // Load the parser for Go only if it is needed.
  if (files.length === 0) return [];
  const { decodeGoSource } = await import('../../gorm/go/program/decode-go-source.ts');
  const { readGoModels } = await import('../../gorm/models/read-go-models.ts');
  const { tableModelOf } = await import('../../gorm/models/table-model.ts');
  const sources = await Promise.all(
    files.map(async ({ name, path }) => decodeGoSource(name, await readFile(path))),
  );
  return readGoModels(sources, { skipRejected: true }).models.map(tableModelOf);
}

async function goFilesIn(path: string): Promise<readonly GoSourcePath[]> {
  return listGoSources(path).catch(() => {
    throw new StudioError(
      'invalid_parameter',
      `There is no file or folder "${path}" to read models from.`,
    );
  });
}
