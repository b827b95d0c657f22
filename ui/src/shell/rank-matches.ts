/** What holds the letters sought in their order, best first: the beginning, a word's beginning, anywhere. */
export function rankMatches<T extends { readonly label: string }>(
  entries: readonly T[],
  sought: string,
): readonly T[] {
  const letters = sought.trim().toLowerCase();
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
  const place = label.indexOf(letters);
  if (place > 0) return /[^\p{L}\p{N}]/u.test(label[place - 1] ?? '') ? 1 : 2;
  return holdsInOrder(label, letters) ? 3 : noMatch;
}

function holdsInOrder(label: string, letters: string): boolean {
  let from = 0;
  for (const letter of letters) {
    from = label.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}
