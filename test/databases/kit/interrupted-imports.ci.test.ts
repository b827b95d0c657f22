/** Interrupts imports of structure, and of rows into a new table, in each way. */
import { describe, test } from 'vitest';
import { checkInterruptedImports } from './interrupted-imports.ts';
import { databasesUnderTest } from './databases-under-test.ts';

const runs: Readonly<Record<string, number>> = { mysql: 6, postgres: 3, sqlite: 3 };

describe.each(databasesUnderTest)('interrupted imports on $name', (underTest) => {
  test('leave the database unchanged or contain the whole file', async (context) => {
    const probe = await underTest.makeDatabase().catch((error: unknown) => {
      if (process.env['CI']) throw error;
      context.skip(`${underTest.name} is not available: ${String(error)}`);
    });
    await probe?.drop();
    await checkInterruptedImports(underTest, runs[underTest.name] ?? 0);
  });
});
