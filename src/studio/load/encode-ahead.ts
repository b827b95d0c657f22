import type { Transaction } from '../../model/database.ts';
import type { RowChunk } from '../../model/load.ts';
import type { TablePlan } from './load-plan.ts';
import type { RowSpool } from './row-spool.ts';

interface TableState {
  /** By the name of the table. */
  readonly plans: ReadonlyMap<string, TablePlan>;
  readonly spool: RowSpool;
}

/** Encodes the next rows while the database writes the previous ones. Errors are left to the insert. */
export function encodeAhead(
  { plans, spool }: TableState,
  session: Transaction<'load'>,
  chunk: RowChunk,
): void {
  // Without a plan, the table may not be writable. Rows in the spool are inserted later, in other batches.
  const plan = plans.get(chunk.table.name);
  if (session.encodeAhead === undefined || plan === undefined || spool.has(chunk.table)) return;
  session.encodeAhead(plan.toBatch(chunk));
}
