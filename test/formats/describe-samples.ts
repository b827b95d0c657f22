import { describe, test } from 'vitest';

/** A suite on files of other projects, which are beside the repository; one skipped test without them. */
export function describeSamples(title: string, areThere: boolean, define: () => void): void {
  if (areThere) describe(title, define);
  else test(title, ({ skip }) => skip('../shared/samples is not there'));
}
