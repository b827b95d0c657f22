/** Names a method in warnings. */
import { problemAt } from './program.ts';
import type { FoundMethod } from './methods.ts';

/** The location of a method. Many fields may have its type, and finding the line reads the file. */
const locations = new WeakMap<FoundMethod['method'], string>();

/** The method with its location: `Size.GormDataType (models.go:12)`. */
export function methodText({ method, of }: Pick<FoundMethod, 'method' | 'of'>): string {
  const location = locations.get(method) ?? locationOf(method);
  locations.set(method, location);
  return `${of.name}.${method.name} (${location})`;
}

function locationOf({ file: source, offset }: FoundMethod['method']): string {
  const { file, line } = problemAt(source, offset, { code: '', message: '' });
  return `${file}:${line}`;
}
