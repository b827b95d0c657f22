import { describe, test } from 'vitest';

/** Defines tests on files of other projects, which are beside the repository. Without the files, one test is skipped. */
export function describeSamples(title: string, hasSamples: boolean, defineTests: () => void): void {
  if (hasSamples) describe(title, defineTests);
  else test(title, ({ skip }) => skip('../shared/samples does not exist'));
}
