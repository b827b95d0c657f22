/** Interrupts an import of structure once in each way. */
import { describe, test } from 'vitest';
import { checkInterruptedImports } from './interrupted-imports.ts';
import { subjects } from './subjects.ts';

const runs: Readonly<Record<string, number>> = { mysql: 5, postgres: 1, sqlite: 1 };

describe.each(subjects)('interrupted imports on $name', (subject) => {
  test('leave the database unchanged or contain the whole file', async (context) => {
    const probe = await subject.makeDatabase().catch((error: unknown) => {
      if (process.env['CI']) throw error;
      context.skip(`${subject.name} is not available: ${String(error)}`);
    });
    await probe?.drop();
    await checkInterruptedImports(subject, runs[subject.name] ?? 0);
  });
});
