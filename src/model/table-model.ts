import type { Relation } from './relation.ts';
import type { SoftDelete } from './schema.ts';

/** What a Go model says of a table beyond what the database knows. Plain data: it is kept as JSON. */
export interface TableModel {
  readonly struct: string;
  readonly table: string;
  readonly relations: readonly ModelRelation[];
  readonly softDelete?: SoftDelete;
}

/** A relation as a model declares it, whether the database has a constraint for it or not. */
export type ModelRelation = Omit<Relation, 'constraints'>;
