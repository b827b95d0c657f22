/**
 * Translates a schema to another database, and expects each of its features in the statements or in a
 * warning.
 */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { expressionsOf } from '../../src/databases/all.ts';
import { createSchema } from '../../src/sql/create-schema.ts';
import { translateSchema } from '../../src/sql/translate-schema.ts';
import { columnOf, schemaOf, tableOf } from './neutral-schema.ts';
import type { Column, ColumnType, Index, Table } from '../../src/model/schema.ts';
import { databaseKinds } from '../databases/registered-databases.ts';

interface Feature {
  readonly type: ColumnType;
  readonly column?: Partial<Column>;
  readonly index?: Partial<Index>;
  /** A pattern that matches statements which preserve the feature. */
  readonly expected?: RegExp;
}

const text: ColumnType = { kind: 'text', length: 20 };
const integer: ColumnType = { kind: 'integer', bits: 32 };

/** Features that only some databases have, by source database. */
const features: Readonly<Record<string, readonly Feature[]>> = {
  sqlite: [
    { type: text, column: { collation: 'NOCASE' } },
    { type: text, index: { where: "v <> 'x'" }, expected: / WHERE / },
  ],
  postgres: [
    { type: text, column: { nativeType: 'citext' }, expected: /nvarchar|varchar|longtext/ },
    { type: text, column: { collation: 'de_DE' } },
    { type: integer, column: { autoIncrement: true, identityAlways: true }, expected: /IDENTITY/ },
    { type: integer, index: { included: ['id'] }, expected: / INCLUDE / },
    { type: integer, index: { method: 'gin' } },
    { type: integer, index: { unique: true, nullsNotDistinct: true }, expected: /UNIQUE INDEX(?!.*WHERE)/ }, // prettier-ignore
  ],
  mysql: [
    { type: { kind: 'timestamp' }, column: { onUpdate: 'CURRENT_TIMESTAMP' } },
    { type: integer, column: { nativeType: 'int(5) unsigned zerofill' } },
    { type: text, column: { invisible: true } },
    { type: text, column: { collation: 'utf8mb4_bin' } },
    { type: text, column: { nativeType: 'varchar(20)' }, expected: /nvarchar/ },
    { type: text, index: { parts: [{ column: 'v', prefixLength: 3 }] } },
    { type: text, index: { method: 'fulltext' } },
    { type: text, index: { invisible: true } },
  ],
  sqlserver: [{ type: { kind: 'binary', length: 8 }, column: { nativeType: 'timestamp' } }],
};

function tableWith(name: string, { type, column, index }: Feature): Table {
  const indexes =
    index === undefined
      ? []
      : [{ name: `${name}_index`, unique: false, parts: [{ column: 'v' }], ...index }];
  const id = columnOf('id', integer);
  return tableOf(name, [id, columnOf('v', type, { nullable: true, ...column })], { indexes });
}

const sources = databaseKinds.filter(({ dialect }) => Object.hasOwn(features, dialect.name));
const pairs = sources.flatMap((from) =>
  databaseKinds
    .filter((to) => to !== from)
    .map((to) => [from.dialect.name, to.dialect.name, from.dialect, to.dialect] as const),
);

test.each(pairs)('from %s to %s nothing is lost without a warning', (source, _target, from, to) => {
  const featuresArbitrary = fc.array(fc.constantFrom(...(features[source] ?? [])), {
    minLength: 1,
    maxLength: 6,
  });
  fc.assert(
    fc.property(featuresArbitrary, (list) => {
      const tables = list.map((feature, i) => tableWith(`table_${i}_`, feature));
      const translated = translateSchema(schemaOf(tables), {
        from: expressionsOf(from),
        to: expressionsOf(to),
        ddl: to.ddl,
      });
      const created = createSchema(translated.schema, to.ddl, { native: false });
      const warnings = [...translated.warnings, ...created.warnings];
      for (const [i, feature] of list.entries()) {
        const name = `table_${i}_`;
        const isPreserved = created.statements.some(
          (statement) => statement.includes(name) && feature.expected?.test(statement) === true,
        );
        const hasWarning = warnings.some((warning) => warning.includes(name));
        expect(isPreserved || hasWarning, `${JSON.stringify(feature)}: ${warnings.join(' ')}`).toBe(
          true,
        );
      }
    }),
  );
});

test('one warning names all columns whose comparisons change', () => {
  const [mysql, postgres, sqlserver] = ['mysql', 'postgres', 'sqlserver'].map(
    (name) => databaseKinds.find(({ dialect }) => dialect.name === name)!.dialect,
  );
  const users = tableOf('users', [columnOf('name', text), columnOf('email', text)]);
  const translate = (table: Table, from = mysql!, to = postgres!): readonly string[] =>
    translateSchema(schemaOf([table]), {
      from: expressionsOf(from),
      to: expressionsOf(to),
      ddl: to.ddl,
    }).warnings;
  const expectedWarning = 'Text comparisons become case-sensitive: users.name, users.email.';
  expect(translate({ ...users, options: { COLLATE: 'utf8mb4_general_ci' } })).toEqual([
    expectedWarning,
  ]);
  expect(translate({ ...users, options: { COLLATE: 'utf8mb4_bin' } })).toEqual([]);
  const keyed = { ...users, primaryKey: { columns: ['email'] } };
  expect(translate(keyed, postgres, sqlserver)).toEqual([
    'Unique keys on text columns become case-insensitive and accept fewer rows: users.email.',
  ]);
  // Its keys get a collation that distinguishes letter case.
  expect(translate(keyed, postgres, mysql)).toEqual([]);
});

test('a rowversion may be NULL elsewhere, because scripts have no values of it', () => {
  const column = (name: string): Column =>
    columnOf(name, { kind: 'binary', length: 8 }, { nativeType: 'timestamp', nullable: false });
  const table = { ...tableOf('t', [column('k'), column('v')]), primaryKey: { columns: ['k'] } };
  const [from, to] = ['sqlserver', 'postgres'].map(
    (name) => databaseKinds.find(({ dialect }) => dialect.name === name)!.dialect,
  );
  const { schema, warnings } = translateSchema(schemaOf([table]), {
    from: expressionsOf(from!),
    to: expressionsOf(to!),
    ddl: to!.ddl,
  });
  expect(schema.tables[0]?.columns.map(({ nullable }) => nullable)).toEqual([false, true]);
  expect(warnings).toEqual([
    't: k is no longer set by each change of its row (rowversion).',
    't: v is no longer set by each change of its row (rowversion), and may be NULL.',
  ]);
});
