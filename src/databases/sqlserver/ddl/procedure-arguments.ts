import { accept, isAtEnd, parseName, wordAt } from '../../../sql/ddl/cursor.ts';
import { constantText, parseTextValue, shownText } from './text-value.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { Variables } from './text-value.ts';

/** The arguments of a procedure by the names of its parameters. NULL is undefined. */
export type Arguments = ReadonlyMap<string, string | undefined>;

/** Parses `@name = N'…', …` or arguments in the order of the parameters. */
export function parseArguments(
  cursor: Cursor,
  parameters: readonly string[],
  variables: Variables,
): Arguments {
  const argumentsByName = new Map<string, string | undefined>();
  if (isAtEnd(cursor) || wordAt(cursor) === ';') return argumentsByName;
  let position = 0;
  do {
    const token = cursor.code[cursor.at];
    const isNamed = token?.kind === 'variable' && wordAt(cursor, 1) === '=';
    const name = isNamed
      ? cursor.text.slice(token.start, token.end).toLowerCase()
      : (parameters[position] ?? '');
    if (isNamed) cursor.at += 2;
    argumentsByName.set(name, parseArgument(cursor, variables));
    position += 1;
  } while (accept(cursor, ','));
  return argumentsByName;
}

/** An unquoted word is a text here: `EXEC sp_rename orders, sales`. */
function parseArgument(cursor: Cursor, variables: Variables): string | undefined {
  const kind = cursor.code[cursor.at]?.kind;
  if (accept(cursor, 'NULL') || accept(cursor, 'DEFAULT')) return undefined;
  const isWord = kind === 'word' || kind === 'quoted-name';
  if (isWord && ['', ',', ';'].includes(wordAt(cursor, 1))) return parseName(cursor);
  const value = parseTextValue(cursor, variables);
  return constantText(value) ?? shownText(value);
}
