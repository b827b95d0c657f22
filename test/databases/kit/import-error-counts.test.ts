import * as fc from 'fast-check';
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

  test('of rows that reference a skipped one are those of the skipped rows', async () => {
    await harness.createTables([
      {
        ...tableWithId('nodes', [optional('parent', int), columnOf('label', name)]),
        foreignKeys: [foreignKeyTo('nodes', ['parent'])],
      },
    ]);
    const skipping = fc.asyncProperty(
      fc.array(fc.option(fc.integer({ min: 1, max: 14 }), { nil: null }), {
        minLength: 1,
        maxLength: 12,
      }),
      async (parents) => {
        const lines = parents.map((parent, i) => `${i + 1},${parent ?? ''},x\n`);
        const { tables, ...response } = await importFile(
          harness.database.url,
          ['nodes.csv', `id,parent,label\n${lines.join('')}`],
          { table: 'nodes', on_error: 'skip', dry_run: true },
        );
        const skipped = tables['nodes']?.rows_skipped ?? 0;
        const { error_rows: rows = 0 } = response as { readonly error_rows?: number };
        expect(rows).toBe(skipped);
        const subject = skipped === 1 ? '1 row was' : `${skipped} rows were`;
        if (skipped > 0) expect(response.warnings.join()).toContain(`${subject} left out`);
      },
    );
    await fc.assert(skipping, { numRuns: 15 });
  });
});
