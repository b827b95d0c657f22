import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { StudioError } from '../../model/errors.ts';

/** The paths of font files, whatever folder their readers are in; fails for one that is not there. */
export function findFonts(files: readonly string[]): readonly string[] {
  const missing = files.find((file) => !existsSync(file));
  if (missing === undefined) return files.map((file) => resolve(file));
  throw new StudioError('invalid_parameter', `There is no font file "${missing}".`);
}
