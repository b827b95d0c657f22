/** What a database holds beside the structure that the studio reads: triggers, routines, policies and the like. */
import type { Table } from './schema.ts';

export interface OtherObject {
  /** As SQL calls it, in small letters: trigger, function, event, policy, sequence. */
  readonly kind: string;
  readonly name: string;
  /** The table or view that it belongs to. */
  readonly table?: Pick<Table, 'localName' | 'namespace'>;
}
