import type { TextStyle } from '../portable/drawing/drawing.ts';

/** Returns the width of a line of text in pixels. */
export type Measure = (text: string, style: TextStyle) => number;

const segmenter = new Intl.Segmenter();

/** Truncates a text to the available width and appends an ellipsis if it was cut. */
export function fit(text: string, style: TextStyle, room: Room): string {
  if (text.length <= room.width && room.measure(text, style) <= room.width) return text;
  // Names may be very long. A character is at least one pixel wide, so the rest cannot fit.
  const graphemes = [...segmenter.segment(text.slice(0, room.width))].map(
    (grapheme) => grapheme.segment,
  );
  return `${graphemes
    .slice(0, longestFit(graphemes, style, room))
    .join('')
    .trimEnd()}…`;
}

export interface Room {
  readonly width: number;
  readonly measure: Measure;
}

/** Returns how many graphemes fit together with an ellipsis, by binary search. */
function longestFit(graphemes: readonly string[], style: TextStyle, room: Room): number {
  let [low, high] = [0, graphemes.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const fits = room.measure(`${graphemes.slice(0, middle).join('')}…`, style) <= room.width;
    if (fits) low = middle;
    else high = middle - 1;
  }
  return low;
}
