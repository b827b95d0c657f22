import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { StudioError } from '../../model/errors.ts';

/** The absolute paths of font files, since child processes may have another working directory. Fails if a file does not exist. */
export function findFonts(files: readonly string[]): readonly string[] {
  const missing = files.find((file) => !existsSync(file));
  if (missing === undefined) return files.map((file) => resolve(file));
  throw new StudioError('invalid_parameter', `There is no font file "${missing}".`);
}
