/** Random schemas with all names and texts that databases accept. */
import * as fc from 'fast-check';
import { columnType } from '../../src/databases/sqlite/dialect/types.ts';
import type {
  Check,
  Column,
  ColumnType,
  EnumType,
  ForeignKey,
  ForeignKeyAction,
  Index,
  IndexPart,
  Schema,
  Table,
} from '../../src/model/schema.ts';
import type { SchemaContext, FileDialect } from '../../src/formats/schema-formats.ts';

/** A dialect of schema files that recognizes types by their names only, as SQLite does. */
const nameDialect: FileDialect = {
  name: 'names',
  titles: ['Names DB'],
  readType: (text) => columnType(text),
  quoteText: (text) => `'${text.replaceAll("'", "''")}'`,
};

export const schemaContext: SchemaContext = {
  target: nameDialect,
  dialects: [nameDialect],
  database: 'file',
};

const oddTexts = [
  ...[
    '"',
    "'",
    '`',
    '\\',
    "\\'",
    "'''",
    '""',
    '$$',
    '//',
    '/*',
    '*/',
    '#',
    '{',
    '}',
    '[',
    ']',
    '~',
  ],
  ...[
    'a.b',
    ' a',
    'a ',
    'a: b',
    '- a',
    '? a',
    '& a',
    '* a',
    '!a',
    '%a',
    '@a',
    '|',
    '>',
    'null',
    'true',
  ],
  ...[
    '~',
    'no',
    'on',
    '0',
    '1e3',
    '0x1',
    '2026-01-01',
    '<<',
    '=',
    '名前',
    '😀',
    'é',
    '\u2028',
    '\u0085',
  ],
  ...[
    'a\nb',
    'a\r\nb',
    '\t',
    '\u0001',
    '\ufeff',
    'Table',
    'Ref',
    'indexes',
    'note',
    'pk',
    '--',
    ';',
  ],
];

/** Any nonempty text without lone surrogates, often one that has a meaning in a file format. */
export const oddText = fc.oneof(
  fc.constantFrom(...oddTexts),
  fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 }),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 8 }).filter((text) => text.isWellFormed()),
);

const oddName = fc.oneof({ weight: 2, arbitrary: fc.stringMatching(/^[a-z_]{1,8}$/) }, oddText);

function optionalMember<K extends string, T>(
  name: K,
  arbitrary: fc.Arbitrary<T>,
): fc.Arbitrary<{ readonly [P in K]?: T }> {
  return fc
    .option(arbitrary, { nil: undefined })
    .map((value) => (value === undefined ? {} : { [name]: value }) as { readonly [P in K]?: T });
}

function mergeMembers<T>(...parts: readonly fc.Arbitrary<Partial<T>>[]): fc.Arbitrary<Partial<T>> {
  return fc.tuple(...parts).map((list) => Object.assign({}, ...list) as Partial<T>);
}

const typeNames = fc.constantFrom(
  ...[
    'INTEGER',
    'int',
    'bigint unsigned',
    'varchar(20)',
    'character varying(7)',
    'numeric(10,2)',
    'text',
  ],
  ...[
    'timestamp with time zone',
    'BLOB',
    'real',
    'boolean',
    'date',
    'uuid',
    'json',
    'jsonb',
    '',
    'odd "type"',
  ],
);

const neutralTypes: fc.Arbitrary<ColumnType> = fc.constantFrom<ColumnType>(
  { kind: 'boolean' },
  { kind: 'integer', bits: 16, unsigned: true },
  { kind: 'decimal', precision: 38, scale: 10 },
  Object.assign({ kind: 'decimal', precision: 19, scale: 4 } as const, { native: 'money' }),
  { kind: 'float', bits: 32 },
  { kind: 'text', length: 4, fixed: true },
  { kind: 'enum', values: ['a', "b'c"], name: 'mood' },
  { kind: 'set', values: ['x'] },
  { kind: 'time', precision: 3, zone: true },
  { kind: 'json', binary: true },
  { kind: 'bits', length: 5, varying: true },
  { kind: 'array', of: { kind: 'array', of: { kind: 'uuid' } } },
  { kind: 'untyped' },
  { kind: 'other', name: 'geometry' },
);

const expressions = fc.constantFrom(
  ...[
    '0',
    '-12',
    '1.50',
    '9007199254740993',
    "'it''s'",
    "''",
    'null',
    'true',
    'now()',
    "'a'::text",
  ],
  ...["lower('A') || 'b'", '((0))', "(N'x')", "'2020-01-01'::date", 'CURRENT_TIMESTAMP', "'a\\b'"],
);

const conditions = fc.constantFrom(
  'a > 0',
  "b <> 'x''y'",
  '("c" IS NOT NULL)',
  "d ~ '[a-z]+'\nand e",
);

const actions = fc.constantFrom<ForeignKeyAction>(
  'no action',
  'restrict',
  'cascade',
  'set null',
  'set default',
);

export interface SchemaScope {
  /** Types of `nameDialect` by their names, or else any type with any name. */
  readonly namedTypes: boolean;
}

function columns({ namedTypes }: SchemaScope): fc.Arbitrary<readonly Column[]> {
  const typed = namedTypes
    ? typeNames.map((nativeType) => ({ type: columnType(nativeType), nativeType }))
    : fc.record({ type: neutralTypes, nativeType: oddText });
  const column = fc.tuple(
    oddName,
    typed,
    fc.boolean(),
    mergeMembers<Column>(
      optionalMember('default', expressions),
      optionalMember('comment', oddText),
      optionalMember('collation', oddName),
      optionalMember('onUpdate', expressions),
      optionalMember('needs', oddName),
      fc.constantFrom<Partial<Column>>(
        {},
        {},
        { autoIncrement: true },
        { autoIncrement: true, identityAlways: true },
        { generated: { expression: 'a + 1', stored: true } },
        { dynamic: true, isRowNumber: true },
      ),
    ),
  );
  const list = fc.uniqueArray(column, { minLength: 1, maxLength: 5, selector: ([name]) => name });
  return list.map((items) =>
    items.map(([name, type, nullable, extras]) => ({ name, ...type, nullable, ...extras })),
  );
}

function indexes(tableColumns: readonly Column[]): fc.Arbitrary<readonly Index[]> {
  const part: fc.Arbitrary<IndexPart> = fc.oneof(
    fc
      .tuple(
        fc.constantFrom(...tableColumns.map(({ name }) => name)),
        mergeMembers<IndexPart>(
          fc.constantFrom({}, {}, { descending: true }, { prefixLength: 3 }),
          optionalMember('collation', oddName),
          optionalMember('operatorClass', fc.constant('text_pattern_ops')),
        ),
      )
      .map(([column, extras]) => ({ column, ...extras })),
    conditions.map((expression) => ({ expression })),
  );
  const index = fc.tuple(
    oddName,
    fc.boolean(),
    fc.array(part, { minLength: 1, maxLength: 3 }),
    mergeMembers<Index>(
      optionalMember('where', conditions),
      optionalMember('method', fc.constantFrom('hash', 'gin')),
      optionalMember('included', fc.constant(tableColumns.map(({ name }) => name).slice(0, 1))),
      optionalMember('nullsNotDistinct', fc.constant(true)),
      optionalMember('comment', oddText),
    ),
  );
  const constraint = fc
    .subarray(
      tableColumns.map(({ name }) => name),
      { minLength: 1 },
    )
    .map((names): Index => ({
      name: '',
      unique: true,
      constraint: true,
      parts: names.map((column) => ({ column })),
    }));
  const list = fc.uniqueArray(index, { maxLength: 3, selector: ([name]) => name });
  return fc.tuple(list, fc.option(constraint, { nil: undefined })).map(([namedIndexes, unique]) => [
    ...(unique === undefined ? [] : [unique]),
    ...namedIndexes.map(([name, isUnique, parts, extras]) => ({
      name,
      unique: isUnique,
      parts,
      ...extras,
    })),
  ]);
}

const checks: fc.Arbitrary<readonly Check[]> = fc.array(
  fc
    .tuple(conditions, optionalMember('name', oddName))
    .map(([expression, name]) => ({ ...name, expression })),
  { maxLength: 2 },
);

function table(
  name: string,
  namespace: string | undefined,
  scope: SchemaScope,
): fc.Arbitrary<Table> {
  return columns(scope).chain((tableColumns) =>
    fc
      .tuple(
        fc.subarray(tableColumns.map((column) => column.name)),
        indexes(tableColumns),
        checks,
        optionalMember('comment', oddText),
        optionalMember('options', fc.constant({ STRICT: 'true', partition_by: "it's" })),
      )
      .map(([key, ownIndexes, ownChecks, comment, options]) => ({
        name: namespace === undefined ? name : `${namespace}.${name}`,
        localName: name,
        ...(namespace === undefined ? {} : { namespace }),
        kind: 'table' as const,
        columns: tableColumns,
        ...(key.length === 0 ? {} : { primaryKey: { columns: key } }),
        indexes: ownIndexes,
        foreignKeys: [],
        checks: ownChecks,
        ...comment,
        ...options,
      })),
  );
}

const enums: fc.Arbitrary<readonly EnumType[]> = fc.uniqueArray(
  fc
    .tuple(
      oddName,
      fc.uniqueArray(oddText, { minLength: 1, maxLength: 3 }),
      optionalMember('comment', oddText),
    )
    .map(([name, values, comment]) => ({ name, values, ...comment })),
  { maxLength: 2, selector: ({ name }) => name },
);

/** A foreign key from each table to columns of the next one, or of itself. */
function withForeignKeys(tables: readonly Table[]): fc.Arbitrary<readonly Table[]> {
  const tablesWithKeys = tables.map((from, i) => {
    const target = tables[(i + 1) % tables.length]!;
    const maxColumns = Math.min(from.columns.length, target.columns.length);
    const key = fc
      .tuple(
        fc.integer({ min: 1, max: maxColumns }),
        actions,
        actions,
        optionalMember('name', oddName),
      )
      .map(([size, onUpdate, onDelete, name]): ForeignKey => ({
        ...name,
        columns: from.columns.slice(0, size).map((column) => column.name),
        table: target.name,
        referencedColumns: target.columns.slice(-size).map((column) => column.name),
        onUpdate,
        onDelete,
      }));
    return fc.option(key, { nil: undefined }).map((tableColumns) => ({
      ...from,
      foreignKeys: tableColumns === undefined ? [] : [tableColumns],
    }));
  });
  return fc.tuple(...tablesWithKeys);
}

export function generatedSchemas(scope: SchemaScope): fc.Arbitrary<Schema> {
  const names = fc.uniqueArray(oddName, { minLength: 1, maxLength: 4 });
  return fc
    .tuple(names, fc.constantFrom(undefined, undefined, 'sales', 'odd "space"'), enums, oddText)
    .chain(([tableNames, namespace, types, database]) =>
      fc
        .tuple(
          ...tableNames.map((name, i) => table(name, i % 2 === 1 ? namespace : undefined, scope)),
        )
        .chain(withForeignKeys)
        .map((tables) => ({ database, serverVersion: '1.2', tables, views: [], enums: types })),
    );
}
