import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { columnOf, foreignKeyTo, int, name, optional, tableWithId } from './tables.ts';

describeOnEachDatabase('counts of import errors', (harness) => {
  test.each([
    ['values', 'id,parent,label\n1,x,a\n2,y,b\n3,1,c\n4,z,d\n'],
    ['references', 'id,parent,label\n1,11,a\n2,12,b\n3,13,c\n'],
  ])('of %s are the same in the message and in the list', async (kind, content) => {
    const [parents, children] = [`parents_${kind}`, `children_${kind}`];
    await harness.createTables([
      tableWithId(parents, []),
      {
        ...tableWithId(children, [optional('parent', int), columnOf('label', name)]),
        foreignKeys: [foreignKeyTo(parents, ['parent'])],
      },
    ]);
    const failure = await failureOf(
      importFile(harness.database.url, ['file.csv', content], { table: children }),
    );
    const { errors } = failure as unknown as { readonly errors: readonly unknown[] };
    const [, count = '1'] = /\((\d+) errors in \d+ rows?\)/.exec(failure.message) ?? [];
    expect(errors).toHaveLength(Number(count));
  });
});
