import type { ImportState } from './import-store.ts';

export type Step = 'file' | 'mapping' | 'check' | 'import';

/** Returns the steps of the wizard. Only data has a mapping. */
export function stepsOf({ kind }: ImportState): readonly Step[] {
  const hasMapping = kind === undefined || kind === 'data';
  return hasMapping ? ['file', 'mapping', 'check', 'import'] : ['file', 'check', 'import'];
}

export function currentStep({ kind, running, check, result }: ImportState): Step {
  if (running !== undefined) return running.isDry ? 'check' : 'import';
  if (result !== undefined) return 'import';
  if (kind === undefined) return 'file';
  return kind === 'data' && check === undefined ? 'mapping' : 'check';
}
