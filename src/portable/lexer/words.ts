/** Splits a text into its words; keeps long lists of keywords readable. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
