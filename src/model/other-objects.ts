/**
 * Objects of a database that are not part of the structure that the studio reads: triggers,
 * routines, policies and the like.
 */
import type { Table } from './schema.ts';

export interface OtherObject {
  /** The keyword of the object type in lower case: trigger, function, event, policy, sequence. */
  readonly kind: string;
  readonly name: string;
  /** The table or view that it belongs to. */
  readonly table?: Pick<Table, 'localName' | 'namespace'>;
}
