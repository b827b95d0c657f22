import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { StudioError } from '../../model/errors.ts';
import { urlOf } from './driver/location.ts';
import type { SettingsObject } from '../live-settings.ts';

/** The URL of the file that a handle of better-sqlite3 has open. Undefined for other objects. */
export function urlOfHandle(handle: object): string | undefined {
  const { name, memory, readonly, prepare } = handle as SettingsObject;
  if (typeof name !== 'string' || typeof memory !== 'boolean' || typeof prepare !== 'function')
    return undefined;
  if (memory)
    throw new StudioError(
      'invalid_parameter',
      'The SQLite database in the option "database" of createStudio is in memory, where other processes cannot read it. Open a file instead.',
    );
  const path = resolve(name);
  return readonly === true ? `${pathToFileURL(path).href}?mode=ro` : urlOf(path);
}
