/** Names for the statements that come again, so that each connection has them planned once. */
export interface StatementNames {
  /** Undefined for a text not seen before, or long ago. */
  nameOf(text: string): string | undefined;
  /** The structure has changed: what was planned before is not to be used again. */
  forget(): void;
}

/** Lists of values make long texts that hardly come again. */
const longestText = 20_000;

/**
 * Remembers as many texts as `capacity`, those not seen for longest going first. A function can
 * replace a named statement of its session, so those that judge others are `unnamed`.
 */
export function createStatementNames(
  capacity: number,
  unnamed: readonly string[] = [],
): StatementNames {
  const names = new Map<string, string | undefined>();
  let next = 1;

  const nameOf = (text: string): string | undefined => {
    if (text.length > longestText || unnamed.includes(text)) return undefined;
    const name = names.has(text) ? (names.get(text) ?? `s${next++}`) : undefined;
    names.delete(text);
    names.set(text, name);
    const [oldest] = names.keys();
    if (names.size > capacity && oldest !== undefined) names.delete(oldest);
    return name;
  };

  return { nameOf, forget: () => names.clear() };
}
