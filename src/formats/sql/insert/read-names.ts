/** Names of tables and columns in a script. */
import { readName } from './read-string.ts';
import { acceptWord, nextToken, peekToken, syntaxError, textOf } from '../script/script.ts';
import type { Script } from '../script/script.ts';

/** Reads a qualified name. */
export function readNameParts(script: Script): readonly string[] {
  const parts = [readOneName(script)];
  while (acceptWord(script, '.'))
    if (peekToken(script)?.word !== '.') parts.push(readOneName(script));
  return parts;
}

function readOneName(script: Script): string {
  const token = nextToken(script);
  const isName =
    token?.kind === 'word' || token?.kind === 'quoted-name' || token?.kind === 'string';
  if (token === undefined || !isName) throw syntaxError(script, token, 'a name is expected');
  return token.kind === 'string' ? textOf(script, token).slice(1, -1) : readName(script, token);
}

/** Reads names in parentheses. */
export function readColumns(script: Script): readonly string[] {
  const names: string[] = [];
  nextToken(script);
  if (acceptWord(script, ')')) return names;
  do names.push(readNameParts(script).at(-1) ?? '');
  while (acceptWord(script, ','));
  const close = nextToken(script);
  if (close?.word !== ')') throw syntaxError(script, close, '")" is expected');
  return names;
}
