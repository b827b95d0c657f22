/** CSV files that Python's csv module writes, in generated dialects: the reader has the same fields. */
import { execFileSync, spawnSync } from 'node:child_process';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readCsv } from '../../src/formats/csv/read.ts';
import { readAll, sourceOf } from './run-reader.ts';

interface PythonFile {
  readonly delimiter: string;
  readonly quotechar: string;
  readonly lineterminator: string;
  readonly quoting: 'QUOTE_MINIMAL' | 'QUOTE_ALL' | 'QUOTE_NONNUMERIC';
  readonly rows: readonly (readonly string[])[];
}

/** The dialects `excel`, `excel-tab` and `unix` are among them. */
const files: fc.Arbitrary<PythonFile> = fc
  .record({
    delimiter: fc.constantFrom(',', ',', '\t', ';', '|', ':', '^', '~', ' '),
    quotechar: fc.constantFrom('"', '"', "'"),
    lineterminator: fc.constantFrom('\r\n', '\n', '\r'),
    quoting: fc.constantFrom('QUOTE_MINIMAL', 'QUOTE_ALL', 'QUOTE_NONNUMERIC'),
    width: fc.integer({ min: 1, max: 4 }),
  })
  .chain(({ width, ...dialect }) => {
    const { delimiter, quotechar, lineterminator } = dialect;
    // Python does not quote line breaks of another kind than its own.
    const special = [...lineterminator, lineterminator, delimiter, quotechar, ' ', '\\', '"', "'"];
    const text = fc
      .array(fc.oneof(fc.constantFrom(...special), fc.string({ unit: 'grapheme', maxLength: 3 })), {
        maxLength: 6,
      })
      .map((parts) => parts.join(''))
      .filter(
        (each) => lineterminator === '\r\n' || !/[\r\n]/.test(each.replaceAll(lineterminator, '')),
      );
    const row = fc.array(text, { minLength: width, maxLength: width });
    const names = Array.from({ length: width }, (_, i) => `c${i}`);
    return fc
      .array(row, { maxLength: 5 })
      .map((rows): PythonFile => ({ ...dialect, rows: [names, ...rows] }));
  });

const program = `
import base64, csv, io, json, sys
written = []
for file in json.load(sys.stdin):
    out = io.StringIO(newline='')
    rows = file.pop('rows')
    csv.writer(out, **{**file, 'quoting': getattr(csv, file['quoting'])}).writerows(rows)
    written.append(base64.b64encode(out.getvalue().encode()).decode())
json.dump(written, sys.stdout)
`;

const fileCount = 500;
const hasPython = spawnSync('python3', ['--version']).status === 0;

test('the fields of files that Python writes', async ({ skip }) => {
  if (!hasPython) return skip('python3 is not installed');
  const { seed } = fc.readConfigureGlobal();
  const samples = fc.sample(files, { numRuns: fileCount, ...(seed !== undefined && { seed }) });
  const output = execFileSync('python3', ['-c', program], {
    input: JSON.stringify(samples),
    maxBuffer: 2 ** 28,
  });
  const written = JSON.parse(output.toString()) as readonly string[];
  for (const [i, sample] of samples.entries()) {
    const { delimiter, quotechar: quote, rows } = sample;
    const content = Buffer.from(written[i] ?? '', 'base64');
    const read = await readAll('any', (context) =>
      readCsv(sourceOf(content), context, { formulas: 'raw', delimiter, quote }),
    );
    expect({ errors: read.errors, failure: read.failure }, content.toString()).toEqual({
      errors: [],
      failure: undefined,
    });
    const fields = read.rows.map(({ values }) => Object.values(values).map((each) => each ?? ''));
    // Python writes empty texts without quotes: rows of them at the end are left out.
    const leftOut = rows.slice(1 + fields.length);
    expect(fields, JSON.stringify(sample)).toEqual(rows.slice(1, 1 + fields.length));
    expect(leftOut.flat().join(''), JSON.stringify(sample)).toBe('');
    expect(read.warnings).toHaveLength(leftOut.length === 0 ? 0 : 1);
  }
});
