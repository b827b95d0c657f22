/** The same as cut-off-imports.test.ts, for longer. */
import { describe, test } from 'vitest';
import { checkCutOffImports } from './cut-off-imports.ts';
import { subjects } from './subjects.ts';

const runs: Readonly<Record<string, number>> = { mysql: 60, postgres: 20, sqlite: 20 };

describe.each(subjects)('many imports that are cut off on $name', (subject) => {
  test('leave the database as it was, or whole', { timeout: 1_200_000 }, async () => {
    await checkCutOffImports(subject, runs[subject.name] ?? 0);
  });
});
