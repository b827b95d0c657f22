/** Previewed changes that wait for their confirmation. */
import { randomUUID } from 'node:crypto';
import type { JsonObject } from './studio-api.ts';

export interface TableChanges {
  readonly table: string;
  /** The body of the API's `changes`. */
  readonly body: JsonObject;
}

export interface PendingChanges {
  /** Returns the confirmation. It is valid once, for ten minutes. */
  add(changes: TableChanges): string;
  /** The changes of a confirmation, which is then no longer valid; undefined if it is not valid. */
  take(confirmation: string): TableChanges | undefined;
}

const validMs = 10 * 60_000;
/** The oldest are dropped. */
const maxPending = 100;

interface Pending extends TableChanges {
  readonly until: number;
}

export function createPendingChanges(now: () => number = Date.now): PendingChanges {
  const pending = new Map<string, Pending>();
  return {
    add: (changes) => {
      const confirmation = randomUUID();
      pending.set(confirmation, { ...changes, until: now() + validMs });
      const [oldest] = pending.keys();
      if (pending.size > maxPending && oldest !== undefined) pending.delete(oldest);
      return confirmation;
    },
    take: (confirmation) => {
      const found = pending.get(confirmation);
      pending.delete(confirmation);
      return found !== undefined && found.until > now() ? found : undefined;
    },
  };
}
