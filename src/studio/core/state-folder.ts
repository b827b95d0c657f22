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
