/** Generated schemas, written as each dialect's DDL and read from it again. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createSchema } from '../../src/sql/create-schema.ts';
import { columnOf, schemaOf, tableOf } from '../sql/neutral-schema.ts';
import type {
  Column,
  ColumnType,
  ForeignKey,
  ForeignKeyAction,
  Index,
  Schema,
  Table,
} from '../../src/model/schema.ts';
import { databaseKinds } from './registered-databases.ts';

const names = fc.constantFrom(
  'a',
  'Order',
  "it's",
  'two words',
  'naïve',
  'select',
  'x"y',
  'e`f',
  'k[1]',
);

const types: fc.Arbitrary<ColumnType> = fc.constantFrom<ColumnType>(
  { kind: 'boolean' },
  { kind: 'integer', bits: 16 },
  { kind: 'integer', bits: 32 },
  { kind: 'integer', bits: 64 },
  { kind: 'decimal', precision: 12, scale: 3 },
  { kind: 'float', bits: 64 },
  { kind: 'text', length: 40 },
  { kind: 'text' },
  { kind: 'uuid' },
  { kind: 'date' },
  { kind: 'timestamp', precision: 3 },
  { kind: 'timestamp', precision: 6, zone: true },
  { kind: 'json' },
  { kind: 'binary' },
  { kind: 'enum', values: ['x', "y'z"] },
);

const columns: fc.Arbitrary<readonly Column[]> = fc
  .uniqueArray(
    fc.record({
      name: names,
      type: types,
      nullable: fc.boolean(),
      text: fc.option(fc.constantFrom("it's", 'x', '')),
    }),
    {
      selector: ({ name }) => name.toLowerCase(),
      maxLength: 6,
    },
  )
  .map((list) =>
    list.map(({ name, type, nullable, text }) =>
      columnOf(name, type, {
        nullable,
        ...(type.kind === 'text' && type.length !== undefined && text !== null
          ? { default: `'${text.replaceAll("'", "''")}'` }
          : {}),
        ...(type.kind === 'integer' && text !== null ? { default: '-7' } : {}),
      }),
    ),
  );

const keyed = new Set(['integer', 'boolean', 'date', 'decimal']);

const schemas: fc.Arbitrary<Schema> = fc
  .tuple(
    fc.uniqueArray(
      fc.record({ name: names, columns, unique: fc.boolean(), numbered: fc.boolean() }),
      {
        selector: ({ name }) => name.toLowerCase(),
        minLength: 1,
        maxLength: 4,
      },
    ),
    fc.constantFrom<ForeignKeyAction>('no action', 'cascade', 'set null'),
  )
  .map(([parts, onDelete]) =>
    schemaOf(
      parts.map(({ name, columns: ownColumns, unique, numbered }, i): Table => {
        const id = columnOf(
          'id',
          { kind: 'integer', bits: 64 },
          { nullable: false, autoIncrement: numbered },
        );
        const parent = columnOf('parent id', { kind: 'integer', bits: 64 }, { nullable: true });
        const indexable = ownColumns
          .filter(({ type }) => keyed.has(type.kind))
          .map(({ name: column }) => ({ column }));
        const index: Index = {
          name: `i${i}`,
          unique,
          parts: [{ column: 'parent id', descending: true }, ...indexable],
        };
        return tableOf(name, [id, parent, ...ownColumns], {
          primaryKey: { columns: ['id'] },
          indexes: [index],
          foreignKeys: [
            {
              name: `fk${i}`,
              columns: ['parent id'],
              table: parts[Math.max(0, i - 1)]?.name ?? name,
              referencedColumns: ['id'],
              onUpdate: 'no action',
              onDelete,
            },
          ],
        });
      }),
    ),
  );

/** SQL Server rejects several cascade paths to a table. */
function target({ onDelete: _own, ...key }: ForeignKey): object {
  return key;
}

/** What is the same before and after. SQL Server wraps a default in parentheses. */
function comparableParts({ tables }: Schema): object {
  return tables
    .map(({ name, columns: ownColumns, primaryKey, foreignKeys, indexes, checks }) => ({
      name,
      columns: ownColumns.map(
        ({ name: column, nativeType, nullable, default: defaultText, autoIncrement }) => ({
          column,
          nativeType,
          nullable,
          defaultText: defaultText?.replace(/^\((.*)\)$/, '$1'),
          autoIncrement: autoIncrement ?? false,
        }),
      ),
      key: primaryKey?.columns,
      foreignKeys,
      indexes: indexes.map(({ name: index, unique, parts, where }) => ({
        index,
        unique,
        parts,
        where,
      })),
      checks: checks.map(({ expression }) => expression),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

describe.each(
  databaseKinds.map(({ dialect, ddlReader, language }) => ({
    name: dialect.name,
    dialect,
    ddlReader,
    language,
  })),
)('$name', ({ dialect, ddlReader }) => {
  const write = (schema: Schema, native: boolean): string =>
    createSchema(schema, dialect.ddl, { native })
      .statements.map((text) => `${text};\n`)
      .join('');

  const read = async (text: string): Promise<Schema> => {
    const { schema, problems, warnings } = await ddlReader.read(text, { data: 'rejected' });
    expect({ text, problems, warnings }).toEqual({ text, problems: [], warnings: [] });
    return schema;
  };

  test('a schema is the same after it has been written, read and written again', async () => {
    await fc.assert(
      fc.asyncProperty(schemas, async (schema) => {
        const first = await read(write(schema, false));
        expect(first.tables.map(({ name }) => name).toSorted()).toEqual(
          schema.tables.map(({ name }) => name).toSorted(),
        );
        for (const table of first.tables) {
          const expected = schema.tables.find(({ name }) => name === table.name);
          expect(table.columns.map(({ name, nullable }) => [name, nullable])).toEqual(
            expected?.columns.map(({ name, nullable }) => [name, nullable]),
          );
          expect(
            table.columns.map(({ default: defaultText }) => defaultText !== undefined),
          ).toEqual(expected?.columns.map(({ default: defaultText }) => defaultText !== undefined));
          expect(table.primaryKey?.columns).toEqual(['id']);
          expect(table.foreignKeys.map(target)).toEqual(expected?.foreignKeys.map(target));
          expect(table.indexes.map(({ name, unique, parts }) => ({ name, unique, parts }))).toEqual(
            expected?.indexes.map(({ name, unique, parts }) => ({ name, unique, parts })),
          );
        }
        expect(comparableParts(await read(write(first, true)))).toEqual(comparableParts(first));
      }),
      { numRuns: 60 },
    );
  });
});
