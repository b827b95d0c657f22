import { linksOf } from '../model/links.ts';
import type { ModelKey } from '../model/model-keys.ts';
import type { Link } from '../model/links.ts';
import type { Table } from '../model/schema.ts';

/** A foreign key, or one that only models tell of, as a line between two tables; each end says how many rows can be there. */
export interface RelationLine {
  /** At the table that has the key. */
  readonly child: LineEnd;
  /** At the table that it points at. */
  readonly parent: LineEnd;
  readonly columns: readonly string[];
  readonly referencedColumns: readonly string[];
  /** Models tell of it, and no constraint: what else they say, or nothing. */
  readonly modelled?: string;
}

export interface LineEnd {
  readonly table: string;
  /** The column whose row it ends at, or when that is not drawn, the table's head. */
  readonly column: string;
  readonly count: Count;
}

export type Count = 'one' | 'zero-or-one' | 'zero-or-many';

/** Keys to tables that are not among these have no line. */
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
  const at = tellingPosition(link);
  const ends = { from: from.name, to: to.name, columns, referencedColumns, unique };
  return lineOf(ends, at, isOptional(from, columns));
}

function lineOfModel(key: ModelKey, from: Table): RelationLine {
  const { when } = key;
  const line = lineOf(key, 0, when !== undefined || isOptional(from, key.columns));
  return { ...line, modelled: when === undefined ? '' : `${when.column} = ${when.value}` };
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

/** With a NULL in any of its columns a key points nowhere. */
function isOptional(from: Table, columns: readonly string[]): boolean {
  return from.columns.some((column) => column.nullable && columns.includes(column.name));
}

/** Of a composite key the first column that no other key of the table has: `order_id` rather than `tenant_id`. */
function tellingPosition({ from, key }: Link): number {
  const others = from.foreignKeys
    .filter((other) => other !== key)
    .flatMap((other) => other.columns);
  return Math.max(
    0,
    key.columns.findIndex((column) => !others.includes(column)),
  );
}
