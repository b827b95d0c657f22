import { colorOf, toneNumber } from '../../../src/portable/drawing/palette.ts';

/** The colors of a group, as CSS variables: of text, of table heads and of its area. */
export function toneStyle(color: number): Readonly<Record<`--${string}`, string>> {
  const number = toneNumber(color);
  const inBothThemes = (kind: 'tone' | 'tint' | 'wash'): string =>
    `light-dark(${colorOf(`${kind}-${number}`, 'light')}, ${colorOf(`${kind}-${number}`, 'dark')})`;
  return {
    '--tone': inBothThemes('tone'),
    '--tint': inBothThemes('tint'),
    '--wash': inBothThemes('wash'),
  };
}
