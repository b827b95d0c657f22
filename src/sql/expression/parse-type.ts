import { Beyond, take, word } from './parser.ts';
import { readName } from './read-literal.ts';
import type { Parser } from './parser.ts';

const typeWords =
  /^(?:varying|precision|with|without|time|zone|unsigned|signed|integer|large|object)$/;

/** A type's words without its sizes: `character varying`, `timestamp without time zone`, `text[]`. */
export function parseType(parser: Parser): string {
  const first = take(parser);
  if (first.kind !== 'word' && first.kind !== 'quoted-name') throw new Beyond();
  const { text, syntax } = parser;
  let type = readName(text.slice(first.start, first.end), syntax.lexical).toLowerCase();
  for (;;) {
    const next = word(parser).toLowerCase();
    if (next === '(') skipGroup(parser);
    else if (next === '[') type += arrayMark(parser);
    else if (next === '.') type = qualifiedType(parser);
    else if (typeWords.test(next)) type += ` ${take(parser).word.toLowerCase()}`;
    else return type;
  }
}

function qualifiedType(parser: Parser): string {
  parser.at += 1;
  const last = take(parser);
  return readName(parser.text.slice(last.start, last.end), parser.syntax.lexical).toLowerCase();
}

function skipGroup(parser: Parser): void {
  while (take(parser).word !== ')');
}

function arrayMark(parser: Parser): string {
  while (take(parser).word !== ']');
  return '[]';
}
