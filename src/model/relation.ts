import type { ForeignKey } from './schema.ts';

export type RelationType = 'has_one' | 'has_many' | 'belongs_to' | 'many_to_many';

/** How a row leads to rows of a table; columns are in the foreign key's order. */
export interface Relation {
  /** A Go field name, unlike those of the table's columns and other relations whatever the case. */
  readonly name: string;
  readonly type: RelationType;
  /** The related table's name. */
  readonly table: string;
  /** belongs_to: this table's columns; has_one, has_many: the related table's; many_to_many: the join table's that point here. */
  readonly foreignKeys: readonly string[];
  /** What they point at, one by one. */
  readonly referenceKeys: readonly string[];
  /** The join table of many_to_many. */
  readonly joinTable?: string;
  /** Its columns that point at the related table. */
  readonly joinForeignKeys?: readonly string[];
  /** What those point at, one by one. */
  readonly joinReferenceKeys?: readonly string[];
  /** Of a polymorphic relation of a Go model: the related table's column that says whose a row is, and what it says. */
  readonly polymorphic?: { readonly column: string; readonly value: string };
  /** The constraints it comes from: one, or the join table's two, the one that points here first; a model's relation may have none. */
  readonly constraints: readonly ForeignKey[];
}
