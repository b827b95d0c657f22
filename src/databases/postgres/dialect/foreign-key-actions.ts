import type { ForeignKeyAction } from '../../../model/schema.ts';

/** By the letters of pg_constraint and of the parser. https://www.postgresql.org/docs/current/catalog-pg-constraint.html */
export const foreignKeyActions: Readonly<Record<string, ForeignKeyAction>> = {
  a: 'no action',
  r: 'restrict',
  c: 'cascade',
  n: 'set null',
  d: 'set default',
};
