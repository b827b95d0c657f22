/** Opens and closes the groups in which the rows of statements are collected. */
import { StudioError } from '../../model/errors.ts';
import { openGroup } from './insert/row-groups.ts';
import { partitionOf } from './partitions.ts';
import { lineOf, peekToken, syntaxError } from './script/script.ts';
import { rejectTemporaryTable } from './temporary-tables.ts';
import type { ImportContext } from '../row-import.ts';
import type { FieldReader, RowGroup, StatementHead } from './insert/row-groups.ts';
import type { ScriptToken } from './script/script.ts';
import type { SqlScriptReader } from './script-reader.ts';

interface RowsStatement {
  readonly verb: ScriptToken;
  readonly head: StatementHead;
  /** The context and the row numbers of rows that are in a file of their own. */
  readonly target?: { readonly context: ImportContext; readonly numbers: Map<string, number> };
}

export function openRows<Field>(
  sql: SqlScriptReader,
  { verb, head, target = sql }: RowsStatement,
  fields: FieldReader<Field>,
): RowGroup<Field> {
  rejectTemporaryTable({ ...sql, verb }, head);
  return withLine(sql, verb, () => openGroup(withOrigin(sql, head), target, fields));
}

/** Adds the line of the statement to the error of a table that does not exist. */
function withLine<T>({ script }: SqlScriptReader, { start }: ScriptToken, open: () => T): T {
  try {
    return open();
  } catch (error) {
    if (!(error instanceof StudioError) || error.code !== 'table_not_found') throw error;
    const line = lineOf(script, start);
    const message = `${script.name}, line ${line}: ${error.message}`;
    throw new StudioError(error.code, message, { ...error.details, line });
  }
}

/**
 * Adds what the script says about the name: the search path in which a name without a schema is looked
 * up, and the partitioned table that the table is a partition of.
 */
function withOrigin(
  { session, script, createdTables }: SqlScriptReader,
  head: StatementHead,
): StatementHead {
  const { path } = session.settings;
  if (path?.length === 0 && head.parts.length === 1)
    throw syntaxError(
      script,
      peekToken(script),
      `${session.positions.get('path')} leaves no schema in which to find ${JSON.stringify(head.parts[0])}`,
    );
  const partition = partitionOf(createdTables, head.parts);
  return {
    ...head,
    ...(path === undefined || head.parts.length > 1 ? {} : { path }),
    ...(partition && { partition }),
  };
}

/** Collects the remaining rows and closes both groups. */
export function flush(sql: SqlScriptReader): void {
  for (const group of [sql.insertGroup, sql.copyGroup]) {
    for (let batch = group?.take(true); batch !== undefined; batch = group?.take(true))
      sql.ready.push(batch);
  }
  sql.insertGroup = undefined;
  sql.copyGroup = undefined;
}
