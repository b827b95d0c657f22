import { linksOf } from '../model/links.ts';
import type { ModelKey } from '../model/model-keys.ts';
import type { Link } from '../model/links.ts';
import type { Table } from '../model/schema.ts';
import type { Cardinality } from '../portable/drawing/route-shapes.ts';

/** A foreign key, or a relation that only models declare, as a line between two tables. Each end has a cardinality. */
export interface RelationLine {
  /** The end at the referencing table. */
  readonly child: LineEnd;
  /** The end at the referenced table. */
  readonly parent: LineEnd;
  readonly columns: readonly string[];
  readonly referencedColumns: readonly string[];
  /** Set if models declare the relation and no constraint exists: its condition, or an empty string. */
  readonly modelCondition?: string;
}

export interface LineEnd {
  readonly table: string;
  /** The column that the line is attached to. If it is not drawn, the line ends at the table's header. */
  readonly column: string;
  readonly count: Cardinality;
}

/** Omits keys that reference tables outside of `tables`. */
export function relationLines(
  tables: readonly Table[],
  modelKeys: readonly ModelKey[] = [],
): readonly RelationLine[] {
  const byName = new Map(tables.map((table) => [table.name, table]));
  return [
    ...linksOf(tables).map(lineOfLink),
    ...modelKeys.flatMap((key) => {
      const from = byName.get(key.from);
      return from === undefined || !byName.has(key.to) ? [] : lineOfModel(key, from);
    }),
  ];
}

function lineOfLink(link: Link): RelationLine {
  const { from, to, key, unique } = link;
  const { columns, referencedColumns } = key;
  const at = distinctiveIndex(link);
  const ends = { from: from.name, to: to.name, columns, referencedColumns, unique };
  return lineOf(ends, at, isOptional(from, columns));
}

function lineOfModel(key: ModelKey, from: Table): RelationLine {
  const { when } = key;
  const line = lineOf(key, 0, when !== undefined || isOptional(from, key.columns));
  return { ...line, modelCondition: when === undefined ? '' : `${when.column} = ${when.value}` };
}

function lineOf(key: Omit<ModelKey, 'when'>, at: number, optional: boolean): RelationLine {
  const { from, to, columns, referencedColumns, unique } = key;
  return {
    child: {
      table: from,
      column: columns[at] ?? '',
      count: unique ? 'zero-or-one' : 'zero-or-many',
    },
    parent: {
      table: to,
      column: referencedColumns[at] ?? '',
      count: optional ? 'zero-or-one' : 'one',
    },
    columns,
    referencedColumns,
  };
}

/** A foreign key references no row if any of its columns is NULL (MATCH SIMPLE). */
function isOptional(from: Table, columns: readonly string[]): boolean {
  return from.columns.some((column) => column.nullable && columns.includes(column.name));
}

/** Returns the index of the first column that no other key of the table has: `order_id` rather than `tenant_id`. */
function distinctiveIndex({ from, key }: Link): number {
  const otherKeys = from.foreignKeys
    .filter((other) => other !== key)
    .flatMap((other) => other.columns);
  return Math.max(
    0,
    key.columns.findIndex((column) => !otherKeys.includes(column)),
  );
}
