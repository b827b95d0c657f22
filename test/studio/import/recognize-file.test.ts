import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { detectImportKind } from '../../../src/studio/import/recognize-file.ts';
import { readImportOptions } from '../../../src/studio/import/import-options.ts';
import { writeZipOf } from '../../formats/write-zip.ts';
import type { ImportDataInput, ImportOptions } from '../../../src/studio/import/import-options.ts';

const folder = mkdtempSync(join(tmpdir(), 'studio-kinds-'));
afterAll(() => rmSync(folder, { recursive: true }));

function kindOf(name: string, content: string | Buffer, hasTable = false): Promise<string> {
  const path = join(folder, 'upload');
  writeFileSync(path, content);
  return detectImportKind({ name, path, bytes: Buffer.byteLength(content) }, { hasTable });
}

describe('the kind of a file', () => {
  test.each([
    ['a.csv', 'csv'],
    ['a.b.CSV', 'csv'],
    ['a.tsv', 'csv'],
    ['a.txt', 'csv'],
    ['a.json', 'json'],
    ['a.ndjson', 'ndjson'],
    ['a.jsonl', 'ndjson'],
    ['a.sql', 'sql'],
    ['a.xlsx', 'xlsx'],
    ['a.zip', 'zip'],
  ])('is determined by the extension of %s', async (name, kind) => {
    expect(await kindOf(name, 'x')).toBe(kind);
  });

  test.each<[string, string, boolean, string]>([
    ['a document', '{"users":[{"id":1}]}', false, 'json'],
    ['a document in lines', '{\n"users":[]\n}', true, 'json'],
    ['an array', '[{"id":1}]\n', true, 'json'],
    ['rows in lines', '{"id":1}\n{"id":2}\n', false, 'ndjson'],
    ['a row that names its table', '{"table":"t","row":{}}', false, 'ndjson'],
    ['one row of a table', '{"id":1}', true, 'ndjson'],
    ['a document of one line', '{"id":[]}', true, 'json'],
  ])('.json with %s', async (_, content, hasTable, kind) => {
    expect(await kindOf('a.json', content, hasTable)).toBe(kind);
    expect(await kindOf('a.json', `\ufeff${content}`, hasTable)).toBe(kind);
  });

  test('is determined by the content if there is no extension', async () => {
    expect(await kindOf('', 'id,name\n1,x\n')).toBe('csv');
    expect(await kindOf('-', ' {"users":[]}')).toBe('json');
    expect(await kindOf('', '{"id":1}\n{"id":2}')).toBe('ndjson');
    expect(await kindOf('dump', '-- dump\nINSERT INTO t VALUES (1);')).toBe('sql');
    expect(await kindOf('dump', 'insert into t values (1)')).toBe('sql');
    expect(await kindOf('', await writeZipOf([{ name: 'a.csv', content: 'x' }]))).toBe('zip');
    expect(
      await kindOf('', await writeZipOf([{ name: '[Content_Types].xml', content: 'x' }])),
    ).toBe('xlsx');
    expect(await kindOf('', '')).toBe('csv');
  });

  test('is unknown for other extensions', async () => {
    for (const name of ['a.pdf', 'a.xls', 'a.csv.gz', 'a.constructor'])
      await expect(kindOf(name, 'id\n')).rejects.toMatchObject({ code: 'unsupported_media_type' });
  });

  test.each([
    ['a.dump', 'PGDMP\u0001', /archive of pg_dump.* pg_restore -f FILE\.sql/],
    ['a.sql.gz', Buffer.from([0x1f, 0x8b, 8]), /compressed with gzip\. Decompress it first/],
    ['a.xml', '<a/>', /Convert it to CSV, JSON or SQL first/],
    ['a.xls', 'id', /Save it as \.xlsx first/],
  ])('of %s is an error that says what to do', async (name, content, message) => {
    await expect(kindOf(name, content)).rejects.toMatchObject({
      code: 'unsupported_media_type',
      message: expect.stringMatching(message),
    });
  });
});

function options(
  input: Omit<ImportDataInput, 'upload'>,
  fields: Record<string, string> = {},
): ImportOptions {
  return readImportOptions({ ...input, upload: { files: [], fields } });
}

describe('the options of an import', () => {
  test('have defaults', () => {
    expect(options({})).toMatchObject({
      table: undefined,
      onConflict: 'error',
      onError: 'abort',
      mode: 'append',
      dryRun: false,
      ddl: 'refuse',
      formulas: 'guarded',
    });
  });

  test('come from the query or the form', () => {
    expect(
      options({ table: 'a', mode: 'replace' }, { on_conflict: 'skip', dry_run: '1' }),
    ).toMatchObject({
      table: 'a',
      mode: 'replace',
      onConflict: 'skip',
      dryRun: true,
    });
    expect(options({ table: 'a' }, { table: 'a' }).table).toBe('a');
    expect(options({ table: '' }, { table: 'a' }).table).toBe('a');
  });

  test('can be lists, maps and characters', () => {
    expect(options({ conflict_columns: ['a', 'b,c'] }).conflictColumns).toEqual(['a', 'b,c']);
    expect(options({}, { conflict_columns: 'a, b' }).conflictColumns).toEqual(['a', 'b']);
    expect(options({}, { conflict_columns: '["a,b"]' }).conflictColumns).toEqual(['a,b']);
    expect(options({ mapping: '{"A":"a","B":null,"__proto__":"c"}' }).mapping).toEqual(
      new Map([
        ['A', 'a'],
        ['B', undefined],
        ['__proto__', 'c'],
      ]),
    );
    expect(options({ delimiter: 'tab' }).delimiter).toBe('\t');
    expect(options({ delimiter: ';' }).delimiter).toBe(';');
  });

  test.each<[Omit<ImportDataInput, 'upload'>, Record<string, string>, string]>([
    [{ table: 'a' }, { table: 'b' }, 'table'],
    [{ mode: 'replace' }, { mode: 'appendix' }, 'mode'],
    [{ on_error: 'ignore' }, {}, 'on_error'],
    [{}, { dry_run: 'maybe' }, 'dry_run'],
    [{}, { tabel: 'a' }, 'tabel'],
    [{ mapping: '{' }, {}, 'mapping'],
    [{ mapping: '[]' }, {}, 'mapping'],
    [{ mapping: '{"a":1}' }, {}, 'mapping'],
    [{ delimiter: '::' }, {}, 'delimiter'],
    [{ delimiter: '"' }, {}, 'delimiter'],
    [{}, { conflict_columns: '[1]' }, 'conflict_columns'],
  ])('%j with %j is rejected', (input, fields, parameter) => {
    expect(() => options(input, fields)).toThrow(
      expect.objectContaining({ code: 'invalid_parameter', details: { parameter } }),
    );
  });
});
