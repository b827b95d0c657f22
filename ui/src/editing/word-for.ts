/** Returns the first word that starts with the typed text, preferably in the same case. */
export function wordFor(words: readonly string[], typed: string): string | undefined {
  const start = typed.toLowerCase();
  return (
    words.find((word) => word.startsWith(typed)) ??
    words.find((word) => word.toLowerCase().startsWith(start))
  );
}
