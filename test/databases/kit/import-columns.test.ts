import { expect, test } from 'vitest';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { storedRows } from './loading.ts';
import { columnOf, foreignKeyTo, int, name, optional, tableWithId } from './tables.ts';
import type { ImportDataResponse } from '../../../src/studio/import/report-import.ts';
import type { ImportFileOptions } from '../importing.ts';

describeOnEachDatabase('columns of imported files', (harness) => {
  const send = (content: string, options: ImportFileOptions): Promise<ImportDataResponse> =>
    importFile(harness.database.url, ['file.csv', content], options);

  test('find rows to update by any unique index, which must be in the file', async () => {
    const index = { name: 'by_mail', unique: true, parts: [{ column: 'mail' }] };
    const table = tableWithId('accounts', [columnOf('mail', name), optional('age', int)]);
    await harness.createTables([{ ...table, indexes: [index] }]);
    await harness.insertRows('accounts', [{ id: 1, mail: 'a@x', age: 1 }]);
    const options = { table: 'accounts', on_conflict: 'update', conflict_columns: 'mail' };
    await send('id,mail,age\n1,a@x,5\n2,b@x,6\n', options);
    expect(await storedRows(harness, 'accounts')).toEqual([
      { id: 1, mail: 'a@x', age: 5 },
      { id: 2, mail: 'b@x', age: 6 },
    ]);
    const failure = await failureOf(send('id,age\n1,7\n', options));
    expect(failure.errors).toEqual([
      {
        code: 'unknown_column',
        message:
          'The file has no column "mail", but conflict_columns names it as part of the key by which existing rows are found.',
        table: 'accounts',
        line: 1,
        column: 'mail',
      },
    ]);
    expect((await storedRows(harness, 'accounts'))[0]).toEqual({ id: 1, mail: 'a@x', age: 5 });
  });

  test.each(['update', 'skip'])(
    '%s rows that exist by another key than the primary one, whose values the file lacks',
    async (rule) => {
      const index = { name: `by_mail_${rule}`, unique: true, parts: [{ column: 'mail' }] };
      const table = tableWithId(`members_${rule}`, [
        columnOf('code', name),
        columnOf('mail', name),
        optional('age', int),
      ]);
      const keyed = { ...table, primaryKey: { columns: ['code'] }, indexes: [index] };
      const columns = keyed.columns.filter((column) => column.name !== 'id');
      await harness.createTables([{ ...keyed, columns }]);
      await harness.insertRows(keyed.name, [
        { code: 'A', mail: 'a@x', age: 1 },
        { code: 'B', mail: 'b@x', age: 2 },
      ]);
      const options = { table: keyed.name, on_conflict: rule, conflict_columns: 'mail' };
      const response = await send('mail,age\nb@x,6\na@x,5\n', options);
      expect(Object.values(response.tables)).toEqual([
        rule === 'update'
          ? { rows_imported: 0, rows_updated: 2, rows_skipped: 0 }
          : { rows_imported: 0, rows_updated: 0, rows_skipped: 2 },
      ]);
      const { data } = await harness.list(keyed.name);
      expect(data.map(({ age }) => Number(age))).toEqual(rule === 'update' ? [5, 6] : [1, 2]);
      const failure = await failureOf(send('mail,age\na@x,7\nnew@x,1\n', options));
      expect(JSON.stringify(failure.errors)).toContain('code');
    },
  );

  test('with the same name are mapped separately', async () => {
    await harness.createTables([
      tableWithId('notes', [columnOf('note', name), optional('other', name)]),
    ]);
    const content = 'id,note,note,\n1,a,b,x\n';
    const failure = await failureOf(send(content, { table: 'notes' }));
    expect(JSON.stringify(failure)).toContain('note (2)');
    const mapping = '{"note (2)":"other","column 4":null}';
    await send(content, { table: 'notes', mapping });
    expect(await storedRows(harness, 'notes')).toEqual([{ id: 1, note: 'a', other: 'b' }]);
  });
});

describeOnEachDatabase('formats of imported files', (harness) => {
  const send = (
    content: string | Uint8Array,
    options: ImportFileOptions,
  ): Promise<ImportDataResponse> =>
    importFile(harness.database.url, ['file.csv', content], options);
  const german =
    'id;Name;Geboren;Gehalt;Aktiv\r\n1;Müller;13.12.1956;1.234,50;ja\r\n2;Özdemir;01.02.2000;99,90;nein\r\n';
  const excel = Buffer.from(german, 'latin1');

  test('of a German spreadsheet are found, in a new table', async () => {
    const response = await send(excel, { table: 'personal', create_table: true });
    expect(response.format).toEqual({ decimal: 'comma', date_order: 'DMY' });
    expect(response.warnings.join()).toContain('windows-1252');
    await harness.refresh();
    expect(await storedRows(harness, 'personal')).toEqual([
      { id: 1, name: 'Müller', geboren: '1956-12-13', gehalt: 1234.5, aktiv: true },
      { id: 2, name: 'Özdemir', geboren: '2000-02-01', gehalt: 99.9, aktiv: false },
    ]);
  });

  test('of a German spreadsheet are found, in an existing table', async () => {
    await harness.createTables([
      tableWithId('staff', [
        columnOf('name', name),
        columnOf('geboren', { kind: 'date' }),
        columnOf('gehalt', { kind: 'decimal', precision: 10, scale: 2 }),
        columnOf('aktiv', { kind: 'boolean' }),
      ]),
    ]);
    const response = await send(excel, { table: 'staff' });
    expect(response.format).toEqual({ decimal: 'comma', date_order: 'DMY' });
    expect(await storedRows(harness, 'staff')).toEqual([
      { id: 1, name: 'Müller', geboren: '1956-12-13', gehalt: 1234.5, aktiv: true },
      { id: 2, name: 'Özdemir', geboren: '2000-02-01', gehalt: 99.9, aktiv: false },
    ]);
  });

  test('that the file does not determine are requested', async () => {
    await harness.createTables([
      tableWithId('unclear', [
        optional('d', { kind: 'date' }),
        optional('n', { kind: 'decimal', precision: 10, scale: 3 }),
      ]),
    ]);
    const content = 'id;d;n\n1;03.04.2020;\n2;;1,234\n';
    const failure = await failureOf(send(content, { table: 'unclear' }));
    const { errors } = failure as unknown as {
      readonly errors: readonly { readonly message: string }[];
    };
    expect(errors.map(({ message }) => /date_order|decimal/.exec(message)?.[0])).toEqual([
      'date_order',
      'decimal',
    ]);
    await send(content, { table: 'unclear', date_order: 'MDY', decimal: 'comma' });
    expect(await storedRows(harness, 'unclear')).toEqual([
      { id: 1, d: '2020-03-04', n: null },
      { id: 2, d: null, n: 1.234 },
    ]);
  });

  test('of numbers with commas between thousands are found, in new and existing tables', async () => {
    const content = 'id,n\n1,"1,234.50"\n2,"12,345,678.90"\n3,999.5\n';
    const rows = [
      { id: 1, n: 1234.5 },
      { id: 2, n: 12345678.9 },
      { id: 3, n: 999.5 },
    ];
    await harness.createTables([
      tableWithId('dollars', [optional('n', { kind: 'decimal', precision: 12, scale: 2 })]),
    ]);
    // In existing tables of SQLite, texts are converted on request only.
    await send(content, { table: 'dollars', decimal: 'point' });
    expect(await storedRows(harness, 'dollars')).toEqual(rows);
    const made = await send(content, { table: 'new_dollars', create_table: true });
    expect(made.format).toEqual({ decimal: 'point' });
    await harness.refresh();
    expect(await storedRows(harness, 'new_dollars')).toEqual(rows);
    const thousands = 'id;n\n1;1.234\n2;12.345\n3;7\n';
    await send(thousands, { table: 'new_euros', create_table: true, decimal: 'comma' });
    await harness.refresh();
    expect(await storedRows(harness, 'new_euros')).toEqual([
      { id: 1, n: 1234 },
      { id: 2, n: 12345 },
      { id: 3, n: 7 },
    ]);
  });

  test('of thousands separators are found in other columns too', async () => {
    await harness.createTables([
      tableWithId('sums', [
        optional('n', { kind: 'decimal', precision: 10, scale: 3 }),
        optional('note', name),
      ]),
    ]);
    const comma = await send('id;n;note\n1;1.234;"0,5"\n', { table: 'sums' });
    expect(comma.format).toEqual({ decimal: 'comma' });
    const point = await send('id,n,note\n2,1.234,x\n', { table: 'sums' });
    expect(point.format).toBe(undefined);
    const unclear = 'id;n;note\n3;5.678;x\n';
    const failure = await failureOf(send(unclear, { table: 'sums' }));
    expect(failure.message).toContain('can have a decimal point or points between thousands');
    await send(unclear, { table: 'sums', decimal: 'point' });
    expect(await storedRows(harness, 'sums')).toEqual([
      { id: 1, n: 1234, note: '0,5' },
      { id: 2, n: 1.234, note: 'x' },
      { id: 3, n: 5.678, note: 'x' },
    ]);
  });

  test('are found again after rows have waited for rows that they reference', async () => {
    const table = tableWithId('nodes', [optional('parent', int), optional('d', { kind: 'date' })]);
    await harness.createTables([{ ...table, foreignKeys: [foreignKeyTo('nodes', ['parent'])] }]);
    const count = 3000;
    const rows = Array.from({ length: count }, (_, i) => {
      const parent = i === count - 1 ? '' : `${i + 2}`;
      return `${i + 1},${parent},${i < 2000 ? '' : '13.12.1956'}`;
    });
    // Rows that may be skipped wait on disk, on every database.
    const options = { table: 'nodes', on_error: 'skip' };
    const response = await send(`id,parent,d\n${rows.join('\n')}\n`, options);
    expect(response.rows_imported).toBe(count);
    expect(response.format).toEqual({ date_order: 'DMY' });
  });

  test('of unambiguous dates need no order', async () => {
    await harness.createTables([tableWithId('mixed', [optional('d', { kind: 'date' })])]);
    const content = 'id,d\n1,2020-01-02\n2,13.12.1956\n3,05.05.2000\n';
    await send(content, { table: 'mixed' });
    expect(await storedRows(harness, 'mixed')).toEqual([
      { id: 1, d: '2020-01-02' },
      { id: 2, d: '1956-12-13' },
      { id: 3, d: '2000-05-05' },
    ]);
  });

  test('of blank cells are NULL without their white space', async () => {
    await harness.createTables([tableWithId('blank', [optional('n', int)])]);
    const content = 'id,n\n1,  \n2, 5\n';
    await send(content, { table: 'blank', trim: true });
    expect(await storedRows(harness, 'blank')).toEqual([
      { id: 1, n: null },
      { id: 2, n: 5 },
    ]);
    const { schema } = await send(content, {
      table: 'fresh',
      trim: true,
      create_table: true,
      dry_run: true,
    });
    expect(JSON.stringify(schema)).toContain('{"kind":"integer","bits":16}');
  });

  test('of headers, quotes, NULL and white space are set', async () => {
    await harness.createTables([
      tableWithId('plain', [optional('t', name), optional('b', { kind: 'boolean' })]),
    ]);
    const options = { table: 'plain', header: 'absent', quote: "'", null_text: 'NULL', trim: true };
    const words = { true_words: 'stimmt', false_words: 'falsch,nö' };
    await send("1, 'a;'' ',stimmt\n2,NULL, nö\n", { ...options, ...words });
    expect((await storedRows(harness, 'plain')).at(-1)).toEqual({ id: 2, t: null, b: false });
  });
});
