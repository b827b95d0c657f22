/** Tracks the temporary tables of a script. Their rows end with the session of the script's own client. */
import { tokenCursor } from '../../sql/token-cursor.ts';
import { statementError } from './script/statement-error.ts';
import { textOf } from './script/script.ts';
import type { SettingToken } from '../../sql/script-settings.ts';
import type { StatementHead } from './insert/row-groups.ts';
import type { Script, ScriptToken } from './script/script.ts';

/** Updates the names, in lower case, for a schema statement. */
export function trackTemporaryTables(names: Set<string>, tokens: readonly SettingToken[]): void {
  const cursor = tokenCursor(tokens);
  const isDropped = cursor.accept('DROP');
  if (!isDropped && !cursor.accept('CREATE')) return;
  cursor.accept('OR', 'REPLACE');
  if (!cursor.accept('GLOBAL')) cursor.accept('LOCAL');
  const isTemporary = cursor.accept('TEMPORARY') || cursor.accept('TEMP');
  if (!(isTemporary || isDropped) || !cursor.accept('TABLE')) return;
  if (!cursor.accept('IF', 'NOT', 'EXISTS')) cursor.accept('IF', 'EXISTS');
  const name = cursor.name()?.at(-1)?.toLowerCase();
  if (name === undefined) return;
  if (isDropped) names.delete(name);
  else names.add(name);
}

interface WrittenTable {
  readonly script: Script;
  readonly temporaryTables: ReadonlySet<string>;
  readonly verb: ScriptToken;
}

/** A table of the same name in the database must not get the rows. */
export function rejectTemporaryTable(
  { script, temporaryTables, verb }: WrittenTable,
  { parts }: StatementHead,
): void {
  const name = parts.at(-1) ?? '';
  const isCreated = parts.length === 1 && temporaryTables.has(name.toLowerCase());
  if (!isCreated && !script.dataScript.isTemporary(parts)) return;
  throw statementError(script, {
    text: `${textOf(script, verb)} … ${parts.join('.')}`,
    start: verb.start,
    reason:
      'writes to a temporary table, which an import does not have: remove the statements of this table, or name the table that is to have the rows',
  });
}
