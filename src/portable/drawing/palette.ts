import type { ColorRole, ToneNumber } from './drawing.ts';

export type Theme = 'light' | 'dark';

/** Colors of one namespace: lines and text, table headers, and the frame's background. */
type Shades = readonly [tone: string, tint: string, wash: string];

const tones: Readonly<Record<Theme, readonly Shades[]>> = {
  light: [
    ['#225ad6', '#e9f0fe', '#edf1fa'],
    ['#0a7778', '#e0f3f3', '#ebf3f2'],
    ['#7a55b8', '#f1ebfb', '#f2eff8'],
    ['#a84670', '#fbeaf1', '#f8eff3'],
    ['#646c10', '#f1f3d9', '#f3f4ea'],
    ['#08719a', '#e0f1fa', '#ebf2f6'],
    ['#a0521f', '#fbeee4', '#f8f1eb'],
    ['#524f4a', '#f0efed', '#f1f0ee'],
  ],
  dark: [
    ['#84aefe', '#1d2a47', '#171b26'],
    ['#4cc4c3', '#15302f', '#141f1f'],
    ['#b99de9', '#2b2339', '#1e1a25'],
    ['#e594b3', '#371f2a', '#241a1e'],
    ['#b1bb62', '#292c14', '#1c1d14'],
    ['#5fbfe6', '#162d38', '#141d22'],
    ['#e59a6f', '#382518', '#241c17'],
    ['#bbb8b3', '#2b2927', '#1c1b19'],
  ],
};

const baseColors = {
  light: {
    canvas: '#f6f5f3',
    surface: '#ffffff',
    border: '#c9c7c2',
    rule: '#ecebe8',
    edge: '#7d7a75',
    text: '#1d1c19',
    muted: '#524f4a',
    faint: '#625f5a',
    key: '#225ad6',
  },
  dark: {
    canvas: '#131311',
    surface: '#1c1b19',
    border: '#45423e',
    rule: '#2b2926',
    edge: '#94908a',
    text: '#eeedea',
    muted: '#bbb8b3',
    faint: '#a8a5a0',
    key: '#84aefe',
  },
} as const;

/** Returns the color of a role as #rrggbb. */
export function colorOf(role: ColorRole, theme: Theme): string {
  const [kind, number] = role.split('-');
  if (number === undefined) return baseColors[theme][role as keyof (typeof baseColors)['light']];
  const [tone, tint, wash] = tones[theme][Number(number)] ?? tones[theme][0] ?? ['', '', ''];
  return kind === 'tone' ? tone : kind === 'tint' ? tint : wash;
}

export const toneCount = tones.light.length;

/** Namespaces beyond the eighth reuse colors. */
export function toneNumber(index: number): ToneNumber {
  return (index % toneCount) as ToneNumber;
}
