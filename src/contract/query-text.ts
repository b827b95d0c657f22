import { StudioError } from '../model/errors.ts';

/** A query string's parameters in order, decoded: `+` is a space, as forms write it. */
export function parseQueryText(query: string): readonly (readonly [name: string, value: string])[] {
  if (query === '') return [];
  const pairs: [string, string][] = [];
  for (const piece of query.split('&')) {
    if (piece === '') continue;
    const equals = piece.indexOf('=');
    const end = equals < 0 ? piece.length : equals;
    const name = decodeQueryPart(piece.slice(0, end), piece);
    pairs.push([name, equals < 0 ? '' : decodeQueryPart(piece.slice(equals + 1), name)]);
  }
  return pairs;
}

function decodeQueryPart(part: string, name: string): string {
  const spaced = part.includes('+') ? part.replaceAll('+', ' ') : part;
  const value = decodePercent(spaced);
  if (value !== undefined) return value;
  throw new StudioError(
    'invalid_parameter',
    `The query parameter ${name} is not percent-encoded UTF-8, or holds a NUL character.`,
  );
}

/** Undefined for malformed percent-encoding, what is not UTF-8, and NUL, which no database name or text holds. */
export function decodePercent(part: string): string | undefined {
  if (!part.includes('%')) return part.includes('\0') ? undefined : part;
  try {
    const decoded = decodeURIComponent(part);
    return decoded.includes('\0') ? undefined : decoded;
  } catch {
    return undefined;
  }
}
