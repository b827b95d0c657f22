/** The differences between two schemas, one sentence each. */
import type {
  Column,
  ColumnType,
  ForeignKey,
  Index,
  Schema,
  Table,
} from '../../src/model/schema.ts';

export interface Comparison {
  /**
   * Both schemas belong to the same database, so native types, defaults, expressions and names are
   * compared too.
   */
  readonly native: boolean;
}

export function compareSchemas(expected: Schema, found: Schema, { native }: Comparison): string[] {
  const differences: string[] = [];
  const byName = new Map(found.tables.map((table) => [table.name.toLowerCase(), table]));
  for (const table of expected.tables) {
    const counterpart = byName.get(table.name.toLowerCase());
    if (counterpart === undefined) differences.push(`${table.name}: no such table`);
    else differences.push(...compareTables(table, counterpart, native));
    byName.delete(table.name.toLowerCase());
  }
  differences.push(...[...byName.keys()].map((name) => `${name}: unexpected table`));
  if (native) differences.push(...compareViews(expected, found));
  return differences;
}

function compareViews(expected: Schema, found: Schema): string[] {
  const names = new Set(found.views.map(({ name }) => name));
  return expected.views.flatMap(({ name }) => (names.has(name) ? [] : [`${name}: no such view`]));
}

function compareTables(expected: Table, found: Table, native: boolean): string[] {
  const propertiesOf = native ? nativeProperties : neutralProperties;
  const properties = (table: Table): Map<string, string> => new Map(propertiesOf(table));
  const [one, two] = [properties(expected), properties(found)];
  const names = new Set([...one.keys(), ...two.keys()]);
  return [...names].flatMap((name) => {
    const [a, b] = [one.get(name), two.get(name)];
    return a === b
      ? []
      : [`${expected.name}: ${name} is ${b ?? 'missing'}, expected ${a ?? 'none'}`];
  });
}

type Property = readonly [name: string, value: string];

function nativeProperties(table: Table): Property[] {
  return [
    ...table.columns.flatMap((column) => nativeColumn(column)),
    ...keyProperties(table, (name) => name),
    ...table.checks.map(({ expression }): Property => [`the check ${expression}`, 'present']),
    ...(table.comment === undefined ? [] : [['the comment', table.comment] as const]),
    ['the order of columns', table.columns.map(({ name }) => name).join(', ')],
  ];
}

function nativeColumn(column: Column): Property[] {
  const { name, nativeType, nullable, default: defaultText, generated, comment, onUpdate } = column;
  const properties = {
    type: nativeType,
    null: String(nullable),
    default: defaultText,
    numbered: column.autoIncrement === true ? 'yes' : undefined,
    generated: generated && `${generated.expression} ${generated.stored}`,
    collation: column.collation,
    comment,
    'on update': onUpdate,
  };
  return Object.entries(properties).flatMap(([property, value]) =>
    value === undefined ? [] : [[`${name}'s ${property}`, value] as const],
  );
}

/** Properties that every database reports in the same way. */
function neutralProperties(table: Table): Property[] {
  return [
    ...table.columns.flatMap((column): Property[] => [
      [`${column.name}'s type`, family(column.type)],
      [`${column.name}'s null`, String(column.nullable)],
      [`${column.name}'s default`, hasDefault(column) ? 'some' : 'none'],
    ]),
    ...keyProperties(withoutExpressions(withoutKeyIndexes(table)), (name) => name.toLowerCase()),
  ];
}

/**
 * Neither auto-increment nor DEFAULT NULL counts. Databases report auto-increment as different
 * defaults.
 */
function hasDefault({ default: defaultText, autoIncrement }: Column): boolean {
  return defaultText !== undefined && autoIncrement !== true && !/^\(*null\b/i.test(defaultText);
}

/** MySQL creates an index for each foreign key. */
function withoutKeyIndexes(table: Table): Table {
  const keys = table.foreignKeys.map(({ columns }) => columns.join());
  const indexes = table.indexes.filter(
    ({ unique, parts }) => unique || !keys.includes(parts.map(({ column }) => column).join()),
  );
  return { ...table, indexes };
}

/** Without expressions, because each database formats them differently. */
function withoutExpressions(table: Table): Table {
  const indexes = table.indexes.map((index) => ({
    ...index,
    ...(index.where === undefined ? {} : { where: '…' }),
    parts: index.parts.map((part) =>
      part.column === undefined ? { ...part, expression: '…' } : part,
    ),
  }));
  return { ...table, indexes };
}

const families: Readonly<Partial<Record<ColumnType['kind'], string>>> = {
  integer: 'number',
  decimal: 'number',
  float: 'number',
  boolean: 'number',
  enum: 'text',
  set: 'text',
  uuid: 'text',
  other: 'text',
  interval: 'text',
  bits: 'text',
  array: 'json',
};

function family({ kind }: ColumnType): string {
  return families[kind] ?? kind;
}

function keyProperties(table: Table, name: (name: string) => string): Property[] {
  return [
    ['the primary key', name(table.primaryKey?.columns.join(', ') ?? '')],
    ...table.foreignKeys.map((key): Property => [foreignKey(key, name), actions(key)]),
    ...table.indexes.map((index): Property => [indexName(index, name), 'present']),
  ];
}

function foreignKey(
  { columns, table, referencedColumns }: ForeignKey,
  name: (name: string) => string,
): string {
  return name(`the key (${columns.join(', ')}) to ${table} (${referencedColumns.join(', ')})`);
}

/** RESTRICT and NO ACTION are equal unless the constraint is deferred. */
function actions({ onUpdate, onDelete }: ForeignKey): string {
  return [onUpdate, onDelete].map((action) => action.replace('restrict', 'no action')).join(', ');
}

function indexName({ unique, parts, where }: Index, name: (name: string) => string): string {
  const columns = parts.map(
    ({ column, expression, descending }) =>
      `${column ?? expression}${descending === true ? ' desc' : ''}`,
  );
  return name(
    `${unique ? 'unique ' : ''}index (${columns.join(', ')})${where === undefined ? '' : ` where ${where}`}`,
  );
}
