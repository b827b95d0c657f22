/** DBML: the official parser reads the studio's files, and the studio reads files of other tools. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compiler, DEFAULT_ENTRY, MemoryProjectLayout } from '@dbml/parse';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatDefault } from '../../src/formats/dbml/format-default.ts';
import { schemaFromDbml } from '../../src/formats/dbml/schema-from-text.ts';
import { schemaToDbml } from '../../src/formats/dbml/schema-to-text.ts';
import { StudioError } from '../../src/model/errors.ts';
import { columnOf, neutralSchema, schemaOf, tableOf } from '../sql/neutral-schema.ts';
import { describeSamples } from './describe-samples.ts';
import { generatedSchemas, schemaContext, oddText } from './generated-schemas.ts';
import type { Column, ForeignKey, Index, Schema, Table } from '../../src/model/schema.ts';

const write = (schema: Schema) =>
  schemaToDbml({ schema, dialect: 'names', title: 'Names DB', relationsOf: () => [] });

const read = (text: string) => schemaFromDbml(text, schemaContext);

const plain = { ...schemaContext, dialects: [] };

/** A schema without the losses that the catalog of formats lists for DBML. */
function inDbml(schema: Schema): Schema {
  const names = new Set<string>();
  return {
    ...schema,
    serverVersion: '',
    enums: schema.enums.map(({ comment: _comment, ...type }) => type),
    tables: schema.tables.map((table) => tableInDbml(table, names)),
  };
}

function tableInDbml(table: Table, names: Set<string>): Table {
  const { options: _options, primaryKey, comment, ...rest } = table;
  const isKey = ({ name }: Column) => primaryKey?.columns.includes(name) === true;
  const ends = (key: ForeignKey) =>
    [
      [table.name, key.columns],
      [key.table, key.referencedColumns],
    ]
      .map((end) => JSON.stringify(end))
      .toSorted();
  return {
    ...rest,
    ...noteOf(comment),
    columns: table.columns.map((column) => columnInDbml(column, isKey(column))),
    ...(primaryKey === undefined ? {} : { primaryKey }),
    indexes: table.indexes.flatMap(indexInDbml).toSorted(constraintsOfColumnsFirst),
    foreignKeys: table.foreignKeys.filter((key) => {
      const [one, two] = ends(key);
      const isWritten = one === two || names.has(`${one} ${two}`);
      names.add(`${one} ${two}`);
      return !isWritten;
    }),
  };
}

/** Removes the common indentation of all lines. */
function noteOf(comment: string | undefined): { readonly comment?: string } {
  const lines = (comment ?? '').split('\n');
  const trimmed = lines.slice(lines.findIndex((line) => line.trim() !== ''));
  const filled = trimmed.filter((line) => line.trim() !== '');
  const indent = Math.min(...filled.map((line) => line.length - line.trimStart().length));
  const text =
    filled.length === 0 ? trimmed.join('\n') : trimmed.map((line) => line.slice(indent)).join('\n');
  return text === '' ? {} : { comment: text };
}

function columnInDbml(column: Column, isKey: boolean): Column {
  const { name, type, nativeType, nullable, autoIncrement, comment } = column;
  const defaultText =
    column.generated === undefined && autoIncrement !== true ? column.default : undefined;
  return {
    name,
    type,
    nativeType,
    nullable: nullable && !isKey,
    ...(defaultText === undefined
      ? {}
      : { default: defaultsWithoutCasts[defaultText] ?? defaultText }),
    ...(autoIncrement === true ? { autoIncrement } : {}),
    ...noteOf(comment),
  };
}

/** Casts and brackets do not change the meaning of a value. */
const defaultsWithoutCasts: Readonly<Record<string, string>> = {
  "'a'::text": "'a'",
  '((0))': '0',
  "(N'x')": "'x'",
  "'2020-01-01'::date": "'2020-01-01'",
};

function indexInDbml(index: Index): readonly Index[] {
  const isWhole =
    index.where === undefined && index.parts.every((part) => part.prefixLength === undefined);
  const { name, unique, constraint, method, comment } = index;
  return [
    {
      name,
      unique: unique && isWhole,
      ...(constraint === true ? { constraint } : {}),
      parts: index.parts.map(({ column, expression = '' }) =>
        column === undefined ? { expression } : { column },
      ),
      ...(method === undefined ? {} : { method }),
      ...(comment === undefined ? {} : { comment }),
    },
  ];
}

function constraintsOfColumnsFirst(a: Index, b: Index): number {
  const rank = ({ constraint, parts }: Index) =>
    constraint === true && parts.length === 1 ? 0 : 1;
  return rank(a) - rank(b);
}

/** A UNIQUE constraint on the primary key is redundant. */
function withoutUniqueKeys(schema: Schema): Schema {
  const tables = schema.tables.map((table) => ({
    ...table,
    indexes: table.indexes.filter(
      ({ constraint, parts }) =>
        constraint !== true ||
        parts.length > 1 ||
        table.primaryKey?.columns.join() !== parts[0]?.column,
    ),
  }));
  return { ...schema, tables };
}

describe('written DBML', () => {
  test('is read back as the same schema, except for reported losses', () => {
    fc.assert(
      fc.property(generatedSchemas({ namedTypes: true }), (schema) => {
        const reading = read(write(schema).text);
        expect(withoutUniqueKeys(reading.schema)).toEqual(withoutUniqueKeys(inDbml(schema)));
        expect(reading).toMatchObject({ dialect: 'names', warnings: [] });
      }),
    );
  });

  test('is valid for the DBML parser, with unchanged names and notes', () => {
    fc.assert(
      fc.property(oddText, oddText, oddText, (name, column, note) => {
        const table = tableOf(name, [columnOf(column, { kind: 'text' }, { nativeType: name, comment: note })], { comment: note }); // prettier-ignore
        const layout = new MemoryProjectLayout();
        layout.setSource(DEFAULT_ENTRY, write(schemaOf([table])).text);
        const report = new Compiler(layout).interpretFile(DEFAULT_ENTRY);
        expect(report.getErrors()).toEqual([]);
        const [found] = report.getValue()?.tables ?? [];
        expect(found).toMatchObject({ name, note: { value: noteOf(note).comment ?? '' } });
        expect(found?.fields[0]).toMatchObject({ name: column, type: { type_name: name } }); // prettier-ignore
      }),
    );
  });

  test('matches the golden file, with the losses listed at the top', async () => {
    const { text, warnings } = write(neutralSchema);
    await expect(text).toMatchFileSnapshot('goldens/schema.dbml');
    for (const warning of warnings) expect(text).toContain(`// ${warning}`);
    expect(warnings.length).toBeGreaterThan(0);
  });

  test('declares an enum for columns whose enum type has no name', () => {
    const column = columnOf('state', { kind: 'enum', values: ['new', 'it’s'] }, { nativeType: "enum('new','it’s')" }); // prettier-ignore
    const { schema } = read(write(schemaOf([tableOf('orders', [column])])).text);
    expect(schema.enums).toEqual([{ name: 'orders_state', values: ['new', 'it’s'] }]);
    expect(schema.tables[0]?.columns[0]).toMatchObject({ type: { kind: 'enum', values: ['new', 'it’s'] }, nativeType: '' }); // prettier-ignore
  });

  test('leaves out an expression that contains backticks, with a warning', () => {
    const checks = [
      { name: 'plain', expression: '`a` > 0' },
      { name: 'odd', expression: '`a b` > 0' },
    ];
    const table = tableOf('t', [columnOf('a', { kind: 'text' }, { nativeType: 'text' })], {
      checks,
    });
    const { text, warnings } = write(schemaOf([table]));
    expect(read(text).schema.tables[0]?.checks).toEqual([{ name: 'plain', expression: 'a > 0' }]);
    expect(warnings).toEqual(['The check odd of t is left out: `a b` > 0']);
  });

  test('warns of tables without columns and of tables without a name', () => {
    const { text, warnings } = write(
      schemaOf([tableOf('', [columnOf('a', { kind: 'text' })]), tableOf('t', [])]),
    );
    expect(text).not.toContain('Table ');
    expect(warnings).toEqual([
      'A table was left out, since DBML has no tables without a name.',
      'Left out, since DBML has no tables without columns: t.',
    ]);
  });

  test.each([
    ["'it''s'", String.raw`'it\'s'`],
    ["N'x'", "'x'"],
    ["('a'::character varying)", "'a'"],
    ['((-1))', '-1'],
    ['1.50', '`1.50`'],
    ['9007199254740993', '`9007199254740993`'],
    ['TRUE', 'true'],
    ['(1) + (2)', '`(1) + (2)`'],
    [String.raw`'a\'b'`, String.raw`${'`'}'a\'b'${'`'}`],
    ['now()', '`now()`'],
    ['`a b`', undefined],
  ])('the default %s is %s', (expression, written) => {
    expect(formatDefault(expression)).toBe(written);
  });
});

describe('DBML of other tools', () => {
  test('has the fields of partials in their positions', () => {
    const { schema } = schemaFromDbml(
      `TablePartial stamps [note: 'Stamped'] { made datetime [not null, default: \`now()\`]
         by int [ref: > users.id]
         indexes { by } }
       TablePartial named { name text
         made date }
       Table users { id int [pk, increment] }
       Table posts { ~stamps
         title text
         ~named
         name varchar(10) }`,
      plain,
    );
    const posts = schema.tables.find(({ name }) => name === 'posts')!;
    expect(posts.columns.map(({ name, nativeType }) => `${name} ${nativeType}`)).toEqual([
      'by int',
      'title text',
      'made date',
      'name varchar(10)',
    ]);
    expect(posts).toMatchObject({ comment: 'Stamped', indexes: [{ name: 'posts_by_idx', parts: [{ column: 'by' }] }] }); // prettier-ignore
    expect(posts.foreignKeys).toMatchObject([{ columns: ['by'], table: 'users' }]);
  });

  test("has a join table for many to many, as DBML's tools create it", () => {
    const { schema } = schemaFromDbml(
      `Table a.posts { id int [pk]
         lang char(2) }
       Table tags { id int [pk] }
       Table a.posts_tags { x int }
       Ref: a.posts.id <> tags.id [delete: cascade]
       Ref: tags.id <> tags.id2
      `.replace('       Ref: tags.id <> tags.id2\n', ''),
      plain,
    );
    expect(schema.tables.at(-1)).toEqual(
      tableOf(
        'a.posts_tags(1)',
        [
          columnOf('posts_id', { kind: 'integer', bits: 32 }, { nativeType: 'int' }),
          columnOf('tags_id', { kind: 'integer', bits: 32 }, { nativeType: 'int' }),
        ],
        {
          localName: 'posts_tags(1)',
          namespace: 'a',
          primaryKey: { columns: ['posts_id', 'tags_id'] },
          foreignKeys: [
            { columns: ['posts_id'], table: 'a.posts', referencedColumns: ['id'], onUpdate: 'no action', onDelete: 'cascade' }, // prettier-ignore
            { columns: ['tags_id'], table: 'tags', referencedColumns: ['id'], onUpdate: 'no action', onDelete: 'cascade' }, // prettier-ignore
          ],
        },
      ),
    );
  });

  test.each([
    ['users.id - profiles.user_id', 'profiles'],
    ['profiles.user_id - users.id', 'profiles'],
    ['users.id < profiles.user_id', 'profiles'],
    ['profiles.user_id > users.id', 'profiles'],
    ['profiles.id - users.id', 'users'],
  ])('%s is a key of %s', (ref, from) => {
    const { schema } = schemaFromDbml(
      `Table users { id int [pk] }
       Table profiles { id int [pk]
         user_id int }
       Ref: ${ref}`,
      plain,
    );
    const keyed = schema.tables.filter(({ foreignKeys }) => foreignKeys.length > 0);
    expect(keyed.map(({ name }) => name)).toEqual([from]);
  });

  test('keeps the digits of default numbers, and the order of an index', () => {
    const { schema } = schemaFromDbml(
      `Table t { a decimal(30,2) [default: 1.50, note: 'default: 7']
         b bigint [note: "x", default: -9007199254740993] // default: 8
         indexes { (b, \`lower(a)\`, a) [unique, name: 'ix'] } }`,
      plain,
    );
    expect(schema.tables[0]?.columns.map((column) => column.default)).toEqual([
      '1.50',
      '-9007199254740993',
    ]);
    expect(schema.tables[0]?.indexes[0]?.parts).toEqual([{ column: 'b' }, { expression: 'lower(a)' }, { column: 'a' }]); // prettier-ignore
  });

  test('reports unknown settings, and rejects a second primary key', () => {
    const { warnings } = read(
      "Project p { database_type: 'Generic'\n owner: 'me'\n Note: 'n' }\nTable t [colour: 'x'] { id int [pk, defalt: '1'] }",
    );
    expect(warnings).toEqual([
      'The project settings (owner, note) are left out: databases have none.',
      't: unknown settings of DBML are left out: colour.',
      't.id: unknown settings of DBML are left out: defalt.',
    ]);
    const twice = 'Table t {\n id int [pk]\n b int\n indexes {\n  (id, b) [pk]\n }\n}';
    expect(() => read(twice)).toThrow(/line 5.*second primary key/);
  });

  test('reports what is left out', () => {
    const { warnings } = schemaFromDbml(
      `Table t { id int }
       Enum e { a [note: 'x'] }
       TableGroup g { t }
       Note n { 'x' }
       records t(id) { 1 }`,
      plain,
    );
    expect(warnings).toEqual([
      'The table groups (g) are left out: databases have none.',
      '1 sticky notes are left out: databases have none.',
      'The notes of enum values are left out: databases have none.',
      'The records of t are left out: a schema import makes tables, not rows.',
    ]);
  });
});

// The samples, compared with the output of the official DBML tool.

const folder = join(import.meta.dirname, '../../../shared/samples/dbml');

interface ExpectedSchema {
  readonly ok: boolean;
  readonly first?: { readonly line: number; readonly message: string };
  readonly tables: readonly {
    readonly schema: string;
    readonly name: string;
    readonly note?: string;
    readonly columns: readonly ExpectedColumn[];
    readonly indexes: readonly ExpectedIndex[];
  }[];
  readonly refs: readonly ExpectedRef[];
  readonly enums: readonly { readonly schema: string; readonly name: string; readonly values: readonly (string | { readonly name: string })[] }[]; // prettier-ignore
  readonly totals: { readonly many_to_many: number };
}

interface ExpectedColumn {
  readonly name: string;
  readonly type: string;
  readonly pk?: boolean;
  readonly unique?: boolean;
  readonly not_null?: boolean;
  readonly increment?: boolean;
  readonly note?: string;
  readonly default?: { readonly type: string; readonly value: string };
}

interface ExpectedIndex {
  readonly name?: string;
  readonly pk?: boolean;
  readonly unique?: boolean;
  readonly type?: string;
  readonly columns: readonly { readonly type: string; readonly value: string }[];
}

interface ExpectedRef {
  readonly name?: string;
  readonly on_delete?: string;
  readonly on_update?: string;
  readonly ends: readonly { readonly schema: string; readonly table: string; readonly columns: readonly string[]; readonly relation: string }[]; // prettier-ignore
}

const samples: readonly (readonly [string, ExpectedSchema])[] = existsSync(
  join(folder, 'facts.json'),
)
  ? Object.entries(
      JSON.parse(readFileSync(join(folder, 'facts.json'), 'utf8')) as Record<
        string,
        ExpectedSchema
      >,
    )
  : [];

test('the samples are complete', ({ skip }) => {
  if (samples.length === 0) skip('../shared/samples is not there');
  expect(samples.length).toBeGreaterThan(100);
});

const nameOf = (schema: string, name: string) => (schema === 'public' ? name : `${schema}.${name}`);

const byName = (a: { readonly name: string }, b: { readonly name: string }) =>
  a.name < b.name ? -1 : 1;

/** The facts of a file in a normalized form. */
function expected(facts: ExpectedSchema): object {
  return {
    tables: facts.tables
      .map((table) => ({
        name: nameOf(table.schema, table.name),
        note: table.note ?? '',
        columns: table.columns.map((column) => columnSummary(column, keyOf(table))),
        key: keyOf(table),
        indexes: [
          ...table.columns
            .filter(({ unique, pk }) => unique === true && pk !== true)
            .map(({ name }) => ({ unique: true, name: '', type: '', parts: [name] })),
          ...table.indexes
          .filter(({ pk }) => pk !== true)
          .map(({ unique = false, name = '', type = '', columns }) => ({ unique, name, type: type === 'btree' ? '' : type, parts: columns.map(({ value }) => value).toSorted() })), // prettier-ignore
        ],
      }))
      .toSorted(byName),
    refs: facts.refs.map(refSummary).toSorted(),
    enums: facts.enums.map(({ schema, name, values }) => [nameOf(schema, name), values.map((value) => (typeof value === 'string' ? value : value.name))] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)), // prettier-ignore
  };
}

function keyOf({ columns, indexes }: ExpectedSchema['tables'][number]): readonly string[] {
  const marked = columns.filter(({ pk }) => pk === true).map(({ name }) => name);
  const index = indexes.find(({ pk }) => pk === true);
  return marked.length > 0 ? marked : (index?.columns.map(({ value }) => value) ?? []);
}

function columnSummary(column: ExpectedColumn, key: readonly string[]): object {
  return {
    name: column.name,
    nullable: column.not_null !== true && !key.includes(column.name),
    increment: column.increment ?? false,
    note: column.note ?? '',
    default: column.default === undefined ? '' : sqlOfDefault(column.default),
  };
}

function sqlOfDefault({ type, value }: { readonly type: string; readonly value: string }): string {
  return type === 'string' ? `'${value.replaceAll("'", "''")}'` : value;
}

function refSummary({
  ends,
  on_delete: onDelete = 'no action',
  on_update: onUpdate = 'no action',
}: ExpectedRef): string {
  const names = ends.map(
    ({ schema, table, columns }) => `${nameOf(schema, table)}(${columns.join()})`,
  );
  const isJoin = ends.every(({ relation }) => relation.endsWith('*'));
  const link = isJoin ? names.join(' <> ') : names.toSorted().join(' ');
  return `${link} ${onUpdate} ${onDelete}`;
}

/** The parsed schema in the same form. A join table is shown as the ref that it comes from. */
function found({ tables, enums }: Schema, facts: ExpectedSchema): object {
  const names = new Set(facts.tables.map(({ schema, name }) => nameOf(schema, name)));
  const ownTables = tables.filter(({ name }) => names.has(name));
  const end = (table: string, columns: readonly string[]) => `${table}(${columns.join()})`;
  const refs = ownTables.flatMap(({ name, foreignKeys }) =>
    foreignKeys.map((key) => {
      const link = [end(name, key.columns), end(key.table, key.referencedColumns)]
        .toSorted()
        .join(' ');
      return `${link} ${key.onUpdate} ${key.onDelete}`;
    }),
  );
  const joins = tables
    .filter(({ name }) => !names.has(name))
    .map(({ foreignKeys }) => {
      const link = foreignKeys.map((key) => end(key.table, key.referencedColumns)).join(' <> ');
      return `${link} ${foreignKeys[0]?.onUpdate} ${foreignKeys[0]?.onDelete}`;
    });
  return {
    tables: ownTables
      .map((table) => ({
        name: table.name,
        note: table.comment ?? '',
        columns: table.columns.map((column) => ({
          name: column.name,
          nullable: column.nullable,
          increment: column.autoIncrement ?? false,
          note: column.comment ?? '',
          default: column.default ?? '',
        })),
        key: table.primaryKey?.columns ?? [],
        indexes: table.indexes.map(({ unique, name, method = '', parts }) => ({
          unique,
          name: facts.tables.some(({ indexes }) => indexes.some((index) => index.name === name))
            ? name
            : '',
          type: method,
          parts: parts.map(({ column, expression }) => column ?? expression).toSorted(),
        })),
      }))
      .toSorted(byName),
    refs: [...refs, ...joins].toSorted(),
    enums: enums
      .map(({ name, namespace = 'public', values }) => [nameOf(namespace, name), values] as const)
      .toSorted(([a], [b]) => (a < b ? -1 : 1)),
  };
}

describeSamples('the samples', samples.length > 0, () => {
  test.each(samples)('%s', (file, facts) => {
    const text = readFileSync(join(folder, file), 'utf8');
    if (facts.ok) {
      const { schema } = schemaFromDbml(text, plain);
      expect(schema.tables.length).toBe(facts.tables.length + facts.totals.many_to_many);
      expect(found(schema, facts)).toEqual(expected(facts));
      return;
    }
    const error = catchError(() => schemaFromDbml(text, plain));
    expect(error).toMatchObject({ code: 'parse_failed', details: { line: facts.first?.line } });
    expect(error.message).toContain(facts.first?.message.replace(/\.$/, ''));
    expect(error.details['column']).toEqual(expect.any(Number));
  });
});

function catchError(work: () => unknown): StudioError {
  try {
    work();
  } catch (error) {
    if (error instanceof StudioError) return error;
    throw error;
  }
  throw new Error('It was taken.');
}

describe('text that is not DBML is rejected with its position', () => {
  test('half of a file, wherever it ends', () => {
    const { text } = write(neutralSchema);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: text.length }), (length) => {
        try {
          read(text.slice(0, length));
        } catch (error) {
          expect(error).toMatchObject({ code: 'parse_failed', details: { line: expect.any(Number) as unknown } }); // prettier-ignore
        }
      }),
    );
  });

  test.each([
    ['what is nested without end', `Table t ${'('.repeat(20_000)}`],
    ['a file that asks for another', "use { table x } from './other'"],
    ['noise', '\u0000\u0001 {{{ ]]]'],
  ])('%s', (_what, text) => {
    expect(catchError(() => read(text)).code).toBe('parse_failed');
  });
});
