/** Errors of rows have the value that was rejected, and their numbers agree, whoever found them. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { columnOf, int, optional, tableWithId } from './tables.ts';
import type { ErrorInFile } from '../../../src/model/load.ts';

type CsvRow = readonly (string | null)[];

const header = ['id', 'code', 'amount', 'label'] as const;

const letters = fc.string({ unit: fc.constantFrom('a', 'ß', 'é', '😀', '👩🏽', ';'), maxLength: 8 });
const longText = fc
  .tuple(fc.nat(3), fc.constantFrom('x😀', 'ü', '😀'))
  .map(([shift, unit]) => `${'z'.repeat(196 + shift)}${unit.repeat(60)}`);

const randomFile = fc.array(
  fc.record({
    code: fc.constantFrom('c1', 'c2', 'c3', null),
    amount: fc.oneof(fc.constantFrom('7', '80', '-1', ''), letters, longText),
    label: fc.oneof(letters, longText, fc.constant(null)),
  }),
  { minLength: 1, maxLength: 12 },
);

function quoted(cell: string | null): string {
  return cell === null ? '' : `"${cell.replaceAll('"', '""')}"`;
}

/** Written independently of the studio: the first 200 UTF-16 units, without half a character. */
function truncatedValue(cell: string | null): string | null {
  if (cell === null || cell.length <= 200) return cell;
  let text = '';
  for (const character of cell) {
    if (text.length + character.length > 200) break;
    text += character;
  }
  return `${text}…`;
}

/** An empty field is the empty string in a text column that is NOT NULL. */
function emptyCell(column: string | undefined): string | null {
  return column === 'code' || column === 'label' ? '' : null;
}

interface ErrorMembers {
  readonly errors?: readonly ErrorInFile[];
  readonly error_count?: number;
  readonly error_counts?: readonly { readonly column?: string; readonly count: number }[];
}

/** All errors are listed: the files are short. */
function checkCounts({ errors = [], error_count = 0, error_counts = [] }: ErrorMembers): void {
  expect(error_count).toBe(errors.length);
  const counted = Object.fromEntries(error_counts.map(({ column, count }) => [column, count]));
  const listed = Map.groupBy(errors, ({ column }) => column);
  expect(counted).toEqual(
    Object.fromEntries([...listed].map(([column, of]) => [column, of.length])),
  );
}

function checkValues(rows: readonly CsvRow[], { errors = [] }: ErrorMembers): void {
  for (const { row = 0, column, value } of errors) {
    const i = header.findIndex((name) => name === column);
    expect({ row, column, value }).toEqual({
      row,
      column,
      value: i === -1 ? undefined : truncatedValue(rows[row - 1]?.[i] ?? emptyCell(column)),
    });
  }
}

describeOnEachDatabase('errors of rows', (harness) => {
  test('have the rejected values of the file', { timeout: 120_000 }, async () => {
    const table = tableWithId(
      'rejected',
      [
        columnOf('code', { kind: 'text', length: 20 }),
        optional('amount', int),
        columnOf('label', { kind: 'text', length: 190 }),
      ],
      {
        indexes: [{ name: 'rejected_code', unique: true, parts: [{ column: 'code' }] }],
        checks: [{ name: 'rejected_positive', expression: 'amount >= 0' }],
      },
    );
    await harness.createTables([table]);
    await harness.refresh();
    let found = 0;
    await fc.assert(
      fc.asyncProperty(randomFile, async (file) => {
        const rows: readonly CsvRow[] = file.map(({ code, amount, label }, i) => [
          String(i + 1),
          code,
          amount,
          label,
        ]);
        const content = [header.join(','), ...rows.map((row) => row.map(quoted).join(',')), ''];
        const upload = ['file.csv', content.join('\n')] as const;
        const skipped = await importFile(harness.database.url, upload, {
          table: 'rejected',
          on_error: 'skip',
          dry_run: true,
        });
        checkCounts(skipped);
        checkValues(rows, skipped);
        found += skipped.errors?.length ?? 0;
        const { rows_skipped: count = 0 } = skipped.tables['rejected'] ?? {};
        expect(new Set(skipped.errors?.map(({ row }) => row)).size).toBe(count);
        if (count === 0) return;
        const failure = await failureOf(
          importFile(harness.database.url, upload, { table: 'rejected' }),
        );
        const members = failure as unknown as ErrorMembers;
        checkCounts(members);
        checkValues(rows, members);
        const [, all = '1'] = /\((\d+) errors in \d+ rows?\)/.exec(failure.message) ?? [];
        expect(members.error_count).toBe(Number(all));
      }),
      { numRuns: 25 },
    );
    expect(found).toBeGreaterThan(10);
  });

  test('have no value if the key has several columns', async () => {
    await harness.createTables([
      tableWithId('rejected_keys', [optional('a', int), optional('b', int)], {
        indexes: [{ name: 'rejected_ab', unique: true, parts: [{ column: 'a' }, { column: 'b' }] }],
      }),
    ]);
    await harness.refresh();
    const { errors = [] } = await importFile(
      harness.database.url,
      ['file.csv', 'id,a,b\n1,1,1\n2,1,1\n'],
      { table: 'rejected_keys', on_error: 'skip', dry_run: true },
    );
    expect(errors).toHaveLength(1);
    expect(errors[0]).not.toHaveProperty('value');
  });
});
