/** Renders a drawing as an SVG document. Runs in browsers too. */
import type {
  Box,
  Drawing,
  Group,
  ColorRole,
  Label,
  Line,
  Shape,
} from '../portable/drawing/drawing.ts';
import { colorOf } from '../portable/drawing/palette.ts';
import type { Theme } from '../portable/drawing/palette.ts';

export type { Drawing, Theme };

/** The bundled fonts first, then system fonts of similar width. */
const families: Readonly<Record<'text' | 'mono', string>> = {
  text: "Inter, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'Liberation Sans', Arial, sans-serif",
  mono: "'JetBrains Mono', ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace",
};

/**
 * Self-contained, without scripts, styles or references: safe to embed and to open under any
 * content security policy.
 */
export function paintSvg({ width, height, title, shapes }: Drawing, theme: Theme): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" font-family="${families.text}" font-size="12.5" fill="none" stroke-linecap="round" stroke-linejoin="round">`,
    `<title>${escapeText(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${colorOf('canvas', theme)}"/>`,
    ...shapes.map((shape) => paintShape(shape, theme)),
    '</svg>\n',
  ].join('\n');
}

function paintShape(shape: Shape, theme: Theme): string {
  switch (shape.kind) {
    case 'group':
      return paintGroup(shape, theme);
    case 'box':
      return paintBox(shape, theme);
    case 'line':
      return paintLine(shape, theme);
    case 'label':
      return paintLabel(shape, theme);
  }
}

function paintGroup({ title, table, shapes }: Group, theme: Theme): string {
  const inside = shapes.map((shape) => paintShape(shape, theme)).join('');
  const name = title === undefined ? '' : `<title>${escapeText(title)}</title>`;
  const data = table === undefined ? '' : ` data-table="${escapeText(table)}"`;
  return `<g${data}>${name}${inside}</g>`;
}

function paintBox(box: Box, theme: Theme): string {
  const { x, y, width, height, radius, fill, stroke, dashed } = box;
  const bounds = `x="${number(x)}" y="${number(y)}" width="${number(width)}" height="${number(height)}"`;
  const corner = radius === undefined ? '' : ` rx="${radius}"`;
  return `<rect ${bounds}${corner}${colorAttribute('fill', fill, theme)}${colorAttribute('stroke', stroke, theme)}${dashes(dashed)}/>`;
}

function paintLine({ path, stroke, width, fill, dashed }: Line, theme: Theme): string {
  const d = path.replace(/-?\d+\.\d{3,}/g, (digits) => number(Number(digits)));
  const strokeWidth = width === undefined || width === 1 ? '' : ` stroke-width="${width}"`;
  return `<path d="${d}"${colorAttribute('fill', fill, theme)}${colorAttribute('stroke', stroke, theme)}${strokeWidth}${dashes(dashed)}/>`;
}

function paintLabel(label: Label, theme: Theme): string {
  const { x, y, text, ink, anchor, size } = label;
  const at = `x="${number(x)}" y="${number(y)}"`;
  const align = anchor === undefined ? '' : ` text-anchor="${anchor}"`;
  const fontSize = size === 12.5 ? '' : ` font-size="${size}"`;
  return `<text ${at}${align}${faceOf(label)}${fontSize}${colorAttribute('fill', ink, theme)} xml:space="preserve">${escapeText(text)}</text>`;
}

function faceOf({ face }: Label): string {
  if (face === 'bold') return ' font-weight="600"';
  return face === 'mono' ? ` font-family="${families.mono}"` : '';
}

function colorAttribute(name: string, ink: ColorRole | undefined, theme: Theme): string {
  return ink === undefined ? '' : ` ${name}="${colorOf(ink, theme)}"`;
}

function dashes(dashed: boolean | undefined): string {
  return dashed === true ? ' stroke-dasharray="4 3"' : '';
}

function number(value: number): string {
  return String(Math.round(value * 100) / 100);
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text and attribute values. Characters that XML does not allow become U+FFFD. */
function escapeText(text: string): string {
  return (
    text
      // oxlint-disable-next-line no-control-regex
      .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udfff]/gu, '\ufffd')
      .replace(/[&<>"']/g, (character) => entities[character] ?? character)
  );
}
