/** Random schemas keep their structure through an export and import on each database. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkGeneratedStructures } from './generated-structures.ts';

describeOnEachDatabase('generated structures', (harness) => {
  test('are the same after an export and import', { timeout: 180_000 }, async () => {
    await checkGeneratedStructures(harness, harness.underTest.name === 'sqlite' ? 20 : 4);
  });
});
