/** What `serve` opens if no URL is given: the only SQLite file, or nothing, in favor of what it lists. */
import { failed } from '../exit-error.ts';
import { findConfigFiles } from './config-files.ts';
import { findSqliteFiles } from './sqlite-files.ts';

/**
 * Returns the name of the only SQLite file in a folder, or undefined if the folder has no database. Throws
 * with a command for each database if there is a choice: a server that a file names is never contacted unasked.
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
