const words: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'yes', 'y', 'on', '1'].map((word): [string, boolean] => [word, true]),
  ...['false', 'f', 'no', 'n', 'off', '0'].map((word): [string, boolean] => [word, false]),
]);

/** Reads the words of PostgreSQL for true and false, and 1 and 0. Undefined for other texts. */
export function readBoolean(text: string): boolean | undefined {
  return words.get(text.trim().toLowerCase());
}
