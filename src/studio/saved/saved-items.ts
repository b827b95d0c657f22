/**
 * Named items that the users of a database share, in a folder with one file for each item. Copies of the
 * studio that share the state folder need no lock: the last write of an item wins, and a killed copy leaves
 * nothing half-written.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { StudioError } from '../../model/errors.ts';
import { stateUnavailable } from '../core/state-folder.ts';
import { writeAtomically } from '../core/write-atomically.ts';

export interface SavedItems<T> {
  /** All items in the order of their names. A file that this program did not write is left out. */
  all(): Promise<ReadonlyMap<string, T>>;
  /** Saves items, and removes those whose value is null. Fails with `too_large`, and changes nothing, if the folder would be too full. */
  change(changes: ReadonlyMap<string, T | null>): Promise<void>;
  /** Returns whether there was such an item. */
  remove(name: string): Promise<boolean>;
}

interface ItemsOptions<T> {
  readonly folder: string;
  readonly maxItems: number;
  /** What the items are, for error messages, such as `queries`. */
  readonly plural: string;
  readonly isValue: (value: unknown) => value is T;
}

interface StoredItem {
  readonly version: 1;
  readonly name: string;
  readonly value: unknown;
}

/** Files that are read or written at the same time. */
const maxOpenFiles = 16;

export function openSavedItems<T>(options: ItemsOptions<T>): SavedItems<T> {
  const { folder, maxItems, plural, isValue } = options;
  const save = (name: string, value: T): Promise<void> => {
    const storedItem: StoredItem = { version: 1, name, value };
    const text = JSON.stringify(storedItem);
    return withFolder('written', () => writeAtomically(join(folder, fileName(name)), text));
  };
  const remove = (name: string): Promise<boolean> =>
    withFolder('written', async () => {
      try {
        await rm(join(folder, fileName(name)));
        return true;
      } catch (error) {
        if (isMissing(error)) return false;
        throw error;
      }
    });
  return {
    async all() {
      const items: (readonly [string, T])[] = [];
      await forEach(await filesIn(folder), async (file) => {
        const item = await readItem(join(folder, file));
        if (item !== undefined && isValue(item.value)) items.push([item.name, item.value]);
      });
      return new Map(items.toSorted(([a], [b]) => (a < b ? -1 : 1)));
    },
    async change(changes) {
      const files = new Set(await filesIn(folder));
      for (const [name, value] of changes)
        if (value === null) files.delete(fileName(name));
        else files.add(fileName(name));
      if (files.size > maxItems)
        throw new StudioError('too_large', `At most ${maxItems} ${plural} can be saved.`);
      await forEach([...changes], ([name, value]) =>
        value === null ? remove(name) : save(name, value),
      );
    },
    remove,
  };
}

/** Names of items may have any length and any characters. */
function fileName(item: string): string {
  return `${createHash('sha256').update(item).digest('hex')}.json`;
}

async function forEach<T>(items: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const remainingItems = items.values();
  const worker = async (): Promise<void> => {
    for (const item of remainingItems) await work(item);
  };
  await Promise.all(Array.from({ length: maxOpenFiles }, worker));
}

async function filesIn(folder: string): Promise<string[]> {
  const names = await withFolder('read', () =>
    readdir(folder).catch((error: unknown) => {
      if (isMissing(error)) return [];
      throw error;
    }),
  );
  return names.filter((name) => /^[\da-f]{64}\.json$/.test(name));
}

/** Undefined if the item has been removed meanwhile, or if another program wrote the file. */
async function readItem(file: string): Promise<StoredItem | undefined> {
  const text = await withFolder('read', () =>
    readFile(file, 'utf8').catch((error: unknown) => {
      if (isMissing(error)) return '';
      throw error;
    }),
  );
  try {
    const item = JSON.parse(text) as StoredItem;
    return item.version === 1 && typeof item.name === 'string' ? item : undefined;
  } catch {
    return undefined;
  }
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ENOENT';
}

async function withFolder<T>(action: 'read' | 'written', work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw stateUnavailable(action, error);
  }
}
