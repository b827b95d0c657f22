/** Finds out whether a statement of a trigger, and not the statement itself, failed: many messages do not name their table. */
import { quoteText } from '../dialect/ddl.ts';
import { markRaisedByTrigger, serverError } from '../dialect/errors.ts';
import type { ServerInfo } from '../dialect/server-info.ts';
import type { Wire } from './driver.ts';

/** Errors about values of a row, whose message names a column or a key, but not always its table. */
const rowErrors: ReadonlySet<number> = new Set([
  1048, 1062, 1264, 1265, 1292, 1364, 1366, 1367, 1406, 1411,
]);

const tableOfWrite = /^(?:INSERT(?: IGNORE)? INTO|UPDATE|DELETE FROM) `((?:[^`]|``)+)`/;

/** Must be the next statement after the one that failed, because it reads the diagnostics of that one. */
export async function recordTriggerError(
  failure: unknown,
  text: string,
  { wire, server }: { readonly wire: Wire; readonly server: ServerInfo },
): Promise<void> {
  const found = serverError(failure);
  const table = tableOfWrite.exec(text)?.[1]?.replaceAll('``', '`');
  if (found === undefined || !rowErrors.has(found.errno) || table === undefined) return;
  // An error that cannot be explained further is still an error.
  const reason = await (server.isMariadb ? routineOf(wire) : triggerOf(wire, table)).catch(
    () => undefined,
  );
  if (reason !== undefined) markRaisedByTrigger(found, reason);
}

/** ER_SP_STACK_TRACE: `At line 1 in database.trigger`. The first one is the innermost. */
const stackTrace = 4094;

async function routineOf(wire: Wire): Promise<string | undefined> {
  const { rows } = await wire.query('SHOW WARNINGS');
  const note = rows.find(([, code]) => Number(code) === stackTrace);
  return note === undefined
    ? undefined
    : `It was raised in a trigger or routine: ${String(note[2])}.`;
}

/** MySQL does not report where an error was raised. */
async function triggerOf(wire: Wire, table: string): Promise<string | undefined> {
  const { rows } = await wire.query(
    `SELECT 1 FROM information_schema.triggers WHERE event_object_schema = DATABASE() AND event_object_table = ${quoteText(table)} LIMIT 1`,
  );
  return rows.length === 0 ? undefined : `A trigger of table "${table}" may have raised it.`;
}
