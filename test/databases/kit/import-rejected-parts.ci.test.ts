/**
 * Rejected rows of workbooks, archives and documents with several parts, also of imports that create their
 * tables: with the imported rows they are the file, and corrected they complete the tables.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildWorkbook } from '../../formats/build-workbook.ts';
import { unzip } from '../../formats/read-zip.ts';
import { writeZipOf } from '../../formats/write-zip.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase } from './harness.ts';
import { columnOf, int, name as text, tableOf } from './tables.ts';
import type { ImportDataResponse } from '../../../src/studio/import/report-import.ts';
import type { ImportFileOptions } from '../importing.ts';
import type { Harness } from './harness.ts';

/** `empty`: a required value is missing. `long`: a value has no column. */
const fault = fc.constantFrom('none', 'none', 'none', 'empty', 'long');
type Fault = 'none' | 'empty' | 'long';

interface Row {
  readonly id: number;
  readonly label: string;
  readonly amount: number;
  readonly fault: Fault;
}

interface Part {
  readonly name: string;
  /** The order of the columns. */
  readonly isReversed: boolean;
  /** The index of the table, if it exists. */
  readonly target: number;
  readonly rows: readonly Row[];
}

const kinds = ['zip', 'xlsx', 'json'] as const;
type Kind = (typeof kinds)[number];

const randomParts = fc
  .array(
    fc.record({
      isReversed: fc.boolean(),
      target: fc.nat(1),
      rows: fc.array(
        fc.record({
          label: fc.string({ unit: fc.constantFrom('a', 'é', ',', '"', '=', '0'), minLength: 1 }),
          amount: fc.nat(99),
          fault,
        }),
        { minLength: 1, maxLength: 12 },
      ),
    }),
    { minLength: 1, maxLength: 4 },
  )
  .map((parts): readonly Part[] => {
    let id = 0;
    return parts.map((part, i) => ({
      ...part,
      name: `Part ${i + 1}`,
      rows: part.rows.map((row) => ({ ...row, label: `x${row.label}`, id: ++id })),
    }));
  });

const header = ['Row Id', 'Full Name', 'Amount'];

/** The cells of a row; undefined for an empty one. JSON has no rows that are too long. */
function cellsOf({ isReversed }: Part, row: Row, kind: Kind): readonly (string | undefined)[] {
  const isEmpty = row.fault === 'empty' || (kind === 'json' && row.fault !== 'none');
  const cells = [String(row.id), row.label, isEmpty ? undefined : String(row.amount)];
  const ordered = isReversed ? cells.toReversed() : cells;
  return row.fault === 'long' && kind !== 'json' ? [...ordered, 'more'] : ordered;
}

function csvOf(rows: readonly (readonly (string | undefined)[])[]): string {
  const field = (cell = ''): string => (cell === '' ? '' : `"${cell.replaceAll('"', '""')}"`);
  return rows.map((row) => `${row.map(field).join(',')}\n`).join('');
}

function sheetOf(rows: readonly (readonly (string | undefined)[])[]): string {
  const cell = (value = ''): string => {
    if (value === '') return '<c/>';
    const escaped = value.replaceAll('"', '&quot;');
    return /^\d+$/.test(value)
      ? `<c><v>${value}</v></c>`
      : `<c t="inlineStr"><is><t>${escaped}</t></is></c>`;
  };
  return rows.map((row) => `<row>${row.map((value) => cell(value)).join('')}</row>`).join('');
}

async function contentOf(kind: Kind, parts: readonly Part[]): Promise<Buffer> {
  const tables = parts.map((part): [string, (readonly (string | undefined)[])[]] => {
    const names = part.isReversed ? header.toReversed() : header;
    return [part.name, [names, ...part.rows.map((row) => cellsOf(part, row, kind))]];
  });
  if (kind === 'xlsx')
    return buildWorkbook({
      sheets: Object.fromEntries(tables.map(([name, rows]) => [name, sheetOf(rows)])),
    });
  if (kind === 'zip')
    return writeZipOf(
      tables.map(([name, rows]) => ({ name: `${name}.csv`, content: csvOf(rows) })),
    );
  const objects = tables.map(([name, [names = [], ...rows]]) => [
    name,
    rows.map((row) => Object.fromEntries(row.map((cell, i) => [names[i], cell ?? null]))),
  ]);
  return Buffer.from(JSON.stringify(Object.fromEntries(objects)));
}

function withoutFaults(parts: readonly Part[]): readonly Part[] {
  return parts.map((part) => ({
    ...part,
    rows: part.rows.map((row) => ({ ...row, fault: 'none' as const })),
  }));
}

interface Rejected {
  readonly format: string | undefined;
  readonly content: Buffer;
}

/** The ids in the file of rejected rows, and the file with the rows as they should be. */
async function correct(
  { format, content }: Rejected,
  rows: ReadonlyMap<number, Row>,
): Promise<{ readonly ids: readonly number[]; readonly corrected: Buffer }> {
  const ids: number[] = [];
  const correctCsv = (csv: string): string => {
    const [names = [], ...lines] = parse(csv, { bom: true, relaxColumnCount: true });
    expect(names[0]).toBe('import_error');
    const idAt = names.findIndex((each) => /^row[ _]id$/i.test(each));
    const fixed = lines.map((line) => {
      expect(line[0]).toMatch(/^Line \d+: \S/);
      const row = rows.get(Number(line[idAt]))!;
      ids.push(row.id);
      const cells = [String(row.id), row.label, String(row.amount)];
      return ['why', ...(idAt === 1 ? cells : cells.toReversed())];
    });
    return csvOf([names, ...fixed]);
  };
  if (format === 'csv') return { corrected: Buffer.from(correctCsv(String(content))), ids };
  if (format === 'zip') {
    const files = (await unzip(content)).map(({ name, bytes }) => ({
      name,
      content: correctCsv(String(bytes)),
    }));
    return { corrected: await writeZipOf(files), ids };
  }
  const lines = String(content).trimEnd().split('\n');
  const fixed = lines.map((line) => {
    const { table, row } = JSON.parse(line) as { table: string; row: Record<string, unknown> };
    expect(row['import_error']).toMatch(/^Line \d+: \S/);
    const keyOf = (pattern: RegExp): string => Object.keys(row).find((key) => pattern.test(key))!;
    const { id, amount } = rows.get(Number(row[keyOf(/^row.id$/i)]))!;
    ids.push(id);
    return JSON.stringify({ table, row: { ...row, [keyOf(/^amount$/i)]: String(amount) } });
  });
  return { corrected: Buffer.from(fixed.join('\n')), ids };
}

type ContentOfTables = Readonly<Record<string, readonly unknown[]>>;

async function contentOfTables(
  harness: Harness,
  tables: readonly string[],
): Promise<ContentOfTables> {
  await harness.refresh();
  const contents = tables.map(async (table) => {
    const { data: rows } = await harness.list(table, { pageSize: 500 });
    const values = rows.map((row) =>
      Object.entries(row)
        .filter(([column]) => column !== '_rowid_')
        .map(([column, value]) => `${column}=${String(value)}`),
    );
    return [table, values.map((row) => row.toSorted().join(';')).toSorted()];
  });
  return Object.fromEntries(await Promise.all(contents)) as ContentOfTables;
}

interface CheckOptions extends ImportFileOptions {
  readonly targets: readonly string[];
  /** The table of a file with one part. */
  readonly only: string;
}

function withoutLongRows(parts: readonly Part[]): readonly Part[] {
  return parts.map((part) => ({
    ...part,
    rows: part.rows.map((row) => (row.fault === 'long' ? { ...row, fault: 'empty' } : row)),
  }));
}

describeOnEachDatabase('rejected rows of several parts', (harness) => {
  const path = join(mkdtempSync(join(tmpdir(), 'studio-rejected-')), 'rejected');
  const send = async (
    [file, content]: readonly [string, Buffer],
    options: ImportFileOptions,
  ): Promise<ImportDataResponse> => importFile(harness.database.url, [file, content], options);
  const dropAll = async (tables: readonly string[]): Promise<void> => {
    for (const table of tables) await harness.database.run(`DROP TABLE IF EXISTS ${table}`);
    await harness.refresh();
  };

  /** Imports the faulty file, then its corrected rejected rows. Returns what both and the clean file lead to. */
  const check = async (
    kind: Kind,
    parts: readonly Part[],
    { targets, only, ...options }: CheckOptions,
  ): Promise<ContentOfTables> => {
    const faulty = parts.flatMap(({ rows }) => rows).filter((row) => row.fault !== 'none');
    rmSync(path, { force: true });
    const response = await send([`f.${kind}`, await contentOf(kind, parts)], {
      ...options,
      on_error: 'skip',
      keep_rejected: true,
      rejectedTo: { path },
      formulas: 'raw',
    });
    expect(response.warnings.filter((warning) => warning.includes('could not'))).toEqual([]);
    expect(response.rejected_rows).toBe(faulty.length);
    expect(existsSync(path)).toBe(faulty.length > 0);
    const stored = await contentOfTables(harness, targets);
    const all = parts.flatMap(({ rows }) => rows).length;
    expect(Object.values(stored).flat()).toHaveLength(all - faulty.length);
    if (faulty.length === 0) return stored;
    const rows = new Map(parts.flatMap((part) => part.rows.map((row) => [row.id, row])));
    const format = response.rejected_format;
    const { ids, corrected } = await correct({ format, content: readFileSync(path) }, rows);
    expect(ids.toSorted((a, b) => a - b)).toEqual(faulty.map(({ id }) => id));
    const table = format === 'csv' ? { table: only } : {};
    const again = await send([`f.${format}`, corrected], { ...table, formulas: 'raw' });
    expect(again.rows_imported).toBe(faulty.length);
    return contentOfTables(harness, targets);
  };

  test.each(['zip', 'xlsx'] as const)(
    'complete existing tables: %s',
    { timeout: 240_000 },
    async (kind) => {
      const names = ['rejected_a', 'rejected_b'];
      const columns = [
        columnOf('Row Id', int),
        columnOf('Full Name', text),
        columnOf('Amount', int),
      ];
      await fc.assert(
        fc.asyncProperty(randomParts, async (parts) => {
          const create = async (): Promise<void> => {
            await dropAll(names);
            await harness.createTables(
              names.map((table) =>
                tableOf(table, columns, { primaryKey: { columns: ['Row Id'] } }),
              ),
            );
            await harness.refresh();
          };
          const tables = JSON.stringify(
            Object.fromEntries(parts.map(({ name, target }) => [name, names[target]])),
          );
          await create();
          const clean = await contentOf(kind, withoutFaults(parts));
          await send([`f.${kind}`, clean], { tables, formulas: 'raw' });
          const expected = await contentOfTables(harness, names);
          await create();
          const only = names[parts[0]?.target ?? 0]!;
          const result = await check(kind, parts, { targets: names, only, tables });
          expect(result).toEqual(expected);
        }),
        { numRuns: 12 },
      );
      await dropAll(names);
    },
  );

  test.each(kinds)(
    'complete the tables that the import creates: %s',
    { timeout: 240_000 },
    async (kind) => {
      let rejected = 0;
      await fc.assert(
        fc.asyncProperty(randomParts, async (random) => {
          // A column of a sheet that the proposal does not have is not imported.
          const parts = kind === 'xlsx' ? withoutLongRows(random) : random;
          const tables = parts.map((_, i) => `part_${i + 1}`);
          await dropAll(['part_1', 'part_2', 'part_3', 'part_4']);
          const clean: readonly [string, Buffer] = [
            `f.${kind}`,
            await contentOf(kind, withoutFaults(parts)),
          ];
          const created = await send(clean, { create_table: true, formulas: 'raw' });
          expect(created.tables_created).toEqual(tables);
          const expected = await contentOfTables(harness, tables);
          await dropAll(tables);
          const schema = JSON.stringify(created.schema);
          expect(
            await check(kind, parts, {
              targets: tables,
              only: tables[0]!,
              create_table: true,
              schema,
            }),
          ).toEqual(expected);
          rejected += parts
            .flatMap(({ rows }) => rows)
            .filter((row) => row.fault !== 'none').length;
        }),
        { numRuns: 12 },
      );
      expect(rejected).toBeGreaterThan(5);
      await dropAll(['part_1', 'part_2', 'part_3', 'part_4']);
    },
  );
});
