/** The long variant of interrupted-imports.ci.test.ts. */
import { describe, test } from 'vitest';
import { checkInterruptedImports } from './interrupted-imports.ts';
import { databasesUnderTest } from './databases-under-test.ts';

const runs: Readonly<Record<string, number>> = { mysql: 60, postgres: 20, sqlite: 20 };

describe.each(databasesUnderTest)('many interrupted imports on $name', (underTest) => {
  test(
    'leave the database unchanged or contain the whole file',
    { timeout: 1_200_000 },
    async () => {
      await checkInterruptedImports(underTest, runs[underTest.name] ?? 0);
    },
  );
});
