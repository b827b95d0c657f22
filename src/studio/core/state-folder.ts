import { StudioError } from '../../model/errors.ts';
import { makeFolder, removeFolder } from '../../processes/scratch-folder.ts';

export interface StateFolder {
  readonly path: string;
  /** Removes a temporary folder. */
  release(): Promise<void>;
}

/** The folder for what outlives the studio; without one, a temporary folder until the studio closes. */
export async function openStateFolder(stateDir: string | undefined): Promise<StateFolder> {
  if (stateDir !== undefined) return { path: stateDir, release: () => Promise.resolve() };
  const path = await makeFolder();
  return { path, release: () => removeFolder(path) };
}

/** `problem` continues the sentence, such as `read` or `written`. The folder is named where users of the studio may know it. */
export function stateUnavailable(problem: string, error: unknown, folder?: string): StudioError {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === undefined ? String(error) : (meanings.get(code) ?? code);
  const name = folder === undefined ? '' : ` ${folder}`;
  return new StudioError(
    'state_unavailable',
    `The state folder${name} of the studio cannot be ${problem} (${reason}).`,
  );
}

const meanings: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full: ENOSPC'],
  ['EDQUOT', 'the quota is used up: EDQUOT'],
]);
