/** The name closest to `name`, if it is similar enough to be a suggestion. */
export function closestName(name: string, candidates: readonly string[]): string | undefined {
  const folded = name.toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const limit = Math.min(best?.distance ?? Infinity, Math.max(2, folded.length / 2) + 1);
    const distance = editDistance(folded, candidate.toLowerCase(), limit);
    if (distance < limit) best = { name: candidate, distance };
  }
  return best?.name;
}

/** The Levenshtein distance, or `limit` if the distance is not smaller. */
function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) >= limit) return limit;
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current.push(Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1));
    }
    if (Math.min(...current) >= limit) return limit;
    previous = current;
  }
  return Math.min(previous[b.length] ?? limit, limit);
}

/** ` Did you mean "x"?`, to append to a message, or an empty text. */
export function didYouMean(name: string, candidates: readonly string[]): string {
  const closest = closestName(name, candidates);
  return closest === undefined ? '' : ` Did you mean "${closest}"?`;
}
