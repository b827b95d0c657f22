/**
 * Labels of enums and sets with any content: written, read, listed in the schema, exported and
 * created again.
 */
import { expect, test } from 'vitest';
import { failureOf, describeOnEachDatabase, rowOf } from './harness.ts';
import { checkEnumLabels, checkSetLabels, makeEnumColumn } from './enum-labels.ts';

describeOnEachDatabase('enum labels', (harness) => {
  test('are written and read unchanged', async () => {
    await checkEnumLabels(harness, 4);
  });

  test('of sets are written and read unchanged', async (context) => {
    if (harness.underTest.name !== 'mysql') context.skip('only MySQL and MariaDB have sets');
    await checkSetLabels(harness, 4);
  });

  test('outside the Basic Multilingual Plane are written and read', async () => {
    const table = await makeEnumColumn(harness, { kind: 'enum', values: ['😀', 'b'] });
    const created = rowOf(await harness.create(table, { v: '😀' }));
    expect(created['v']).toBe('😀');
    expect((await harness.list(table, { filters: [{ name: 'v', value: '😀' }] })).data).toEqual([
      created,
    ]);
    const rejection = await failureOf(harness.create(table, { v: 'x' }));
    expect(['invalid_value', 'check_violation']).toContain(rejection.code);
  });
});
