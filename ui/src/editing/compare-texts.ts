/** A run of words that both texts have, or that only one of them has. */
export interface TextSegment {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Texts that together have more characters are not compared word by word; they are shown as replaced. */
const maxTotalLength = 200_000;
/** The largest table of word pairs that the comparison may fill. */
const maxPairs = 4_000_000;

/** Compares two texts word by word. */
export function compareTexts(before: string, after: string): readonly TextSegment[] {
  if (before.length + after.length > maxTotalLength)
    return mergeAdjacent(replaceAll([before], [after]));
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const start = commonPrefixLength(a, b);
  const end = commonPrefixLength(a.slice(start).toReversed(), b.slice(start).toReversed());
  const [from, to] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return mergeAdjacent([
    ...segmentsOf('same', a.slice(0, start)),
    ...(from.length * to.length > maxPairs ? replaceAll(from, to) : alignWords(from, to)),
    ...segmentsOf('same', a.slice(a.length - end)),
  ]);
}

type Words = readonly string[];

function wordsOf(text: string): Words {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}

function commonPrefixLength(a: Words, b: Words): number {
  const end = a.findIndex((word, i) => word !== b[i]);
  return end < 0 ? a.length : end;
}

function segmentsOf(kind: TextSegment['kind'], words: Words): readonly TextSegment[] {
  return words.map((text) => ({ kind, text }));
}

function replaceAll(from: Words, to: Words): readonly TextSegment[] {
  return [...segmentsOf('removed', from), ...segmentsOf('added', to)];
}

/** Aligns two texts by their longest common subsequence of words. */
function alignWords(from: Words, to: Words): readonly TextSegment[] {
  const width = to.length + 1;
  const common = commonLengths(from, to);
  const found: TextSegment[] = [];
  let [i, j] = [0, 0];
  while (i < from.length && j < to.length) {
    const [before, after] = [from[i] ?? '', to[j] ?? ''];
    if (before === after) {
      found.push({ kind: 'same', text: before });
      i++;
      j++;
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0)) {
      found.push({ kind: 'removed', text: before });
      i++;
    } else {
      found.push({ kind: 'added', text: after });
      j++;
    }
  }
  return [...found, ...replaceAll(from.slice(i), to.slice(j))];
}

/** The table of the longest common subsequence: its length for each pair of suffixes. */
function commonLengths(from: Words, to: Words): Uint32Array {
  const width = to.length + 1;
  const lengths = new Uint32Array((from.length + 1) * width);
  for (let i = from.length - 1; i >= 0; i--)
    for (let j = to.length - 1; j >= 0; j--) {
      const [below, right] = [lengths[(i + 1) * width + j] ?? 0, lengths[i * width + j + 1] ?? 0];
      const both = (lengths[(i + 1) * width + j + 1] ?? 0) + 1;
      lengths[i * width + j] = from[i] === to[j] ? both : Math.max(below, right);
    }
  return lengths;
}

function mergeAdjacent(parts: readonly TextSegment[]): readonly TextSegment[] {
  const found: TextSegment[] = [];
  for (const { kind, text } of parts) {
    const last = found.at(-1);
    if (last?.kind === kind) found[found.length - 1] = { kind, text: last.text + text };
    else if (text !== '') found.push({ kind, text });
  }
  return found;
}
