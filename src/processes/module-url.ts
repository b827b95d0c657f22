/** `moduleUrl('./x', import.meta.url)`: x.ts beside a source, x.js beside what was compiled from it. */
export function moduleUrl(name: string, base: string): URL {
  return new URL(`${name}${base.slice(base.lastIndexOf('.'))}`, base);
}
