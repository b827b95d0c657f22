/** The columns that a relation compares. */
import type { RelationInfo } from './structure.ts';

interface ColumnName {
  readonly table: string;
  readonly column: string;
}

export interface RelationKeys {
  /** All columns whose values decide which rows are related. */
  readonly compared: readonly ColumnName[];
  /** Each column that references another one, with that one. */
  readonly references: readonly { readonly from: ColumnName; readonly to: ColumnName }[];
}

/** `owner` is the table that has the relation. */
export function relationKeys(owner: string, relation: RelationInfo): RelationKeys {
  const { type, table: target, join_table: join, polymorphic_type: typeColumn } = relation;
  const foreign = relation.foreign_keys ?? [relation.foreign_key];
  const reference = relation.reference_keys ?? [relation.reference_key];
  const references =
    type === 'many_to_many' && join !== undefined
      ? [
          ...pairs([join, foreign], [owner, reference]),
          ...pairs(
            [join, joinColumns(relation, 'foreign')],
            [target, joinColumns(relation, 'reference')],
          ),
        ]
      : type === 'belongs_to'
        ? pairs([owner, foreign], [target, reference])
        : pairs([target, foreign], [owner, reference]);
  const typeColumns = typeColumn === undefined ? [] : [{ table: target, column: typeColumn }];
  return {
    references,
    compared: [...references.flatMap(({ from, to }) => [from, to]), ...typeColumns],
  };
}

function joinColumns(relation: RelationInfo, side: 'foreign' | 'reference'): readonly string[] {
  return relation[`join_${side}_keys`] ?? [relation[`join_${side}_key`] ?? ''];
}

type Columns = readonly [table: string, columns: readonly string[]];

function pairs([fromTable, from]: Columns, [toTable, to]: Columns): RelationKeys['references'] {
  return from.map((column, i) => ({
    from: { table: fromTable, column },
    to: { table: toTable, column: to[i] ?? '' },
  }));
}
