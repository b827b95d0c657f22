/** A list of words, written as they are read. */
export function words(text: string): readonly string[] {
  return text.trim().split(/\s+/);
}
