import { tokenize } from '../../portable/lexer/lexer.ts';
import { positionCounter } from '../../portable/lexer/position.ts';
import type { Language } from '../classify.ts';
import type { SchemaDraft } from './draft.ts';

/** Reports an unclosed comment, which would hide the statements after it. */
export function reportOpenComment(
  text: string,
  { lexical }: Pick<Language, 'lexical'>,
  draft: SchemaDraft,
): void {
  const open = tokenize(text, lexical).find(
    ({ kind, unterminated }) =>
      unterminated === true && ['comment', 'hint', 'versioned-open'].includes(kind),
  );
  if (open === undefined) return;
  const message = 'The comment that begins here is not closed.';
  draft.problems.push({ code: 'parse_failed', message, ...positionCounter(text)(open.start) });
}
