import { urlOfLive } from '../../databases/index.ts';
import { StudioError } from '../../model/errors.ts';
import type { LiveDatabase } from '../../model/live-database.ts';

/** The URL with the connection settings of a pool or handle. Throws `invalid_parameter` if it is of no supported driver. */
export function urlOfLiveDatabase(live: LiveDatabase): string {
  const url = urlOfLive(live);
  if (url !== undefined) return url;
  throw new StudioError(
    'invalid_parameter',
    'The option "database" of createStudio must be a pool of pg or mysql2, or an open file of better-sqlite3. Pass the option "url" for other drivers.',
  );
}
