import { replaceVariables, syntaxError, textOf } from './script.ts';
import type { Script, ScriptToken } from './script.ts';

const command = /^:setvar\s+([\w-]+)(?:\s+(?:"((?:[^"]|"")*)"|(\S+)))?\s*$/i;

/** Runs `:setvar name "value"`: the value replaces `$(name)` in the text after it. Without a value, the variable ends. */
export function setClientVariable(script: Script, token: ScriptToken): void {
  const [, name, quoted, bare] = command.exec(textOf(script, token)) ?? [];
  if (name === undefined) throw syntaxError(script, token, 'the name of a variable is expected');
  const value = quoted?.replaceAll('""', '"') ?? bare;
  if (value === undefined) script.clientVariables.delete(name.toLowerCase());
  else script.clientVariables.set(name.toLowerCase(), value);
  replaceVariables(script, token.end);
}
