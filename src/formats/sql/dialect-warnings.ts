/** Warnings about the dialect in which a script was read. */
import { lineOf, textOf } from './script.ts';
import type { ImportContext } from '../row-import.ts';
import type { FoundDialect, DialectOptions } from './find-dialect.ts';
import type { Script } from './script.ts';

export function warnAboutDialect(
  context: ImportContext,
  name: string,
  { choice, reason }: FoundDialect,
): void {
  if (reason === undefined) return;
  const sentence = `${name} was read as SQL of ${choice.name}: ${reason}. If that is wrong, set the parameter "dialect".`;
  context.warn(() => sentence);
}

const maxExcerpt = 40;

/** Warns about the first string that another dialect would read differently. */
export function createBackslashWarner(
  context: ImportContext,
  { choice, isAssumed }: FoundDialect,
  { choices }: DialectOptions,
): Script['onBackslash'] {
  const { backslashEscapes } = choice.language.lexical;
  const otherDialects = choices.filter(
    ({ language }) => language.lexical.backslashEscapes !== backslashEscapes,
  );
  let hasWarned = !isAssumed || otherDialects.length === 0;
  return (script, token) => {
    if (hasWarned) return;
    hasWarned = true;
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
