/** The database that a script's rows are of. All go into one, so they are to be of one. */
import { readName } from './read-string.ts';
import { nextToken, textOf } from './script.ts';
import { statementError } from './statement-error.ts';
import type { Script, ScriptToken } from './script.ts';

export interface DatabaseState {
  /** By the last USE or `\connect`. */
  current: string | undefined;
  /** That of the rows so far; undefined while there are none. */
  ofRows: Origin | undefined;
}

interface Origin {
  /** Undefined: the one that the script was written for, whatever that is called. */
  readonly name: string | undefined;
  /** By the name of the table alone. */
  readonly byTable: boolean;
}

/** Reads USE, whose word has been looked at; what follows the name is left. */
export function readUse(script: Script, database: DatabaseState): void {
  nextToken(script);
  const name = nextToken(script);
  if (name?.kind === 'word' || name?.kind === 'quoted-name')
    database.current = readName(script, name);
}

/** `parts` are those of a table's name that tell its database. */
export function requireOneDatabase(
  script: Script,
  { database, verb }: { readonly database: DatabaseState; readonly verb: ScriptToken },
  parts: readonly string[],
): void {
  const byTable = parts.length > 0;
  const name = byTable ? parts.join('.') : database.current;
  const { ofRows } = database;
  // A table's name may tell the very database that other statements leave unsaid.
  if (ofRows === undefined || (ofRows.name === undefined && byTable))
    database.ofRows = { name, byTable };
  else if (ofRows.name !== name && !(ofRows.byTable && name === undefined))
    throw statementError(script, {
      text: textOf(script, verb),
      start: verb.start,
      why: `brings rows of another database, ${name ?? 'not named'} after ${ofRows.name ?? 'one that is not named'}: import those of one at a time`,
    });
}
