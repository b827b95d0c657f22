import type { Relation } from './relation.ts';
import type { SoftDelete } from './schema.ts';

/** Properties of a table that only its Go model declares. Plain data, which is stored as JSON. */
export interface TableModel {
  readonly struct: string;
  readonly table: string;
  readonly relations: readonly ModelRelation[];
  readonly softDelete?: SoftDelete;
}

/** A relation as a model declares it, whether the database has a constraint for it or not. */
export type ModelRelation = Omit<Relation, 'constraints'>;
