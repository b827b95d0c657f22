/** The tokens of a function body, for each way in which the server may read its strings. */
import { scanSync } from 'libpg-query';
import { codeOf } from '../../../portable/lexer/code.ts';
import { postgresLexicalRules } from '../language/lexical-rules.ts';
import type { LexicalRules } from '../../../portable/lexer/lexical-rules.ts';

export interface BodyToken {
  /** A string literal is a single quote here: its contents are not names. */
  readonly text: string;
  readonly isName: boolean;
}

/**
 * A function, a role or a caller may set standard_conforming_strings to off, and a backslash then
 * escapes a quote, so such a body is read both ways. Undefined for a body that cannot be scanned.
 */
export function tokenizeBody(body: string): readonly (readonly BodyToken[])[] | undefined {
  const standard = scanTokens(body);
  if (standard === undefined) return undefined;
  return body.includes(String.raw`\'`) ? [standard, escapedTokens(body)] : [standard];
}

/** Whether PostgreSQL's scanner accepts the text. */
export function hasTokens(text: string): boolean {
  return scanTokens(text) !== undefined;
}

function scanTokens(body: string): readonly BodyToken[] | undefined {
  try {
    return scanSync(body)
      .tokens.filter(({ tokenName }) => !tokenName.endsWith('COMMENT'))
      .map(({ text }) => {
        const isString = /^(?:'|[bexn]'|u&'|\$[^\d])/i.test(text);
        return { text: isString ? "'" : text, isName: !isString };
      });
  } catch {
    return undefined;
  }
}

const escapingRules: LexicalRules = {
  ...postgresLexicalRules,
  backslashEscapes: true,
  clientLines: [],
};

function escapedTokens(body: string): readonly BodyToken[] {
  return codeOf(body, escapingRules).map(({ kind, start, end }) =>
    kind === 'string'
      ? { text: "'", isName: false }
      : { text: body.slice(start, end), isName: true },
  );
}
