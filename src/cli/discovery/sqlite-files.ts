import { closeSync, lstatSync, opendirSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';

const signature = 'SQLite format 3\0';
const maxEntries = 10_000;

/**
 * Names of the SQLite databases in a folder, sorted. Symbolic links are left out: a link in someone else's
 * folder must not open a file elsewhere.
 */
export function findSqliteFiles(folder: string): readonly string[] {
  return entriesOf(folder)
    .filter((name) => /\.(?:db3?|sqlite3?|s3db)$/i.test(name) && isDatabase(join(folder, name)))
    .toSorted();
}

function entriesOf(folder: string): readonly string[] {
  const names: string[] = [];
  try {
    const directory = opendirSync(folder);
    try {
      let entry = directory.readSync();
      for (; entry !== null && names.length < maxEntries; entry = directory.readSync())
        names.push(entry.name);
    } finally {
      directory.closeSync();
    }
  } catch {
    // A folder that cannot be listed has no databases to offer.
  }
  return names;
}

function isDatabase(path: string): boolean {
  try {
    if (!lstatSync(path).isFile()) return false;
    const file = openSync(path, 'r');
    try {
      const header = Buffer.alloc(signature.length);
      readSync(file, header, 0, header.length, 0);
      return header.toString('latin1') === signature;
    } finally {
      closeSync(file);
    }
  } catch {
    return false;
  }
}
