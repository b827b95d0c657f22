import { connectedDatabase } from '../../sql/connected-database.ts';
import { setClientVariable } from './script/client-variables.ts';
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

/** A client command that reads another file of the archive. */
export interface FileCommand {
  readonly kind: 'copy' | 'script';
  readonly token: ScriptToken;
  /** Of `\copy`, the rest of its line; otherwise the path of the script. */
  readonly text: string;
}

/** Client commands: those that affect rows are rejected, the others ignored, except those that read files. */
export function readClientCommand(sql: ClientCommandContext): FileCommand | undefined {
  const { script, database, session } = sql;
  const token = nextToken(script) as ScriptToken;
  const line = textOf(script, token);
  database.current = connectedDatabase(line) ?? database.current;
  if (/^\\c(?:onnect)?\b/.test(line)) {
    sql.beforeReset();
    resetSession(script, session);
  }
  const command = fileCommand(line, token);
  if (command !== undefined) return command;
  if (/^\\(?:copy|o|out|g|lo_import|s|w)\b|^\\!/.test(line))
    throw syntaxError(
      script,
      token,
      'client commands that write files or run programs are not supported',
    );
  if (/^(?::(?:connect|out|ed|exit|quit)\b|!!)/i.test(line))
    throw syntaxError(
      script,
      token,
      'commands of sqlcmd that write files, reach programs or servers, or end the script, are not supported',
    );
  if (/^:setvar\b/i.test(line)) setClientVariable(script, token);
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
  return undefined;
}

const scriptCommand = /^(?:\\(?:i|ir|include|include_relative)|:r)\s+(.+)$/i;

/** Undefined for other commands, and for those that write files or run programs. */
function fileCommand(line: string, token: ScriptToken): FileCommand | undefined {
  const script = scriptCommand.exec(line)?.[1];
  if (script !== undefined) return { kind: 'script', token, text: unquotedPath(script) };
  const rows = /^\\copy\s+([^(\s].*\sfrom\s.*)$/i.exec(line)?.[1];
  if (rows === undefined || /\sfrom\s+(?:program\s|p?std(?:in|out)\b)/i.test(rows))
    return undefined;
  return { kind: 'copy', token, text: rows };
}

function unquotedPath(text: string): string {
  const path = text.trim().replace(/\s*;$/, '');
  const quote = path.charAt(0);
  return /['"]/.test(quote) && path.endsWith(quote) ? path.slice(1, -1) : path;
}

const utf8Encoding = /^\\encoding\s*(?:['"]?(?:utf-?8|unicode|sql_ascii)['"]?\s*)?$/i;
