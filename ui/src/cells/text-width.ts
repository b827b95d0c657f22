/** Digits and capital letters are wider than the average letter, and some characters are wider still. */
const digitWidth = 8.3;
const letterWidth = 7.2;
const wideWidth = 13;

/** Returns the estimated width in pixels of a text in a cell. Fonts of systems are not wider than this. */
export function textWidth(text: string): number {
  const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
  const wide = count(/[#%@MWm\u2E80-\uFFFF]/g);
  const digits = count(/[\dA-LN-VX-Z]/g);
  return wide * wideWidth + digits * digitWidth + (text.length - wide - digits) * letterWidth;
}

/** The padding and the border of a cell, on both sides together. */
export const cellPadding = 20;
/** On a phone cells have more padding, because fingers need more space. */
export const phoneCellPadding = 26;
