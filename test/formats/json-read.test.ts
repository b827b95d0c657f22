import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readJson } from '../../src/formats/json/read.ts';
import { readNdjson } from '../../src/formats/ndjson/read.ts';
import { describeSamples } from './describe-samples.ts';
import { readAll, column, sourceOf, table, textColumn } from './run-reader.ts';
import type { ReadFile, Tables } from './run-reader.ts';

const users = table('users', [
  column('id', { kind: 'integer', bits: 64 }),
  textColumn('name'),
  column('data', { kind: 'json' }),
  column('cents', { kind: 'decimal' }),
]);
const posts = table('posts', [column('id', { kind: 'integer', bits: 64 }), textColumn('title')]);
const bothTables: Tables = [users, posts];

interface ReadOptions {
  readonly tables?: Tables;
  readonly chunkBytes?: number;
  /** The table that the request names. */
  readonly requested?: string;
}

function read(file: string | Uint8Array, options: ReadOptions = {}): Promise<ReadFile> {
  const { tables = bothTables, chunkBytes = Infinity, requested } = options;
  const source = sourceOf(file, { name: 'f.json', chunkBytes });
  return readAll(tables, (reading) => readJson(source, reading, { table: requested }), requested);
}

function readLines(file: string | Uint8Array, options: ReadOptions = {}): Promise<ReadFile> {
  const { tables = bothTables, chunkBytes = Infinity, requested } = options;
  const source = sourceOf(file, { name: 'f.ndjson', chunkBytes });
  return readAll(tables, (reading) => readNdjson(source, reading, { table: requested }), requested);
}

describe('JSON', () => {
  test('fills the tables that its keys name', async () => {
    const { rows, failure } = await read(
      '{"posts": [{"id": 1, "title": "a"}], "users": [{"id": 2, "name": "b"}, {"name": null}]}',
    );
    expect(failure).toBeUndefined();
    expect(rows).toEqual([
      { table: 'posts', number: 1, line: 1, values: { id: 1, title: 'a' } },
      { table: 'users', number: 1, line: 1, values: { id: 2, name: 'b' } },
      { table: 'users', number: 2, line: 1, values: { name: null } },
    ]);
  });

  test('keeps digits and JSON values as they are written', async () => {
    const { rows } = await read(
      '{"users":[{"id":9007199254740993,"cents":10.50,"data":{"n":1.0, "b":12345678901234567890}},{"data":{"$json":null}}]}',
    );
    expect(rows.map(({ values }) => values)).toEqual([
      { id: 9007199254740993n, cents: '10.50', data: '{"n":1.0, "b":12345678901234567890}' },
      { data: 'null' },
    ]);
  });

  test('accepts the envelope, and ignores other members beside it', async () => {
    const { rows, failure } = await read(
      '{"version": 3, "at": null, "tables": {"users": [{"id": 1}], "posts": []}, "done": {"x": [1]}}',
    );
    expect(failure).toBeUndefined();
    expect(rows).toHaveLength(1);
  });

  test('finds the rows of the requested table among other members, at any depth of objects', async () => {
    const rows = '[{"id":1,"name":"a"},{"id":2,"name":"b"}]';
    for (const document of [
      `{"meta":{"count":2,"next":null},"data":${rows},"tags":["x"],"errors":[],"ok":true}`,
      `{"errors":[],"response":{"status":200,"items":${rows}},"ok":true}`,
    ])
      for (const chunkBytes of [7, Infinity]) {
        const file = await read(document, { requested: 'users', chunkBytes });
        expect(file.failure).toBeUndefined();
        expect(file.rows.map(({ table: name, values }) => [name, values['id']])).toEqual([
          ['users', 1],
          ['users', 2],
        ]);
        expect(file.warnings).toHaveLength(1);
      }
  });

  test('names members without rows, and arrays between which to select', async () => {
    const named = await read('{"meta":{"n":1},"data":[{"id":1}],"ok":true}', {
      requested: 'users',
    });
    expect(named.warnings).toEqual([
      'The rows are those of "data". Other members of the document are left out: "meta", "ok".',
    ]);
    const several = '{"data":[{"id":1}],"more":{"items":[{"id":2}]}}';
    expect((await read(several, { requested: 'users' })).failure).toMatchObject({
      message:
        'f.json: it has several arrays of rows, "data" and "more.items". Select one with the parameter "tables", such as {"data":"users","more.items":null} (line 1, column 36).',
    });
    const tables = new Map([
      ['data', undefined],
      ['more.items', 'posts'],
    ]);
    const mapped = await readAll(bothTables, (reading) =>
      readJson(sourceOf(several), reading, { tables }),
    );
    expect(mapped.failure).toBeUndefined();
    expect(mapped.rows).toMatchObject([{ table: 'posts', values: { id: 2 } }]);
    const missing = await readAll(bothTables, (reading) =>
      readJson(sourceOf(several), reading, { tables: new Map([...tables, ['x', 'users']]) }),
    );
    expect(missing.failure).toMatchObject({
      message: 'file has no array "x"; it has "data", "more.items".',
    });
  });

  test('accepts a table called tables', async () => {
    const tables = [table('tables', [textColumn('name')])];
    expect((await read('{"tables":[{"name":"x"}]}', { tables })).rows).toHaveLength(1);
    expect((await read('{"tables":{"tables":[{"name":"x"}]}}', { tables })).rows).toHaveLength(1);
  });

  test('accepts an array of rows if the request names the table', async () => {
    const { rows } = await read('[{"id":1},\n{"id":2}]', { requested: 'posts' });
    expect(rows).toMatchObject([
      { table: 'posts', number: 1, line: 1 },
      { table: 'posts', number: 2, line: 2 },
    ]);
  });

  test('rejects a table that occurs twice', async () => {
    const { failure } = await read('{"users":[],\n "users":[{"id":1}]}');
    expect(failure).toMatchObject({ code: 'import_failed', details: { line: 2 } });
  });

  test('rejects members that are not rows', async () => {
    for (const file of [
      '{"users": 5}',
      '{"users": {"id": 1}}',
      '{"tables":{"users": "x"}}',
      '"x"',
      '5',
      'null',
    ]) {
      expect((await read(file)).failure).toMatchObject({ code: 'import_failed' });
    }
  });

  test('reports rows that are not objects, and invalid values in the others', async () => {
    const { rows, errors } = await read(
      '{"users":[\n5,\n[1],\n{"id":"x"},\n{"id":1,\n"cents":"y"},\n{"id":2,"id":3},\n{"id":4,"nmae":"x"},\n{"id":5}]}',
    );
    expect(rows.map(({ values }) => values)).toEqual([{ id: 5 }]);
    expect(errors).toMatchObject([
      { row: 1, line: 2, code: 'invalid_value' },
      { row: 2, line: 3, code: 'invalid_value' },
      { row: 3, line: 4, code: 'invalid_value', column: 'id' },
      { row: 4, line: 6, code: 'invalid_value', column: 'cents' },
      { row: 5, line: 7, code: 'invalid_value', column: 'id' },
      { row: 6, line: 8, code: 'unknown_column', column: 'nmae' },
    ]);
  });

  test('reports line and column of a syntax error', async () => {
    const cases: readonly (readonly [string, number, number])[] = [
      ['{"users":[{"id":1}', 1, 19],
      ['{"users":[{"id":1},\n  {"id":01}]}', 2, 10],
      ['{"users":[{"id":1}\n{"id":2}]}', 2, 1],
      ['{"users":[{"é":"😀","b":tru}]}', 1, 24],
      ['{"users":[]} x', 1, 14],
      ['{"users" []}', 1, 10],
      ["{'users':[]}", 1, 2],
      ['', 1, 1],
    ];
    for (const [file, line, at] of cases) {
      const { failure } = await read(file);
      expect([file, failure]).toMatchObject([
        file,
        { code: 'parse_failed', details: { line, column: at } },
      ]);
    }
  });

  test('rejects bytes that are not UTF-8, and accepts UTF-16 with a byte order mark', async () => {
    const broken = Buffer.concat([
      Buffer.from('{"users":[{"name":"'),
      Buffer.from([0xe9]),
      Buffer.from('"}]}'),
    ]);
    expect((await read(broken)).failure).toMatchObject({
      code: 'parse_failed',
      message: expect.stringContaining('UTF-8'),
    });
    const utf16File = Buffer.from('\ufeff{"users":[{"name":"é😀"}]}', 'utf16le');
    expect((await read(utf16File)).rows[0]?.values).toEqual({ name: 'é😀' });
  });

  test('rejects nesting of any depth, without failing otherwise', async () => {
    for (const open of ['[', '{"users":[', '{"a":', '[{"data":']) {
      const { failure } = await read(open.repeat(100_000), {
        requested: 'users',
        chunkBytes: 65_536,
      });
      expect(failure).toMatchObject({ code: expect.stringMatching(/^(?:parse|import)_failed$/) });
    }
  });

  test('reads names like __proto__ as names', async () => {
    const { errors } = await read('{"users":[{"__proto__":1},{"constructor":2}]}');
    expect(errors.map(({ column: name }) => name)).toEqual(['__proto__', 'constructor']);
  });

  test('reports an unknown table before its rows', async () => {
    const { failure, rows } = await read('{"nobody":[]}');
    expect(failure).toMatchObject({
      message:
        'no table nobody Map "nobody" to a table with the parameter "tables", or to null to leave it out.',
    });
    expect(rows).toEqual([]);
  });
});

describe('NDJSON', () => {
  test('accepts rows of the requested table, and rows that name their table', async () => {
    expect((await readLines('{"id":1}\r\n\n{"id":2}', { requested: 'users' })).rows).toMatchObject([
      { table: 'users', number: 1, line: 1, values: { id: 1 } },
      { table: 'users', number: 2, line: 3, values: { id: 2 } },
    ]);
    const mixed = [
      '{"table":"users","row":{"id":1}}',
      '{"row":{"id":1},"table":"posts"}',
      '{"table":"users","row":{"id":2}}',
    ];
    expect((await readLines(mixed.join('\n'))).rows).toMatchObject([
      { table: 'users', number: 1 },
      { table: 'posts', number: 1 },
      { table: 'users', number: 2 },
    ]);
  });

  test('reads table and row as columns if the table has them', async () => {
    const tables = [table('log', [textColumn('table'), column('row', { kind: 'json' })])];
    const { rows } = await readLines('{"table":"x","row":{"a":1}}', { tables, requested: 'log' });
    expect(rows.map(({ values }) => values)).toEqual([{ table: 'x', row: '{"a":1}' }]);
  });

  test('reports line and column of a syntax error', async () => {
    const { failure } = await readLines('{"id":1}\n{"id":}\n', { requested: 'users' });
    expect(failure).toMatchObject({ code: 'parse_failed', details: { line: 2, column: 7 } });
  });
});

const value = fc.jsonValue({ maxDepth: 3 });
const row = fc.dictionary(fc.constantFrom('id', 'name', 'é "x"', 'data', '__proto__'), value);
const anyRows = fc.array(row, { maxLength: 8 });
const columnsOfAny = ['id', 'name', 'é "x"', 'data', '__proto__'].map((name) =>
  column(name, { kind: 'json' }),
);
const space = fc.constantFrom(undefined, 1, '\t');

describe('any rows', () => {
  test('are read as JSON.parse does, in chunks of any size', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyRows,
        space,
        fc.integer({ min: 1, max: 40 }),
        async (rows, indent, chunkBytes) => {
          const file = JSON.stringify({ any: rows }, null, indent);
          const {
            rows: found,
            failure,
            errors,
          } = await read(file, {
            tables: [table('any', columnsOfAny)],
            chunkBytes,
          });
          expect({ failure, errors }).toEqual({ failure: undefined, errors: [] });
          expect(found.map(({ values }) => parseValues(values))).toEqual(rows.map(parsedEntries));
        },
      ),
    );
  });

  test('are read as JSON.parse does from NDJSON', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.integer({ min: 1, max: 40 }), async (rows, chunkBytes) => {
        const file = rows.map((each) => `${JSON.stringify(each)}\n`).join('');
        const tables = [table('any', columnsOfAny)];
        const { rows: found } = await readLines(file, { tables, chunkBytes, requested: 'any' });
        expect(found.map(({ values }) => parseValues(values))).toEqual(rows.map(parsedEntries));
      }),
    );
  });

  test('are an error if the file is cut off at any position', async () => {
    await fc.assert(
      fc.asyncProperty(anyRows, fc.nat(), async (rows, at) => {
        const file = JSON.stringify({ any: rows });
        const truncatedFile = file.slice(0, at % file.length);
        const { failure } = await read(truncatedFile, { tables: [table('any', columnsOfAny)] });
        expect(failure).toMatchObject({ code: 'parse_failed' });
      }),
    );
  });
});

function parseValues(values: Readonly<Record<string, unknown>>): object {
  return Object.entries(values).map(([key, text]) => [
    key,
    text === null ? null : JSON.parse(String(text)),
  ]);
}

function parsedEntries(values: Readonly<Record<string, unknown>>): object {
  return Object.entries(JSON.parse(JSON.stringify(values)) as object);
}

const samples = join(import.meta.dirname, '../../../shared/samples');
const hasSamples = existsSync(join(samples, 'json-parsing'));
const files = (folder: string): string[] =>
  hasSamples ? readdirSync(join(samples, folder)).filter((name) => name.endsWith('.json')) : [];

describeSamples('the JSON parsing test suite', hasSamples, () => {
  const readSample = (folder: string, name: string, wrap: boolean): Promise<ReadFile> => {
    const bytes = readFileSync(join(samples, folder, name));
    const file = wrap ? Buffer.concat([Buffer.from('[{"data":'), bytes, Buffer.from('}]')]) : bytes;
    return read(file, { requested: 'users', tables: [users] });
  };

  test.each(files('json-parsing'))('%s has no rows as a file', async (name) => {
    const { rows, errors, failure } = await readSample('json-parsing', name, false);
    expect(rows.filter(({ values }) => Object.keys(values).length > 0)).toEqual([]);
    expect(failure !== undefined || errors.length > 0 || hasNoRows(name)).toBe(true);
    if (failure !== undefined) expect(failure).toMatchObject(readError);
    if (name.includes('__n_')) expect(failure).toMatchObject(readError);
  });

  test.each(files('json-parsing'))(
    '%s is accepted as a value exactly if it is valid',
    async (name) => {
      const { rows, failure } = await readSample('json-parsing', name, true);
      const isValid = name.includes('__y_') || (name.includes('__i_') && failure === undefined);
      if (isValid && !name.includes('_UTF-8_BOM_'))
        expect({ failure, rows: rows.length }).toEqual({ failure: undefined, rows: 1 });
      else expect(failure).toMatchObject({ code: 'parse_failed' });
    },
  );

  test.each(files('json-transform'))('%s keeps its text or is rejected', async (name) => {
    const text = readFileSync(join(samples, 'json-transform', name), 'utf8');
    const { rows, failure } = await readSample('json-transform', name, true);
    if (name.includes('_invalid_codepoint')) {
      expect(failure).toMatchObject({ message: expect.stringContaining('UTF-8') });
      return;
    }
    expect(failure).toBeUndefined();
    expect(rows[0]?.values['data']).toBe(text.trim());
  });

  test('Chinook is read completely', async () => {
    const bytes = readFileSync(join(samples, 'json/chinook_data.json'));
    const document = JSON.parse(bytes.toString()) as Record<string, Record<string, unknown>[]>;
    const tables = Object.entries(document).map(([name, rows]) =>
      table(
        name,
        Object.keys(rows[0] ?? {}).map((key) => column(key, { kind: 'json' })),
      ),
    );
    const { rows, failure } = await read(bytes, { tables, chunkBytes: 5000 });
    expect(failure).toBeUndefined();
    const found = Object.fromEntries(
      Object.keys(document).map((name) => [
        name,
        rows.filter((each) => each.table === name).map(({ values }) => parseValues(values)),
      ]),
    );
    const expected = Object.entries(document).map(([name, each]) => [
      name,
      each.map((values) => Object.entries(values)),
    ]);
    expect(found).toEqual(Object.fromEntries(expected));
  });
});

const readError = {
  code: expect.stringMatching(/^(?:parse_failed|import_failed|table_not_found)$/) as string,
};

/** JSON documents that contain no rows. */
function hasNoRows(name: string): boolean {
  return /y_(?:array_ending_with_newline|array_empty|structure_whitespace_array|object_empty)|UTF-8_BOM_empty_object/.test(
    name,
  );
}
