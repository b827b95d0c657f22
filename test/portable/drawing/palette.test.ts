/** Colors of diagrams stand out from what is behind them: 3:1 for lines and large names, 4.5:1 for text. */
import { expect, test } from 'vitest';
import type { ColorRole } from '../../../src/portable/drawing/drawing.ts';
import { colorOf, toneCount, toneNumber } from '../../../src/portable/drawing/palette.ts';
import type { Theme } from '../../../src/portable/drawing/palette.ts';

const themes: readonly Theme[] = ['light', 'dark'];

function luminanceOf(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As WCAG 2 defines it. */
function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

function backgroundsOf(tone: number): readonly ColorRole[] {
  const number = toneNumber(tone);
  return ['canvas', 'surface', `wash-${number}`, `tint-${number}`];
}

test.each(themes)('%s: names of groups, and labels in their color', (theme) => {
  for (let tone = 0; tone < toneCount; tone++) {
    const color = colorOf(`tone-${toneNumber(tone)}`, theme);
    for (const background of backgroundsOf(tone))
      expect(contrast(color, colorOf(background, theme)), background).toBeGreaterThanOrEqual(4.5);
  }
});

test.each(themes)('%s: labels of one group within the area of another', (theme) => {
  for (let tone = 0; tone < toneCount; tone++)
    for (let other = 0; other < toneCount; other++) {
      const [color, area] = [`tone-${toneNumber(tone)}`, `wash-${toneNumber(other)}`] as const;
      expect(contrast(colorOf(color, theme), colorOf(area, theme))).toBeGreaterThanOrEqual(3);
    }
});

test.each(themes)('%s: lines and texts within the area of each group', (theme) => {
  for (let tone = 0; tone < toneCount; tone++) {
    const area = colorOf(`wash-${toneNumber(tone)}`, theme);
    expect(contrast(colorOf('edge', theme), area)).toBeGreaterThanOrEqual(3);
    expect(contrast(colorOf('muted', theme), area)).toBeGreaterThanOrEqual(4.5);
    const head = colorOf(`tint-${toneNumber(tone)}`, theme);
    expect(contrast(colorOf('text', theme), head)).toBeGreaterThanOrEqual(4.5);
  }
});
