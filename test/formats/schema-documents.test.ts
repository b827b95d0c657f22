/** JSON and YAML: the complete structure survives an export and import. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readSchemaFile, writeSchemaFile } from '../../src/formats/schema-formats.ts';
import { StudioError } from '../../src/model/errors.ts';
import { deriveRelations } from '../../src/model/relations.ts';
import { columnOf, neutralSchema, schemaOf, tableOf } from '../sql/neutral-schema.ts';
import { generatedSchemas, schemaContext } from './generated-schemas.ts';
import type { ReadableSchemaFormat } from '../../src/formats/schema-formats.ts';
import type { Relation } from '../../src/model/relation.ts';
import type { Schema } from '../../src/model/schema.ts';

const formats = ['json', 'yaml'] as const;
type DocumentFormat = (typeof formats)[number];

async function write(format: DocumentFormat, schema: Schema): Promise<string> {
  const relations = deriveRelations(schema);
  const relationsOf = (name: string) => relations.get(name) ?? [];
  const writing = { schema, dialect: 'names', title: 'Names DB', relationsOf };
  return (await writeSchemaFile(format, writing)).text;
}

async function failure(format: ReadableSchemaFormat, text: string): Promise<StudioError> {
  const outcome: unknown = await readSchemaFile(format, text, schemaContext).catch(
    (error: unknown) => error,
  );
  if (outcome instanceof StudioError) return outcome;
  throw new Error(`It was taken: ${JSON.stringify(outcome)}`, { cause: outcome });
}

describe.each(formats)('%s', (format) => {
  test('restores an equal schema', async () => {
    await fc.assert(
      fc.asyncProperty(generatedSchemas({ namedTypes: false }), async (schema) => {
        const reading = await readSchemaFile(format, await write(format, schema), schemaContext);
        expect(reading).toEqual({ schema, dialect: 'names', warnings: [] });
      }),
    );
  });

  test('restores views, extensions and native table properties', async () => {
    const view = tableOf('v', [columnOf('id', { kind: 'untyped' }, { needs: 'f' })], {
      kind: 'materialized_view',
      definition: 'SELECT 1\n  AS "id"',
      needs: 'f',
    });
    const table = tableOf('a.b', [columnOf('d', { kind: 'date' }, { nullable: true })], {
      localName: 'b',
      namespace: 'a',
      rowIdColumn: '_rowid_',
      nullableKey: true,
      softDelete: { column: 'd', mode: 'unix_seconds' },
      options: { VIRTUAL: 'fts5(title)' },
    });
    const externalObjects = { extensions: ['citext'], routines: [], types: [] };
    const schema = schemaOf([table], { views: [view], externalObjects, serverVersion: '16' });
    const reading = await readSchemaFile(format, await write(format, schema), schemaContext);
    expect(reading.schema).toEqual(schema);
  });

  test('does not read relations without a foreign key as keys', async () => {
    const keyless = schemaOf(['users', 'toys'].map((name) => tableOf(name, [columnOf('owner_id', { kind: 'text' })]))); // prettier-ignore
    const relation: Relation = {
      name: 'Toys',
      type: 'has_many',
      table: 'toys',
      foreignKeys: ['owner_id'],
      referenceKeys: ['owner_id'],
      polymorphic: { column: 'owner_type', value: 'users' },
      constraints: [],
    };
    const relationsOf = (name: string) => (name === 'users' ? [relation] : []);
    const writing = { schema: keyless, dialect: 'names', title: 'Names DB', relationsOf };
    const { text } = await writeSchemaFile(format, writing);
    expect(text).toContain('owner_type');
    expect((await readSchemaFile(format, text, schemaContext)).schema).toEqual(keyless);
  });

  test('matches the golden file, with the same bytes each time', async () => {
    const text = await write(format, neutralSchema);
    await expect(text).toMatchFileSnapshot(`goldens/schema.${format}`);
    expect(await write(format, structuredClone(neutralSchema))).toBe(text);
  });
});

test('YAML has the same content as JSON for any YAML parser', async () => {
  await fc.assert(
    fc.asyncProperty(generatedSchemas({ namedTypes: false }), async (schema) => {
      const json: unknown = JSON.parse(await write('json', schema));
      expect(parse(await write('yaml', schema))).toEqual(json);
    }),
  );
});

/** Texts with a meaning in YAML, also in version 1.1, unless they are quoted. */
const awkwardText = fc.oneof(
  fc.constantFrom('true', 'NO', 'y', 'null', '~', '1e3', '0x1f', '1_000', '12:30:45', '2001-01-01'),
  fc.constantFrom(
    '.inf',
    '.nan',
    '<<',
    '=',
    '-',
    '---',
    '...',
    '?',
    '*a',
    '&a',
    '!!int 1',
    '%YAML',
  ),
  fc.string({
    unit: fc.constantFrom(...`aZ0_ ,[]{}:#&*!|>'"%@\`-?~\\=+./()\n\té😀`),
    maxLength: 8,
  }),
);

test('YAML parsers find the same texts in lists, names and values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(awkwardText, { minLength: 1 }), awkwardText, async (values, text) => {
      const options = { [text]: text };
      const table = tableOf('t', [columnOf('a', { kind: 'text' })], { options });
      const schema = schemaOf([table], { enums: [{ name: text, values }] });
      const json: unknown = JSON.parse(await write('json', schema));
      const yaml = await write('yaml', schema);
      for (const version of ['1.1', '1.2'] as const)
        expect(parse(yaml, { version }), yaml).toEqual(json);
    }),
  );
});

test('the document has the fields of interface.md', async () => {
  const { tables, driver } = JSON.parse(await write('json', neutralSchema)) as {
    readonly tables: readonly Record<string, unknown>[];
    readonly driver: string;
  };
  expect(driver).toBe('names');
  const places = tables.find(({ name }) => name === 'places')!;
  expect(places).toMatchObject({ row_count: 0, relations: expect.any(Array) as unknown });
  const [id, , , , , capital] = places['columns'] as readonly object[];
  expect(id).toMatchObject({ name: 'id', type: '', is_primary_key: true, is_nullable: false, default_value: '', is_foreign_key: false }); // prettier-ignore
  expect(capital).toMatchObject({ name: 'capital_id', is_foreign_key: true, is_nullable: true });
});

describe("interface.md's tables", () => {
  const users = {
    name: 'users',
    columns: [
      { name: 'id', type: 'INTEGER', is_primary_key: true },
      { name: 'email', type: 'VARCHAR(100)', is_nullable: false },
      { name: 'state', type: 'TEXT', default_value: 'active' },
      { name: 'age', type: 'INTEGER', default_value: 0 },
      { name: 'made', type: 'DATETIME', default_value: 'CURRENT_TIMESTAMP' },
    ],
  };

  test.each([
    ['in an object', JSON.stringify({ tables: [users] })],
    ['in a bare list', JSON.stringify([users])],
    ['with a byte order mark', `\ufeff${JSON.stringify([users])}`],
  ])('%s need only names and types', async (_where, text) => {
    const { schema, dialect, warnings } = await readSchemaFile('json', text, schemaContext);
    expect({ dialect, warnings, database: schema.database }).toEqual({
      warnings: [],
      database: 'file',
    });
    expect(schema.tables).toEqual([
      tableOf(
        'users',
        [
          columnOf('id', { kind: 'integer', bits: 64 }, { nativeType: 'INTEGER' }),
          columnOf('email', { kind: 'text', length: 100 }, { nativeType: 'VARCHAR(100)' }),
          columnOf(
            'state',
            { kind: 'text' },
            { nativeType: 'TEXT', nullable: true, default: "'active'" },
          ),
          columnOf(
            'age',
            { kind: 'integer', bits: 64 },
            { nativeType: 'INTEGER', nullable: true, default: '0' },
          ),
          columnOf(
            'made',
            { kind: 'timestamp' },
            { nativeType: 'DATETIME', nullable: true, default: 'CURRENT_TIMESTAMP' },
          ),
        ],
        { primaryKey: { columns: ['id'] } },
      ),
    ]);
  });

  test('derive foreign keys from relations', async () => {
    const posts = {
      name: 'posts',
      columns: [
        { name: 'id', type: 'INTEGER' },
        { name: 'user_id', type: 'INTEGER', is_foreign_key: true },
      ],
      relations: [
        {
          name: 'User',
          type: 'belongs_to',
          table: 'users',
          foreign_key: 'user_id',
          reference_key: 'id',
        },
      ],
    };
    const { relations: _relations, ...bare } = posts;
    const has = {
      name: 'Posts',
      type: 'has_many',
      table: 'posts',
      foreign_key: 'user_id',
      reference_key: 'id',
    };
    for (const tables of [
      [users, posts],
      [{ ...users, relations: [has] }, bare],
      [{ ...users, relations: [has] }, posts],
    ]) {
      const { schema } = await readSchemaFile('json', JSON.stringify(tables), schemaContext);
      expect(schema.tables[1]?.foreignKeys).toEqual([
        { columns: ['user_id'], table: 'users', referencedColumns: ['id'], onUpdate: 'no action', onDelete: 'no action' }, // prettier-ignore
      ]);
    }
  });

  test('can have types of other databases, with a warning for unknown ones', async () => {
    const postgresLike = {
      ...schemaContext.target,
      readType: () => ({ kind: 'other', name: '' }) as const,
    };
    const text = JSON.stringify([
      { name: 't', columns: [{ name: 'a', type: 'nvarchar(20)' }, { name: 'b', type: 'int[]' }, { name: 'c', type: 'Zorp' }, { name: 'd', type: 'Zorp' }] }, // prettier-ignore
    ]);
    const { schema, warnings } = await readSchemaFile('json', text, {
      ...schemaContext,
      target: postgresLike,
    });
    expect(schema.tables[0]?.columns.map(({ type }) => type)).toEqual([
      { kind: 'text', length: 20 },
      { kind: 'array', of: { kind: 'integer', bits: 32 } },
      { kind: 'other', name: 'Zorp' },
      { kind: 'other', name: 'Zorp' },
    ]);
    expect(warnings).toEqual([
      'The type Zorp (tables[0].columns[2], c and 1 more) is not known; it becomes text.',
    ]);
  });
});

describe('a document that is not a schema is rejected with its position', () => {
  test.each([
    ['{"tables":[{"name":"t","columns":[{"name":"a"', 1, 46, 'the text ends'],
    ['{"tables":\n 7}', 2, 2, 'tables is not a list'],
    ['[1]', 1, 2, 'tables[0] is not an object'],
    ['[{"columns":[]}]', 1, 2, 'tables[0] has no name'],
    ['[{"name":{}}]', 1, 10, 'tables[0].name is not a string'],
    ['[{"name":"a","structure_error":"Locked."}]', 1, 32, 'definition of "a" is incomplete'],
    ['[{"name":"a","name":"b"}]', 1, 21, 'tables[0] has "name" twice'],
    ['[{"name":"a","columns":[{"name":"b","is_nullable":3}]}]', 1, 51, 'is neither true nor false'],
    ['[{"name":"a","foreign_keys":[{"references":{"table":"b"},"on_delete":"explode"}]}]', 1, 70, 'is none of no action'], // prettier-ignore
    ['[{"name":"a","columns":[{"name":"b","data_type":{"kind":"integer","bits":7}}]}]', 1, 49, 'bits is none of 8'], // prettier-ignore
    ['"a"', 1, 1, 'the document is not an object'],
    ['', 1, 1, 'a JSON value is expected'],
  ])('%s', async (text, line, column, reason) => {
    const { code, details, message } = await failure('json', text);
    expect({ code, line: details['line'], column: details['column'] }).toEqual({ code: 'parse_failed', line, column }); // prettier-ignore
    expect(message).toContain(reason);
    expect(details['errors']).toEqual([{ code, message, line, column }]);
  });

  test.each([
    ['tables:\n  - name: a\n    columns: [', 3, 'not valid YAML'],
    ['tables:\n  - name: a\n   b: c', 3, 'not valid YAML'],
    ['tables: 7', 1, 'tables is not a list'],
    ['a: 1\n---\nb: 2', 2, 'not valid YAML'],
    ['tables: *nowhere', 1, 'alias *nowhere refers to no anchor'],
    ['? [a]\n: b', 1, 'is not a scalar'],
  ])('YAML: %j', async (text, line, reason) => {
    const { code, details, message } = await failure('yaml', text);
    expect({ code, line: details['line'] }).toEqual({ code: 'parse_failed', line });
    expect(message).toContain(reason);
  });

  test('aliases that expand to billions of values', async () => {
    const levels = Array.from(
      { length: 30 },
      (_, i) => `a${i + 1}: &a${i + 1} [${`*a${i}, `.repeat(9)}]`,
    );
    const text = ['a0: &a0 [x]', ...levels, 'tables: []'].join('\n');
    expect(await failure('yaml', text)).toMatchObject({ code: 'parse_failed' });
  });

  test.each(['json', 'yaml'] as const)('%s: endless nesting', async (format) => {
    const { code } = await failure(format, `{"tables": ${'['.repeat(100_000)}`);
    expect(code).toBe('parse_failed');
  });

  test.each(['json', 'yaml'] as const)('%s: half of a file, wherever it ends', async (format) => {
    const text = await write(format, neutralSchema);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: text.length - 3 }), async (length) => {
        const half = readSchemaFile(format, text.slice(0, length), schemaContext);
        await half.catch((error: unknown) => expect(error).toMatchObject({ code: 'parse_failed' }));
      }),
    );
  });
});

/** A path to an object in a document, and a function that adds a member to it. */
function objectsIn(node: unknown, path: string): readonly Record<string, unknown>[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).flatMap(([name, value]) =>
    objectsIn(value, `${path}.${name}`),
  );
  return Array.isArray(node) ? inner : [node as Record<string, unknown>, ...inner];
}

test('an unknown member is rejected with its position, at any depth', async () => {
  await fc.assert(
    fc.asyncProperty(generatedSchemas({ namedTypes: false }), fc.nat(), async (schema, at) => {
      const document = JSON.parse(await write('json', schema)) as unknown;
      const objects = objectsIn(document, '');
      objects[at % objects.length]!['lenght'] = 5;
      const { code, details } = await failure('json', JSON.stringify(document, null, 2));
      expect(code).toBe('parse_failed');
      expect(details['line']).toBeGreaterThan(1);
    }),
  );
});

test('a relation of an unknown kind is rejected', async () => {
  const tables = [{ name: 'a', columns: [{ name: 'id', type: 'integer' }], relations: [{ type: 'belong_to', table: 'a', foreign_key: 'id', reference_key: 'id' }] }]; // prettier-ignore
  expect((await failure('json', JSON.stringify({ tables }))).message).toContain('belongs_to');
});

const columns = [{ name: 'id', type: 'integer' }];
const relation = { type: 'belongs_to', table: 'a', foreign_key: 'id', reference_key: 'id' };

test.each([
  [{ columns, relations: [{ ...relation, foreign_key: 'i_d' }] }, 'relations[0] names the column "i_d", which the table "b" does not have'],
  [{ columns, relations: [{ ...relation, reference_key: 'i_d' }] }, 'relations[0] names the column "i_d", which the table "a" does not have'],
  [{ columns, relations: [{ ...relation, type: 'has_many', table: 'c' }] }, 'relations[0] is a key of the table "c", which the document does not have'],
  [{ columns, relations: [{ ...relation, reference_key: '' }] }, 'relations[0] needs as many columns'],
  [{ columns: [{ ...columns[0], references: { table: 'a', column: 'i_d' } }] }, 'columns[0].references names the column "i_d"'],
  [{ columns: [{ name: 'id', type: 'integer', data_type: { kind: 'text' } }] }, 'columns[0].data_type says {"kind":"text"}, but type is "integer"'],
  [{ columns: [{ name: 'id', type: 'varchar(20)', data_type: { kind: 'text', length: 30 } }] }, 'but type is "varchar(20)"'],
  [{ columns, options: { ENGIN: 'InnoDB' } }, 'options has a member "ENGIN", which is not known (line 21, column 14). Did you mean "ENGINE"?'],
])('a contradiction is rejected with its position: %j', async (table, message) => {
  const tables = [{ name: 'a', columns }, { name: 'b', ...table }];
  const text = JSON.stringify({ tables }, null, 1);
  const failed = await failure('json', text);
  expect(failed.message).toContain(message);
  expect(failed.details['line']).toBeGreaterThan(5);
}); // prettier-ignore
