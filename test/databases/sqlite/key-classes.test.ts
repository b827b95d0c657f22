/**
 * Keys with values of every storage class, many of which have the same text in an id. A write
 * changes the row that the id came from, or none.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createStudio } from '../../../src/studio/studio.ts';
import { rowId } from '../../../ui/src/api/row-key.ts';
import { failureOf, listDefaults, readBody } from '../kit/harness.ts';
import { makeFile, openRaw } from './fixture.ts';
import type { Row, Table } from '../../../ui/src/api/responses.ts';

const types = [
  '',
  'BLOB',
  'TEXT',
  'INT',
  'REAL',
  'NUMERIC',
  'BOOLEAN',
  'DATE',
  'UUID',
  'TEXT COLLATE NOCASE',
];

/** Groups of literals that have the same text in an id, or that compare as equal. */
const alike = [
  ["x'31'", "'MQ'", "CAST(x'31' AS TEXT)", '1', "'1'", '1.0', "'1.0'", "'01'", "' 1'"],
  ["x'D76DF8'", '1234', "'1234'", "'12e2'", '1234.5'],
  ["x'FF'", "CAST(x'FF' AS TEXT)", "'_w'", "'\ufffd'"],
  ["'true'", '1', "'TRUE'", "x'B6BB9E'", "CAST(x'B6BB9E' AS TEXT)", "'false'", '0'],
  ["'a'", "'A'", "'a '", "''", "x''"],
  ['9e999', "'Infinity'", "'1e999'", "'-Infinity'", '-9e999'],
  ['9007199254740993', '9007199254740992.0', "'9007199254740993'", "'abc'"],
] as const;

const ends = {
  primary: 'PRIMARY KEY (k))',
  'without rowid': 'PRIMARY KEY (k)) WITHOUT ROWID',
  binary: 'PRIMARY KEY (k COLLATE BINARY)) WITHOUT ROWID',
  unique: 'UNIQUE (k))',
  composite: 'PRIMARY KEY (k, l)) WITHOUT ROWID',
} as const;

const keyed = fc.constantFrom(...alike).chain((group) =>
  fc.record({
    type: fc.constantFrom(...types),
    end: fc.constantFrom(...(Object.keys(ends) as (keyof typeof ends)[])),
    values: fc.array(
      fc.oneof(
        { weight: 4, arbitrary: fc.constantFrom(...group) },
        fc.constantFrom(...alike.flat()),
      ),
      { minLength: 2, maxLength: 6 },
    ),
  }),
);

test('an id that the page forms from any value changes that row or none', async () => {
  const path = makeFile('CREATE TABLE t (mark INTEGER)');
  const raw = openRaw(path);
  const studio = await createStudio({ url: path });
  let tried = 0;
  let written = 0;
  try {
    await fc.assert(
      fc.asyncProperty(keyed, async ({ type, end, values }) => {
        raw.exec(
          `DROP TABLE t; CREATE TABLE t (k ${type} NOT NULL, l INT NOT NULL DEFAULT 1, mark INTEGER, note TEXT, ${ends[end]}`,
        );
        values.forEach((value, mark) =>
          raw.exec(`INSERT OR IGNORE INTO t (k, mark) VALUES (${value}, ${mark})`),
        );
        const changed = raw.prepare("SELECT mark FROM t WHERE note = 'x'").pluck();
        const schema = readBody(await studio.perform('refresh-schema', {})) as { tables: Table[] };
        const list = await studio.perform('list-rows', { table: 't', query: listDefaults });
        for (const row of (readBody(list) as { data: Row[] }).data) {
          const id = rowId(schema.tables[0]!, row)!;
          const write = studio.perform('update-row', {
            table: 't',
            id,
            body: '{"note":"x"}',
            showDeleted: false,
          });
          const isWritten = await write.then(
            () => true,
            async () => {
              expect(await failureOf(write)).toMatchObject({ code: 'no_row_identity' });
              return false;
            },
          );
          expect(changed.all()).toEqual(isWritten ? [row['mark']] : []);
          raw.exec('UPDATE t SET note = NULL');
          tried += 1;
          written += Number(isWritten);
        }
      }),
      { numRuns: 200 },
    );
    expect(written).toBeGreaterThan(tried / 2);
  } finally {
    await studio.close();
  }
});
