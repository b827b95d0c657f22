/** Names for tables and columns of a file that need no quotes in SQL and fit the database. */
import { shortenedName } from '../../../sql/adapt/cut-names.ts';
import type { NameLimit } from '../../../model/ddl-dialect.ts';

/** Names of system columns, which PostgreSQL rejects, and of SQLite's row number, which would be hidden. */
const systemNames: readonly string[] = [
  ...['oid', 'tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid'],
  ...['rowid', '_rowid_'],
];

/** Returns a function that makes names, each different from the ones before. */
export function createSqlNamer(
  limit: NameLimit | undefined,
  reserved: readonly string[] = systemNames,
): (original: string, fallback: string) => string {
  const takenNames = new Set(reserved);
  return (original, fallback) => {
    const plain = plainName(original) || fallback;
    let name = shorten(plain, limit, '');
    for (let number = 2; takenNames.has(name.toLowerCase()); number++)
      name = shorten(plain, limit, `_${number}`);
    takenNames.add(name.toLowerCase());
    return name;
  };
}

function shorten(name: string, limit: NameLimit | undefined, suffix: string): string {
  if (limit === undefined) return name + suffix;
  return shortenedName(name, { ...limit, length: limit.length - suffix.length }) + suffix;
}

/** In lower case, because PostgreSQL folds names without quotes. Letters of any script are kept. */
function plainName(original: string): string {
  const words = original
    .normalize('NFC')
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}_]+/gu, '_')
    .replaceAll(/_{2,}/g, '_')
    .replaceAll(/^_+|_+$/g, '');
  const name = original.startsWith('_') && words !== '' ? `_${words}` : words;
  return isUsable(name) ? name : `_${name}`;
}

/** SQLite reserves tables that begin with `sqlite_`. */
function isUsable(name: string): boolean {
  return name === '' || (/^[\p{L}_]/u.test(name) && !name.startsWith('sqlite_'));
}
