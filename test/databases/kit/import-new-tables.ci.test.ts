import { expect, test } from 'vitest';
import { buildWorkbook } from '../../formats/build-workbook.ts';
import { writeZipOf } from '../../formats/write-zip.ts';
import { importFile } from '../importing.ts';
import { describeOnEachDatabase, failureOf } from './harness.ts';
import { checkNewTables } from './new-tables.ts';
import type { ImportDataResponse } from '../../../src/studio/import/report-import.ts';
import type { ImportFileOptions } from '../importing.ts';

interface Proposal {
  readonly tables: readonly ProposedTable[];
}

interface ProposedTable {
  readonly name: string;
  readonly source: string;
  readonly comment?: string;
  readonly primary_key?: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly source?: string;
    readonly comment?: string;
    readonly is_nullable: boolean;
    readonly data_type: { readonly kind: string };
  }[];
}

function proposalOf({ schema }: ImportDataResponse): Proposal {
  return schema as unknown as Proposal;
}

describeOnEachDatabase('import into new tables', (harness) => {
  const send = (
    file: string,
    content: string | Uint8Array,
    options: ImportFileOptions = {},
  ): Promise<ImportDataResponse> =>
    importFile(harness.database.url, [file, content], { create_table: true, ...options });
  const names = async (): Promise<readonly string[]> => {
    await harness.refresh();
    const { body } = await harness.perform('get-schema', {});
    const { tables } = JSON.parse(String(body)) as {
      readonly tables: readonly { readonly name: string }[];
    };
    return tables.map(({ name }) => name);
  };

  test('stores the values of random files', async () => {
    await checkNewTables(harness, 25);
  });

  test('creates columns whose names no comment can hold', async () => {
    const { tables_created: created } = await send('odd.csv', 'a\0b,c\0\n1,x\n');
    expect(created).toEqual(['odd']);
    const response = await send('odd2.ndjson', String.raw`{"a\u0000b":1,"\ud800c":2}`);
    expect(proposalOf(response).tables[0]?.columns.map(({ name }) => name)).toEqual(['a_b', 'c']);
  });

  test('infers types, NOT NULL and the key from all rows', async () => {
    const content =
      'id,small,big,huge,price,ratio,ok,day,at,zoned,clock,ref,doc,zip,plus,note\n' +
      '1,1,3000000000,1,1.10,1e5,true,2024-02-29,2024-02-29 10:00:00,2024-02-29T10:00:00Z,10:00,123e4567-e89b-12d3-a456-426614174000,[1],00123,+1,x\n' +
      '2,-5,1,20000000000000,20,2.5e-3,false,1956-12-13,2024-02-29T10:00:00.25,2024-02-29 10:00:00+01:00,11:30:15.5,123e4567-e89b-12d3-a456-426614174001,"{""a"":1}",1,1,\n';
    const response = await send('kinds.csv', content, { dry_run: true });
    const [table] = proposalOf(response).tables;
    const kinds = table?.columns.map(({ name, data_type: type, is_nullable: isNullable }) => [
      name,
      ...Object.values(type),
      ...(isNullable ? ['null'] : []),
    ]);
    expect(kinds).toEqual([
      ['id', 'integer', 32],
      ['small', 'integer', 16],
      ['big', 'integer', 64],
      ['huge', 'integer', 64],
      ['price', 'decimal', 4, 2],
      ['ratio', 'float', 64],
      ['ok', 'boolean'],
      ['day', 'date'],
      ['at', 'timestamp', 2],
      ['zoned', 'timestamp', 0, true],
      ['clock', 'time', 1],
      ['ref', 'uuid'],
      ['doc', 'json'],
      ['zip', 'text'],
      ['plus', 'text'],
      ['note', 'text', 'null'],
    ]);
    expect(table?.primary_key).toEqual(['id']);
    expect(response.tables_created).toEqual(['kinds']);
    expect(response.statements?.[0]).toMatch(/^CREATE TABLE/);
    expect(await names()).not.toContain('kinds');
  });

  test('creates what an edited proposal says, and leaves out columns without a source', async () => {
    const content = 'Key,Full Name,Note,Note\n7,Ann,x,1\n8,Bo,y,2\n';
    const { tables } = proposalOf(await send('edited.csv', content, { dry_run: true }));
    expect(tables[0]?.columns.map(({ name, source, comment }) => [name, source, comment])).toEqual([
      ['key', 'Key', 'Key'],
      ['full_name', 'Full Name', 'Full Name'],
      ['note', 'Note', 'Note'],
      ['note_2', 'Note (2)', 'Note (2)'],
    ]);
    const [key, fullName, , second] = tables[0]!.columns;
    const edited = {
      ...tables[0],
      name: 'persons',
      columns: [
        { ...key, data_type: { kind: 'integer', bits: 64 } },
        { ...second, name: 'rank' },
        { ...fullName, name: 'title' },
        { name: 'extra', data_type: { kind: 'integer', bits: 32 }, is_nullable: true },
      ],
    };
    const schema = JSON.stringify({ tables: [edited] });
    const response = await send('edited.csv', content, { fields: { schema } });
    expect(response.tables_created).toEqual(['persons']);
    await harness.refresh();
    expect((await harness.list('persons')).data).toEqual([
      { key: 7, rank: 1, title: 'Ann', extra: null },
      { key: 8, rank: 2, title: 'Bo', extra: null },
    ]);
  });

  test('says which sources the file does not have, and rejects one that occurs twice', async () => {
    const content = 'a,b\n1,2\n';
    const { tables } = proposalOf(await send('sources.csv', content, { dry_run: true }));
    const [a, b] = tables[0]!.columns;
    const optionalB = { ...b, source: 'c', is_nullable: true };
    const changed = (column: object): string =>
      JSON.stringify({ tables: [{ ...tables[0], columns: [a, column] }] });
    const response = await send('sources.csv', content, { fields: { schema: changed(optionalB) } });
    expect(response.warnings).toEqual([
      'The file has no column "c", so column "b" of table "sources" got its default.',
    ]);
    const repeated = changed({ ...optionalB, source: 'a' });
    const failure = await failureOf(
      send('repeated.csv', content, { fields: { schema: repeated } }),
    );
    expect(failure).toMatchObject({ code: 'invalid_parameter', parameter: 'schema' });
  });

  test('rejects objects whose keys are data', async () => {
    const object = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`order ${i}`, i]));
    const failure = await failureOf(send('wide.json', JSON.stringify({ wide: [object] })));
    expect(failure.code).toBe('import_failed');
    expect(await names()).not.toContain('wide');
  });

  test('leaves nothing behind when a row fails', async () => {
    const content = 'id,n\n1,1\n2,x\n';
    const { tables } = proposalOf(await send('failing.csv', content, { dry_run: true }));
    const [id, n] = tables[0]!.columns;
    const schema = JSON.stringify({
      tables: [{ ...tables[0], checks: [{ expression: 'id < 2' }], columns: [id, n] }],
    });
    const failure = await failureOf(send('failing.csv', content, { fields: { schema } }));
    expect(failure.code).toBe('import_failed');
    expect(await names()).not.toContain('failing');
  });

  test('rejects a table that exists, and a script', async () => {
    await send('twice.csv', 'a\n1\n');
    const failure = await failureOf(send('twice.csv', 'a\n1\n'));
    expect(failure.code).toBe('table_exists');
    expect(JSON.stringify(failure)).not.toContain('if_exists');
    const [proposed] = proposalOf({ schema: failure.schema } as ImportDataResponse).tables;
    expect(proposed).toMatchObject({ name: 'twice', source: 'twice' });
    const schema = JSON.stringify({ tables: [{ ...proposed, name: 'third' }] });
    const renamed = await send('twice.csv', 'a\n1\n', { fields: { schema } });
    expect(renamed.tables_created).toEqual(['third']);
    expect((await failureOf(send('x.sql', 'INSERT INTO x VALUES (1);'))).code).toBe(
      'invalid_parameter',
    );
  });

  test('makes a table of each sheet, of each file of an archive and of each key of a document', async () => {
    const cell = (text: string): string => `<c t="inlineStr"><is><t>${text}</t></is></c>`;
    const row = (...cells: readonly string[]): string => `<row>${cells.join('')}</row>`;
    const workbook = await buildWorkbook({
      sheets: {
        'First sheet': row(cell('id')) + row('<c><v>1</v></c>') + row('<c><v>2</v></c>'),
        second: row(cell('name')) + row(cell('x')),
        unused: '',
      },
    });
    expect((await send('book.xlsx', workbook)).tables_created).toEqual(['first_sheet', 'second']);
    const zip = await writeZipOf([
      { name: 'one.csv', content: 'a\n1\n' },
      { name: 'two.csv', content: 'b\nx\n' },
    ]);
    expect((await send('files.zip', zip)).tables_created).toEqual(['one', 'two']);
    const json = '{"cats":[{"id":1,"n":{"x":1}}],"dogs":[{"id":"a","n":1},{"id":"b","n":"1"}]}';
    expect((await send('pets.json', json)).tables_created).toEqual(['cats', 'dogs']);
    await harness.refresh();
    expect((await harness.list('dogs')).data).toEqual([
      { id: 'a', n: '1' },
      { id: 'b', n: '1' },
    ]);
  });

  test('calls the table of a sheet without a name of its own like the file', async () => {
    const sheet = '<row><c t="inlineStr"><is><t>a</t></is></c></row><row><c><v>1</v></c></row>';
    const tablesOf = async (file: string, sheets: Readonly<Record<string, string>>) =>
      (await send(file, await buildWorkbook({ sheets }), { dry_run: true })).tables_created;
    expect(await tablesOf('People 2026.xlsx', { Tabelle1: sheet })).toEqual(['people_2026']);
    expect(await tablesOf('Team 2026.xlsx', { Sheet: sheet })).toEqual(['team_2026']);
    expect(await tablesOf('one_named.xlsx', { Staff: sheet })).toEqual(['staff']);
    expect(await tablesOf('several.xlsx', { Sheet1: sheet, Sheet2: sheet })).toEqual([
      'sheet1',
      'sheet2',
    ]);
  });

  test('warns of a first row that looks like data', async () => {
    const warned = async (content: string): Promise<boolean> => {
      const { warnings } = await send('rows.csv', content, { dry_run: true });
      return warnings.some((warning) => warning.includes('looks like data'));
    };
    for (const content of [
      'a,1,2020-01-02\nb,2,2020-01-03\n',
      '1,1\n2,3\n',
      'x,2.5,2.5\ny,1,2\n',
      '1,x\n',
    ])
      expect([content, await warned(content)]).toEqual([content, true]);
    for (const content of [
      'id,name\n1,a\n',
      'country,1990,1991,1992\nx,1.5,2,3\n',
      'id,2020\n1,2\n',
      'a,b\n',
    ])
      expect([content, await warned(content)]).toEqual([content, false]);
    const { warnings } = await send('rows.csv', '1,1\n2,3\n', { header: 'absent' });
    expect(warnings).toEqual([]);
  });

  test('leaves files that are not CSV and hidden sheets out, with a warning', async () => {
    const files = [
      { name: 'README.txt', content: 'x' },
      { name: 'data/kept.csv', content: 'a\n1\n' },
      { name: 'meta.json', content: '{}' },
    ];
    const ofZip = await send('pack.zip', await writeZipOf(files));
    expect([ofZip.tables_created, ofZip.warnings]).toEqual([
      ['kept'],
      ['Files that are not CSV are left out: "README.txt", "meta.json".'],
    ]);
    const sheet = '<row><c t="inlineStr"><is><t>a</t></is></c></row>';
    const workbook = await buildWorkbook({
      sheets: { shown: sheet, secret: sheet },
      sheetAttributes: { secret: 'state="hidden"' },
    });
    const ofWorkbook = await send('book.xlsx', workbook);
    expect([ofWorkbook.tables_created, ofWorkbook.warnings]).toEqual([
      ['shown'],
      ['Hidden sheets are left out: "secret". To import one, set sheet.'],
    ]);
    const hiddenOnly = await buildWorkbook({
      sheets: { shown: '', secret: sheet },
      sheetAttributes: { secret: 'state="hidden"' },
    });
    expect((await failureOf(send('empty_book.xlsx', hiddenOnly))).message).toContain(
      'Hidden sheets are left out: "secret". To import one, set sheet.',
    );
    const ofHidden = await send('empty_book.xlsx', hiddenOnly, { sheet: 'secret' });
    expect(ofHidden.tables_created).toEqual(['empty_book']);
    const failed = await failureOf(
      send('text.zip', await writeZipOf([{ name: 'README.txt', content: 'x' }])),
    );
    expect(failed.message).toContain('must contain one CSV file');
  });

  test('creates tables whose names are reserved or those of functions', async () => {
    const sent = ['sqlite_a.csv', 'crosstabs.csv', 'load_file.csv', 'dblink.csv'].map((name) => ({
      name,
      content: 'id,a\n1,x\n',
    }));
    const { tables_created: created } = await send('odd_names.zip', await writeZipOf(sent));
    expect(created).toEqual(['_sqlite_a', 'crosstabs', 'load_file', 'dblink']);
  });

  test('names columns of a workbook by dates as the sheet shows them', async () => {
    const workbook = await buildWorkbook({
      sheets: {
        plan:
          '<row><c t="inlineStr"><is><t>item</t></is></c><c s="1"><v>45292</v></c><c><v>2024</v></c><c t="b"><v>1</v></c></row>' +
          '<row><c t="inlineStr"><is><t>a</t></is></c><c><v>1</v></c><c><v>2</v></c><c><v>3</v></c></row>',
      },
      styles: '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>',
    });
    const { schema } = await send('dated.xlsx', workbook);
    const [plan] = (schema as { tables: { columns: { source: string }[] }[] }).tables;
    expect(plan?.columns.map(({ source }) => source)).toEqual([
      'item',
      '2024-01-01',
      '2024',
      'true',
    ]);
  });

  test('makes a table of a file without rows', async () => {
    expect((await send('empty.csv', 'a,b\n')).tables_created).toEqual(['empty']);
    await harness.refresh();
    expect((await harness.list('empty')).total).toBe(0);
  });
});
