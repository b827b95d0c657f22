/**
 * Rejected rows through the API: what is in the table and what is in the downloaded file are the file
 * together, and the corrected file completes the table.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createApp } from '../../../src/http/app.ts';
import { describeOnEachDatabase } from './harness.ts';
import { cleanValues, namesTables, randomFile, render, takenId } from './rejected-files.ts';
import { columnOf, int, tableWithId } from './tables.ts';
import type { App } from '../../../src/http/app.ts';
import type { Harness } from './harness.ts';
import type { RandomFile, Rendered } from './rejected-files.ts';

const tables = ['partly_one', 'partly_two'] as const;
const expectedTables = ['wholly_one', 'wholly_two'] as const;
type Tables = readonly [string, string];

interface Imported {
  readonly tables: Readonly<Record<string, { readonly rows_skipped: number }>>;
  readonly rejected_rows?: number;
  readonly rejected_format?: string;
  readonly rejected_file?: string;
}

const api = 'http://localhost/studio/api';

async function importInto(app: App, file: Rendered, query: object): Promise<Imported> {
  const form = new FormData();
  form.append('file', new Blob([new Uint8Array(file.content)]), file.name);
  const parameters = new URLSearchParams({ on_error: 'skip', keep_rejected: 'true', ...query });
  const address = `${api}/import/data?${parameters}`;
  const response = await app.fetch(new Request(address, { method: 'POST', body: form }));
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return JSON.parse(text) as Imported;
}

async function download(app: App, id: string): Promise<string> {
  const response = await app.fetch(new Request(`${api}/import/rejected/${id}`));
  expect(response.status).toBe(200);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(Number(response.headers.get('content-length'))).toBe(bytes.length);
  return bytes.toString();
}

interface RejectedLine {
  readonly reason: string;
  /** Undefined for a JSON value that is no object. */
  readonly id: unknown;
  /** The line without the reason. */
  readonly content: string;
  /** The line with the values that it should have. */
  readonly correct: (good: ReturnType<typeof cleanValues>) => string;
}

function readNdjson(text: string): readonly RejectedLine[] {
  const lines = text.split('\n');
  expect(lines.pop()).toBe('');
  return lines.map((line) => {
    const value = JSON.parse(line) as { readonly table?: string; readonly row?: unknown };
    const isNamed = value.row !== undefined;
    const row = (value.row ?? value) as Readonly<Record<string, unknown>> | readonly unknown[];
    const lineOf = (each: unknown): string =>
      JSON.stringify(isNamed ? { table: value.table, row: each } : each);
    if (Array.isArray(row))
      return {
        reason: String(row[0]),
        id: undefined,
        content: lineOf(row[1]),
        correct: lineOf,
      };
    const { import_error: reason, ...members } = row as Readonly<Record<string, unknown>>;
    expect(Object.keys(row)[0]).toBe('import_error');
    return {
      reason: String(reason),
      id: members['id'],
      content: lineOf(members),
      correct: ({ id, amount }) => lineOf({ import_error: reason, ...members, id, amount }),
    };
  });
}

function readCsv(text: string): {
  readonly header: string;
  readonly lines: readonly RejectedLine[];
} {
  const records: string[][] = [[]];
  const field = /(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/y;
  field.lastIndex = 1;
  for (let match = field.exec(text); match !== null; match = field.exec(text)) {
    records.at(-1)?.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? '');
    if (match[3] === '\n') records.push([]);
  }
  const [header = [], ...rows] = records.slice(0, -1);
  expect([text[0], ...header]).toEqual([
    '\ufeff',
    'import_error',
    'id',
    'label',
    'amount',
    'price',
    'day',
  ]);
  const joined = (fields: readonly string[]): string =>
    fields.map((each) => `"${each.replaceAll('"', '""')}"`).join(',');
  return {
    header: header.join(','),
    lines: rows.map(([reason = '', id, label = '', amount, price, day]) => ({
      reason,
      id: Number(id),
      content: JSON.stringify([id, label, amount, price, day]),
      correct: (good) =>
        joined([
          reason,
          `${good.id}`,
          label,
          `${good.amount}`,
          price ?? good.price,
          day ?? good.day,
        ]),
    })),
  };
}

interface Attempt {
  readonly app: App;
  readonly file: RandomFile;
  readonly query: object;
}

/** Imports the faulty file and checks what was rejected. Returns the rejected rows, corrected. */
async function importFaulty({ app, file, query }: Attempt): Promise<Rendered | undefined> {
  const faulty = await render(file, tables, false);
  const response = await importInto(app, faulty, query);
  const bad = file.rows.flatMap(({ fault }, i) => (fault === 'none' ? [] : [i]));
  const skipped = Object.values(response.tables).map(({ rows_skipped: count }) => count);
  expect(skipped.reduce((sum, count) => sum + count, 0)).toBe(bad.length);
  expect(response.rejected_rows).toBe(bad.length);
  if (bad.length === 0) {
    expect(response.rejected_file).toBeUndefined();
    return undefined;
  }
  const format = file.kind === 'csv' || file.kind === 'xlsx' ? 'csv' : 'ndjson';
  expect(response.rejected_format).toBe(format);
  const text = await download(app, response.rejected_file ?? '');
  const csv = format === 'csv' ? readCsv(text) : undefined;
  const lines = csv?.lines ?? readNdjson(text);
  const order = bad.toSorted((a, b) => faulty.lines[a]! - faulty.lines[b]!);
  expect(lines.map(({ reason }) => /^Line (\d+): /.exec(reason)?.[1])).toEqual(
    order.map((i) => String(faulty.lines[i])),
  );
  for (const [n, i] of order.entries()) {
    const { fault } = file.rows[i]!;
    const id = lines[n]!.id;
    if (id !== undefined) expect(id).toBe(fault === 'key' ? takenId : i + 1);
  }
  // Sent again as it is, the same rows are rejected, for one reason each.
  const name = `again.${format}`;
  const repeated = await importInto(app, { ...faulty, name, content: Buffer.from(text) }, query);
  expect(repeated.rejected_rows).toBe(bad.length);
  const again = await download(app, repeated.rejected_file ?? '');
  const linesAgain = csv === undefined ? readNdjson(again) : readCsv(again).lines;
  expect(linesAgain.map(({ content }) => content)).toEqual(lines.map(({ content }) => content));
  const corrected = order.map((i, n) => lines[n]!.correct(cleanValues(file, i)));
  const all = [...(csv === undefined ? [] : [csv.header]), ...corrected];
  return { name, content: Buffer.from(all.join('\n')), lines: [] };
}

async function contentsOf({ database, underTest }: Harness, names: Tables): Promise<unknown[]> {
  const { quoteName } = underTest.dialect;
  const columns = ['id', 'label', 'amount', 'price', 'day'].map(quoteName).join(', ');
  const contents: unknown[] = [];
  for (const name of names) {
    const rows = await database.query(`SELECT ${columns} FROM ${name} ORDER BY id`);
    contents.push(rows.map((row) => JSON.stringify(row)));
  }
  return contents;
}

function tableNamed(name: string) {
  const columns = [
    columnOf('label', { kind: 'text', length: 100 }),
    columnOf('amount', int),
    columnOf('price', { kind: 'decimal', precision: 12, scale: 4 }),
    columnOf('day', { kind: 'date' }),
  ];
  return tableWithId(name, columns, {
    // SQLite stores any text in a column of numbers, where it is greater than each number.
    checks: [{ name: `${name}_check`, expression: 'amount >= 0 AND amount < 1000' }],
  });
}

describeOnEachDatabase('files of rejected rows', (harness) => {
  test('complete the table once they are corrected', { timeout: 400_000 }, async () => {
    const all = [...tables, ...expectedTables];
    await harness.createTables(all.map(tableNamed));
    await harness.refresh();
    const app = createApp(harness.studio, { anyHost: true });
    await fc.assert(
      fc.asyncProperty(randomFile, async (file) => {
        for (const name of all) await harness.database.run(`DELETE FROM ${name}`);
        for (const name of tables)
          await harness.database.run(
            `INSERT INTO ${name} (id, label, amount, price, day) VALUES (${takenId}, 'x', 1, 1, '2020-01-01')`,
          );
        const query = namesTables(file) ? {} : { table: tables[0] };
        const expectedQuery = namesTables(file) ? {} : { table: expectedTables[0] };
        const clean = await render(file, expectedTables, true);
        expect((await importInto(app, clean, expectedQuery)).rejected_rows).toBe(0);
        const corrected = await importFaulty({ app, file, query });
        if (corrected !== undefined)
          expect((await importInto(app, corrected, query)).rejected_rows).toBe(0);
        for (const name of tables)
          await harness.database.run(`DELETE FROM ${name} WHERE id = ${takenId}`);
        expect(await contentsOf(harness, tables)).toEqual(
          await contentsOf(harness, expectedTables),
        );
      }),
      // Shrinking is off, because each smaller case would take seconds.
      { numRuns: 14, endOnFailure: true },
    );
  });
});
