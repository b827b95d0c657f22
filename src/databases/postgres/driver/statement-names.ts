/** Names for repeated statements, so that each connection prepares them once. */
export interface StatementNames {
  /** Undefined the first time, or if the text was evicted. */
  nameOf(text: string): string | undefined;
  /** Called when the structure has changed. Earlier prepared statements are not used again. */
  clear(): void;
  /** Called when a session has lost a prepared statement. No statement is prepared by name anymore. */
  stop(): void;
}

/** Longer texts contain lists of values and are rarely repeated. */
const maxTextLength = 20_000;

/**
 * An LRU cache of `capacity` texts. A function can replace a named statement of its session, so
 * statements that check others for safety are `unnamed`.
 */
export function createStatementNames(
  capacity: number,
  unnamed: readonly string[] = [],
): StatementNames {
  const names = new Map<string, string | undefined>();
  let next = 1;
  let isStopped = false;

  const nameOf = (text: string): string | undefined => {
    if (isStopped || text.length > maxTextLength || unnamed.includes(text)) return undefined;
    const name = names.has(text) ? (names.get(text) ?? `s${next++}`) : undefined;
    names.delete(text);
    names.set(text, name);
    const [oldest] = names.keys();
    if (names.size > capacity && oldest !== undefined) names.delete(oldest);
    return name;
  };

  return {
    nameOf,
    clear: () => names.clear(),
    stop: () => {
      isStopped = true;
      names.clear();
    },
  };
}
