import { codeOf } from '../../../portable/lexer/code.ts';
import { sqlserverLexicalRules } from '../language/lexical-rules.ts';

const hasLabel = /^[ \t]*[a-z_]\w*:[ \t\r]*$/im;

/**
 * Blanks out labels on lines of their own, which end no statement before them. Only GOTO uses them, and
 * the file is rejected where it runs.
 */
export function withoutLabels(text: string): string {
  if (!hasLabel.test(text)) return text;
  const code = codeOf(text, sqlserverLexicalRules);
  const parts: string[] = [];
  let from = 0;
  for (const [i, { kind, start, end }] of code.entries()) {
    const colon = code[i + 1];
    const isLabel = kind === 'word' && colon?.word === ':' && colon.start === end;
    if (!isLabel || !isAlone(text, start, colon.end)) continue;
    parts.push(text.slice(from, start), ' '.repeat(colon.end - start));
    from = colon.end;
  }
  return parts.join('') + text.slice(from);
}

/** Whether nothing else is on the line. */
function isAlone(text: string, start: number, end: number): boolean {
  const lineStart = text.lastIndexOf('\n', start) + 1;
  const lineEnd = text.indexOf('\n', end);
  const around = text.slice(lineStart, start) + text.slice(end, lineEnd < 0 ? undefined : lineEnd);
  return around.trim() === '';
}
