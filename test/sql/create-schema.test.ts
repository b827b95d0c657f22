import Sqlite from 'better-sqlite3';
import * as fc from 'fast-check';
import { loadModule, parseSync } from 'libpg-query';
import { beforeAll, describe, expect, test } from 'vitest';
import { mysqlDdl } from '../../src/databases/mysql/dialect/ddl.ts';
import { postgresDdl } from '../../src/databases/postgres/dialect/ddl.ts';
import { postgresLoading } from '../../src/databases/postgres/dialect/load-dialect.ts';
import { sqliteDdl } from '../../src/databases/sqlite/dialect/ddl.ts';
import { columnType } from '../../src/databases/sqlite/dialect/types.ts';
import { demoSchema } from '../../src/demo/schema.ts';
import type { DdlDialect } from '../../src/model/ddl-dialect.ts';
import type { Schema } from '../../src/model/schema.ts';
import type { CreateSchemaOptions } from '../../src/sql/create-schema.ts';
import { createSchema as create } from '../../src/sql/create-schema.ts';
import { columnOf, neutralSchema, schemaOf, tableOf } from './neutral-schema.ts';

beforeAll(() => loadModule());

const neutralOptions = { native: false };
const nativeOptions = { native: true };

function createSchema(
  schema: Schema,
  ddl: DdlDialect,
  options: CreateSchemaOptions,
): readonly string[] {
  return create(schema, ddl, options).statements;
}

function script(statements: readonly string[]): string {
  return statements.map((statement) => `${statement};\n`).join('\n');
}

describe.each([
  ['sqlite', sqliteDdl],
  ['postgres', postgresDdl],
] as const)('a neutral schema for %s', (name, ddl) => {
  test.each([
    ['neutral', neutralSchema],
    ['demo', demoSchema],
  ])('matches the golden file: %s', async (schemaName, schema) => {
    await expect(script(createSchema(schema, ddl, neutralOptions))).toMatchFileSnapshot(
      `goldens/${schemaName}-${name}.sql`,
    );
  });
});

describe('SQLite', () => {
  test.each([neutralSchema, demoSchema])(
    'runs the statements in order, and every foreign key has its target',
    (schema) => {
      const database = runInSqlite(createSchema(schema, sqliteDdl, neutralOptions));
      expect(database.pragma('foreign_key_check')).toEqual([]);
      expect(namesOf(database, 'table')).toEqual(
        schema.tables.map((table) => table.name).toSorted(),
      );
      expect(namesOf(database, 'view')).toEqual(schema.views.map((view) => view.name).toSorted());
    },
  );

  test('declares types that are read back as the same types', () => {
    const [types] = neutralSchema.tables;
    const changed = types?.columns.filter(
      ({ type }) =>
        JSON.stringify(columnType(sqliteDdl.columnType({ type }))) !== JSON.stringify(type),
    );
    expect(changed?.map(({ name }) => name)).toEqual([
      'enum_named',
      'enum_unnamed',
      'set',
      'interval',
      'json_binary',
      'binary_16',
      'bits',
      'bits_varying',
      'array',
      'other',
    ]);
  });

  test('rejects values outside an enum', () => {
    const database = runInSqlite(createSchema(neutralSchema, sqliteDdl, neutralOptions));
    expect(() => database.exec("INSERT INTO types (enum_unnamed) VALUES ('d')")).toThrow(
      'CHECK constraint failed',
    );
    expect(
      database
        .prepare("INSERT INTO types (enum_unnamed, enum_named) VALUES ('b''c', 'o''clock')")
        .run().changes,
    ).toBe(1);
  });

  test('numbers rows of an identity column, and only for a single-column key', () => {
    const id = columnOf('id', { kind: 'integer', bits: 32 }, { autoIncrement: true });
    const single = tableOf('single', [id], { primaryKey: { columns: ['id'] } });
    const double = tableOf('double', [id, columnOf('part', { kind: 'text' })], {
      primaryKey: { columns: ['id', 'part'] },
    });
    const [one, two] = createSchema(schemaOf([single, double]), sqliteDdl, neutralOptions);
    expect(one).toContain('"id" INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT');
    expect(two).not.toContain('AUTOINCREMENT');
    expect(two).toContain('PRIMARY KEY ("id", "part")');
  });

  test('restores a native schema unchanged', () => {
    const sql =
      'CREATE TABLE "t" (\n  "a" WEIRD TYPE(3) COLLATE "NOCASE" NOT NULL DEFAULT (abs(-1)),\n  "b",\n  PRIMARY KEY ("a")\n) STRICT';
    const columns = [
      columnOf(
        'a',
        { kind: 'text' },
        { nativeType: 'WEIRD TYPE(3)', collation: 'NOCASE', default: 'abs(-1)' },
      ),
      columnOf('b', { kind: 'untyped' }, { nullable: true }),
    ];
    const table = tableOf('t', columns, {
      primaryKey: { columns: ['a'] },
      options: { STRICT: 'true' },
    });
    expect(createSchema(schemaOf([table]), sqliteDdl, nativeOptions)).toEqual([sql]);
  });
});

test.each([
  [{}, 'bit(1)'],
  [{ length: 65 }, 'varchar(65)'],
  [{ varying: true }, 'longtext'],
  [{ length: 5, varying: true }, 'varchar(5)'],
] as const)('MySQL stores bits of %o as %s', (bits, expected) => {
  expect(mysqlDdl.columnType({ type: { kind: 'bits', ...bits } })).toBe(expected);
});

describe('PostgreSQL', () => {
  test.each([neutralSchema, demoSchema])('accepts every statement', (schema) => {
    for (const statement of createSchema(schema, postgresDdl, neutralOptions)) {
      expect(parseSync(statement).stmts).toHaveLength(1);
    }
  });

  test('adds foreign keys of cycles and to unique indexes after all tables and indexes', () => {
    const statements = createSchema(neutralSchema, postgresDdl, neutralOptions);
    const added = statements.filter((statement) => statement.startsWith('ALTER TABLE'));
    expect(added).toHaveLength(2);
    const lastOther = statements.findLastIndex((statement) =>
      /^CREATE (TABLE|INDEX|UNIQUE)/.test(statement),
    );
    expect(statements.indexOf(added[0] ?? '')).toBeGreaterThan(lastOther);
  });

  test('qualifies the referenced table of a foreign key if the table already exists', () => {
    const existing = tableOf('old.papers', [columnOf('id', { kind: 'uuid' })], {
      localName: 'papers',
      namespace: 'old',
      primaryKey: { columns: ['id'] },
    });
    const notes = tableOf('notes', [columnOf('paper_id', { kind: 'uuid' })], {
      foreignKeys: [
        {
          columns: ['paper_id'],
          table: 'old.papers',
          referencedColumns: ['id'],
          onUpdate: 'no action',
          onDelete: 'no action',
        },
      ],
    });
    const statements = createSchema(schemaOf([notes]), postgresDdl, {
      native: false,
      existing: [existing],
    });
    expect(statements).toHaveLength(1);
    expect(statements[0]).toContain('REFERENCES "old"."papers" ("id")');
  });

  test('restores native types, index methods, operator classes and virtual columns', () => {
    const columns = [
      columnOf(
        'id',
        { kind: 'integer', bits: 32 },
        {
          nativeType: 'integer',
          autoIncrement: true,
          identityAlways: true,
          default: "nextval('x')",
        },
      ),
      columnOf('place', { kind: 'other', name: 'point' }, { nativeType: 'point', nullable: true }),
      columnOf(
        'x',
        { kind: 'float', bits: 64 },
        {
          nativeType: 'double precision',
          nullable: true,
          generated: { expression: 'place[0]', stored: false },
        },
      ),
    ];
    const indexes = [
      {
        name: 'by_place',
        unique: false,
        method: 'gist',
        parts: [{ column: 'place', operatorClass: 'point_ops' }],
      },
    ];
    const [table, index] = createSchema(
      schemaOf([tableOf('t', columns, { indexes })]),
      postgresDdl,
      nativeOptions,
    );
    expect(table).toContain('"id" integer NOT NULL GENERATED ALWAYS AS IDENTITY');
    expect(table).toContain('"x" double precision GENERATED ALWAYS AS (place[0]) VIRTUAL');
    expect(index).toBe('CREATE INDEX "by_place" ON "t" USING gist ("place" point_ops)');
  });

  test('advances an identity past explicit keys', () => {
    const statement = postgresLoading.advanceIdentity(
      { name: 's.t', localName: 't$move$', namespace: 's' },
      'id',
    );
    expect(statement).toMatch(/^DO \$move1\$.*\$move1\$$/s);
    expect(statement).toContain(`pg_get_serial_sequence('"s"."t$move$"', 'id')`);
    expect(statement).toContain('SELECT x."id" AS v FROM "s"."t$move$" AS x');
  });
});

/** Names that try to break out of their quotes. SQLite and PostgreSQL allow any character but NUL. */
const hostileName = fc.oneof(
  fc
    .string({ unit: 'binary', minLength: 1, maxLength: 15 })
    .filter((name) => !name.includes('\0') && !name.startsWith('sqlite_')),
  fc.constantFrom(
    '"',
    '""',
    '"; DROP TABLE x; --',
    "'",
    '\\',
    '$$',
    'a.b',
    'select',
    ' ',
    '/*',
    '名前',
    '?',
    ':x',
    '$1',
    ']',
    '`',
  ),
);

describe('hostile names', () => {
  const schemas = fc
    .record({ table: hostileName, column: hostileName, index: hostileName, comment: fc.string() })
    .map(hostileSchema);

  test('are returned unchanged by SQLite', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const database = runInSqlite(createSchema(schema, sqliteDdl, neutralOptions));
        const [table] = schema.tables;
        expect(namesOf(database, 'table')).toEqual([table?.name]);
        expect(namesOf(database, 'index')).toEqual([table?.indexes[0]?.name]);
        const columns = database
          .prepare('SELECT name FROM pragma_table_xinfo(?)')
          .pluck()
          .all(table?.name);
        expect(columns).toEqual(table?.columns.map((column) => column.name));
      }),
    );
  });

  test('stay within one statement each on PostgreSQL', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        const [table] = schema.tables;
        const trees = createSchema(schema, postgresDdl, neutralOptions).map(
          (statement) => parseSync(statement).stmts ?? [],
        );
        expect(trees.map((statements) => statements.length)).toEqual([1, 1, 1]);
        expect(trees[0]?.[0]?.stmt).toMatchObject({
          CreateStmt: { relation: { relname: table?.name } },
        });
        expect(trees[1]?.[0]?.stmt).toMatchObject({
          IndexStmt: { idxname: table?.indexes[0]?.name },
        });
        expect(trees[2]?.[0]?.stmt).toMatchObject({ CommentStmt: { comment: table?.comment } });
      }),
    );
  });
});

function hostileSchema(names: {
  table: string;
  column: string;
  index: string;
  comment: string;
}): Schema {
  const indexName =
    names.index.toLowerCase() === names.table.toLowerCase() ? `${names.index}_` : names.index;
  const indexes = [
    { name: indexName, unique: false, parts: [{ column: names.column, descending: true }] },
  ];
  const comment = names.comment.replaceAll('\0', '') || 'none';
  return schemaOf([
    tableOf(names.table, [columnOf(names.column, { kind: 'text' })], { indexes, comment }),
  ]);
}

function runInSqlite(statements: readonly string[]): Sqlite.Database {
  const database = new Sqlite(':memory:');
  for (const statement of statements) database.prepare(statement).run();
  return database;
}

function namesOf(database: Sqlite.Database, type: string): unknown[] {
  const sql =
    "SELECT name FROM sqlite_schema WHERE type = ? AND name NOT GLOB 'sqlite_*' ORDER BY name";
  return database.prepare(sql).pluck().all(type);
}

test.each([
  ['nextval(`shop`.`tickets`)', 'shop.tickets'],
  ['NEXT VALUE FOR [dbo].[tickets]', 'dbo.tickets'],
])('the default %s is left out, with a warning about its sequence', (defaultText, sequence) => {
  const number = columnOf('n', { kind: 'integer', bits: 64 }, { default: defaultText, nativeType: 'bigint' }); // prettier-ignore
  const { statements, warnings } = create(
    schemaOf([tableOf('t', [number])]),
    mysqlDdl,
    nativeOptions,
  );
  expect(statements.join()).not.toContain('tickets');
  expect(warnings).toEqual([
    `t.n is created without ${defaultText}: it needs the sequence ${sequence}, which only its source database has.`,
  ]);
});
