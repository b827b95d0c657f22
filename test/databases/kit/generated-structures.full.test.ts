/** The long variant of generated-structures.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkGeneratedStructures } from './generated-structures.ts';

describeOnEachDatabase('many generated structures', (harness) => {
  test('are the same after an export and import', { timeout: 3_600_000 }, async () => {
    await checkGeneratedStructures(harness, harness.underTest.name === 'sqlite' ? 300 : 60);
  });
});
