import { isSkippedComment, tokenize } from '../../portable/lexer/lexer.ts';
import { positionCounter } from '../../portable/lexer/position.ts';
import { readScript } from './read-script.ts';
import type { LexicalRules } from '../../portable/lexer/lexical-rules.ts';
import type { DdlOptions, DdlReadResult } from './ddl-reader.ts';
import type { ScriptReader } from './read-script.ts';

/** Reads a file without the versioned comments that the server skips. Blanks replace them, since views keep their text. */
export function readAsServer(
  text: string,
  reader: ScriptReader,
  { skippedComments = {}, ...options }: DdlOptions,
): DdlReadResult {
  const { code, skipped } = withoutSkippedComments(text, {
    ...reader.language.lexical,
    skippedComments,
  });
  const result = readScript(code, reader, options);
  return { ...result, warnings: [...skipped, ...result.warnings] };
}

const maxShownLength = 60;

/** The text with blanks in place of the versioned comments that the server skips, and a warning for each. */
function withoutSkippedComments(
  text: string,
  lexical: LexicalRules,
): { readonly code: string; readonly skipped: readonly string[] } {
  const positionOf = positionCounter(text);
  const skipped: string[] = [];
  const parts: string[] = [];
  let end = 0;
  for (const token of tokenize(text, lexical)) {
    if (token.kind !== 'comment' || token.unterminated === true) continue;
    const comment = text.slice(token.start, token.end);
    if (!lexical.versionedComments.some((open) => comment.startsWith(open))) continue;
    parts.push(text.slice(end, token.start), comment.replaceAll(/[^\n]/g, ' '));
    end = token.end;
    if (!isSkippedComment(text, token, lexical)) continue;
    const excerpt =
      comment.length > maxShownLength ? `${comment.slice(0, maxShownLength)}… */` : comment;
    skipped.push(
      `Line ${positionOf(token.start).line}: ${excerpt.replaceAll(/\s+/g, ' ')} is skipped, as the server skips it: it is code to other servers only.`,
    );
  }
  return { code: parts.join('') + text.slice(end), skipped };
}
