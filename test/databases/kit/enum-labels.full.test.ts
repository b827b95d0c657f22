/** The long variant of enum-labels.test.ts. */
import { test } from 'vitest';
import { describeOnEachDatabase } from './bench.ts';
import { checkEnumLabels, checkSetLabels } from './enum-labels.ts';

const generous = { timeout: 3_600_000 };

describeOnEachDatabase('many enum labels', (bench) => {
  test('are written and read unchanged', generous, async () => {
    await checkEnumLabels(bench, 60);
  });

  test('of sets are written and read unchanged', generous, async (context) => {
    if (bench.subject.name !== 'mysql') context.skip('only MySQL and MariaDB have sets');
    await checkSetLabels(bench, 60);
  });
});
