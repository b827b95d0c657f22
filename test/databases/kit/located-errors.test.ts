/** Errors of imported rows name the column and the value where the database does not. */
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { bigint, columnOf, foreignKeyTo, int, optional, tableOf, tableWithId } from './tables.ts';
import type { RowError } from '../../../src/model/load.ts';
import type { ImportFileOptions } from '../importing.ts';

describeOnEachDatabase('errors of imported rows', (harness) => {
  const errorsOf = async (
    file: readonly [string, string],
    options: ImportFileOptions,
  ): Promise<readonly Partial<RowError>[]> => {
    const { errors = [] } = await importFile(harness.database.url, file, {
      ...options,
      on_error: 'skip',
    });
    return errors;
  };

  test('name the foreign key of a skipped row', async () => {
    const columns = [optional('one', bigint), optional('other', bigint), optional('own', bigint)];
    const keys = [
      foreignKeyTo('parents', ['one']),
      foreignKeyTo('parents', ['other']),
      foreignKeyTo('children', ['own']),
    ];
    await harness.createTables([
      tableWithId('parents', [optional('v', int)]),
      tableOf('children', [columnOf('id', bigint), ...columns], {
        primaryKey: { columns: ['id'] },
        foreignKeys: keys,
      }),
    ]);
    await importFile(harness.database.url, ['p.csv', 'id,v\n1,1\n'], { table: 'parents' });
    const lines = ['1,1,1,1', '2,1,99,', '3,98,1,', '4,,,97', '5,1,1,1'];
    const errors = await errorsOf(['c.csv', `id,one,other,own\n${lines.join('\n')}\n`], {
      table: 'children',
    });
    expect(errors.map(({ line, column, value }) => [line, column, value])).toEqual(
      expect.arrayContaining([
        [3, 'other', '99'],
        [4, 'one', '98'],
      ]),
    );
  });

  test.each(['skip', 'update'] as const)(
    'name the column and the value of an impossible date: %s',
    async (on_conflict) => {
      const table = `days_${on_conflict}`;
      await harness.createTables([
        tableOf(
          table,
          [
            columnOf('id', bigint),
            optional('a', { kind: 'date' }),
            optional('b', { kind: 'date' }),
          ],
          {
            primaryKey: { columns: ['id'] },
          },
        ),
      ]);
      const content =
        'id,a,b\n1,2020-01-01,2020-02-29\n2,2020-01-02,2021-02-29\n3,2020-13-01,2020-01-01\n';
      const errors = await errorsOf(['d.csv', content], { table, on_conflict });
      expect(errors.map(({ line, column, value }) => [line, column, value])).toEqual([
        [3, 'b', '2021-02-29'],
        [4, 'a', '2020-13-01'],
      ]);
    },
  );

  test('say how JSON files have rows', async () => {
    await harness.createTables([tableWithId('shapes', [optional('v', int)])]);
    const shapes =
      'Rows are objects with the names of the columns, in [{…},{…}], in {"table":[{…},{…}]} or one on each line.';
    const [error] = await errorsOf(['a.json', '[["id","v"],[1,2]]'], { table: 'shapes' });
    expect(error?.message).toBe(`A row must be a JSON object, not an array. ${shapes}`);
    const created = { table: 'made', create_table: true, dry_run: true };
    const failure = await failureOf(
      importFile(harness.database.url, ['a.json', '[["id","v"],[1,2]]'], created),
    );
    expect(failure.message).toContain(shapes);
    const byColumn = ['c.json', '{"id":[1,2],"v":[3,4]}'] as const;
    expect((await importFile(harness.database.url, byColumn, created)).warnings).toEqual([
      'The only row of "made" has an array in each column. If the file has its values by columns, write an object for each row instead: [{…},{…}].',
    ]);
  });
});
