/**
 * Neutral schemas that every database can create, with the most unusual names and texts that all of
 * them accept.
 */
import * as fc from 'fast-check';
import { columnOf, foreignKeyTo, tableOf } from './tables.ts';
import type { Check, Column, ColumnType, Index, Schema, Table } from '../../../src/model/schema.ts';

const oddNames = [
  ...[
    'users',
    'Orders',
    'select',
    'table',
    'a"b',
    "it's",
    'a`b',
    '[x]',
    'a.b',
    'ünï',
    'A b',
    '--x',
    'x;y',
    '$$',
    '%s',
  ],
  ...['名前', 'a\\b', '/*', 'order', 'group by', '1st', '?', ':x', '@v', '#'],
];

const oddTexts = [
  "it's",
  'a "quoted" one',
  'back\\slash',
  'two\nlines',
  '名前',
  '--',
  '$$',
  '%',
  '',
];

const names = (min: number, max: number): fc.Arbitrary<readonly string[]> =>
  fc.uniqueArray(fc.constantFrom(...oddNames), {
    minLength: min,
    maxLength: max,
    selector: (name) => name.toLowerCase(),
  });

interface Kind {
  readonly type: ColumnType;
  /** Defaults that the type can hold. */
  readonly defaults: readonly string[];
  /** Short enough for a key. */
  readonly keyable: boolean;
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`;

const kinds: readonly Kind[] = [
  { type: { kind: 'boolean' }, defaults: ['TRUE', 'FALSE'], keyable: true },
  { type: { kind: 'integer', bits: 16 }, defaults: ['0', '-12'], keyable: true },
  { type: { kind: 'integer', bits: 32 }, defaults: ['7'], keyable: true },
  { type: { kind: 'integer', bits: 64 }, defaults: ['9007199254740993'], keyable: true },
  {
    type: { kind: 'decimal', precision: 20, scale: 5 },
    defaults: ['1.50000', '-0.5'],
    keyable: true,
  },
  { type: { kind: 'float', bits: 64 }, defaults: ['0.1', '1e10'], keyable: true },
  { type: { kind: 'text', length: 40 }, defaults: oddTexts.map(quoted), keyable: true },
  { type: { kind: 'text', length: 3, fixed: true }, defaults: ["'abc'"], keyable: true },
  { type: { kind: 'text' }, defaults: ["'x'"], keyable: false },
  {
    type: { kind: 'enum', values: ['a', "it's", 'c,d'] },
    defaults: ["'a'", quoted("it's")],
    keyable: true,
  },
  { type: { kind: 'uuid' }, defaults: [], keyable: true },
  { type: { kind: 'date' }, defaults: ["'2026-01-31'", 'CURRENT_DATE'], keyable: true },
  { type: { kind: 'time', precision: 3 }, defaults: ["'13:05:00'"], keyable: true },
  { type: { kind: 'timestamp', precision: 6 }, defaults: ['CURRENT_TIMESTAMP'], keyable: true },
  {
    type: { kind: 'timestamp', precision: 6, zone: true },
    defaults: ['CURRENT_TIMESTAMP'],
    keyable: true,
  },
  { type: { kind: 'json' }, defaults: ["'{}'"], keyable: false },
  { type: { kind: 'binary', length: 20 }, defaults: [], keyable: true },
  { type: { kind: 'binary' }, defaults: [], keyable: false },
];

interface GeneratedColumn {
  readonly column: Column;
  readonly kind: Kind;
}

function column(name: string): fc.Arbitrary<GeneratedColumn> {
  return fc
    .tuple(
      fc.constantFrom(...kinds),
      fc.boolean(),
      fc.nat(20),
      fc.option(fc.constantFrom(...oddTexts.slice(0, -1))),
    )
    .map(([kind, nullable, choice, comment]) => {
      const defaultText = kind.defaults[choice];
      return {
        kind,
        column: columnOf(name, kind.type, {
          nullable,
          ...(defaultText === undefined ? {} : { default: defaultText }),
          ...(comment === null ? {} : { comment }),
        }),
      };
    });
}

const name = (text: string): string => `"${text.replaceAll('"', '""')}"`;

/** A check for numbers, and one for texts. */
function checksOf(table: string, generatedColumns: readonly GeneratedColumn[]): readonly Check[] {
  return generatedColumns.flatMap(({ column: { name: columnName, type } }) => {
    if (type.kind === 'integer')
      return [
        {
          name: `check ${columnName} of ${table}`,
          expression: `${name(columnName)} > -100 OR ${name(columnName)} IS NULL`,
        },
      ];
    return type.kind === 'text' && type.fixed !== true
      ? [{ expression: `${name(columnName)} <> 'x''y' AND lower(${name(columnName)}) <> 'z'` }]
      : [];
  });
}

function indexesOf(
  table: string,
  generatedColumns: readonly GeneratedColumn[],
): fc.Arbitrary<readonly Index[]> {
  const keyable = generatedColumns
    .filter(({ kind }) => kind.keyable)
    .map((each) => each.column.name);
  if (keyable.length === 0) return fc.constant([]);
  const part = fc.record({ column: fc.constantFrom(...keyable), descending: fc.boolean() });
  const index = fc
    .tuple(
      fc.boolean(),
      fc.boolean(),
      fc.uniqueArray(part, { minLength: 1, maxLength: 3, selector: (each) => each.column }),
    )
    .map(([unique, constraint, parts]) => ({
      unique,
      ...(unique && constraint ? { constraint } : {}),
      parts: parts.map(({ column: columnName, descending }) => ({
        column: columnName,
        ...(descending && !(unique && constraint) ? { descending } : {}),
      })),
    }));
  const distinct = {
    maxLength: 3,
    selector: ({ parts }: { readonly parts: unknown }) => JSON.stringify(parts),
  };
  return fc
    .uniqueArray(index, distinct)
    .map((list) => list.map((each, i) => ({ ...each, name: `${table} index ${i}` })));
}

function table(tableName: string): fc.Arbitrary<Table> {
  return names(1, 5)
    .chain((columns) => fc.tuple(...columns.map(column)))
    .chain((generatedColumns) =>
      fc
        .tuple(
          indexesOf(tableName, generatedColumns),
          fc.boolean(),
          fc.option(fc.constantFrom('It’s', "the 'table'")),
        )
        .map(([indexes, numbered, comment]) => {
          const id = columnOf(
            'the id',
            { kind: 'integer', bits: 64 },
            numbered ? { autoIncrement: true } : {},
          );
          return tableOf(tableName, [id, ...generatedColumns.map((each) => each.column)], {
            primaryKey: { columns: ['the id'] },
            indexes,
            checks: checksOf(tableName, generatedColumns),
            ...(comment === null ? {} : { comment }),
          });
        }),
    );
}

/** Adds a foreign key to the next table, so that all tables form a cycle. */
function linkInCycle(tables: readonly Table[]): readonly Table[] {
  return tables.map((from, i) => {
    const to = tables[(i + 1) % tables.length]!;
    const key = columnOf('next id', { kind: 'integer', bits: 64 }, { nullable: true });
    const foreignKey = foreignKeyTo(to.name, ['next id'], {
      name: `${from.name} to ${to.name}`,
      referencedColumns: ['the id'],
      onDelete: i % 2 === 0 ? 'set null' : 'cascade',
    });
    return { ...from, columns: [...from.columns, key], foreignKeys: [foreignKey] };
  });
}

export const runnableSchemas: fc.Arbitrary<Schema> = names(1, 4)
  .chain((tableNames) => fc.tuple(...tableNames.map(table)))
  .map((tables) => ({
    database: 'generated',
    serverVersion: '',
    tables: linkInCycle(tables),
    views: [],
    enums: [],
  }));
