import type { TextStyle } from '../portable/drawing/drawing.ts';

/** Returns the width of a line of text in pixels. */
export type Measure = (text: string, style: TextStyle) => number;

const segmenter = new Intl.Segmenter();

/** Truncates a text to the available width and appends an ellipsis if it was cut. */
export function truncate(text: string, style: TextStyle, space: TextSpace): string {
  if (fits(text, style, space)) return text;
  // Names may be very long. A character is at least one pixel wide, so the rest cannot fit.
  const graphemes = graphemesOf(text.slice(0, space.width));
  const textWith = (count: number): string => `${graphemes.slice(0, count).join('').trimEnd()}…`;
  return textWith(fittingCount(graphemes.length, (count) => fits(textWith(count), style, space)));
}

/** Cuts a text to the available width by replacing its middle with an ellipsis. */
export function cutMiddle(text: string, style: TextStyle, space: TextSpace): string {
  if (fits(text, style, space)) return text;
  // As above. Both ends have more characters than can fit.
  const width = Math.ceil(space.width);
  const graphemes = graphemesOf(
    text.length <= 2 * width ? text : text.slice(0, width) + text.slice(-width),
  );
  const textWith = (count: number): string => {
    const tail = Math.floor(count / 2);
    const head = graphemes
      .slice(0, count - tail)
      .join('')
      .trimEnd();
    return `${head}…${tail === 0 ? '' : graphemes.slice(-tail).join('').trimStart()}`;
  };
  const most = Math.max(0, graphemes.length - 1);
  return textWith(fittingCount(most, (count) => fits(textWith(count), style, space)));
}

export interface TextSpace {
  readonly width: number;
  readonly measure: Measure;
}

function fits(text: string, style: TextStyle, { width, measure }: TextSpace): boolean {
  return text.length <= width && measure(text, style) <= width;
}

function graphemesOf(text: string): readonly string[] {
  return [...segmenter.segment(text)].map((grapheme) => grapheme.segment);
}

/** Returns the largest number of graphemes that fit, by binary search. */
function fittingCount(most: number, isFitting: (count: number) => boolean): number {
  let [low, high] = [0, most];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (isFitting(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}
