import type { CodeToken } from '../../portable/lexer/code.ts';
import type { ExpressionSyntax } from './syntax.ts';

/** Thrown for constructs outside the supported subset; `parseExpression` catches it. */
export class UnsupportedExpression extends Error {}

/** The tokens of an expression and the position among them. */
export interface Parser {
  readonly text: string;
  readonly syntax: ExpressionSyntax;
  readonly code: readonly CodeToken[];
  /** Index of the next token in `code`. */
  at: number;
  /** Current nesting depth of the recursive parser. */
  depth: number;
}

export function wordAt({ code, at }: Parser, offset = 0): string {
  return code[at + offset]?.word ?? '';
}

export function consumeToken(parser: Parser): CodeToken {
  const token = parser.code[parser.at];
  if (token === undefined || token.unterminated) throw new UnsupportedExpression();
  parser.at += 1;
  return token;
}

export function accept(parser: Parser, expected: string): boolean {
  if (wordAt(parser) !== expected) return false;
  parser.at += 1;
  return true;
}

export function expect(parser: Parser, expected: string): void {
  if (!accept(parser, expected)) throw new UnsupportedExpression();
}
