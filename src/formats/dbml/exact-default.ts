import type { Column } from '@dbml/parse';

/** Strings, quoted names, expressions and comments, which may contain the word `default`. */
const quoted =
  /'''(?:\\[\s\S]|(?!''')[\s\S])*'''|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`[^`]*`|\/\/[^\n]*|\/\*[\s\S]*?\*\//g;

const numberDefault = /\bdefault\s*:\s*([+-]?\s*[\d.]+(?:e[+-]?\d+)?)/i;

/** The digits of a numeric default. The parser returns a double, which loses the zero of `1.50`. */
export function exactDefault({ token }: Pick<Column, 'token'>, text: string): string | undefined {
  const column = text.slice(token.start.offset, token.end.offset);
  const withoutLiterals = column.replaceAll(quoted, (part) => ' '.repeat(part.length));
  return numberDefault.exec(withoutLiterals)?.[1]?.replaceAll(/\s/g, '');
}
