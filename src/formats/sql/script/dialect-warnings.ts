/** Warnings about the dialect in which a script was read. */
import { codeWithoutStrings } from './find-dialect.ts';
import { lineOf, textOf } from './script.ts';
import type { ImportContext, Warning } from '../../row-import.ts';
import type { FoundDialect, DialectOptions } from './find-dialect.ts';
import type { Script, ScriptEvents, ScriptToken } from './script.ts';

export function warnAboutDialect(
  context: ImportContext,
  name: string,
  { choice, reason }: FoundDialect,
): void {
  if (reason === undefined) return;
  const sentence = `${name} was read as SQL of ${choice.name}: ${reason}. If that is wrong, name its dialect.`;
  context.warn(() => sentence);
}

const maxExcerpt = 40;

/** Warns about versioned comments that the server skips. */
export function skippedCommentWarner(context: ImportContext): ScriptEvents['onSkippedComment'] {
  const lines = new Set<number>();
  let first = '';
  const warning: Warning = () =>
    lines.size === 1
      ? `${first} was skipped, as the server skips it: it is code to other servers only.`
      : `${first} and ${lines.size - 1} more such comments were skipped, as the server skips them: they are code to other servers only.`;
  return (script, token) => {
    const line = lineOf(script, token.start);
    if (lines.has(line)) return;
    lines.add(line);
    const text = textOf(script, token).replaceAll(/\s+/g, ' ');
    const excerpt = text.length > maxExcerpt ? `${text.slice(0, maxExcerpt)}… */` : text;
    first ||= `Line ${line}: ${excerpt}`;
    context.warn(warning);
  };
}

/** Warns about the first string that another dialect would read differently. */
export function createBackslashWarner(
  context: ImportContext,
  { choice, isAssumed }: FoundDialect,
  { choices }: DialectOptions,
): ScriptEvents['onBackslash'] {
  const { backslashEscapes } = choice.language.lexical;
  const otherDialects = choices.filter(
    ({ language }) => language.lexical.backslashEscapes !== backslashEscapes,
  );
  let hasWarned = !isAssumed || otherDialects.length === 0;
  return (script, token) => {
    if (hasWarned) return;
    const call = calledFunction(script, token);
    const isOwnCall = (name: string): boolean =>
      Object.hasOwn(choice.dataScript.functions, name) &&
      otherDialects.every(({ dataScript }) => !Object.hasOwn(dataScript.functions, name));
    // Other dialects cannot read a call of a function that they do not have.
    if (call !== undefined && isOwnCall(call)) return;
    hasWarned = true;
    if (isProven(choice, script, token)) return;
    const line = lineOf(script, token.start);
    const text = textOf(script, token).slice(0, maxExcerpt);
    const keepsBackslash = 'keeps the backslash';
    const escapesBackslash = 'reads the backslash as an escape';
    const names = otherDialects.map(({ name }) => name).join(' or ');
    const sentence =
      `Line ${line}: ${text} was read as SQL of ${choice.name}, which ${backslashEscapes ? escapesBackslash : keepsBackslash}; ` +
      `${names} ${backslashEscapes ? keepsBackslash : escapesBackslash}. If the file was written for ${names}, import it with dialect=${otherDialects[0]?.name}.`;
    context.warn(() => sentence);
  };
}

/** How far before and after a string the code is examined. */
const maxCode = 400;

/** The function whose first argument is the string, in upper case. */
function calledFunction({ lexer }: Script, { start }: ScriptToken): string | undefined {
  const before = lexer.text.slice(Math.max(0, start - maxCode), start);
  return /(\w+)\s*\(\s*$/.exec(before)?.[1]?.toUpperCase();
}

/** Whether the code around the string proves the dialect, such as the calls that `sqlite3 .dump` writes for line breaks. */
function isProven(
  { dataScript }: FoundDialect['choice'],
  { lexer }: Script,
  { start }: ScriptToken,
): boolean {
  const before = /[^'"]*$/.exec(lexer.text.slice(Math.max(0, start - maxCode), start))?.[0] ?? '';
  const code = before + codeWithoutStrings(lexer.text.slice(start, start + maxCode), lexer.rules);
  return dataScript.proofs.code.some((pattern) => pattern.test(code));
}
