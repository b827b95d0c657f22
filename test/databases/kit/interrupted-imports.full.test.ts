/** The long variant of interrupted-imports.test.ts. */
import { describe, test } from 'vitest';
import { checkInterruptedImports } from './interrupted-imports.ts';
import { subjects } from './subjects.ts';

const runs: Readonly<Record<string, number>> = { mysql: 60, postgres: 20, sqlite: 20 };

describe.each(subjects)('many interrupted imports on $name', (subject) => {
  test(
    'leave the database unchanged or contain the whole file',
    { timeout: 1_200_000 },
    async () => {
      await checkInterruptedImports(subject, runs[subject.name] ?? 0);
    },
  );
});
