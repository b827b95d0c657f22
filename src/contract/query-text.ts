import { StudioError } from '../model/errors.ts';

/** Returns the decoded parameters of a query string, in order. `+` is a space, as in forms. */
export function parseQueryText(query: string): readonly (readonly [name: string, value: string])[] {
  if (query === '') return [];
  const pairs: [string, string][] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const end = equals < 0 ? pair.length : equals;
    const name = decodeQueryPart(pair.slice(0, end), pair);
    pairs.push([name, equals < 0 ? '' : decodeQueryPart(pair.slice(equals + 1), name)]);
  }
  return pairs;
}

function decodeQueryPart(part: string, name: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  const value = decodePercent(spaced);
  if (value !== undefined) return value;
  throw new StudioError(
    'invalid_parameter',
    `The query parameter ${name} is not percent-encoded UTF-8 or contains a NUL character.`,
  );
}

/** Returns undefined for malformed escapes, invalid UTF-8, and NUL, which is invalid in names and texts of databases. */
export function decodePercent(part: string): string | undefined {
  if (!part.includes('%')) return part.includes('\0') ? undefined : part;
  try {
    const decoded = decodeURIComponent(part);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
