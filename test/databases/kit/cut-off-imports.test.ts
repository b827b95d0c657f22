/** Each way that an import of structure can be cut off, once. */
import { describe, test } from 'vitest';
import { checkCutOffImports } from './cut-off-imports.ts';
import { subjects } from './subjects.ts';

const runs: Readonly<Record<string, number>> = { mysql: 5, postgres: 1, sqlite: 1 };

describe.each(subjects)('imports that are cut off on $name', (subject) => {
  test('leave the database as it was, or whole', async (context) => {
    const probe = await subject.makeDatabase().catch((error: unknown) => {
      if (process.env['CI']) throw error;
      context.skip(`no ${subject.name}: ${String(error)}`);
    });
    await probe?.drop();
    await checkCutOffImports(subject, runs[subject.name] ?? 0);
  });
});
