/** Warnings about values that a column of SQLite keeps name the lines of the first ones, in each format. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterAll, expect, test } from 'vitest';
import { importFile } from '../../databases/importing.ts';
import { buildWorkbook } from '../../formats/build-workbook.ts';
import { writeZipOf } from '../../formats/write-zip.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-misfits-'));
const url = join(folder, 'misfits.db');
new BetterSqlite3(url).exec('CREATE TABLE t (id INTEGER, n INTEGER, j JSON)').close();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const csv = 'id,n,j\n1,5,{}\n2,"two\nlines",{}\n3,x,{\n4,y,[]\n';
const first = 'The first: line 3: "two\\nlines", line 5: "x", line 6: "y".';

test('of CSV', async () => {
  const { warnings } = await importFile(url, ['t.csv', csv], { table: 't' });
  expect(warnings).toHaveLength(2);
  expect(warnings[0]).toContain('3 cells of column "n"');
  expect(warnings[0]).toContain(first);
  expect(warnings[1]).toMatch(/text that is not JSON.*The first: line 5: "\{"\.$/);
});

test('of a file in an archive', async () => {
  const zip = await writeZipOf([{ name: 'other/t.csv', content: csv }]);
  const { warnings } = await importFile(url, ['t.zip', zip], {});
  expect(warnings.join('\n')).toMatch(/The first: line 3(?: of "[^"]*t[^"]*")?: "two\\nlines", /);
});

test('of NDJSON', async () => {
  const content = Array.from({ length: 8 }, (_, i) => `{"id":${i},"n":"a${i}"}\n`).join('');
  const { warnings } = await importFile(url, ['t.ndjson', content], { table: 't' });
  const lines = [1, 2, 3, 4, 5].map((line) => `line ${line}: "a${line - 1}"`).join(', ');
  expect(warnings[0]).toContain('8 cells of column "n"');
  expect(warnings[0]).toContain(`The first: ${lines}.`);
});

test('of a workbook', async () => {
  const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const sheet = `<row>${cell('id')}${cell('n')}</row><row r="7"><c><v>1</v></c>${cell('long '.repeat(20))}</row>`;
  const workbook = await buildWorkbook({ sheets: { t: sheet } });
  const { warnings } = await importFile(url, ['t.xlsx', workbook], { table: 't' });
  expect(warnings[0]).toContain(`The first: line 7: "${'long '.repeat(8)}…".`);
});
