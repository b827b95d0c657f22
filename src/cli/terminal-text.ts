/** Text for a terminal: without characters that control it, and as wide as it is shown. */

/** Joiners are part of emoji and of words. They have no effect of their own. */
const unsafe = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Characters that could move the cursor, end the line or change its direction become escapes as in JSON. */
export function printableText(text: string): string {
  return text.replace(unsafe, escapeOf);
}

/** The same for several lines. */
export function printableLines(text: string): string {
  return text.split('\n').map(printableText).join('\n');
}

const short: Readonly<Record<string, string>> = {
  '\b': String.raw`\b`,
  '\t': String.raw`\t`,
  '\n': String.raw`\n`,
  '\f': String.raw`\f`,
  '\r': String.raw`\r`,
};

/** JSON leaves DEL and the control characters beyond ASCII as they are, although terminals obey them. */
function escapeOf(character: string): string {
  if (Object.hasOwn(short, character)) return short[character]!;
  return Array.from({ length: character.length }, (_, i) => {
    const code = character.charCodeAt(i).toString(16).padStart(4, '0');
    return String.raw`\u${code}`;
  }).join('');
}

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const isAscii = /^[\0-\x7e]*$/;
/** The first character of what terminals show in two cells. */
const wide =
  /^(?:[\u1100-\u115f\u2329\u232a\u2e80-\u33ff\u4dc0-\u4dff\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff60\uffe0-\uffe6]|(?![\uff61-\uffdc])[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\p{sc=Yi}\p{sc=Tangut}\p{sc=Nushu}]|\p{Emoji_Presentation}|.\ufe0f)/su;
const zeroWidth = /^[\p{M}\u200c\u200d]+$/u;

/** The number of cells that a terminal needs for a printable text. */
export function widthOf(text: string): number {
  if (isAscii.test(text)) return text.length;
  let width = 0;
  for (const { segment } of segmenter.segment(text)) width += cellsOf(segment);
  return width;
}

function cellsOf(grapheme: string): number {
  if (zeroWidth.test(grapheme)) return 0;
  return wide.test(grapheme) ? 2 : 1;
}

/** Cuts a printable text to a width; `…` shows that it was longer. */
export function cutToWidth(text: string, limit: number): string {
  // No character is narrower than a cell, except those that are part of another one.
  if (text.length <= limit && isAscii.test(text)) return text;
  let width = 0;
  let end = 0;
  for (const { segment, index } of segmenter.segment(text)) {
    width += cellsOf(segment);
    if (width > limit) return `${text.slice(0, end)}…`;
    if (width < limit) end = index + segment.length;
  }
  return text;
}

export function padToWidth(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)));
}
