/** Fills the materialized views of a dump after its rows. */
import { StudioError } from '../../model/errors.ts';
import { runInOrder } from './schema/run-structure.ts';
import { RejectedObject } from './schema/rejected-object.ts';
import type { StatementContext } from './schema/run-structure.ts';

export interface ViewRefresh {
  run(statements: readonly string[], within: StatementContext): Promise<void>;
  /** The error of the load, or that of the view that cannot be filled, which the import can leave out. */
  errorOf(error: unknown): unknown;
}

export function createViewRefresh(): ViewRefresh {
  let rejected: RejectedObject | undefined;
  return {
    run: async (statements, within) => {
      for (const text of statements)
        await runInOrder([text], within).catch((error: unknown) => {
          rejected = rejectedView(text, error, within);
          throw rejected ?? error;
        });
    },
    errorOf: (error) => rejected ?? error,
  };
}

function rejectedView(
  text: string,
  error: unknown,
  { relations, context }: StatementContext,
): RejectedObject | undefined {
  const { ddl } = context.database.dialect;
  const view = relations.find((relation) => ddl.refreshView(relation) === text);
  if (view === undefined || !(error instanceof StudioError)) return undefined;
  // Not a lost connection, a conflict or the end of the time.
  if (error.code !== 'import_failed' && error.code !== 'invalid_value') return undefined;
  const { message } = error;
  return new RejectedObject(error, { object: { view }, reason: message });
}
