/**
 * The first bytes of image files, in base64. SVG is not supported, because it is a document that
 * can contain scripts.
 */
const fileSignatures = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
] as const;

export function imageTypeOf(base64: string): string | undefined {
  return fileSignatures.find(([beginning]) => base64.startsWith(beginning))?.[1];
}
