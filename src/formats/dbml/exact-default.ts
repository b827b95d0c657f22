import type { Column } from '@dbml/parse';

/** What may hold a word that is none of the language: texts, names, expressions, comments. */
const quoted =
  /'''(?:\\[\s\S]|(?!''')[\s\S])*'''|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`[^`]*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

const numberDefault = /\bdefault\s*:\s*([+-]?\s*[\d.]+(?:e[+-]?\d+)?)/i;

/** A default number by its digits: the parser makes a double of it, which `1.50` is not. */
export function exactDefault({ token }: Pick<Column, 'token'>, text: string): string | undefined {
  const column = text.slice(token.start.offset, token.end.offset);
  const bare = column.replaceAll(quoted, (part) => ' '.repeat(part.length));
  return numberDefault.exec(bare)?.[1]?.replaceAll(/\s/g, '');
}
