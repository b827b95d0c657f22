import { expect, test } from 'vitest';
import { changeShelves, expectConfirmedCascades, preview } from './expected-cascades.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';

const timeoutMs = 60_000;

describeOnEachDatabase('expected cascades', (harness) => {
  test(
    'of a deletion are what it does while others write, or nothing is written',
    () => expectConfirmedCascades(harness, 30),
    timeoutMs,
  );

  test('reject changes that would do something else, and say what', async () => {
    const { database, studio } = harness;
    for (const table of ['items', 'boxes', 'labels', 'shelves'])
      await database.run(`DELETE FROM ${table}`);
    await harness.insertRows('shelves', [{ id: 1 }, { id: 2 }]);
    await harness.insertRows('boxes', [{ id: 1, shelf_id: 1 }, { id: 2, shelf_id: 2 }]); // prettier-ignore
    const body = { create: [{ id: 3 }], delete: ['1'] };
    const { cascades } = await preview(studio, body);
    const confirmed = { ...body, expected_cascades: cascades };
    await harness.insertRows('items', [{ id: 1, box_id: 1 }]);
    const found = [...cascades, { table: 'items', action: 'delete', rows: 1 }];
    for (const request of [changeShelves, preview])
      expect(await failureOf(request(studio, confirmed))).toMatchObject({
        code: 'cascades_changed',
        table: 'items',
        cascades: found,
        message: expect.stringContaining('would now delete 1 row of table "items", and not 0'),
      });
    expect((await harness.list('shelves')).data).toHaveLength(2);
    // Fewer rows are not the expected ones either.
    const more = { ...body, expected_cascades: [{ ...found[0], rows: 2 }, found[1]] };
    expect(await failureOf(changeShelves(studio, more))).toMatchObject({
      code: 'cascades_changed',
      message: expect.stringContaining('delete 1 row of table "boxes", and not 2'),
    });
    await changeShelves(studio, { ...body, expected_cascades: found });
    expect((await harness.list('boxes')).data).toHaveLength(1);
    expect((await harness.list('items')).data).toHaveLength(0);
  });

  test('that are not counted to the end are at least as many', async () => {
    const { studio, database } = harness;
    for (const table of ['items', 'boxes', 'labels', 'shelves'])
      await database.run(`DELETE FROM ${table}`);
    await harness.insertRows('shelves', [{ id: 1 }]);
    const boxes = Array.from({ length: 1100 }, (_, i) => ({ id: i + 1, shelf_id: 1 }));
    await harness.insertRows('boxes', boxes);
    const { cascades } = await preview(studio, { delete: ['1'] });
    expect(cascades).toEqual([{ table: 'boxes', action: 'delete', rows: 1000, rows_exact: false }]);
    await database.run('DELETE FROM boxes WHERE id > 500');
    const confirmed = { delete: ['1'], expected_cascades: cascades };
    expect(await failureOf(changeShelves(studio, confirmed))).toMatchObject({
      code: 'cascades_changed',
      message: expect.stringContaining('delete 500 rows of table "boxes", and not at least 1000'),
    });
    await harness.insertRows('boxes', boxes.slice(500));
    await changeShelves(studio, confirmed);
    expect((await harness.list('boxes')).data).toHaveLength(0);
  });

  test.each([
    ['an object', { table: 'boxes' }],
    ['an unknown action', [{ table: 'boxes', action: 'drop', rows: 1 }]],
    ['no table', [{ action: 'delete', rows: 1 }]],
    ['rows as text', [{ table: 'boxes', action: 'delete', rows: '1' }]],
    ['a fraction of a row', [{ table: 'boxes', action: 'delete', rows: 1.5 }]],
    ['columns as text', [{ table: 'boxes', action: 'set_null', rows: 1, columns: 'a' }]],
    ['an unknown member', [{ table: 'boxes', action: 'delete', rows: 1, row: 1 }]],
  ])('cannot be %s', async (_name, expected) => {
    const body = { create: [{ id: 9 }], expected_cascades: expected };
    expect(await failureOf(changeShelves(harness.studio, body))).toMatchObject({
      code: 'invalid_body',
    });
  });
});
