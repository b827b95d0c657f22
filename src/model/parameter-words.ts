/** Messages of the API in the words of another surface, such as the flags of the command or the labels of a page. */

/** The words for a parameter, and for one with a value, as in `on_error=skip`. */
export type WordsOfParameter = (name: string, value: string | undefined) => string;

/**
 * Replaces the names of parameters where a message means them: in backticks, after "the parameter" or "set", at its
 * beginning before what it must be, with a value (`mode=replace`), and names with an underscore anywhere. Names in
 * double quotes are those of tables and columns.
 */
export function replaceParameters(
  text: string,
  names: readonly string[],
  wordsOf: WordsOfParameter,
): string {
  const any = alternatives(names);
  const withUnderscore = alternatives(names.filter((name) => name.includes('_')));
  const pattern = new RegExp(
    [
      `\`(?<ticked>${any})(?:=(?<tickedValue>\\w+))?\``,
      `\\b[Tt]he parameter "(?<named>${any})"`,
      `(?<!["\\w\`-])(?:the parameter )?(?<assigned>${any})=(?<value>\\w+)`,
      `(?<=\\b[Ss]et )(?<set>${any})\\b(?!")`,
      `^(?<subject>${any})(?= must be | is for | names |: )`,
      `(?<!["\\w-])(?:the parameter )?(?<plain>${withUnderscore})(?!["\\w])`,
    ].join('|'),
    'g',
  );
  return text.replaceAll(pattern, (...found) => {
    const groups = found.at(-1) as unknown as Readonly<Record<string, string | undefined>>;
    const { ticked, tickedValue, named, assigned, value, set, subject, plain } = groups;
    const name = ticked ?? named ?? assigned ?? set ?? subject ?? plain ?? '';
    return wordsOf(name, tickedValue ?? value);
  });
}

/** Longer names first, because one can begin with another. */
function alternatives(names: readonly string[]): string {
  const sorted = names.toSorted((a, b) => b.length - a.length);
  return sorted.length === 0 ? '(?!)' : sorted.join('|');
}
