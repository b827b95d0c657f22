/** Errors and warnings of imports, in the words of the page and of the command: neither has the name of a parameter. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { inFlagWords } from '../../src/cli/flag-words.ts';
import { StudioError } from '../../src/model/errors.ts';
import { importRoutes } from '../../src/contract/imports.ts';
import { inPageWords } from '../../ui/src/importing/page-words.ts';
import { importFile } from '../databases/importing.ts';
import { buildWorkbook } from '../formats/build-workbook.ts';
import { writeZipOf } from '../formats/write-zip.ts';
import type { ImportFileOptions } from '../databases/importing.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-words-'));
const url = join(folder, 'words.db');
new BetterSqlite3(url)
  .exec(
    `CREATE TABLE people (id INTEGER, name TEXT, born DATE, paid DECIMAL(8,2), ok BOOLEAN, PRIMARY KEY (id, name));
     CREATE TABLE "on_error" (a)`,
  )
  .close();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Parameters whose names are words of the language too. */
const ordinaryWords = new Set(
  ...[['data', 'table', 'tables', 'schema', 'mapping', 'mode', 'sheet', 'header', 'quote']],
);
for (const word of ['delimiter', 'encoding', 'decimal', 'dialect', 'trim', 'routines', 'formulas'])
  ordinaryWords.add(word);
const names = Object.values(importRoutes).flatMap(({ query }) => Object.keys(query));
const pattern = new RegExp(
  [
    `(?<!["\\w-])(?:${names.filter((name) => !ordinaryWords.has(name)).join('|')})(?!["\\w])`,
    `(?:parameter|[Ss]et) "?(?:${names.join('|')})\\b`,
    `(?<!["\\w-])(?:${names.join('|')})=\\w`,
    `\``,
  ].join('|'),
);

const csv = 'id,name,born,paid,ok\n1,a,01.02.2020,"1,234",vielleicht\n2,b,x,y,z\n';
const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const titled = `<row>${cell('Title')}</row><row>${cell('id')}${cell('name')}</row>`;

const workbook = await buildWorkbook({ sheets: { one: titled, two: `<row>${cell('x')}</row>` } });
const zip = await writeZipOf([{ name: 'nobody.csv', content: csv }]);
const latin = Buffer.from('id,name\n1,caf\xe9\n', 'latin1');

const people = { table: 'people' };
type Sample = readonly [name: string, content: string | Uint8Array, options: ImportFileOptions];
const samples: readonly Sample[] = [
  ['p.csv', csv, people],
  ['p.csv', csv, { ...people, decimal: 'comma' }],
  ['p.csv', csv, { ...people, decimal: 'point', date_order: 'MDY', true_words: ['x'] }],
  ['p.csv', csv, { ...people, date_order: 'DMY', on_error: 'skip' }],
  ['p.csv', csv, { create_table: true }],
  ['people.csv', csv, { create_table: true }],
  ['p.csv', csv, {}],
  ['p.csv', 'Title\nid,name\n1,a\n', people],
  ['p.csv', 'a\n', { ...people, skip_rows: 9 }],
  ['p.csv', 'id,name\n', { ...people, skip_rows: 1 }],
  ['p.csv', '1,a\n2,b\n', { create_table: true, table: 'fresh' }],
  ['p.csv', '1,a\n2,b\n', { ...people, header: 'absent' }],
  ['p.csv', '1,a,b,c,d,e,f\n', { ...people, header: 'absent' }],
  ['p.csv', latin, people],
  ['p.csv', latin, { ...people, encoding: 'utf-8' }],
  ['p.csv', latin, { ...people, encoding: 'utf-16le' }],
  ['p.csv', "id,name\n1,'=1+1\n", people],
  ['p.csv', 'name\na\n', { ...people, on_conflict: 'update' }],
  ['p.csv', 'name\na\n', { ...people, on_conflict: 'update', conflict_columns: ['id', 'name'] }],
  ['p.csv', 'id,name\n1,a\n', { ...people, on_conflict: 'update', conflict_columns: ['name'] }],
  ['p.csv', 'id,name\n1,a\n', { ...people, keep_rejected: true }],
  ['p.csv', csv, { ...people, tables: '{"a":"people"}' }],
  ['p.csv', csv, { ...people, mapping: '[' }],
  ['p.csv', csv, { ...people, quote: ',', delimiter: ',' }],
  ['p.csv', 'a\n1\n', { table: 'on_error' }],
  ['p.csv', 'b\n1\n', { table: 'on_error' }],
  ['p.xlsx', workbook, people],
  ['p.xlsx', workbook, { ...people, sheet: 'three' }],
  ['p.xlsx', workbook, { tables: '{"one":"people"}' }],
  ['p.zip', zip, {}],
  ['p.zip', zip, { create_table: true, tables: '{"nobody":"people"}', mode: 'replace' }],
  ['p.sql', 'CREATE TABLE a (b INT);', {}],
  ['p.sql', 'REPLACE INTO people (id, name) VALUES (1, 2);', {}],
  ['p.sql', 'INSERT INTO people (id, name) VALUES (1, 2) ON CONFLICT DO NOTHING;', {}],
  ['p.sql', "INSERT INTO people (id, born) VALUES (1, '01.02.2020');", { dialect: 'postgres' }],
  ['p.sql', 'INSERT INTO people VALUES (1, 2) ON CONFLICT (id) DO UPDATE SET name = 1;', {}],
  ['p.sql', 'INSERT INTO people (id) VALUES (1);', { create_table: true }],
];

async function messagesOf([name, content, options]: Sample): Promise<readonly string[]> {
  try {
    const { warnings, errors = [] } = await importFile(url, [name, content], {
      ...options,
      dry_run: true,
    });
    return [...warnings, ...errors.map(({ message }) => message)];
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    const { errors = [] } = error.details as { errors?: readonly { message: string }[] };
    return [error.message, ...errors.map(({ message }) => message)];
  }
}

describe.each(samples)('the import %# of %s', (...sample) => {
  test('has no name of a parameter', async () => {
    for (const message of await messagesOf(sample)) {
      expect(inPageWords(message)).not.toMatch(pattern);
      expect(inFlagWords(message, 'import data')).not.toMatch(pattern);
    }
  });
});

test.each([
  [
    'Column "born" (date): "01.02.2020" can be read in several orders. Set date_order to DMY or MDY.',
    'Column "born" (date): "01.02.2020" can be read in several orders. Go back and select the “Date order”.',
  ],
  [
    'The table people exists already; import without create_table to add the rows to it, or set table to another name.',
    'The table people exists already; import without “New table” to add the rows to it, or choose another name.',
  ],
  [
    'If it is data, set header to absent.',
    'If it is data, switch off “The first row has the column names”.',
  ],
  [
    'Rejected rows are only skipped with on_error=skip.',
    'Rejected rows are only skipped with “Skip invalid rows”.',
  ],
  ['Table "on_error" has no column "null_text".', 'Table "on_error" has no column "null_text".'],
])('%s', (message, expected) => {
  expect(inPageWords(message)).toBe(expected);
});
