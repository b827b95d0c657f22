import { jsonArray, jsonObject } from '../../../model/values/json-text.ts';
import { readUse } from '../../core/connection-use.ts';
import { findTable } from '../../core/find-table.ts';
import { mustBeWritable } from '../../core/must-be-writable.ts';
import { jsonReply } from '../../core/reply.ts';
import { cascadeJson, mustEqualExpected } from './expected-cascades.ts';
import { findCascades } from './find-cascades.ts';
import { planChanges } from './plan-changes.ts';
import { readChanges } from './read-changes.ts';
import { mustBeUndoable } from './undoable-changes.ts';
import type { Context, Invocation } from '../../core/context.ts';
import type { Reply } from '../../core/reply.ts';
import type { Cascade } from './find-cascades.ts';
import type { ChangeRowsInput } from './read-changes.ts';

interface Preview {
  readonly statements: readonly string[];
  readonly cascades: readonly Cascade[];
}

/**
 * Returns the statements that `changeRows` would run, and what foreign keys would do to rows of other
 * tables. Reads the rows that the changes address, and writes nothing.
 */
export async function previewChanges(
  context: Context<'write'>,
  input: ChangeRowsInput,
  invocation: Invocation,
): Promise<Reply> {
  const { schema } = await context.schemas.current();
  const table = findTable(schema, input.table);
  mustBeWritable(table);
  const { changes, expectedCascades } = readChanges(table, input);
  const count = changes.create.length + changes.update.length + changes.delete.length;
  mustBeUndoable(context, table, { count, partial: input.partial });
  const { statements, cascades } = await context.database.read(async (session) => {
    const plan = await planChanges({ context, session, table }, changes);
    const cascadeContext = { context, session, invocation, schema };
    return { ...plan, cascades: await findCascades(cascadeContext, plan.written) };
  }, readUse(table.name));
  if (expectedCascades !== undefined) mustEqualExpected(cascades, expectedCascades);
  return previewReply({ statements, cascades });
}

function previewReply({ statements, cascades }: Preview): Reply {
  return jsonReply(
    jsonObject({
      message: '"previewed"',
      statements: jsonArray(statements),
      cascades: JSON.stringify(cascades.map(cascadeJson)),
    }),
  );
}
