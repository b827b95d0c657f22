import { connectedDatabase } from '../../sql/connected-database.ts';
import { nextToken, textOf, syntaxError } from './script/script.ts';
import { resetSession } from './script/session.ts';
import type { DatabaseState } from './rows-database.ts';
import type { Script, ScriptToken } from './script/script.ts';
import type { ScriptSession } from './script/session.ts';

interface ClientCommandContext {
  readonly script: Script;
  readonly database: DatabaseState;
  readonly session: ScriptSession;
  /** Whether the batch before a GO has rows. */
  readonly hasRowsInBatch: boolean;
  /** Called before the settings of the session are reset. */
  readonly beforeReset: () => void;
}

/** Client commands: those that affect rows are rejected, the others ignored. */
export function readClientCommand(sql: ClientCommandContext): void {
  const { script, database, session } = sql;
  const token = nextToken(script) as ScriptToken;
  const line = textOf(script, token);
  database.current = connectedDatabase(line) ?? database.current;
  if (/^\\c(?:onnect)?\b/.test(line)) {
    sql.beforeReset();
    resetSession(script, session);
  }
  const copiedFile = /^\\copy\s.*?\sfrom\s+(?:program\s+)?('[^']*'|\S+)/i.exec(line)?.[1];
  if (copiedFile !== undefined && !/^p?std(?:in|out)$/i.test(copiedFile))
    throw syntaxError(
      script,
      token,
      `\\copy reads the rows of the file ${copiedFile}, which an import cannot: load the script with psql, dump that database with pg_dump and import the dump, or import the script without its \\copy lines and then ${copiedFile} as data`,
    );
  if (/^\\(?:i|ir|include|include_relative|copy|o|out|g|lo_import|s|w)\b|^\\!/.test(line))
    throw syntaxError(
      script,
      token,
      'client commands that read other files or run programs are not supported',
    );
  if (/^(?::(?:r|connect|out|ed|exit|quit)\b|!!)/i.test(line))
    throw syntaxError(
      script,
      token,
      'commands of sqlcmd that reach files, programs or servers, or end the script, are not supported',
    );
  if (/^:setvar\b/i.test(line))
    throw syntaxError(script, token, 'variables of sqlcmd are not supported');
  if (/^\\(?:if|elif|else|endif|q|quit|encoding)\b/.test(line) && !utf8Encoding.test(line))
    throw syntaxError(
      script,
      token,
      'client commands that affect how the following lines are read are not supported',
    );
  if (/^\\set\s+AUTOCOMMIT\b/.test(line) && !/\b(?:on|true|yes|1)\s*$/i.test(line))
    throw syntaxError(script, token, 'scripts are read with autocommit on, as it is by default');
  const times = /^GO[ \t]+(\d+)/i.exec(line)?.[1];
  if (times !== undefined && Number(times) !== 1 && sql.hasRowsInBatch)
    throw syntaxError(script, token, 'a batch with rows cannot be repeated');
}

const utf8Encoding = /^\\encoding\s*(?:['"]?(?:utf-?8|unicode|sql_ascii)['"]?\s*)?$/i;
