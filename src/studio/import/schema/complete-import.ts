/** Completes an import that was interrupted after its rows were committed: its counters, triggers and routines. */
import { withoutProgram } from './select-programs.ts';
import { driverErrorOf, rejectionOf } from './structure-transaction.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { Table } from '../../../model/schema.ts';
import type { Completion, JournalEntry, Planned } from './journal-files.ts';
import type { UndoSession } from './remove-created.ts';

/**
 * Runs what remains to be done. What the database rejects is left out, as by an import that is not interrupted: the
 * database would reject it again, and until the journal ends, others cannot import tables of these names. Returns a
 * sentence for each. Any other error may pass, and is thrown.
 */
export async function completeImport(
  undoSession: UndoSession,
  entries: readonly JournalEntry[],
): Promise<readonly string[]> {
  const completion = entries.findLast(isCompletion);
  if (completion === undefined) return [];
  const leftOut: string[] = [];
  for (const text of completion.complete.flat()) {
    const reason = await rejectionOfAll(undoSession, [text]);
    if (reason !== undefined)
      leftOut.push(`The database rejects "${text}" after the rows: ${reason}`);
  }
  const warnings = await createRest(undoSession, completion.programs ?? [], entries);
  return [...leftOut, ...warnings];
}

function isCompletion(entry: JournalEntry): entry is Completion {
  return typeof entry === 'object' && 'complete' in entry;
}

/** Creates programs, except those that need one that is left out. */
async function createRest(
  undoSession: UndoSession,
  programs: readonly ScriptProgram[],
  entries: readonly JournalEntry[],
): Promise<readonly string[]> {
  const hasTables = programs.some(({ table }) => table !== undefined);
  const { tables } = hasTables ? await undoSession.database.introspect() : { tables: [] };
  const warnings: string[] = [];
  let remaining = programs;
  for (const program of programs) {
    if (!remaining.includes(program)) continue;
    const reason =
      otherTable(program, tables, entries) ?? (await createProgram(undoSession, program));
    if (reason === undefined) continue;
    const rest = withoutProgram(remaining, program, reason);
    remaining = rest.programs;
    warnings.push(...rest.warnings);
  }
  return warnings;
}

/** Why the table of a trigger is not that of the import. Undefined if it is. */
function otherTable(
  { table: name }: ScriptProgram,
  tables: readonly Table[],
  entries: readonly JournalEntry[],
): string | undefined {
  if (name === undefined) return undefined;
  const lowerName = name.toLowerCase();
  const table =
    tables.find(({ localName }) => localName === name) ??
    tables.find(({ localName }) => localName.toLowerCase() === lowerName);
  if (table === undefined) return `the table ${name} of the import no longer exists`;
  const planned = entries.findLast(
    (entry): entry is Planned =>
      typeof entry === 'object' && 'creating' in entry && entry.creating === table.name,
  );
  if (planned?.columns === undefined) return undefined;
  const columns = table.columns.map((column) => column.name);
  const isSame = JSON.stringify(columns) === JSON.stringify(planned.columns);
  return isSame ? undefined : `the table ${name} no longer has the columns of the import`;
}

/** Returns the reason of the database if it rejects the program. */
async function createProgram(
  undoSession: UndoSession,
  { text, session }: ScriptProgram,
): Promise<string | undefined> {
  const { begin = [], end = [] } = session ?? {};
  const reason = await rejectionOfAll(undoSession, [...begin, text]);
  const endReason = await rejectionOfAll(undoSession, end);
  return reason ?? endReason;
}

/** Runs statements up to the first that the database rejects, and returns its reason. */
async function rejectionOfAll(
  { database, session }: UndoSession,
  texts: readonly string[],
): Promise<string | undefined> {
  const { dialect } = database;
  try {
    for (const text of texts)
      await session.run({ text, params: [] }).catch((error: unknown) => {
        // The import has created it before it was interrupted, or others have created another one of the name.
        if (dialect.ddl.ddlUndo?.isExistsError(driverErrorOf(error)) !== true) throw error;
      });
    return undefined;
  } catch (error) {
    return rejectionOf(dialect, error);
  }
}
