/** Tracks the database of a script's rows. An import writes to one database, so all rows must come from one. */
import { readName } from './insert/read-string.ts';
import { nextToken, textOf } from './script/script.ts';
import { statementError } from './script/statement-error.ts';
import type { Script, ScriptToken } from './script/script.ts';

export interface DatabaseState {
  /** Set by the last USE or `\connect`. */
  current: string | undefined;
  /** The database of the rows so far; undefined while there are none. */
  ofRows: Origin | undefined;
}

interface Origin {
  /** Undefined: the database that the script was written for, whose name is unknown. */
  readonly name: string | undefined;
  /** The name comes from a qualified table name. */
  readonly byTable: boolean;
}

/** Reads USE and the name. The rest of the statement is left to the caller. */
export function readUse(script: Script, database: DatabaseState): void {
  nextToken(script);
  const name = nextToken(script);
  if (name?.kind === 'word' || name?.kind === 'quoted-name')
    database.current = readName(script, name);
}

/** `parts` are the parts of a table's name that name its database. */
export function requireOneDatabase(
  script: Script,
  { database, verb }: { readonly database: DatabaseState; readonly verb: ScriptToken },
  parts: readonly string[],
): void {
  const byTable = parts.length > 0;
  const name = byTable ? parts.join('.') : database.current;
  const { ofRows } = database;
  // Statements without a database name can mean the one that a qualified table name has.
  if (ofRows === undefined || (ofRows.name === undefined && byTable))
    database.ofRows = { name, byTable };
  else if (ofRows.name !== name && !(ofRows.byTable && name === undefined))
    throw statementError(script, {
      text: textOf(script, verb),
      start: verb.start,
      reason: `has rows of another database, ${name ?? 'without a name'} after ${ofRows.name ?? 'one without a name'}: import the rows of one database at a time`,
    });
}
