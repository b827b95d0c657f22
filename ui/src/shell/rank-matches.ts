/**
 * Fuzzy search: matches at the start come first, then at a word's start, then anywhere, then
 * scattered letters. A word of a name starts after any punctuation. TanStack's match-sorter-utils
 * recognizes words after a space only: for `item` it lists `myitems` before `audit.order_item_log`.
 */
export function rankMatches<T extends { readonly label: string }>(
  entries: readonly T[],
  target: string,
): readonly T[] {
  const letters = target.trim().toLowerCase();
  if (letters === '') return entries;
  return entries
    .map((entry) => ({ entry, rank: rankOf(entry.label.toLowerCase(), letters) }))
    .filter(({ rank }) => rank < noMatch)
    .toSorted((a, b) => a.rank - b.rank)
    .map(({ entry }) => entry);
}

const noMatch = 4;

function rankOf(label: string, letters: string): number {
  if (label.startsWith(letters)) return 0;
  const index = label.indexOf(letters);
  if (index > 0) return /[^\p{L}\p{N}]/u.test(label[index - 1] ?? '') ? 1 : 2;
  return containsInOrder(label, letters) ? 3 : noMatch;
}

function containsInOrder(label: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    from = label.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}
