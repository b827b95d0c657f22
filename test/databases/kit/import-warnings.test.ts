/** What an import says of rows that it deletes, of dates that no order reads, and of texts that cannot be encoded. */
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { storedRows } from './loading.ts';
import { columnOf, int, name, optional, tableWithId } from './tables.ts';

describeOnEachDatabase('warnings of an import', (harness) => {
  test('mode=replace without a valid row says how many rows it deletes', async () => {
    const { url } = harness.database;
    await harness.createTables([tableWithId('sums', [columnOf('n', int)])]);
    await importFile(url, ['f.csv', 'id,n\n1,1\n2,2\n'], { table: 'sums' });
    const options = { table: 'sums', mode: 'replace', on_error: 'skip' };
    const invalid = ['f.csv', 'id,n\n3\n'] as const;
    const warning =
      'mode=replace deletes all 2 rows of table "sums", and no row of the file replaces them.';
    const tried = await importFile(url, invalid, { ...options, dry_run: true });
    expect(tried.warnings).toContain(warning);
    expect(await storedRows(harness, 'sums')).toHaveLength(2);
    const replaced = await importFile(url, ['f.csv', 'id,n\n1,5\n2,6\n'], options);
    expect(replaced.warnings).toEqual([]);
    expect((await importFile(url, invalid, options)).warnings).toContain(warning);
    expect(await storedRows(harness, 'sums')).toEqual([]);
  });

  test('dates that no order reads in all columns are text', async () => {
    const { warnings } = await importFile(
      harness.database.url,
      ['f.csv', 'id,us,eu\n1,01/13/2026,13/01/2026\n'],
      { table: 'dated', create_table: true, dry_run: true },
    );
    expect(warnings).toEqual([
      'Column "us" becomes text, because its dates are only days in the order MDY, those of another column only in another one, and date_order applies to the whole file.',
      'Column "eu" becomes text, because its dates are only days in the order DMY, those of another column only in another one, and date_order applies to the whole file.',
    ]);
  });

  test('half of a surrogate pair is the error of its own column', async () => {
    await harness.createTables([
      tableWithId('texts', [columnOf('u', name), optional('nul', name)]),
    ]);
    const failure = await failureOf(
      importFile(harness.database.url, ['f.json', String.raw`[{"u":"\ud800","nul":"a\u0000b"}]`], {
        table: 'texts',
      }),
    );
    expect((failure.errors as readonly object[])[0]).toMatchObject({ row: 1, column: 'u' });
  });
});
