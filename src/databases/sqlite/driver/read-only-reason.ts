import { constants } from 'node:fs';
import { access } from 'node:fs/promises';

/** Why the file takes no writes. */
export async function readOnlyReason(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.W_OK);
    return undefined;
  } catch (error) {
    return reasons[(error as NodeJS.ErrnoException).code ?? ''];
  }
}

/** Other errors are those of reading the file. */
const reasons: Readonly<Record<string, string>> = {
  EACCES: 'The user that the studio runs as may not write the database file.',
  EPERM: 'The user that the studio runs as may not write the database file.',
  EROFS: 'The database file is on a read-only file system.',
};
