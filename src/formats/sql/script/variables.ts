/** Variables of a script, as far as their values are known: `DECLARE @a int = 1`, `SET @a = 1`. */
import { syntaxError, textOf } from './script.ts';
import type { SqlValue } from '../values/literals.ts';
import type { Script, ScriptToken } from './script.ts';

export function readVariable(script: Script, token: ScriptToken): SqlValue {
  const name = textOf(script, token);
  const value = script.variables.get(name.toLowerCase())?.value;
  if (value !== undefined) return value;
  const reason = name.startsWith('@@')
    ? 'only a database can compute this: write the resulting value'
    : 'the value of this variable is not known, since no statement before it assigns a literal to it: write the value itself';
  throw syntaxError(script, token, reason);
}
