import { both, ellipse, everywhere, mountain, paint, rectangle, shade, without } from './paint.ts';
import type { Layer, Shape } from './paint.ts';
import type { Color } from './png.ts';
import type { Random } from './random.ts';

const avatarSize = 48;

const disc = ellipse([0.5, 0.5], [0.5, 0.5]);
const longHair = both(ellipse([0.5, 0.48], [0.25, 0.3]), rectangle([0, 0], [1, 0.7]));
const shoulders = both(ellipse([0.5, 1.02], [0.36, 0.36]), disc);
const neck = both(ellipse([0.5, 0.66], [0.09, 0.14]), rectangle([0, 0.5], [1, 0.8]));
const face = ellipse([0.5, 0.42], [0.17, 0.2]);

/** A flat portrait, head and shoulders, in front of a circle. */
export function paintAvatar(random: Random): Uint8Array {
  const skin = random.pick(skins);
  const hair = random.pick(hairs);
  const layers = [
    { shape: everywhere, color: white },
    { shape: disc, color: random.pick(grounds) },
    ...(random.chance(0.45) ? [{ shape: longHair, color: hair }] : []),
    { shape: shoulders, color: random.pick(clothes) },
    { shape: neck, color: shade(skin, 0.88) },
    { shape: face, color: skin },
    { shape: hairline(random), color: hair },
    ...eyes(random),
  ];
  return paint(layers, avatarSize, avatarSize);
}

function hairline(random: Random): Shape {
  const head = ellipse([0.5, 0.38], [0.19, 0.21]);
  const styles: readonly Shape[] = [
    without(head, ellipse([0.5, 0.5], [0.18, 0.2])),
    without(head, ellipse([0.6, 0.5], [0.22, 0.22])),
    without(head, ellipse([0.4, 0.52], [0.24, 0.24])),
    both(head, rectangle([0, 0], [1, 0.3])),
    () => false,
  ];
  return random.pick(styles);
}

function eyes(random: Random): Layer[] {
  const dots = [0.43, 0.57].map((x) => ({ shape: ellipse([x, 0.44], [0.02, 0.024]), color: ink }));
  if (!random.chance(0.3)) return dots;
  const glasses = [0.43, 0.57].map((x) => ({
    shape: without(ellipse([x, 0.44], [0.068, 0.068]), ellipse([x, 0.44], [0.044, 0.044])),
    color: ink,
  }));
  return [...dots, ...glasses];
}

const coverWidth = 48;
const coverHeight = 72;

/** A book cover: a background, a motif, and bars for title and author. */
export function paintCover(random: Random): Uint8Array {
  const [ground, accent, light] = random.pick(covers);
  const layers = [
    { shape: everywhere, color: ground },
    ...random.pick(motifs)(accent, light),
    ...titleBars(random, light),
    { shape: rectangle([0, 0], [0.05, 1.5]), color: shade(ground, 0.75) },
  ];
  return paint(layers, coverWidth, coverHeight);
}

type Motif = (accent: Color, light: Color) => readonly Layer[];

const motifs: readonly Motif[] = [
  (accent, light) => [
    { shape: ellipse([0.68, 0.72], [0.17, 0.17]), color: light },
    { shape: mountain([0.32, 0.82], 0.9), color: accent },
    { shape: mountain([0.75, 0.98], 0.7), color: shade(accent, 0.75) },
  ],
  (accent, light) =>
    [0.4, 0.3, 0.2, 0.1].map((radius, i) => ({
      shape: ellipse([0.52, 0.98], [radius, radius]),
      color: i % 2 === 0 ? accent : light,
    })),
  (accent) =>
    [0.62, 0.8, 0.98, 1.16].map((top) => ({
      shape: rectangle([0.05, top], [1, top + 0.09]),
      color: accent,
    })),
  (accent, light) => [
    { shape: rectangle([0.05, 1.05], [1, 1.5]), color: accent },
    { shape: both(ellipse([0.52, 1.05], [0.3, 0.3]), rectangle([0, 0], [1, 1.05])), color: light },
    {
      shape: (x, y) => y > 1.05 && (y * 40) % 4 < 1.2 && Math.abs(x - 0.52) < 1.4 - y,
      color: light,
    },
  ],
  (accent, light) => [
    { shape: (x, y) => x + y > 1.25, color: accent },
    { shape: (x, y) => x + y > 1.25 && x - y > -0.65, color: light },
  ],
  (accent, light) =>
    [0, 1, 2, 3, 4, 5, 6, 7, 8].map((i) => ({
      shape: ellipse([0.28 + 0.24 * (i % 3), 0.72 + 0.24 * Math.floor(i / 3)], [0.085, 0.085]),
      color: i % 4 === 0 ? light : accent,
    })),
];

function titleBars(random: Random, color: Color): Layer[] {
  const widths = Array.from({ length: random.int(1, 3) }, () => random.int(30, 72) / 100);
  const title = widths.map((width, i) => ({
    shape: rectangle([0.15, 0.15 + i * 0.12], [0.15 + width, 0.22 + i * 0.12]),
    color,
  }));
  return [
    ...title,
    { shape: rectangle([0.15, 1.37], [0.15 + random.int(20, 40) / 100, 1.4]), color },
  ];
}

const white: Color = [255, 255, 255];
const ink: Color = [43, 38, 48];
const skins: readonly Color[] = [
  [250, 220, 196],
  [236, 188, 152],
  [212, 158, 116],
  [176, 122, 84],
  [134, 88, 60],
  [92, 60, 44],
];
const hairs: readonly Color[] = [
  [44, 34, 34],
  [92, 58, 38],
  [160, 104, 52],
  [214, 174, 96],
  [186, 186, 192],
  [120, 44, 36],
];
const clothes: readonly Color[] = [
  [38, 70, 83],
  [231, 111, 81],
  [82, 121, 111],
  [109, 89, 122],
  [67, 97, 238],
  [188, 71, 73],
];
const grounds: readonly Color[] = [
  [255, 214, 165],
  [202, 232, 213],
  [189, 224, 254],
  [226, 207, 244],
  [255, 200, 200],
  [244, 235, 190],
];
const covers: readonly (readonly [ground: Color, accent: Color, light: Color])[] = [
  [
    [29, 53, 87],
    [69, 123, 157],
    [241, 250, 238],
  ],
  [
    [244, 235, 217],
    [193, 85, 58],
    [54, 48, 60],
  ],
  [
    [40, 54, 24],
    [96, 108, 56],
    [254, 250, 224],
  ],
  [
    [120, 41, 15],
    [255, 125, 0],
    [255, 236, 209],
  ],
  [
    [53, 47, 68],
    [92, 84, 112],
    [250, 240, 230],
  ],
  [
    [233, 196, 106],
    [42, 157, 143],
    [38, 70, 83],
  ],
  [
    [220, 225, 222],
    [156, 197, 161],
    [33, 104, 105],
  ],
  [
    [61, 12, 17],
    [163, 22, 33],
    [252, 247, 248],
  ],
];
