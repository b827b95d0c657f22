/** The error of a value that a column cannot store contains the value's text, in each file format. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from '../../src/formats/json/read.ts';
import { readNdjson } from '../../src/formats/ndjson/read.ts';
import { readSql } from '../../src/formats/sql/read.ts';
import { endOfText, startOfText } from '../../src/model/values/cut-text.ts';
import { shortenMessage } from '../../src/model/errors.ts';
import { rejectedText } from '../../src/model/values/rejected-value.ts';
import { readAll, column, sourceOf, table } from './run-reader.ts';
import { databaseKinds } from '../databases/registered-databases.ts';
import type { ImportContext, RowBatches } from '../../src/formats/row-import.ts';

const tables = [table('t', [column('n', { kind: 'integer', bits: 32 })])];

const dialectChoices = databaseKinds.map(({ dialect, language, dataScript }) => ({
  name: dialect.name,
  language,
  dataScript,
}));

const sqlOptions = {
  dialect: 'postgres',
  ddl: 'refuse',
  ownDialect: 'postgres',
  choices: dialectChoices,
} as const;

type Read = (context: ImportContext) => RowBatches;

/** A file with the text as the value of a number. */
const files: Readonly<Record<string, (text: string) => Read>> = {
  json: (text) => (context) =>
    readJson(sourceOf(JSON.stringify({ t: [{ n: text }] })), context, {}),
  ndjson: (text) => (context) =>
    readNdjson(sourceOf(JSON.stringify({ table: 't', row: { n: text } })), context, {}),
  insert: (text) => (context) =>
    readSql(
      sourceOf(`INSERT INTO t (n) VALUES ('${text.replaceAll("'", "''")}');`),
      context,
      sqlOptions,
    ),
  copy: (text) => (context) =>
    readSql(sourceOf(`COPY t (n) FROM stdin;\n${text}\n\\.\n`), context, sqlOptions),
};

const invalidNumber = fc
  .array(fc.constantFrom('x', 'é', '€', '😀', 'ab'), { minLength: 1, maxLength: 300 })
  .map((parts) => `q${parts.join('')}`);

test.each(Object.keys(files))(
  'the error of a value in a file of kind %s contains its text',
  async (kind) => {
    await fc.assert(
      fc.asyncProperty(invalidNumber, async (text) => {
        const { errors, failure } = await readAll(tables, files[kind]!(text));
        expect(failure).toBeUndefined();
        expect(errors.map(({ value }) => value)).toEqual([rejectedText(text)]);
      }),
      { numRuns: 30 },
    );
  },
);

test('a lone surrogate of a JSON string is replaced', async () => {
  const read: Read = (context) => readJson(sourceOf('{"t":[{"n":"\\ud83dx"}]}'), context, {});
  const { errors } = await readAll(tables, read);
  expect(errors.map(({ value }) => value)).toEqual(['\ufffdx']);
});

test('cut texts keep their characters whole', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', maxLength: 30 }),
      fc.integer({ min: 1, max: 30 }),
      (text, length) => {
        const [start, end] = [startOfText(text, length), endOfText(text, length)];
        expect(text.startsWith(start) && text.endsWith(end)).toBe(true);
        for (const part of [start, end]) {
          expect(part.isWellFormed()).toBe(true);
          expect(part.length).toBeLessThanOrEqual(length);
          expect(part.length).toBeGreaterThanOrEqual(Math.min(text.length, length - 1));
        }
      },
    ),
  );
  fc.assert(
    fc.property(fc.nat(2), (shift) => {
      expect(shortenMessage('a'.repeat(shift) + '😀'.repeat(3000)).isWellFormed()).toBe(true);
    }),
  );
});
