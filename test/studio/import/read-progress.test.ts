/** The progress of an import: of the bytes of the rows, not of what a reader looks at before them. */
import { createHash } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { importDumpFile, importFile } from '../../databases/importing.ts';
import { buildWorkbook } from '../../formats/build-workbook.ts';
import { writeZipOf } from '../../formats/write-zip.ts';

const count = 30_000;
/** Texts that cannot be compressed to nothing. */
const textOf = (i: number): string => createHash('sha512').update(String(i)).digest('base64url');
const linesOf = (line: (i: number) => string): string =>
  Array.from({ length: count }, (_, i) => line(i)).join('');

const csv = `id,t\n${linesOf((i) => `${i},${textOf(i)}\n`)}`;
const sql = `CREATE TABLE t (id INTEGER, t TEXT);\n${linesOf((i) => `INSERT INTO t VALUES (${i}, '${textOf(i)}');\n`)}`;
const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
const sheet = `<row>${cell('id')}${cell('t')}</row>${linesOf((i) => `<row><c><v>${i}</v></c>${cell(textOf(i))}</row>`)}`;

const files: Readonly<Record<string, () => Promise<string | Buffer> | string>> = {
  'f.csv': () => csv,
  'latin.csv': () => csv.replace('\n0,', '\n0,é'),
  'f.ndjson': () => linesOf((i) => `{"id":${i},"t":"${textOf(i)}"}\n`),
  'f.json': () => `[${linesOf((i) => `${i === 0 ? '' : ','}{"id":${i},"t":"${textOf(i)}"}`)}]`,
  'f.xlsx': () => buildWorkbook({ sheets: { t: sheet } }),
  'f.zip': () => writeZipOf([{ name: 't.csv', content: csv }]),
  'f.sql': () => sql.slice(sql.indexOf('\n') + 1),
  'dump.sql': () => sql,
  'new.csv': () => csv,
};

/** First for the tables, which the import creates. */
const isReadTwice = (name: string): boolean => name === 'dump.sql' || name === 'new.csv';

test.each(Object.keys(files))('of %s is that of its rows', async (name) => {
  const folder = mkdtempSync(join(tmpdir(), 'studio-progress-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const url = join(folder, 'a.db');
  const database = new DatabaseSync(url);
  if (!isReadTwice(name)) database.exec('CREATE TABLE t (id INTEGER, t TEXT)');
  database.exec('PRAGMA user_version = 1');
  database.close();
  const content = await files[name]!();
  const bytes = name === 'latin.csv' ? Buffer.from(String(content), 'latin1') : content;
  const reports: { readonly rows: number; readonly share: number }[] = [];
  const onProgress = (progress: { rows: number; bytes: number; total_bytes: number }): void =>
    void reports.push({ rows: progress.rows, share: progress.bytes / progress.total_bytes });
  if (name === 'dump.sql') await importDumpFile(url, bytes, { onProgress });
  else {
    const isNew = name === 'new.csv';
    await importFile(url, [name, bytes], { table: 't', create_table: isNew, onProgress });
  }
  const ofRows = reports.filter(({ rows }) => rows > 0);
  const shareOf = (share: number): number => (isReadTwice(name) ? 2 * share - 1 : share);
  expect(ofRows.length).toBeGreaterThan(3);
  for (const { rows, share } of ofRows)
    expect(Math.abs(rows / count - shareOf(share))).toBeLessThan(0.4);
  const shares = reports.map(({ share }) => share);
  expect(Math.max(...shares)).toBeLessThanOrEqual(1);
  expect(reports.at(-1)?.rows).toBe(count);
  const counts = reports.map(({ rows }) => rows);
  expect(counts).toEqual(counts.toSorted((a, b) => a - b));
});
