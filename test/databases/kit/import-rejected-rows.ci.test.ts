/** Rejected rows are written as the file has them. Corrected and imported, they complete the table. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { columnOf, int, tableWithId } from './tables.ts';

const label = fc.string({
  unit: fc.constantFrom('a', 'é', 'ß', ' ', ',', ';', '"', '\n', '\r\n', '='),
  maxLength: 6,
});

/** How a row of the file differs from the row that it should be. */
const fault = fc.constantFrom('none', 'none', 'check', 'key', 'short', 'long', 'malformed');

const randomFile = fc.record({
  rows: fc.array(fc.record({ label, amount: fc.nat(99), fault }), { minLength: 1, maxLength: 40 }),
  delimiter: fc.constantFrom(',', ';', '\t'),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  endsWithLine: fc.boolean(),
  hasHeader: fc.boolean(),
  encoding: fc.constantFrom('utf8', 'latin1'),
  namesEncoding: fc.boolean(),
  title: fc.array(fc.constantFrom('', 'Report', '"of\n2026"'), { maxLength: 3 }),
} as const);

type RandomFile = typeof randomFile extends fc.Arbitrary<infer T> ? T : never;

/** Without a header, the first row shows how many columns there are. */
function withNumberOfColumns(file: RandomFile): RandomFile {
  if (file.hasHeader) return file;
  return { ...file, rows: file.rows.map((row, i) => (i === 0 ? { ...row, fault: 'none' } : row)) };
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}

function cleanText({ delimiter, rows }: RandomFile, i: number): string {
  const { label: text, amount } = rows[i]!;
  return [String(i + 1), quoted(text), String(amount)].join(delimiter);
}

function faultyText(file: RandomFile, i: number): string {
  const { delimiter, rows } = file;
  const { fault: kind, label: text } = rows[i]!;
  const clean = cleanText(file, i);
  if (kind === 'check') return [String(i + 1), quoted(text), '-5'].join(delimiter);
  if (kind === 'key') return clean.replace(/^\d+/, '1000');
  if (kind === 'short') return [String(i + 1), quoted(text)].join(delimiter);
  if (kind === 'long') return `${clean}${delimiter}"more"`;
  if (kind === 'malformed') return [String(i + 1), `${quoted(text)}z`, '1'].join(delimiter);
  return clean;
}

function textOf(file: RandomFile, lines: readonly string[]): Buffer {
  const { lineEnd, endsWithLine, hasHeader, delimiter, encoding, title } = file;
  const header = hasHeader ? [['id', 'label', 'amount'].join(delimiter)] : [];
  const text = [...title, ...header, ...lines].join(lineEnd) + (endsWithLine ? lineEnd : '');
  return Buffer.from(text, encoding);
}

/** The rows after the header, each with the reason before it. The reason is a quoted field. */
function rejectedRows(text: string, { delimiter }: RandomFile): readonly string[] {
  const header = ['import_error', 'id', 'label', 'amount'].join(delimiter);
  expect(text.startsWith(`\ufeff${header}\n`)).toBe(true);
  const rows: string[] = [];
  let rest = text.slice(header.length + 2);
  while (rest !== '') {
    const reason = /^"(?:[^"]|"")+"/.exec(rest)?.[0] ?? '';
    expect(reason).not.toBe('');
    const from = reason.length + 1;
    // A row ends at the first line break with an even number of quotes before it.
    let end = from;
    for (let quotes = 0; rest[end] !== '\n' || quotes % 2 === 1; end++)
      if (rest[end] === '"') quotes++;
    rows.push(rest.slice(from, end));
    rest = rest.slice(end + 1);
  }
  return rows;
}

describeOnEachDatabase('rejected rows', (harness) => {
  test('can be corrected and imported', { timeout: 240_000 }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'studio-rejected-'));
    const path = join(folder, 'rejected.csv');
    const [table, expectedTable] = ['corrected', 'corrected_clean'];
    const columns = [columnOf('label', { kind: 'text', length: 100 }), columnOf('amount', int)];
    for (const name of [table, expectedTable])
      await harness.createTables([
        tableWithId(name, columns, {
          checks: [{ name: `${name}_check`, expression: 'amount >= 0' }],
        }),
      ]);
    await harness.refresh();
    const contentOf = async (name: string): Promise<unknown> =>
      (await harness.database.query(`SELECT id, label, amount FROM ${name} ORDER BY id`)).map(
        String,
      );
    const importCsv = async (content: Buffer, options: object): Promise<number> => {
      const parameters = { on_error: 'skip', formulas: 'raw', ...options };
      const { tables } = await importFile(harness.database.url, ['file.csv', content], parameters);
      return Object.values(tables).reduce((sum, { rows_skipped }) => sum + rows_skipped, 0);
    };
    let rejected = 0;
    try {
      await fc.assert(
        fc.asyncProperty(randomFile, async (random) => {
          const file = withNumberOfColumns(random);
          for (const name of [table, expectedTable])
            await harness.database.run(`DELETE FROM ${name}`);
          const { delimiter } = file;
          const format = {
            delimiter,
            ...(file.hasHeader ? {} : { header: 'absent' }),
            ...(file.title.length > 0 ? { skip_rows: file.title.length } : {}),
            ...(file.namesEncoding ? { encoding: file.encoding } : {}),
          };
          const all = file.rows.map((_, i) => i);
          const clean = textOf(
            file,
            all.map((i) => cleanText(file, i)),
          );
          expect(await importCsv(clean, { table: expectedTable, ...format })).toBe(0);
          await harness.database.run(
            `INSERT INTO ${table} (id, label, amount) VALUES (1000, 'taken', 1)`,
          );
          const faulty = all.map((i) => faultyText(file, i));
          const bad = all.filter((i) => file.rows[i]!.fault !== 'none');
          rmSync(path, { force: true });
          const options = {
            table,
            keep_rejected: true,
            rejectedTo: { path },
            ...format,
          };
          expect(await importCsv(textOf(file, faulty), options)).toBe(bad.length);
          expect(existsSync(path)).toBe(bad.length > 0);
          if (bad.length === 0) return;
          rejected += bad.length;
          const text = readFileSync(path, 'utf8');
          expect(rejectedRows(text, file)).toEqual(bad.map((i) => faulty[i]));
          // Again, without corrections: the reason is replaced, not repeated.
          const again = { table, ...format, keep_rejected: true, rejectedTo: { path: `${path}2` } };
          expect(await importCsv(Buffer.from(text), again)).toBe(bad.length);
          expect(rejectedRows(readFileSync(`${path}2`, 'utf8'), file)).toEqual(
            bad.map((i) => faulty[i]),
          );
          const [first] = text.split('\n');
          const corrected = [first, ...bad.map((i) => `"why"${delimiter}${cleanText(file, i)}`)];
          expect(await importCsv(Buffer.from(corrected.join('\n')), { table, ...format })).toBe(0);
          await harness.database.run(`DELETE FROM ${table} WHERE id = 1000`);
          expect(await contentOf(table)).toEqual(await contentOf(expectedTable));
        }),
        { numRuns: 12 },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
    expect(rejected).toBeGreaterThan(5);
  });
});
