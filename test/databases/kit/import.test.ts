import { describe, expect, test } from 'vitest';
import { writeZipOf } from '../../formats/write-zip.ts';
import { exportAll } from '../exporting.ts';
import { countsIn, importFile } from '../importing.ts';
import { failureOf, describeOnEachDatabase } from './harness.ts';
import { storedRows } from './loading.ts';
import {
  bigint,
  columnOf,
  int,
  foreignKeyTo,
  name,
  tableWithId,
  optional,
  tableOf,
} from './tables.ts';
import type { ImportDataResponse } from '../../../src/studio/import/report-import.ts';
import type { ImportFileOptions } from '../importing.ts';
import type { Harness } from './harness.ts';

describeOnEachDatabase('import', (harness) => {
  const send = (
    file: string,
    content: string | Uint8Array,
    options?: ImportFileOptions,
  ): Promise<ImportDataResponse> => importFile(harness.database.url, [file, content], options);

  describe('of CSV', () => {
    test('fills the table that the query or the form names', async () => {
      await harness.createTables([
        tableWithId('people', [columnOf('name', name), optional('age', int)]),
      ]);
      const first = await send('people.csv', 'id,name,age\n1,Ann,30\n2,"Bo, ""B""",\n', {
        table: 'people',
      });
      expect(first).toEqual({
        message: 'imported',
        rows_imported: 2,
        tables: { people: { rows_imported: 2, rows_updated: 0, rows_skipped: 0 } },
        warnings: [],
      });
      await send('people.csv', 'name;id\r\nCy;3\r\n', { fields: { table: 'people' } });
      expect(await storedRows(harness, 'people')).toEqual([
        { id: 1, name: 'Ann', age: 30 },
        { id: 2, name: 'Bo, "B"', age: null },
        { id: 3, name: 'Cy', age: null },
      ]);
    });

    test('distinguishes NULL from the empty text', async () => {
      await harness.createTables([
        tableWithId('blanks', [columnOf('must', name), optional('may', name)]),
      ]);
      await send('blanks.csv', 'id,must,may\n1,,\n2,"",""\n', { table: 'blanks' });
      expect(await storedRows(harness, 'blanks')).toEqual([
        { id: 1, must: '', may: null },
        { id: 2, must: '', may: '' },
      ]);
    });

    test('reads rows without values at the end where the table can store them', async () => {
      await harness.createTables([
        tableOf('unkeyed', [optional('a', name), optional('b', int)]),
        tableWithId('strict', [optional('a', name), optional('b', int)]),
      ]);
      const unkeyed = await send('unkeyed.csv', 'a,b\nx,1\n,\n,\n', { table: 'unkeyed' });
      expect(unkeyed.warnings).toEqual([]);
      expect(countsIn(unkeyed)).toEqual({ unkeyed: [3, 0, 0] });
      const strict = await send('strict.csv', 'id,a,b\n1,x,1\n,,\n,,\n', { table: 'strict' });
      expect(strict.warnings).toEqual([
        'strict.csv: the last 2 rows, from line 3 on, have no values and were left out.',
      ]);
      expect(await storedRows(harness, 'strict')).toEqual([{ id: 1, a: 'x', b: 1 }]);
    });

    test('uses the default of columns that the file does not have', async () => {
      await harness.createTables([
        tableWithId('defaults', [
          columnOf('n', int, { default: '7' }),
          columnOf('t', name, { default: "'none'" }),
        ]),
      ]);
      await send('d.csv', 'id,n\n1,1\n2,2\n', { table: 'defaults' });
      await send('d.json', '{"defaults":[{"id":3},{"id":4,"t":"x"},{"id":5,"n":5}]}');
      expect(await storedRows(harness, 'defaults')).toEqual([
        { id: 1, n: 1, t: 'none' },
        { id: 2, n: 2, t: 'none' },
        { id: 3, n: 7, t: 'none' },
        { id: 4, n: 7, t: 'x' },
        { id: 5, n: 5, t: 'none' },
      ]);
    });

    test('applies a mapping and skips columns that it maps to null', async () => {
      await harness.createTables([tableWithId('mapped', [columnOf('name', name)])]);
      const mapping = '{"Full name":"name","Note":null,"Key":"id"}';
      await send('m.csv', 'Key,Full name,Note\n1,Ann,x\n', { table: 'mapped', mapping });
      expect(await storedRows(harness, 'mapped')).toEqual([{ id: 1, name: 'Ann' }]);
      expect(
        await failureOf(send('m.csv', 'Key\n1\n', { table: 'mapped', mapping: '{"Key":"nmae"}' })),
      ).toMatchObject({ code: 'unknown_column', message: expect.stringContaining('"name"') });
    });

    test('removes the apostrophe of the formula guard and warns', async () => {
      await harness.createTables([tableWithId('guarded', [columnOf('t', name)])]);
      const file = "id,t\n1,'=1+1\n2,''@x\n3,'plain\n4,-5\n";
      const { warnings } = await send('g.csv', file, { table: 'guarded' });
      expect(warnings).toEqual([expect.stringContaining('2 cells')]);
      expect((await storedRows(harness, 'guarded')).map((row) => row['t'])).toEqual([
        '=1+1',
        "'@x",
        "'plain",
        '-5',
      ]);
      await harness.createTables([tableWithId('raw', [columnOf('t', name)])]);
      await send('g.csv', file, { table: 'raw', formulas: 'raw' });
      expect((await storedRows(harness, 'raw')).map((row) => row['t'])).toEqual([
        "'=1+1",
        "''@x",
        "'plain",
        '-5',
      ]);
    });

    test('keeps every digit, and rejects values with more digits than the column stores', async () => {
      await harness.createTables([
        tableWithId('digits', [
          optional('big', bigint),
          optional('cents', { kind: 'decimal', precision: 12, scale: 2 }),
        ]),
      ]);
      await send(
        'd.csv',
        'id,big,cents\n1,9007199254740993,1234567890.12\n2,-9223372036854775808,-0.50\n',
        {
          table: 'digits',
        },
      );
      expect(await storedRows(harness, 'digits')).toEqual([
        { id: 1, big: '9007199254740993', cents: 1234567890.12 },
        { id: 2, big: '-9223372036854775808', cents: -0.5 },
      ]);
      expect(
        await failureOf(send('d.csv', 'id,big\n3,9223372036854775808\n', { table: 'digits' })),
      ).toMatchObject({
        code: 'import_failed',
        errors: [{ code: 'invalid_value', table: 'digits', row: 1, line: 2, column: 'big' }],
      });
    });
  });

  describe('of a file with errors', () => {
    test('writes nothing, and reports every error that the checks find', async () => {
      await harness.createTables([tableWithId('checked', [columnOf('n', bigint)])]);
      const rows = Array.from({ length: 1200 }, (_, i) => `${i + 1},${i}`);
      rows[3] = '4,1,2';
      rows[1100] = '1101,99999999999999999999';
      const failure = await failureOf(
        send('c.csv', `id,n\n${rows.join('\n')}\n`, { table: 'checked' }),
      );
      expect(failure).toMatchObject({
        code: 'import_failed',
        errors: [
          { code: 'parse_failed', table: 'checked', row: 4, line: 5 },
          { code: 'invalid_value', table: 'checked', row: 1101, line: 1102, column: 'n' },
        ],
      });
      expect(failure.message).toContain('c.csv');
      expect(await storedRows(harness, 'checked')).toEqual([]);
    });

    test('reports errors of the database too', async () => {
      await harness.createTables([tableWithId('found', [columnOf('n', bigint)])]);
      await harness.insertRows('found', [{ id: 700, n: 0 }]);
      const rows = Array.from({ length: 1200 }, (_, i) => `${i + 1},${i}`);
      rows[1100] = 'x';
      const failure = await failureOf(
        send('c.csv', `id,n\n${rows.join('\n')}\n`, { table: 'found' }),
      );
      const errors = failure['errors'] as readonly object[];
      expect(errors).toContainEqual(
        expect.objectContaining({ code: 'parse_failed', row: 1101, line: 1102 }),
      );
      expect(await storedRows(harness, 'found')).toEqual([{ id: 700, n: 0 }]);
    });

    test('skips wrong rows on request', async () => {
      await harness.createTables([tableWithId('lenient', [columnOf('n', bigint)])]);
      await harness.insertRows('lenient', [{ id: 3, n: 0 }]);
      const response = await send('l.csv', 'id,n\n1,1\n2\n3,3\n4,99999999999999999999\n5,5\n', {
        table: 'lenient',
        on_error: 'skip',
      });
      expect(countsIn(response)).toEqual({ lenient: [2, 0, 3] });
      expect(response.errors).toMatchObject([
        { code: 'parse_failed', table: 'lenient', row: 2, line: 3 },
        { code: 'unique_violation', table: 'lenient', row: 3, line: 4 },
        { code: 'invalid_value', table: 'lenient', row: 4, line: 5, column: 'n' },
      ]);
      expect(response.warnings).toEqual(['3 rows were left out because of 3 errors.']);
      expect(await storedRows(harness, 'lenient')).toEqual([
        { id: 1, n: 1 },
        { id: 3, n: 0 },
        { id: 5, n: 5 },
      ]);
    });

    test('reports the cause of the failure before the skipped rows', async () => {
      await harness.createTables([
        tableWithId('makers', [columnOf('n', int)]),
        tableWithId('parts', [columnOf('maker_id', bigint)], {
          foreignKeys: [foreignKeyTo('makers', ['maker_id'])],
        }),
      ]);
      await harness.insertRows('makers', [{ id: 1, n: 1 }]);
      await harness.insertRows('parts', [{ id: 1, maker_id: 1 }]);
      const failure = await failureOf(
        send('makers.csv', 'id,n\n2\n3,3\n', {
          table: 'makers',
          mode: 'replace',
          on_error: 'skip',
        }),
      );
      expect(failure).toMatchObject({
        code: 'import_failed',
        message: expect.stringMatching(/^Nothing of makers\.csv was imported: .*\(2 errors\)$/),
        errors: [
          { code: 'foreign_key_violation', table: 'parts' },
          { code: 'parse_failed', table: 'makers', row: 1 },
        ],
      });
      expect(await storedRows(harness, 'makers')).toEqual([{ id: 1, n: 1 }]);
    });

    test('reports at most a hundred errors, and their total', async () => {
      await harness.createTables([tableWithId('many', [columnOf('n', int)])]);
      const rows = Array.from({ length: 150 }, () => '1');
      const failure = await failureOf(
        send('m.csv', `id,n\n${rows.join('\n')}\n`, { table: 'many' }),
      );
      expect(failure['errors']).toHaveLength(100);
      expect(failure.message).toContain('(150 errors in 150 rows)');
    });

    test('names unknown columns and tables', async () => {
      await harness.createTables([tableWithId('known', [columnOf('name', name)])]);
      expect(await failureOf(send('k.csv', 'id,nmae\n', { table: 'known' }))).toMatchObject({
        code: 'import_failed',
        errors: [
          {
            code: 'unknown_column',
            table: 'known',
            column: 'nmae',
            line: 1,
            message: expect.stringContaining('"name"'),
          },
        ],
      });
      expect(await failureOf(send('k.csv', 'id\n', { table: 'knwon' }))).toMatchObject({
        code: 'table_not_found',
        nearest: 'known',
      });
      expect(await failureOf(send('k.json', '{"knwon":[]}'))).toMatchObject({
        code: 'table_not_found',
        nearest: 'known',
      });
    });

    test('reports missing and invalid parameters', async () => {
      await harness.createTables([tableWithId('asked', [columnOf('name', name)])]);
      const codeOf = async (file: string, content: string, options?: ImportFileOptions) =>
        (await failureOf(send(file, content, options))).code;
      expect(await codeOf('a.csv', 'id,name\n1,x\n')).toBe('invalid_parameter');
      expect(await codeOf('a.json', '[{"id":1,"name":"x"}]')).toBe('invalid_parameter');
      expect(await codeOf('a.pdf', 'x', { table: 'asked' })).toBe('unsupported_media_type');
      expect(await codeOf('a.csv', 'id\n', { table: 'asked', fields: { table: 'other' } })).toBe(
        'invalid_parameter',
      );
      expect(await codeOf('a.csv', 'id\n', { table: 'asked', fields: { tabel: 'x' } })).toBe(
        'invalid_parameter',
      );
      expect(await codeOf('a.csv', 'id\n', { table: 'asked', on_conflict: 'what' })).toBe(
        'invalid_parameter',
      );
    });
  });

  describe('of JSON', () => {
    test('fills several tables, in any order', async () => {
      await harness.createTables([
        tableWithId('owners', [columnOf('name', name)]),
        tableWithId('pets', [optional('owner_id', bigint), columnOf('name', name)], {
          foreignKeys: [foreignKeyTo('owners', ['owner_id'])],
        }),
      ]);
      const response = await send(
        'pets.json',
        '{"pets":[{"id":1,"owner_id":2,"name":"Rex"},{"id":2,"name":"Tom"}],"owners":[{"id":2,"name":"Ann"}]}',
      );
      expect(countsIn(response)).toEqual({ pets: [2, 0, 0], owners: [1, 0, 0] });
      expect(await storedRows(harness, 'pets')).toEqual([
        { id: 1, owner_id: 2, name: 'Rex' },
        { id: 2, owner_id: null, name: 'Tom' },
      ]);
    });

    test('accepts the envelope, an array with the table in the query, and NDJSON', async () => {
      await harness.createTables([tableWithId('shapes', [columnOf('name', name)])]);
      await send('e.json', '{"exported_at":"2026","tables":{"shapes":[{"id":1,"name":"a"}]}}');
      await send('b.json', ' [ {"id":2,"name":"b"} ] ', { table: 'shapes' });
      await send('l.json', '{"id":3,"name":"c"}\n{"id":4,"name":"d"}\n', { table: 'shapes' });
      await send('l.ndjson', '{"table":"shapes","row":{"id":5,"name":"e"}}\n');
      expect((await storedRows(harness, 'shapes')).map((row) => row['name'])).toEqual([...'abcde']);
    });

    test('rejects a file for another table than the requested one', async () => {
      await harness.createTables([
        tableWithId('one', [columnOf('n', int)]),
        tableWithId('two', [columnOf('n', int)]),
      ]);
      expect(await failureOf(send('t.json', '{"two":[{"n":1}]}', { table: 'one' }))).toMatchObject({
        code: 'invalid_parameter',
      });
    });

    test('of a truncated file writes nothing', async () => {
      await harness.createTables([tableWithId('broken', [columnOf('n', int)])]);
      const rows = Array.from({ length: 1500 }, (_, i) => `{"id":${i + 1},"n":1}`).join(',\n');
      const failure = await failureOf(send('b.json', `{"broken":[${rows},\n{"id":9999,"n"`));
      expect(failure).toMatchObject({ code: 'parse_failed', line: 1501 });
      expect(await storedRows(harness, 'broken')).toEqual([]);
    });
  });

  describe('of SQL', () => {
    test('binds the values of INSERT statements of any dialect', async () => {
      await harness.createTables([
        tableWithId('notes', [
          optional('t', name),
          optional('n', int),
          optional('f', { kind: 'boolean' }),
        ]),
      ]);
      const response = await send(
        'dump.sql',
        [
          '-- MySQL dump 10.13',
          '/*!40101 SET NAMES utf8mb4 */;',
          'LOCK TABLES `notes` WRITE;',
          "INSERT INTO `notes` (`id`, `t`, `n`, `f`) VALUES (1,'it\\'s; (a)',NULL,1),(2,'b\\nc',-5,0);",
          'UNLOCK TABLES;',
        ].join('\n'),
      );
      expect(countsIn(response)).toEqual({ notes: [2, 0, 0] });
      await send(
        'dump.sql',
        'BEGIN;\nCOPY public.notes (id, t, n, f) FROM stdin;\n3\ta\\tb\t\\N\tt\n\\.\nCOMMIT;\n',
      );
      await send(
        'dump.sql',
        "SET IDENTITY_INSERT [dbo].[notes] ON\nGO\nINSERT [dbo].[notes] ([id], [t]) VALUES (4, N'four')\nINSERT [dbo].[notes] ([id], [t]) VALUES (5, N'five')\nGO\n",
      );
      expect(await storedRows(harness, 'notes')).toEqual([
        { id: 1, t: "it's; (a)", n: null, f: true },
        { id: 2, t: 'b\nc', n: -5, f: false },
        { id: 3, t: 'a\tb', n: null, f: true },
        { id: 4, t: 'four', n: null, f: null },
        { id: 5, t: 'five', n: null, f: null },
      ]);
    });

    test('rejects every statement that is not data, and writes nothing', async () => {
      await harness.createTables([tableWithId('safe', [columnOf('t', name)])]);
      const before = await rowsIn(harness);
      for (const statement of [
        'DELETE FROM safe',
        'DROP TABLE safe',
        "INSERT INTO safe (t) SELECT 'x'",
        "UPDATE safe SET t = 'x'",
        'CREATE TABLE other (id INTEGER)',
        "INSERT INTO safe (t) VALUES ((SELECT 'x'))",
        "INSERT INTO safe (t) VALUES ('a') ON CONFLICT (t) DO UPDATE SET t = 'b'",
      ]) {
        const failure = await failureOf(
          send('s.sql', `INSERT INTO safe (t) VALUES ('1');\n${statement};\n`),
        );
        expect([statement, failure.code]).toEqual([
          statement,
          expect.stringMatching(/^(?:import|parse)_failed$/),
        ]);
      }
      expect(await rowsIn(harness)).toBe(before);
    });

    test('rejects rows for two databases or schemas in one file', async () => {
      await harness.createTables([tableWithId('shared', [columnOf('t', name)])]);
      const insert = (table: string, id: number): string =>
        `INSERT INTO ${table} (id, t) VALUES (${id}, 'a');\n`;
      for (const script of [
        `USE one;\n${insert('shared', 1)}USE two;\n${insert('shared', 2)}`,
        `${insert('one.shared', 1)}${insert('two.shared', 2)}`,
      ]) {
        const { code, message } = await failureOf(send('two.sql', script));
        expect(['import_failed', 'table_not_found']).toContain(code);
        expect(message).toContain('two');
        expect(await storedRows(harness, 'shared')).toEqual([]);
      }
      await send('one.sql', `${insert('one.shared', 1)}${insert('shared', 2)}`);
      expect(await storedRows(harness, 'shared')).toHaveLength(2);
    });

    test('skips DDL on request, and otherwise says what to do', async () => {
      await harness.createTables([tableWithId('mixed', [columnOf('t', name)])]);
      const script =
        "CREATE TABLE mixed (id INTEGER, t TEXT);\nINSERT INTO mixed (id, t) VALUES (1, 'a');\n";
      const failure = await failureOf(send('m.sql', script));
      expect(failure.message).toContain('ddl=skip');
      expect(await storedRows(harness, 'mixed')).toEqual([]);
      const { warnings } = await send('m.sql', script, { ddl: 'skip' });
      expect(warnings).toEqual(['1 schema statement was skipped.']);
      expect(await storedRows(harness, 'mixed')).toEqual([{ id: 1, t: 'a' }]);
    });
  });

  describe('of a zip', () => {
    test('fills one table per file', async () => {
      await harness.createTables([
        tableWithId('zip_a', [columnOf('t', name)]),
        tableWithId('zip_b', [columnOf('t', name)]),
      ]);
      const archive = await writeZipOf([
        { name: 'zip_a.csv', content: 'id,t\n1,a\n' },
        { name: 'other.csv', content: 'id,t\n1,b\n', comment: 'zip_b' },
        { name: '__MACOSX/._zip_a.csv', content: 'x' },
      ]);
      expect(countsIn(await send('all.zip', archive))).toEqual({
        zip_a: [1, 0, 0],
        zip_b: [1, 0, 0],
      });
    });

    test('that expands beyond the limit is rejected', async () => {
      await harness.createTables([tableWithId('bomb', [columnOf('t', name)])]);
      const archive = await writeZipOf([
        { name: 'bomb.csv', content: `id,t\n${'0'.repeat(2_000_000)}` },
      ]);
      expect(await failureOf(send('bomb.zip', archive, { maxUploadBytes: 100_000 }))).toMatchObject(
        { code: 'too_large' },
      );
    });
  });

  describe('into a table with rows', () => {
    test('replaces, skips or updates existing rows', async () => {
      await harness.createTables([tableWithId('full', [columnOf('t', name)])]);
      const rows = [
        { id: 1, t: 'a' },
        { id: 2, t: 'b' },
      ];
      await harness.insertRows('full', rows);
      const file = 'id,t\n2,B\n3,C\n';
      expect(countsIn(await send('f.csv', file, { table: 'full', on_conflict: 'skip' }))).toEqual({
        full: [1, 0, 1],
      });
      expect(countsIn(await send('f.csv', file, { table: 'full', on_conflict: 'update' }))).toEqual(
        {
          full: [0, 2, 0],
        },
      );
      expect(await storedRows(harness, 'full')).toEqual([
        { id: 1, t: 'a' },
        { id: 2, t: 'B' },
        { id: 3, t: 'C' },
      ]);
      await send('f.csv', file, { table: 'full', mode: 'replace' });
      expect(await storedRows(harness, 'full')).toEqual([
        { id: 2, t: 'B' },
        { id: 3, t: 'C' },
      ]);
    });

    test('replaces all tables of a document, including those without rows, unless a row is wrong', async () => {
      await harness.createTables([
        tableWithId('left', [columnOf('n', int)]),
        tableWithId('right', [columnOf('n', int)]),
      ]);
      await harness.insertRows('left', [{ id: 1, n: 1 }]);
      await harness.insertRows('right', [{ id: 1, n: 1 }]);
      const before = await rowsIn(harness);
      const options = { mode: 'replace' };
      await failureOf(
        send('d.json', '{"left":[],"right":[{"id":2,"n":"x"},{"id":3,"m":1}]}', options),
      );
      expect(await rowsIn(harness)).toBe(before);
      const response = await send('d.json', '{"left":[],"right":[{"id":2,"n":2}]}', options);
      expect(countsIn(response)).toEqual({ left: [0, 0, 0], right: [1, 0, 0] });
      expect(await storedRows(harness, 'left')).toEqual([]);
      expect(await storedRows(harness, 'right')).toEqual([{ id: 2, n: 2 }]);
    });

    test('reports the same in a dry run, which changes nothing', async () => {
      await harness.createTables([tableWithId('dry', [columnOf('t', name)])]);
      await harness.insertRows('dry', [{ id: 1, t: 'a' }]);
      const before = await rowsIn(harness);
      const options = { table: 'dry', on_conflict: 'update' };
      const { dry_run, ...report } = await send('d.csv', 'id,t\n1,x\n2,y\n', {
        ...options,
        dry_run: true,
      });
      expect(dry_run).toBe(true);
      expect(await rowsIn(harness)).toBe(before);
      expect(await send('d.csv', 'id,t\n1,x\n2,y\n', options)).toEqual(report);
    });
  });

  test('reports its progress', async () => {
    await harness.createTables([tableWithId('long', [columnOf('t', name)])]);
    const file = `id,t\n${Array.from({ length: 40_000 }, (_, i) => `${i + 1},row`).join('\n')}\n`;
    const reported: { bytes: number; rows: number }[] = [];
    await send('l.csv', file, {
      table: 'long',
      onProgress: (progress) => {
        expect(progress).toMatchObject({ total_bytes: file.length, table: 'long' });
        reported.push(progress);
      },
    });
    expect(reported.at(-1)?.rows).toBe(40_000);
    expect(reported.at(-1)?.bytes).toBe(file.length);
    expect(reported.map(({ bytes }) => bytes)).toEqual(
      reported.map(({ bytes }) => bytes).toSorted((a, b) => a - b),
    );
  });

  test('rejects views, and skips generated columns with a warning', async () => {
    await harness.createTables([
      tableOf('sums', [
        columnOf('a', int),
        columnOf('b', int, { nullable: true, generated: { expression: 'a + 1', stored: true } }),
      ]),
    ]);
    const { warnings } = await send('s.csv', 'a,b\n1,77\n', { table: 'sums' });
    expect(warnings).toEqual([expect.stringContaining('"b"')]);
    expect(await storedRows(harness, 'sums', 'a')).toMatchObject([{ a: 1, b: 2 }]);
  });
});

/** All rows of all tables. */
async function rowsIn(harness: Harness): Promise<string> {
  return (await exportAll(harness.database.url)).text;
}
