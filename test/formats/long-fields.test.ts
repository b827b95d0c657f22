/** A field of 16 MB, most of which is escapes, is read with a heap of 200 MB: its parts are not objects of their own. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { copyFieldsOf } from '../../src/formats/sql/insert/copy-fields.ts';
import { loadDataRecords } from '../../src/formats/sql/files/load-data-records.ts';
import type { CopyField } from '../../src/formats/sql/insert/copy-fields.ts';

const run = promisify(execFile);

test.each(['copy', 'load-data'])('%s', { timeout: 120_000 }, async (reader) => {
  const script = join(import.meta.dirname, 'read-long-field.ts');
  const { stdout } = await run(process.execPath, ['--max-old-space-size=200', script, reader]);
  expect(Number(stdout)).toBe(16 * 1024 * 1024);
});

const fields = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '"', '\\', ',', '\n', ' ') }), {
  minLength: 1,
  maxLength: 4,
});

const csv = { isCsv: true, delimiter: ',', nullText: '', quote: '"', hasHeader: false } as const;

test.each(['"', '\\'])('reads the fields that COPY writes with the escape %s', (escape) => {
  const written = (field: string): string =>
    `"${field.replaceAll(/["\\]/g, (character) => (character === '"' || character === escape ? escape + character : character))}"`;
  fc.assert(
    fc.property(fields, (values) => {
      const line = values.map(written).join(',');
      expect(copyFieldsOf(line, { ...csv, escape }, values.length)).toEqual(values);
    }),
    { numRuns: 500 },
  );
});

test('reads the fields that SELECT INTO OUTFILE writes', () => {
  const format = {
    delimiter: ',',
    quote: '"',
    escape: '\\',
    lineStart: '',
    lineEnd: '\n',
    skippedLines: 0,
  };
  const written = (field: string): string => `"${field.replaceAll(/["\\]/g, String.raw`\$&`)}"`;
  const doubled = (field: string): string =>
    `"${field.replaceAll('\\', String.raw`\\`).replaceAll('"', '""')}"`;
  fc.assert(
    fc.property(fields, fc.boolean(), (values, isDoubled) => {
      const text = `${values.map(isDoubled ? doubled : written).join(',')}\nrest`;
      const record = loadDataRecords(format).readRecord({ text, at: 0, isLast: true });
      expect(record).toEqual({
        fields: values satisfies readonly CopyField[],
        end: text.length - 'rest'.length,
      });
    }),
    { numRuns: 500 },
  );
});
