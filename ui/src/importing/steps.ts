import type { ImportState } from './import-store.ts';

export type Step = 'File' | 'Mapping' | 'Check' | 'Import';

/** Returns the steps of the wizard. A schema has no mapping. */
export function stepsOf({ kind }: ImportState): readonly Step[] {
  const isStructure = kind === 'schema' || kind === 'models';
  return isStructure ? ['File', 'Check', 'Import'] : ['File', 'Mapping', 'Check', 'Import'];
}

export function currentStep({ kind, running, check, result }: ImportState): Step {
  if (running !== undefined) return running.isDry ? 'Check' : 'Import';
  if (result !== undefined) return 'Import';
  if (kind === undefined) return 'File';
  return kind === 'data' && check === undefined ? 'Mapping' : 'Check';
}
