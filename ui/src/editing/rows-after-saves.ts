/** What saves have made of rows. Editors and selections outlive the ids that rows had when they began. */
import type { StoredRow } from './staged.ts';

/** By the key that a row had before the save. A deleted row has no version. */
type SavedVersions = ReadonlyMap<string, StoredRow | undefined>;

interface Save {
  readonly table: string;
  readonly versions: SavedVersions;
}

const saves: Save[] = [];

/** Adds a save. Its rows may not have been read again yet. */
export function recordSave(table: string, versions: SavedVersions): void {
  saves.push({ table, versions });
}

/** Returns the number of saves so far. */
export function saveCount(): number {
  return saves.length;
}

/** A row of a table, by the key that it had after a number of saves. */
export interface RowAtSave {
  readonly table: string;
  readonly key: string;
  readonly since: number;
}

interface RowAfterSaves {
  /** The key that the row has now. Undefined if a save deleted the row. */
  readonly key: string | undefined;
  /** The row as the last save returned it. Undefined if no save has written it. */
  readonly version: StoredRow | undefined;
}

/** Follows a row through the saves: one of them may have given it another key. */
export function rowAfterSaves({ table, key, since }: RowAtSave): RowAfterSaves {
  let row: RowAfterSaves = { key, version: undefined };
  for (const save of saves.slice(since)) {
    const { key: keyNow } = row;
    if (save.table !== table || keyNow === undefined || !save.versions.has(keyNow)) continue;
    const version = save.versions.get(keyNow);
    row = { key: version?.id, version };
  }
  return row;
}

/** Whether a save since then has given the row's key to another row. */
export function isKeyReused({ table, key, since }: RowAtSave): boolean {
  return saves
    .slice(since)
    .some(
      (save) =>
        save.table === table &&
        [...save.versions].some(([before, version]) => before !== key && version?.id === key),
    );
}
