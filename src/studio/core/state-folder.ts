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

/** `problem` continues the sentence, such as `read` or `written`. */
export function stateUnavailable(problem: string, error: unknown): StudioError {
  const reason = (error as NodeJS.ErrnoException).code ?? String(error);
  return new StudioError(
    'state_unavailable',
    `The state folder of the studio cannot be ${problem} (${reason}).`,
  );
}
