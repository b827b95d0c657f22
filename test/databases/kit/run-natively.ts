import { execFileSync } from 'node:child_process';
import { DatabaseSync } from 'node:sqlite';
import type { DatabaseUnderTest } from './database-under-test.ts';

/**
 * Runs a script by the database's own client. The sqlite3 shell before 3.43 rounds some numbers wrongly, so
 * SQLite runs the text itself.
 */
export function runNatively(
  { name, client }: Pick<DatabaseUnderTest, 'name' | 'client'>,
  url: string,
  text: string,
): void {
  if (name === 'sqlite') {
    const file = new DatabaseSync(url);
    file.exec(text);
    file.close();
  } else {
    const [command, ...args] = client(url);
    execFileSync(command, args, { input: text, stdio: 'pipe' });
  }
}
