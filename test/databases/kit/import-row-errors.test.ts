/** An import names every invalid value of a row, and counts rows and errors alike everywhere. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { columnOf, int, optional, tableWithId } from './tables.ts';

const header = ['id', 'n', 'code', 'born', 'required'] as const;
type Cells = Readonly<Record<(typeof header)[number], string>>;

/** Every value is either certainly valid or certainly invalid. */
const valid = {
  n: ['1', '-7', ''],
  code: ['abc', 'ü😀x'],
  born: ['2000-02-29', '1999-12-31', ''],
  required: ['5'],
};
const invalid = {
  n: ['x', '1.5', '99999999999'],
  code: ['abcdef', '😀😀😀😀😀😀'],
  born: ['2000-13-01', '2000-01-32', '2023-02-29'],
  required: ['', 'y'],
};

function cell(column: keyof typeof valid) {
  return fc.oneof(
    { weight: 2, arbitrary: fc.constantFrom(...valid[column]) },
    fc.constantFrom(...invalid[column]),
  );
}

const randomRows = fc.array(
  fc.record({
    n: cell('n'),
    code: cell('code'),
    born: cell('born'),
    required: cell('required'),
  }),
  { minLength: 1, maxLength: 15 },
);

/** The errors of a row by the lists above. */
function expectedErrors(rows: readonly Omit<Cells, 'id'>[]): readonly string[] {
  return rows.flatMap((row, i) =>
    (Object.keys(invalid) as (keyof typeof invalid)[])
      .filter((column) => invalid[column].includes(row[column]))
      .map((column) => `${i + 1} ${column}`),
  );
}

describeOnEachDatabase('errors of each row', (harness) => {
  test('are all reported and counted', { timeout: 120_000 }, async () => {
    const table = tableWithId('all_errors', [
      optional('n', int),
      columnOf('code', { kind: 'text', length: 5 }),
      optional('born', { kind: 'date' }),
      columnOf('required', int),
    ]);
    await harness.createTables([table]);
    await harness.refresh();
    const folder = mkdtempSync(join(tmpdir(), 'row-errors-'));
    const path = join(folder, 'rejected.csv');
    try {
      await fc.assert(
        fc.asyncProperty(randomRows, async (rows) => {
          const lines = rows.map(({ n, code, born, required }, i) =>
            [i + 1, n, code, born, required].join(','),
          );
          const content = [header.join(','), ...lines, ''].join('\n');
          const response = await importFile(harness.database.url, ['file.csv', content], {
            table: 'all_errors',
            on_error: 'skip',
            mode: 'replace',
            keep_rejected: true,
            rejectedTo: { path },
          });
          const expected = expectedErrors(rows);
          const found = (response.errors ?? []).map(({ row, column }) => `${row} ${column}`);
          expect(found.toSorted()).toEqual(expected.toSorted());
          const rejectedRows = new Set(expected.map((each) => each.split(' ')[0])).size;
          expect(response.tables['all_errors']?.rows_skipped).toBe(rejectedRows);
          expect(response.rejected_rows).toBe(rejectedRows);
          if (rejectedRows === 0) return;
          expect(response).toMatchObject({
            error_count: expected.length,
            error_rows: rejectedRows,
          });
          expect(response.warnings.join()).toContain(
            `${rejectedRows === 1 ? '1 row was' : `${rejectedRows} rows were`} left out because of ${expected.length} error`,
          );
          const reasons = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1);
          expect(reasons).toHaveLength(rejectedRows);
        }),
        { numRuns: 25 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test('are counted with their rows if they prevent the import', async () => {
    await harness.createTables([
      tableWithId('no_errors', [columnOf('a', int), columnOf('b', int)]),
    ]);
    const failure = await failureOf(
      importFile(harness.database.url, ['file.json', '[{"a":true,"b":null},{"a":1,"b":true}]'], {
        table: 'no_errors',
      }),
    );
    expect(failure.message).toMatch(/\(3 errors in 2 rows\) Errors that only the database finds/);
    expect(failure).toMatchObject({ error_count: 3, error_rows: 2 });
  });
});
