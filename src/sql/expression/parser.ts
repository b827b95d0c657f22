import type { CodeToken } from '../code.ts';
import type { ExpressionSyntax } from './syntax.ts';

/** Thrown where the text goes beyond what is read; `parseExpression` catches it. */
export class Beyond extends Error {}

/** The place that has been reached in an expression's text. */
export interface Parser {
  readonly text: string;
  readonly syntax: ExpressionSyntax;
  readonly code: readonly CodeToken[];
  at: number;
  depth: number;
}

export function word({ code, at }: Parser, offset = 0): string {
  return code[at + offset]?.word ?? '';
}

export function take(parser: Parser): CodeToken {
  const token = parser.code[parser.at];
  if (token === undefined || token.unterminated) throw new Beyond();
  parser.at += 1;
  return token;
}

export function accept(parser: Parser, wanted: string): boolean {
  if (word(parser) !== wanted) return false;
  parser.at += 1;
  return true;
}

export function expect(parser: Parser, wanted: string): void {
  if (!accept(parser, wanted)) throw new Beyond();
}
