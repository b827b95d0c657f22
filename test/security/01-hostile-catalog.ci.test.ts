/**
 * A database of hostile names and values, through every reading route and every export and import
 * format (SECURITY.md 1, 3, 9, 10, 15). 01-hostile-names.ci.test.ts covers each name in every
 * operation.
 */
import { afterAll, describe, expect, test } from 'vitest';
import { Resvg } from '@resvg/resvg-js';
import { encodeSegment } from '../../src/model/row-id.ts';
import { readGoModels } from '../../src/gorm/models/read-go-models.ts';
import { createStudio } from '../../src/studio/studio.ts';
import { describeOnEachDatabase } from '../databases/kit/harness.ts';
import { introspect, changesWithoutWarning } from '../databases/kit/exported-structure.ts';
import { exportAll, exportOne } from '../databases/exporting.ts';
import { importText } from '../databases/import-job.ts';
import { importFile } from '../databases/importing.ts';
import { unzip } from '../formats/read-zip.ts';
import { requestSender, fileBody } from './send-request.ts';
import { hostileRows, hostileTables, hostileValues, tableNames } from './hostile-catalog.ts';
import { withJobsInProcess } from './jobs-in-process.ts';
import type { Schema } from '../../src/model/schema.ts';
import type { Harness } from '../databases/kit/harness.ts';
import type { KitDatabase } from '../databases/kit/database-under-test.ts';
import type { SendRequest, AppResponse } from './send-request.ts';

type Named = readonly { readonly name: string }[];

const pathSegment = (text: string): string => encodeSegment(text);
const rowsPath = (table: string): string => `/tables/${pathSegment(table)}/rows`;
const filterQuery = (name: string, value: string): string =>
  new URLSearchParams({ [`filter_${name}`]: value }).toString();

function valuesIn({ json }: AppResponse): readonly unknown[] {
  return (json['data'] as readonly Readonly<Record<string, unknown>>[]).map((row) => row['value']);
}

/** Creates a second, empty database of the same kind for the work, and drops it. */
async function withEmptyDatabase(
  harness: Harness,
  useDatabase: (database: KitDatabase) => Promise<void>,
): Promise<void> {
  const database = await harness.underTest.makeDatabase();
  try {
    await useDatabase(database);
  } finally {
    await database.drop();
  }
}

/** The same, with a studio whose imports and exports run in separate processes, as for users. */
function withEmptyStudio(
  harness: Harness,
  useStudio: (ask: SendRequest, database: KitDatabase) => Promise<void>,
): Promise<void> {
  return withEmptyDatabase(harness, async (database) => {
    const studio = await createStudio({ url: database.url });
    try {
      await useStudio(requestSender(studio), database);
    } finally {
      await studio.close();
    }
  });
}

function warningsOf({ headers }: AppResponse): readonly string[] {
  return JSON.parse(decodeURIComponent(headers.get('studio-warnings') ?? '[]')) as string[];
}

describeOnEachDatabase('hostile catalog', (harness) => {
  let ask: SendRequest;
  let before: Schema;

  harness.beforeTests(async () => {
    const { ddl } = harness.underTest.dialect;
    const hasComments = harness.underTest.name !== 'sqlite';
    await harness.createTables(hostileTables({ quoteText: ddl.quoteText.bind(ddl), hasComments }));
    for (const table of tableNames) await harness.insertRows(table, hostileRows(table));
    ask = requestSender(withJobsInProcess(harness.studio, harness.database.url));
    before = await introspect(harness.database);
  });

  describe('over HTTP', () => {
    test('the schema returns every name, default, label and comment unchanged', async () => {
      const { json } = await ask('/schema');
      const listedTables = json['tables'] as readonly (Readonly<Record<string, unknown>> & {
        readonly columns: Named;
        readonly relations: Named;
      })[];
      expect(listedTables.map(({ name }) => name).toSorted()).toEqual(tableNames.toSorted());
      for (const [i, name] of tableNames.entries()) {
        const table = listedTables.find((each) => each['name'] === name);
        expect(table?.columns.map((column) => column.name)).toContain(name);
        if (i > 0) expect(table?.relations.length).toBeGreaterThan(0);
      }
      expect(listedTables).toHaveLength(before.tables.length);
    });

    test.each(tableNames.map((name, i) => [name, i] as const))(
      'the table %j is read through every route',
      async (table, i) => {
        const rows = await ask(
          `${rowsPath(table)}?sort_by=${encodeURIComponent(table)}&labels=true&etags=true&cells=preview&page_size=500`,
        );
        expect(rows.status, rows.text).toBe(200);
        expect(valuesIn(await ask(`${rowsPath(table)}?sort_by=id&page_size=500`))).toEqual(
          hostileValues,
        );
        for (const value of [hostileValues[i % hostileValues.length]!, '%_[a]^%']) {
          // Values with LIKE wildcards must be found literally too.
          const found = await ask(`${rowsPath(table)}?${filterQuery('value__eq', value)}`);
          expect(valuesIn(found), found.text).toEqual([value]);
          const searched = await ask(`${rowsPath(table)}?search=${encodeURIComponent(value)}`);
          expect(valuesIn(searched)).toContain(value);
          expect(valuesIn(searched).every((each) => String(each).includes(value))).toBe(true);
        }
        const row = await ask(`${rowsPath(table)}/3`);
        expect(row.json['value']).toBe(hostileValues[2]);
        const cell = await ask(`${rowsPath(table)}/3/cells/${pathSegment(table)}`);
        expect(cell.text).toBe(hostileValues[2]?.slice(0, 100));
        expect(cell.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w. -]+"/);
        const schema = before.tables.find(({ name }) => name === table);
        expect(schema?.columns.some(({ name }) => name === table)).toBe(true);
        const { relations } = await harness.table(table);
        for (const { name } of relations) {
          const related = await ask(`${rowsPath(table)}/1/relations/${pathSegment(String(name))}`);
          expect(related.status, related.text).toBe(200);
        }
      },
    );

    test('a table is exported with a plain file name', async () => {
      for (const table of ['../../etc/passwd', 'two\nlines\r\n\tand a tab', 'aux.csv']) {
        const exported = await ask(`/tables/${pathSegment(table)}/export?format=csv`);
        expect(exported.status, exported.text).toBe(200);
        expectFileName(exported);
      }
    });
  });

  describe('exported data is the same after an import into an empty database', () => {
    let allData: string;
    let structureSql: string;
    let copy: KitDatabase;
    harness.beforeTests(async () => {
      allData = (await ask('/export/data')).text;
      structureSql = (await ask('/export/schema?format=sql')).text;
      copy = await harness.underTest.makeDatabase();
      await copy.run(structureSql);
    });
    afterAll(() => copy?.drop());
    const dataOfCopy = async (): Promise<string> => (await exportAll(copy.url)).text;

    test.each(['json', 'ndjson', 'sql', 'csv'])('as %s', async (format) => {
      const exported = await ask(`/export/data?format=${format}`);
      expect(exported.status, exported.text).toBe(200);
      expectFileName(exported);
      if (format === 'csv') await expectSafeEntries(exported.bytes);
      const file = [`data.${extensions[format]}`, exported.bytes] as const;
      const imported = await importFile(copy.url, file, { mode: 'replace' });
      expect(imported.rows_imported).toBe(tableNames.length * hostileValues.length);
      expect(await dataOfCopy()).toBe(allData);
    });

    test('as xlsx, with a sheet for each table and no formulas', async () => {
      const exported = await ask('/export/data?format=xlsx');
      const sheets = (await unzip(exported.bytes)).filter(({ name }) => name.includes('sheet'));
      expect(sheets.length).toBeGreaterThanOrEqual(tableNames.length);
      for (const { bytes } of sheets) expect(bytes.includes('<f>')).toBe(false);
      const table = tableNames[4]!;
      const exportedTable = await ask(`/tables/${pathSegment(table)}/export?format=xlsx`);
      await withEmptyDatabase(harness, async ({ url, run }) => {
        await run(structureSql);
        await importFile(url, ['one.xlsx', exportedTable.bytes], { table });
        const { text } = await exportOne(url, { table });
        const values = (JSON.parse(text) as { value: unknown }[]).map(({ value }) => value);
        expect(values).toEqual(hostileValues);
      });
    });

    test('by the database itself, from the exported SQL', async () => {
      const script = (await ask('/export/data?format=sql')).text;
      await withEmptyDatabase(harness, async ({ url, run }) => {
        await run(structureSql);
        await run(script);
        expect((await exportAll(url)).text).toBe(allData);
      });
    });

    test('over HTTP, where each import runs in a process of its own', async () => {
      await withEmptyStudio(harness, async (askCopy) => {
        const importedSchema = await askCopy(
          '/import/schema',
          fileBody('structure.sql', structureSql),
        );
        expect(importedSchema.status, importedSchema.text).toBe(200);
        const imported = await askCopy('/import/data', fileBody('data.json', allData));
        expect(imported.status, imported.text).toBe(200);
        expect((await askCopy('/export/data')).text).toBe(allData);
      });
    });
  });

  describe('an exported structure is the same after an import', () => {
    test.each(['json', 'yaml', 'sql'])('as %s', async (format) => {
      const exported = await ask(`/export/schema?format=${format}`);
      expectFileName(exported);
      await withEmptyDatabase(harness, async (database) => {
        await importText(`schema.${format}`, exported.bytes, { url: database.url });
        const after = await introspect(database);
        expect(changesWithoutWarning(before, after, warningsOf(exported))).toEqual({});
      });
    });

    test('as DBML, down to every table and column', async () => {
      const exported = await ask('/export/schema?format=dbml');
      await withEmptyDatabase(harness, async (database) => {
        await importText('schema.dbml', exported.bytes, { url: database.url });
        expect(columnsOf(await introspect(database))).toEqual(columnsOf(before));
      });
    });
  });

  test('exported Go models contain only declarations, and can be parsed', async () => {
    const { text } = await ask('/export/models');
    const code = text
      .replaceAll(/\/\/[^\n]*/g, '')
      .replaceAll(/`[^`]*`|"(?:[^"\\\n]|\\.)*"/g, '""');
    expect(
      code.match(/^[a-z]\w*/gm)?.every((word) => /^(package|import|type|func)$/.test(word)),
    ).toBe(true);
    expect(code).not.toMatch(/\b(init|main|go|os|exec|unsafe)\b\s*\(/);
    const models = readGoModels([{ name: 'models.go', text }]);
    expect(models.models.length).toBeGreaterThan(0);
  });

  test('diagrams of every format contain names as text only, and no active content', async () => {
    const { text } = await ask('/export/schema?format=svg');
    const names = new Set([...text.matchAll(/<\/?([\w:-]+)/g)].map(([, name]) => name));
    expect([...names].toSorted()).toEqual(['g', 'path', 'rect', 'svg', 'text', 'title']);
    expect(new Resvg(text, { font: { loadSystemFonts: false } }).width).toBeGreaterThan(100);
    const drawnTablesQuery = new URLSearchParams({
      tables: drawnTables.map(encodeURIComponent).join(','),
    }).toString();
    const png = await ask(`/export/schema?format=png&${drawnTablesQuery}`);
    expect(png.bytes.subarray(0, 4).toString('latin1')).toBe('\x89PNG');
    const pdf = await ask(`/export/schema?format=pdf&${drawnTablesQuery}`);
    expect(pdf.bytes.toString('latin1')).toMatch(/^%PDF-/);
    expect(pdf.bytes.toString('latin1')).not.toMatch(/\/(JavaScript|JS|Launch|OpenAction|URI)\b/);
    const mermaid = await ask('/export/schema?format=mermaid');
    expect(mermaid.text).not.toMatch(/<script|<img/);
  });
});

/** A few tables for the slow formats: the time to draw a diagram mainly depends on the number of tables. */
const drawnTables = tableNames.filter((name) => /[<,\n名\u202e]/.test(name));

const extensions: Readonly<Record<string, string>> = {
  json: 'json',
  ndjson: 'ndjson',
  sql: 'sql',
  csv: 'zip',
};

function columnsOf({ tables }: Schema): readonly (readonly string[])[] {
  const lines = tables.map(({ name, columns }) => [name, ...columns.map((column) => column.name)]);
  return lines.toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

function expectFileName({ headers }: AppResponse): void {
  const disposition = headers.get('content-disposition') ?? '';
  expect(disposition).toMatch(
    /^attachment; filename="[\w. -]+"(; filename\*=UTF-8''[\w.%~!#$&+^|-]+)?$/,
  );
  const name = decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(disposition)?.[1] ?? '');
  // oxlint-disable-next-line no-control-regex -- control characters are among the forbidden ones
  expect(name).not.toMatch(/[\\/:*?"<>|\u0000-\u001f\u202a-\u202e]|^\.|^(con|nul|aux)\./i);
}

/** Expects names of entries that can be unpacked on any operating system, and differ in more than case. */
async function expectSafeEntries(bytes: Buffer): Promise<void> {
  const names = (await unzip(bytes)).map(({ name }) => name);
  expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(names.length);
  for (const name of names) {
    // oxlint-disable-next-line no-control-regex -- control characters are among the forbidden ones
    expect(name).not.toMatch(/[\\/:*?"<>|\u0000-\u001f]|^\.|^(con|nul|aux)\./i);
    expect(name).toMatch(/\.csv$/);
  }
}
