/** A part of a text, and whether the other one has it too. */
export interface Stretch {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** Longer ones are told apart as a whole. */
const longestText = 200_000;
/** Pairs of words that are compared at most. */
const mostPairs = 4_000_000;

/** What became of a text, word by word. */
export function compareTexts(before: string, after: string): readonly Stretch[] {
  if (before.length + after.length > longestText) return joined(replaced([before], [after]));
  const [a, b] = [wordsOf(before), wordsOf(after)];
  const start = commonStart(a, b);
  const end = commonStart(a.slice(start).toReversed(), b.slice(start).toReversed());
  const [from, to] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  return joined([
    ...stretches('same', a.slice(0, start)),
    ...(from.length * to.length > mostPairs ? replaced(from, to) : aligned(from, to)),
    ...stretches('same', a.slice(a.length - end)),
  ]);
}

type Words = readonly string[];

function wordsOf(text: string): Words {
  return text.match(/[\p{L}\p{M}\p{N}_]+|\s+|[^\p{L}\p{M}\p{N}_\s]/gu) ?? [];
}

function commonStart(a: Words, b: Words): number {
  const end = a.findIndex((word, i) => word !== b[i]);
  return end < 0 ? a.length : end;
}

function stretches(kind: Stretch['kind'], words: Words): readonly Stretch[] {
  return words.map((text) => ({ kind, text }));
}

function replaced(from: Words, to: Words): readonly Stretch[] {
  return [...stretches('removed', from), ...stretches('added', to)];
}

/** By the longest row of words that both have. */
function aligned(from: Words, to: Words): readonly Stretch[] {
  const width = to.length + 1;
  const common = commonLengths(from, to);
  const found: Stretch[] = [];
  let [i, j] = [0, 0];
  while (i < from.length && j < to.length) {
    const [old, fresh] = [from[i] ?? '', to[j] ?? ''];
    if (old === fresh) {
      found.push({ kind: 'same', text: old });
      i++;
      j++;
    } else if ((common[(i + 1) * width + j] ?? 0) >= (common[i * width + j + 1] ?? 0)) {
      found.push({ kind: 'removed', text: old });
      i++;
    } else {
      found.push({ kind: 'added', text: fresh });
      j++;
    }
  }
  return [...found, ...replaced(from.slice(i), to.slice(j))];
}

/** Of each pair of ends: how many words they have in common, in order. */
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

function joined(parts: readonly Stretch[]): readonly Stretch[] {
  const found: Stretch[] = [];
  for (const { kind, text } of parts) {
    const last = found.at(-1);
    if (last?.kind === kind) found[found.length - 1] = { kind, text: last.text + text };
    else if (text !== '') found.push({ kind, text });
  }
  return found;
}
