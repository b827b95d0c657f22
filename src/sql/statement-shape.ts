/** Checks that text copied from a file did not break out of the statement it was inserted into. */
import { codeOf, groupEnds } from '../portable/lexer/code.ts';
import type { CodeToken } from '../portable/lexer/code.ts';
import type { LexicalRules } from '../portable/lexer/lexical-rules.ts';

/**
 * An expression that closes more parentheses than it opens ends the table definition early, and a
 * comma outside parentheses starts another action of ALTER TABLE.
 */
export function shapeProblems(text: string, lexical: LexicalRules): readonly string[] {
  const code = codeOf(text, lexical);
  const first = code.findIndex(({ word }) => word === '(');
  const head = code.slice(0, first < 0 ? code.length : first);
  const isOf = (verb: string): boolean =>
    code[0]?.word === verb && head.some(({ kind, word }) => kind === 'word' && word === 'TABLE');
  if (isOf('CREATE')) {
    const end = first < 0 ? code.length : (groupEnds(code)[first] ?? code.length);
    return code.slice(end).some(isBracket)
      ? ['An expression or type ends the table definition early']
      : [];
  }
  return isOf('ALTER') && hasCommaOutside(code)
    ? ['An expression or type contains another action of ALTER TABLE']
    : [];
}

function isBracket({ word }: CodeToken): boolean {
  return word === '(' || word === ')';
}

function hasCommaOutside(code: readonly CodeToken[]): boolean {
  let depth = 0;
  return code.some(({ word }) => {
    depth += Number(word === '(' || word === '[') - Number(word === ')' || word === ']');
    return word === ',' && depth <= 0;
  });
}
