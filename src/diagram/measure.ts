import type { TextStyle } from '../portable/drawing/drawing.ts';

/** Returns the width of a line of text in pixels. */
export type Measure = (text: string, style: TextStyle) => number;

const segmenter = new Intl.Segmenter();

/** Truncates a text to the available width and appends an ellipsis if it was cut. */
export function truncate(text: string, style: TextStyle, space: TextSpace): string {
  if (text.length <= space.width && space.measure(text, style) <= space.width) return text;
  // Names may be very long. A character is at least one pixel wide, so the rest cannot fit.
  const graphemes = [...segmenter.segment(text.slice(0, space.width))].map(
    (grapheme) => grapheme.segment,
  );
  return `${graphemes
    .slice(0, fittingLength(graphemes, style, space))
    .join('')
    .trimEnd()}…`;
}

export interface TextSpace {
  readonly width: number;
  readonly measure: Measure;
}

/** Returns how many graphemes fit together with an ellipsis, by binary search. */
function fittingLength(graphemes: readonly string[], style: TextStyle, space: TextSpace): number {
  let [low, high] = [0, graphemes.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const fits = space.measure(`${graphemes.slice(0, middle).join('')}…`, style) <= space.width;
    if (fits) low = middle;
    else high = middle - 1;
  }
  return low;
}
