import type { ForeignKey } from './schema.ts';

export type RelationType = 'has_one' | 'has_many' | 'belongs_to' | 'many_to_many';

/** A relation from a row to rows of a table. Columns are in the order of the foreign key. */
export interface Relation {
  /** A Go field name. It differs from those of the table's columns and other relations, ignoring case. */
  readonly name: string;
  readonly type: RelationType;
  /** The related table's name. */
  readonly table: string;
  /** Columns of this table (belongs_to), of the related table (has_one, has_many), or of the join table that reference this one (many_to_many). */
  readonly foreignKeys: readonly string[];
  /** The columns that they reference, in the same order. */
  readonly referenceKeys: readonly string[];
  /** The join table of many_to_many. */
  readonly joinTable?: string;
  /** Its columns that reference the related table. */
  readonly joinForeignKeys?: readonly string[];
  /** The columns that those reference, in the same order. */
  readonly joinReferenceKeys?: readonly string[];
  /** For a polymorphic relation of a Go model: the column of the related table with the owner's type, and its value. */
  readonly polymorphic?: { readonly column: string; readonly value: string };
  /** The constraints that it comes from: one, or the two of the join table, first the one that references this table. A model's relation may have none. */
  readonly constraints: readonly ForeignKey[];
}
