/** Sheets of a workbook and files of an archive that the request maps to tables. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildWorkbook } from '../../formats/build-workbook.ts';
import { writeZipOf } from '../../formats/write-zip.ts';
import { countsIn, importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { storedRows } from './loading.ts';
import { columnOf, name, tableWithId } from './tables.ts';
import type { ImportDataResponse } from '../../../src/studio/import/report-import.ts';
import type { ImportFileOptions } from '../importing.ts';

interface Part {
  readonly name: string;
  readonly rows: readonly (readonly [id: number | string, t: string])[];
}

function workbookOf(parts: readonly Part[]): Promise<Buffer> {
  const cell = (text: number | string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
  const sheets = parts.map(({ name: sheet, rows }): [string, string] => [
    sheet,
    [['id', 't'], ...rows].map((row) => `<row>${row.map(cell).join('')}</row>`).join(''),
  ]);
  return buildWorkbook({ sheets: Object.fromEntries(sheets) });
}

function archiveOf(parts: readonly Part[]): Promise<Buffer> {
  const files = parts.map(({ name: file, rows }) => ({
    name: `${file}.csv`,
    content: [['id', 't'], ...rows].map((row) => `${row.join(',')}\n`).join(''),
  }));
  return writeZipOf(files);
}

describeOnEachDatabase('import of mapped parts', (harness) => {
  const send = async (
    kind: 'xlsx' | 'zip',
    parts: readonly Part[],
    options: ImportFileOptions,
  ): Promise<ImportDataResponse> => {
    const content = await (kind === 'xlsx' ? workbookOf(parts) : archiveOf(parts));
    return importFile(harness.database.url, [`parts.${kind}`, content], options);
  };

  test('each has the table that the request names, its own or none', async () => {
    const targets = ['parts_a', 'parts_b'] as const;
    await harness.createTables(
      [...targets, 'own_1'].map((table) => tableWithId(table, [columnOf('t', name)])),
    );
    const choice = fc.constantFrom('parts_a', 'parts_b', 'own', 'null');
    let nextId = 1;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('xlsx' as const, 'zip' as const),
        fc.array(fc.tuple(choice, fc.integer({ min: 1, max: 3 })), { minLength: 1, maxLength: 5 }),
        async (kind, plan) => {
          const parts = plan.map(([target, count], i): Part => ({
            name: target === 'own' ? 'own_1' : `Part ${i}`,
            rows: Array.from({ length: count }, () => [nextId++, `${target} ${i}`]),
          }));
          // A workbook cannot have two sheets of one name.
          const unique = parts.filter(
            (part, i) => parts.findIndex((each) => each.name === part.name) === i,
          );
          const tables = Object.fromEntries(
            plan.flatMap(([target], i) =>
              target === 'own' ? [] : [[`Part ${i}`, target === 'null' ? null : target]],
            ),
          );
          const expected = new Map<string, [number, string][]>();
          for (const part of unique) {
            const target = part.name in tables ? tables[part.name] : part.name;
            if (target === null || target === undefined) continue;
            expected.set(target, [
              ...(expected.get(target) ?? []),
              ...(part.rows as [number, string][]),
            ]);
          }
          const before = nextId - unique.flatMap(({ rows }) => rows).length;
          if (expected.size === 0) return;
          await send(kind, unique, { tables: JSON.stringify(tables) });
          for (const [table, rows] of expected) {
            const ids = new Set(rows.map(([id]) => id));
            const found = (await storedRows(harness, table)).filter(({ id }) =>
              ids.has(Number(id)),
            );
            expect(found.map(({ id, t }) => [Number(id), t])).toEqual(rows);
          }
          expect(before).toBeGreaterThan(0);
        },
      ),
      { numRuns: 12 },
    );
  });

  test('arrays of a JSON document are found among other members, and mapped', async () => {
    await harness.createTables([tableWithId('items', [columnOf('t', name)])]);
    const document = {
      meta: { count: 2 },
      data: [
        { id: 1, t: 'a' },
        { id: 2, t: 'b' },
      ],
      more: { items: [{ code: 'x', n: 1 }] },
      ok: true,
    };
    const sendJson = (options: ImportFileOptions): Promise<ImportDataResponse> =>
      importFile(harness.database.url, ['document.json', JSON.stringify(document)], options);
    const several = await failureOf(sendJson({ table: 'items' }));
    expect(several.message).toContain('several arrays of rows, "data" and "more.items"');
    const response = await sendJson({
      tables: '{"data":"items"}',
      create_table: true,
    });
    expect(response.tables_created).toEqual(['more_items']);
    expect(response.warnings).toContain(
      'The rows are those of "data", "more.items". Other members of the document are left out: "meta", "ok".',
    );
    await harness.refresh();
    expect(await storedRows(harness, 'items')).toEqual([
      { id: 1, t: 'a' },
      { id: 2, t: 'b' },
    ]);
    expect(countsIn(response)).toEqual({ items: [2, 0, 0], more_items: [1, 0, 0] });
    const only = JSON.stringify({ data: [{ id: 3, t: 'c' }], next: null });
    await importFile(harness.database.url, ['only.json', only], { table: 'items' });
    expect((await storedRows(harness, 'items')).at(-1)).toEqual({ id: 3, t: 'c' });
  });

  test('files of one name in several folders are named if the request does not map them', async () => {
    await harness.createTables([tableWithId('parts_f', [columnOf('t', name)])]);
    const parts: readonly Part[] = [
      { name: 'north/parts_f', rows: [[1, 'a']] },
      { name: 'south/parts_f', rows: [[2, 'b']] },
    ];
    const { warnings } = await send('zip', parts, {});
    expect(warnings).toContain(
      '2 files of the archive have the name of the table "parts_f": "north/parts_f.csv", "south/parts_f.csv". Their rows go into one table, unless you choose a table for each file.',
    );
    const mapped = { 'north/parts_f.csv': 'parts_f', 'south/parts_f.csv': null };
    const only = await send('zip', [{ ...parts[0]!, rows: [[3, 'c']] }, parts[1]!], {
      tables: JSON.stringify(mapped),
    });
    expect(only.warnings).toEqual([]);
  });

  test('errors name the sheet or file beside the row', async () => {
    await harness.createTables([tableWithId('parts_c', [columnOf('t', name)])]);
    const parts: readonly Part[] = [
      {
        name: 'One',
        rows: [
          [1, 'a'],
          ['x', 'b'],
        ],
      },
      {
        name: 'Two',
        rows: [
          [2, 'c'],
          ['y', 'd'],
          [1, 'twice'],
        ],
      },
    ];
    for (const kind of ['xlsx', 'zip'] as const) {
      const [one, two] = kind === 'zip' ? ['One.csv', 'Two.csv'] : ['One', 'Two'];
      const tables = `${one}=parts_c,${two}=parts_c`;
      const failure = await failureOf(send(kind, parts, { tables }));
      expect(failure.message).toMatch(
        `Nothing of parts.${kind} was imported: "${one}", table "parts_c", row 2, line 3: `,
      );
      const response = await send(kind, parts, { tables, on_error: 'skip', dry_run: true });
      expect(countsIn(response)).toEqual({ parts_c: [2, 0, 3] });
      expect(response.errors?.map(({ source, row }) => [source, row])).toEqual([
        [one, 2],
        [two, 2],
        [two, 3],
      ]);
      const unmapped = await failureOf(send(kind, parts, { tables: `${one}=parts_c` }));
      expect(unmapped.message).toContain('Map "Two');
      expect(await failureOf(send(kind, parts, { tables: 'Three=parts_c' }))).toMatchObject({
        code: 'invalid_parameter',
        message: expect.stringContaining(` has no ${kind === 'zip' ? 'file' : 'sheet'} "Three"`),
      });
    }
  });

  test('some fill tables, others create theirs', async () => {
    await harness.createTables([tableWithId('parts_d', [columnOf('t', name)])]);
    for (const [i, kind] of (['xlsx', 'zip'] as const).entries()) {
      const newTableName = `parts_new_${i}`;
      const parts: readonly Part[] = [
        { name: 'Known', rows: [[i, 'a']] },
        {
          name: newTableName,
          rows: [
            [1, 'b'],
            [2, 'c'],
          ],
        },
        { name: 'Notes', rows: [[0, 'z']] },
      ];
      const suffix = kind === 'zip' ? '.csv' : '';
      const tables = JSON.stringify({ [`Known${suffix}`]: 'parts_d', [`Notes${suffix}`]: null });
      const response = await send(kind, parts, { create_table: true, tables });
      expect(response.tables_created).toEqual([newTableName]);
      expect(countsIn(response)).toEqual({ [newTableName]: [2, 0, 0], parts_d: [1, 0, 0] });
      await harness.refresh();
      expect((await storedRows(harness, newTableName)).map(({ t }) => t)).toEqual(['b', 'c']);
    }
    expect((await storedRows(harness, 'parts_d')).map(({ t }) => t)).toEqual(['a', 'a']);
  });

  test('all may fill tables that exist although others could be created', async () => {
    await harness.createTables([tableWithId('parts_e', [columnOf('t', name)])]);
    for (const [i, kind] of (['xlsx', 'zip'] as const).entries()) {
      const parts: readonly Part[] = [
        { name: 'One', rows: [[2 * i, 'a']] },
        { name: 'Two', rows: [[2 * i + 1, 'b']] },
        { name: 'Notes', rows: [[0, 'z']] },
      ];
      const suffix = kind === 'zip' ? '.csv' : '';
      const options = { create_table: true, on_error: 'skip' } as const;
      const tables = `One${suffix}=parts_e,Two${suffix}=parts_e,Notes${suffix}=`;
      const response = await send(kind, parts, { ...options, tables });
      expect(response).toMatchObject({ tables_created: [], statements: [], warnings: [] });
      expect(countsIn(response)).toEqual({ parts_e: [2, 0, 0] });
      const none = `One${suffix}=,Two${suffix}=,Notes${suffix}=`;
      expect(await failureOf(send(kind, parts, { ...options, tables: none }))).toMatchObject({
        code: 'import_failed',
        message: `parts.${kind} has no columns to create a table of.`,
      });
    }
    expect((await storedRows(harness, 'parts_e')).map(({ t }) => t)).toEqual(['a', 'b', 'a', 'b']);
  });

  test('other files have no parts, and one parameter names tables', async () => {
    const parts: readonly Part[] = [{ name: 'One', rows: [[1, 'a']] }];
    const csv = importFile(harness.database.url, ['f.csv', 'id,t\n'], {
      table: 'x',
      tables: 'f=x',
    });
    expect((await failureOf(csv)).message).toContain('leave table and sheet out');
    const json = importFile(harness.database.url, ['f.ndjson', '{"x":1}'], { tables: 'x=y' });
    expect((await failureOf(json)).message).toContain('is ndjson');
    for (const tables of ['[1]', '{"One":1}', 'One'])
      expect(await failureOf(send('xlsx', parts, { tables }))).toMatchObject({
        code: 'invalid_parameter',
      });
  });
});
