import { linksOf } from '../model/links.ts';
import type { Link } from '../model/links.ts';
import type { Table } from '../model/schema.ts';

/** A foreign key as a line between two tables; each end says how many rows can be there. */
export interface RelationLine {
  readonly link: Link;
  /** At the table that has the key. */
  readonly child: LineEnd;
  /** At the table that it points at. */
  readonly parent: LineEnd;
}

export interface LineEnd {
  readonly table: string;
  /** The column whose row it ends at, or when that is not drawn, the table's head. */
  readonly column: string;
  readonly count: Count;
}

export type Count = 'one' | 'zero-or-one' | 'zero-or-many';

/** Keys to tables that are not among these have no line. */
export function relationLines(tables: readonly Table[]): readonly RelationLine[] {
  return linksOf(tables).map((link) => {
    const { from, to, key, unique } = link;
    const at = tellingPosition(link);
    return {
      link,
      child: {
        table: from.name,
        column: key.columns[at] ?? '',
        count: unique ? 'zero-or-one' : 'zero-or-many',
      },
      parent: {
        table: to.name,
        column: key.referencedColumns[at] ?? '',
        count: isOptional(link) ? 'zero-or-one' : 'one',
      },
    };
  });
}

/** With a NULL in any of its columns a key points nowhere. */
function isOptional({ from, key }: Link): boolean {
  return from.columns.some((column) => column.nullable && key.columns.includes(column.name));
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
