import { UnsupportedExpression, consumeToken, wordAt } from './parser.ts';
import { readName } from './read-literal.ts';
import type { Parser } from './parser.ts';
import type { CastType } from './tree.ts';

const typeWords =
  /^(?:varying|precision|with|without|time|zone|unsigned|signed|integer|large|object)$/;

/** Parses a type name, and whether it has sizes: `character varying`, `timestamp without time zone`, `text[]`. */
export function parseType(parser: Parser): CastType {
  const first = consumeToken(parser);
  if (first.kind !== 'word' && first.kind !== 'quoted-name') throw new UnsupportedExpression();
  const { text, syntax } = parser;
  let type = readName(text.slice(first.start, first.end), syntax.lexical).toLowerCase();
  let isSized = false;
  for (;;) {
    const next = wordAt(parser).toLowerCase();
    if (next === '(') {
      skipGroup(parser);
      isSized = true;
    } else if (next === '[') type += arrayBrackets(parser);
    else if (next === '.') type = qualifiedType(parser);
    else if (typeWords.test(next)) type += ` ${consumeToken(parser).word.toLowerCase()}`;
    else return { type, isSized };
  }
}

function qualifiedType(parser: Parser): string {
  parser.at += 1;
  const last = consumeToken(parser);
  return readName(parser.text.slice(last.start, last.end), parser.syntax.lexical).toLowerCase();
}

function skipGroup(parser: Parser): void {
  while (consumeToken(parser).word !== ')');
}

function arrayBrackets(parser: Parser): string {
  while (consumeToken(parser).word !== ']');
  return '[]';
}
