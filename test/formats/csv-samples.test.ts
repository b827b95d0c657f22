/** Sample CSV files of other projects, compared with the results of two other parsers. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { expect, test } from 'vitest';
import { readCsv } from '../../src/formats/csv/read.ts';
import { describeSamples } from './describe-samples.ts';
import { readAll, sourceOf } from './run-reader.ts';
import type { ReadFile } from './run-reader.ts';

const samples = join(import.meta.dirname, '../../../shared/samples');
const hasSamples = existsSync(join(samples, 'csv'));

interface ExpectedResult {
  readonly encoding: string;
  /** What Python's csv module reads. */
  readonly python?: {
    readonly delimiter: string;
    readonly records: number;
    /** The number of records by their number of fields. */
    readonly widths: Readonly<Record<string, number>>;
    /** Up to 60 names. */
    readonly header: readonly string[];
  };
}

function readSample(folder: string, name: string): Promise<ReadFile> {
  const source = sourceOf(readFileSync(join(samples, folder, name)), { name, chunkBytes: 4096 });
  return readAll('any', (reading) => readCsv(source, reading, { formulas: 'raw' }));
}

/**
 * Files that are broken, ragged or ambiguous: the number of rows that are read, the number of
 * rejected rows and the line of the first, or else the error for the whole file and its position.
 */
const ambiguous: ReadonlyMap<string, string> = new Map([
  ['csvkit__bad.csv', '1 2 2'],
  ['csvkit__test_empty_columns.csv', '1 1 3'],
  ['csvkit__test_empty_columns_short_row.csv', '0 1 2'],
  ['csvkit__test_join_short_rows.csv', '1 2 2'],
  ['duckdb__14512.csv', '0 1 2'],
  ['duckdb__17226.csv', '2 4 2'],
  ['duckdb__17738_rn.csv', '6 6 8'],
  ['duckdb__add_escaped_rfc.csv', 'parse_failed 1'],
  ['duckdb__bad_escape.csv', '1 1 3'],
  ['duckdb__blank_line.csv', '11 0'],
  ['duckdb__bug_10283.csv', '0 292 2'],
  ['duckdb__comment_skip.csv', '1 3 3'],
  ['duckdb__csv_unescaped_quotes_unescaped_quote.csv', 'parse_failed 1'],
  ['duckdb__data_csv_error.csv', '1 2 3'],
  ['duckdb__empty.csv', 'parse_failed 1'],
  ['duckdb__empty_space_start_value.csv', '3 1 4'],
  ['duckdb__end_quote.csv', 'parse_failed 1'],
  ['duckdb__end_quote_3.csv', 'parse_failed 1'],
  ['duckdb__error.csv', '2733 0'],
  ['duckdb__mid_line_quote.csv', '3 0'],
  ['duckdb__midline_empty_space.csv', '3 0'],
  ['duckdb__error_too_little_end_of_filled_chunk.csv', '1024 1 1026'],
  ['duckdb__error_too_many.csv', '5 1 6'],
  ['duckdb__escape.csv', 'parse_failed 1'],
  ['duckdb__evil_nullpadding_2.csv', '0 2 2'],
  ['duckdb__from_df.csv', '0 3 2'],
  ['duckdb__inconsistent_cells.csv', '1 3 3'],
  ['duckdb__inconsistent_columns_6.csv', '4 1 3'],
  ['duckdb__invalid_utf_max_line.csv', '1 1 3'],
  ['duckdb__invalid_utf_unquoted.csv', '1 1 3'],
  ['duckdb__issue5077_aligned.csv', '0 1 2'],
  ['duckdb__locations_header_trailing_comma.csv', '0 1 2'],
  ['duckdb__many_columns.csv', '2768 4 1096'],
  ['duckdb__mid_line_invalid.csv', '1 2 2'],
  ['duckdb__mid_null.csv', '2 1 3'],
  ['duckdb__more_col_and_max_line.csv', '2 1 4'],
  ['duckdb__multiple_errors.csv', '2 5 4'],
  ['duckdb__multiple_skip_row.csv', '0 3 2'],
  ['duckdb__nightmare.csv', '44 3 10'],
  ['duckdb__no_opt.csv', '2 1 3'],
  ['duckdb__nullpadding.csv', '0 4 2'],
  ['duckdb__nullpadding_commas.csv', '2250 8 159'],
  ['duckdb__one_r_n_two.csv', '4 0'],
  ['duckdb__only_midline.csv', '0 1 2'],
  ['duckdb__plain.csv', '5 4 2'],
  ['duckdb__simple.csv', '1 3 3'],
  ['duckdb__simple_comma.csv', '3 3 3'],
  ['duckdb__small_mix.csv', '2 2 3'],
  ['duckdb__some_escaped_some_not.csv', '1 2 2'],
  ['duckdb__tab_single_quote_varchar.csv', '1 1 2'],
  ['duckdb__thijs_unquoted.csv', 'parse_failed 1'],
  ['duckdb__unescaped_quote_new_line_rn.csv', 'parse_failed 1'],
  ['duckdb__unionbyname_21248_2.csv', '1 1 4'],
  ['duckdb__unquoted_last_value.csv', 'parse_failed 5'],
  ['duckdb__unquoted_less.csv', '2 1 3'],
  ['duckdb__unquoted_more.csv', '2 1 3'],
  ['tabulator-py__skip-blank-at-the-end.csv', '1 1 2'],
  ['tabulator-py__skip-rows.csv', '1 3 2'],
]);

function summary({ rows, errors, failure }: ReadFile): string {
  if (failure === undefined)
    return `${rows.length} ${errors.length} ${errors[0]?.line ?? ''}`.trim();
  const { code, details } = failure as { code: string; details: { line: number } };
  return `${code} ${details.line}`;
}

/** Its last row has no values. */
const withBlankRow = 'csvkit__FY09_EDU_Recipients_by_State.csv';

describeSamples('CSV samples', hasSamples, () => {
  const facts = hasSamples
    ? (JSON.parse(readFileSync(join(samples, 'csv/facts.json'), 'utf8')) as Record<
        string,
        ExpectedResult
      >)
    : {};
  const unambiguous = Object.entries(facts).filter(([name]) => !ambiguous.has(name));

  test.each(unambiguous)(
    '%s is read as by two other parsers',
    async (name, { encoding, python }) => {
      const read = await readSample('csv', name);
      expect({ failure: read.failure, errors: read.errors }).toEqual({
        failure: undefined,
        errors: [],
      });
      expect(read.columns.slice(0, 60)).toEqual(python?.header);
      expect(read.columns).toHaveLength(Number(Object.keys(python?.widths ?? {})[0]));
      const blank = name === withBlankRow ? 1 : 0;
      expect(read.rows).toHaveLength((python?.records ?? 0) - 1 - blank);
      expect(read.warnings).toHaveLength((encoding === 'latin-1' ? 1 : 0) + blank);
      if (encoding !== 'utf-8') return;
      const [, ...expected] = parse(readFileSync(join(samples, 'csv', name)), {
        bom: true,
        delimiter: python?.delimiter ?? ',',
        recordDelimiter: ['\r\n', '\n', '\r'],
        relaxQuotes: true,
        skipEmptyLines: read.columns.length > 1,
        cast: (text, { quoting }) => (text === '' && !quoting ? null : text),
      }) as (string | null)[][];
      expect(read.rows.map(({ values }) => Object.values(values))).toEqual(
        expected
          .slice(0, expected.length - blank)
          .map((row) =>
            Object.values(Object.fromEntries(read.columns.map((key, i) => [key, row[i]]))),
          ),
      );
    },
  );

  test.each([...ambiguous])('%s is read with the outcome %s', async (name, expected) => {
    expect(summary(await readSample('csv', name))).toBe(expected);
  });
});

/** Files whose expected JSON in the samples is wrong (lost CRs, a different telephone number), and their rows. */
const wrongInSamples: ReadonlyMap<string, readonly object[]> = new Map([
  [
    'newlines_crlf.csv',
    [
      { a: '1', b: '2', c: '3' },
      { a: 'Once upon \na time', b: '5', c: '6' },
      { a: '7', b: '8', c: '9' },
    ],
  ],
  [
    'location_coordinates.csv',
    [
      {
        'Contact Phone Number': '2095257564',
        'Location Coordinates': '37\ufffd36\'37.8"N 121\ufffd2\'17.9"W',
        Cities: 'Modesto',
        Counties: 'Stanislaus',
      },
    ],
  ],
]);

describeSamples('the CSV spectrum', hasSamples, () => {
  const names = hasSamples
    ? readdirSync(join(samples, 'csv-spectrum')).filter((name) => name.endsWith('.csv'))
    : [];

  test.each(names.filter((name) => !wrongInSamples.has(name)))(
    '%s has the rows of its JSON',
    async (name) => {
      const { rows, errors, failure } = await readSample('csv-spectrum', name);
      expect({ errors, failure }).toEqual({ errors: [], failure: undefined });
      const json = readFileSync(
        join(samples, 'csv-spectrum', name.replace(/csv$/, 'json')),
        'utf8',
      );
      expect(rows.map(({ values }) => withoutNull(values))).toEqual(JSON.parse(json));
    },
  );

  test.each([...wrongInSamples])('%s has the rows listed here', async (name, expected) => {
    const { rows, errors } = await readSample('csv-spectrum', name);
    expect(errors).toEqual([]);
    expect(rows.map(({ values }) => values)).toEqual(expected);
  });
});

/** Replaces NULL by the empty text, because the expected JSON of the samples has no null. */
function withoutNull(values: object): object {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, value ?? '']));
}
