/** Finds the files that a script names. */
import { errorAt } from './script.ts';
import type { ByteSource } from '../../../portable/files/byte-source.ts';
import type { Script } from './script.ts';

/** A path in a script, with the position of its statement. */
export interface NamedFile {
  readonly path: string;
  readonly token: { readonly start: number; readonly end: number };
}

/** The file that the script names. Throws if it has no such file. */
export function fileOf(script: Script, { path, token }: NamedFile): ByteSource {
  if (script.files === undefined)
    throw errorAt(
      script,
      token.start,
      `the script reads the file ${JSON.stringify(path)}, which is not part of the upload: import a .zip file of the folder that contains this script and the files that it names`,
    );
  const found = script.files.find({ path, from: script.name });
  if (typeof found === 'string')
    throw errorAt(script, token.start, `the file ${JSON.stringify(path)} ${found}`);
  return found;
}
