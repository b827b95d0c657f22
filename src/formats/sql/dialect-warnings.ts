/** What an answer says of the dialect that a script was read in. */
import { lineOf, textOf } from './script.ts';
import type { ImportContext } from '../row-import.ts';
import type { FoundDialect, DialectOptions } from './find-dialect.ts';
import type { Script } from './script.ts';

export function warnAboutDialect(
  reading: ImportContext,
  name: string,
  { choice, reason }: FoundDialect,
): void {
  if (reason === undefined) return;
  const sentence = `${name} was read as SQL of ${choice.name}: ${reason}. The parameter dialect names another one.`;
  reading.warn(() => sentence);
}

const longestShown = 40;

/** Warns of the first string that the assumed dialect reads otherwise than another would. */
export function createBackslashWarner(
  reading: ImportContext,
  { choice, isAssumed }: FoundDialect,
  { choices }: DialectOptions,
): Script['onBackslash'] {
  const { backslashEscapes } = choice.language.lexical;
  const others = choices.filter(
    ({ language }) => language.lexical.backslashEscapes !== backslashEscapes,
  );
  let isTold = !isAssumed || others.length === 0;
  return (script, token) => {
    if (isTold) return;
    isTold = true;
    const line = lineOf(script, token.start);
    const text = textOf(script, token).slice(0, longestShown);
    const kept = 'keeps the backslash';
    const escaped = 'takes the backslash for an escape';
    const names = others.map(({ name }) => name).join(' or ');
    const sentence =
      `Line ${line}: ${text} was read as SQL of ${choice.name}, which ${backslashEscapes ? escaped : kept}; ` +
      `${names} ${backslashEscapes ? kept : escaped}. If the file was written for ${names}, import it with dialect=${others[0]?.name}.`;
    reading.warn(() => sentence);
  };
}
