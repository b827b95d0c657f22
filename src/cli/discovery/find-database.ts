/** Finds the database that `serve` opens if no URL is given: the only SQLite file of the folder. */
import { failed } from '../exit-error.ts';
import { findConfigFiles } from './config-files.ts';
import { findSqliteFiles } from './sqlite-files.ts';

/**
 * Returns the path of the only SQLite file in a folder, or undefined if the folder has no database. If it has
 * several, or a configuration file that names a database, the error lists a command for each: the studio
 * never connects to a server that the user did not name.
 */
export function findDatabase(folder: string): string | undefined {
  const files = findSqliteFiles(folder);
  const configs = findConfigFiles(folder);
  if (configs.length === 0 && files.length <= 1) return files[0] && `./${files[0]}`;
  const lines = [
    ...configs.map(({ tool, path }) => `  database-studio ${path}    # ${tool}`),
    ...files.slice(0, maxFiles).map((name) => `  database-studio ${quote(`./${name}`)}`),
    ...(files.length > maxFiles ? [`  … and ${files.length - maxFiles} more SQLite files`] : []),
  ];
  throw failed(`No database was named. These were found in this folder:\n${lines.join('\n')}`);
}

const maxFiles = 20;

/** For a POSIX shell. Control characters, which could move the cursor, are shown as `?`. */
function quote(path: string): string {
  const text = path.replaceAll(/[\p{Cc}\p{Cf}]/gu, '?');
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
