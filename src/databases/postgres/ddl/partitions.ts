/** Partitions become part of their partitioned table, without what only they have. */
import type { DdlReadResult } from '../../../sql/ddl/ddl-reader.ts';
import type { Column, ForeignKey, Index, Table } from '../../../model/schema.ts';

export interface Partition {
  /** The name of the table that it is a partition of. */
  readonly parent: string;
  /** Of the statement that creates it. */
  readonly line: number;
}

/** Removes the partitions from the schema. A warning for each says what only it has. */
export function mergePartitions(
  reading: DdlReadResult,
  partitions: ReadonlyMap<string, Partition>,
): DdlReadResult {
  if (partitions.size === 0) return reading;
  const { schema } = reading;
  const byName = new Map(schema.tables.map((table) => [table.name, table]));
  const losses = [...partitions].flatMap(([name, { parent, line }]) => {
    const [table, parentTable] = [byName.get(name), byName.get(parent)];
    if (table === undefined) return [];
    if (parentTable === undefined)
      return [`Line ${line}: the partition ${name} is left out: the file does not create ${parent}.`]; // prettier-ignore
    const parts = ownParts(table, parentTable);
    return parts.length === 0
      ? []
      : [`Line ${line}: the partition ${name} becomes part of ${parent}, without ${parts.join(', ')}.`]; // prettier-ignore
  });
  const tables = schema.tables.filter(({ name }) => !partitions.has(name));
  const [leftOut, ownTables] = withoutKeysTo(partitions, tables);
  return {
    ...reading,
    schema: { ...schema, tables: ownTables },
    warnings: [...reading.warnings, ...losses, ...leftOut],
  };
}

/** What the partition has and its parent does not, as in messages. */
function ownParts(table: Table, parent: Table): readonly string[] {
  const { primaryKey, options = {}, comment } = table;
  const hasOwnKey =
    primaryKey !== undefined && !isSame(primaryKey.columns, parent.primaryKey?.columns);
  const columns = table.columns.map((column) =>
    // A key makes its columns NOT NULL.
    primaryKey?.columns.includes(column.name) === true ? { ...column, nullable: true } : column,
  );
  return [
    ...columns.flatMap((column) =>
      ownPartsOfColumn(
        column,
        parent.columns.find(({ name }) => name === column.name),
      ),
    ),
    ...(hasOwnKey ? [`the primary key (${primaryKey.columns.join(', ')})`] : []),
    ...table.indexes.flatMap((index) => ownPartsOfIndex(index, parent)),
    ...table.checks
      .filter(({ expression }) => parent.checks.every((each) => each.expression !== expression))
      .map(({ name, expression }) => `the check ${name ?? `(${expression})`}`),
    ...table.foreignKeys
      .filter((key) =>
        parent.foreignKeys.every((each) => !isSame(shapeOfKey(each), shapeOfKey(key))),
      ) // prettier-ignore
      .map(describeKey),
    ...(options['constraints'] === parent.options?.['constraints']
      ? []
      : ['its exclusion constraints']),
    ...(options['persistence'] === parent.options?.['persistence'] ? [] : ['UNLOGGED']),
    ...(comment === undefined ? [] : ['its comment']),
  ];
}

function ownPartsOfColumn(column: Column, parent: Column | undefined): readonly string[] {
  const { name, generated, comment } = column;
  const hasOwnDefault = column.default !== undefined && column.default !== parent?.default;
  const isIdentity = (each: Column | undefined): boolean =>
    each?.autoIncrement === true && each.default === undefined;
  return [
    ...(hasOwnDefault ? [`the default of ${name}`] : []),
    ...(isIdentity(column) && !isIdentity(parent) ? [`the identity of ${name}`] : []),
    ...(isSame(generated, parent?.generated) ? [] : [`the expression of ${name}`]),
    ...(column.nullable || parent?.nullable === false ? [] : [`NOT NULL of ${name}`]),
    ...(comment === undefined ? [] : [`the comment on ${name}`]),
  ];
}

/** An index that is attached to one of the parent has the same parts. */
function ownPartsOfIndex(index: Index, { indexes }: Table): readonly string[] {
  const { name, constraint, comment } = index;
  const kind = constraint === true ? 'the unique constraint' : 'the index';
  if (!indexes.some((each) => isSame(shapeOfIndex(each), shapeOfIndex(index))))
    return [name === '' ? `${kind} without a name` : `${kind} ${name}`];
  return comment === undefined ? [] : [`the comment on ${kind} ${name}`];
}

function shapeOfIndex({ name: _name, comment: _comment, ...shape }: Index): unknown {
  return shape;
}

function shapeOfKey({ name: _name, ...shape }: ForeignKey): unknown {
  return shape;
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function describeKey({ name, columns }: ForeignKey): string {
  return `the foreign key ${name ?? `(${columns.join(', ')})`}`;
}

/** The rows of a partition are not a table that a key could reference. */
function withoutKeysTo(
  partitions: ReadonlyMap<string, Partition>,
  tables: readonly Table[],
): readonly [readonly string[], readonly Table[]] {
  const warnings: string[] = [];
  const changed = tables.map((table) => {
    const lost = table.foreignKeys.filter((key) => partitions.has(key.table));
    for (const key of lost)
      warnings.push(
        `${table.name}: ${describeKey(key)} is left out: it references the partition ${key.table}, which becomes part of ${partitions.get(key.table)?.parent}.`,
      );
    return lost.length === 0
      ? table
      : { ...table, foreignKeys: table.foreignKeys.filter((key) => !lost.includes(key)) };
  });
  return [warnings, changed];
}
