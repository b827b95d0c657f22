import type { ByteSource } from '../../../portable/files/byte-source.ts';

export interface FilePath {
  readonly path: string;
  /** The name of the script that names the file. */
  readonly from: string;
}

/** The other files of the archive that a script is in. Files outside of it are never read. */
export interface ScriptFiles {
  /** Finds a file by its path in the script. Returns the problem, as the end of a sentence, if no file or several fit. */
  find(path: FilePath): ByteSource | string;
}
