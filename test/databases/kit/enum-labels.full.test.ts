/** The long variant of enum-labels.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './harness.ts';
import { checkEnumLabels, checkSetLabels } from './enum-labels.ts';

const generous = { timeout: 3_600_000 };

describeOnEachDatabase('many enum labels', (harness) => {
  test('are written and read unchanged', generous, async () => {
    await checkEnumLabels(harness, 60);
  });

  test('of sets are written and read unchanged', generous, async (context) => {
    if (harness.underTest.name !== 'mysql') context.skip('only MySQL and MariaDB have sets');
    await checkSetLabels(harness, 60);
  });
});
