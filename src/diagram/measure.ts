import type { TextStyle } from './drawing.ts';

/** How wide a line of text is, in pixels. */
export type Measure = (text: string, style: TextStyle) => number;

const segmenter = new Intl.Segmenter();

/** As much of the text as fits, with an ellipsis where it was cut. */
export function fit(text: string, style: TextStyle, room: Room): string {
  if (text.length <= room.width && room.measure(text, style) <= room.width) return text;
  // No more characters than pixels: a name may be of any length.
  const pieces = [...segmenter.segment(text.slice(0, room.width))].map((piece) => piece.segment);
  return `${pieces
    .slice(0, longestFit(pieces, style, room))
    .join('')
    .trimEnd()}…`;
}

export interface Room {
  readonly width: number;
  readonly measure: Measure;
}

/** How many pieces from the first fit with an ellipsis after them, by halving. */
function longestFit(pieces: readonly string[], style: TextStyle, room: Room): number {
  let [low, high] = [0, pieces.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    const fits = room.measure(`${pieces.slice(0, middle).join('')}…`, style) <= room.width;
    if (fits) low = middle;
    else high = middle - 1;
  }
  return low;
}
