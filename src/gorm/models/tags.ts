/** Parses struct tags: their keys by Go's convention, and GORM's settings within the key `gorm`. */
import { unquote } from '../go/syntax/literals.ts';

/** GORM's settings of one tag, by name in upper case. */
export type TagSettings = ReadonlyMap<string, string>;

/** The result of reflect.StructTag.Get. Empty if the tag is malformed before the key. */
export function tagValue(tag: string, key: string): string {
  return tagPairs(tag).get(key) ?? '';
}

/** The keys of a struct tag with their values, up to the first malformed part. */
export const tagPairs = cachedByText(readTagPairs);

function readTagPairs(tag: string): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>();
  const pair = / *([^\0-\x20:"\x7f]+):("(?:\\[\s\S]|[^\\"])*")/y;
  for (let match = pair.exec(tag); match !== null; match = pair.exec(tag)) {
    const [, key = '', quoted = ''] = match;
    if (pairs.has(key)) continue;
    const value = unquote(quoted);
    if (value === undefined) break;
    pairs.set(key, value);
  }
  return pairs;
}

/** The settings of a `gorm` tag. */
export const gormSettings = cachedByText((tag: string): TagSettings =>
  parseSettings(tagValue(tag, 'gorm'), ';'),
);

const maxCachedTexts = 10_000;

/** Caches a function of a text. The same tag often stands at many fields, and is read several times for each. */
function cachedByText<T>(compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return (text) => {
    const cachedResult = results.get(text);
    if (cachedResult !== undefined) return cachedResult;
    if (results.size >= maxCachedTexts) results.clear();
    const result = compute(text);
    results.set(text, result);
    return result;
  };
}

/** Parses `a;b:c` as GORM does: a backslash escapes the separator after it, and the last setting of a name wins. */
export function parseSettings(text: string, separator: string): TagSettings {
  const settings = new Map<string, string>();
  for (const part of splitUnescaped(text, separator)) {
    const colon = part.indexOf(':');
    const name = (colon === -1 ? part : part.slice(0, colon)).toUpperCase().trim();
    if (colon !== -1) settings.set(name, part.slice(colon + 1).replaceAll(String.raw`\"`, '"'));
    else if (name !== '') settings.set(name, name);
  }
  return settings;
}

function splitUnescaped(text: string, separator: string): readonly string[] {
  const parts: string[] = [];
  let pending = '';
  const segments = text.split(separator);
  for (const [i, segment] of segments.entries()) {
    const unescapedText = pending + segment;
    const isEscaped = unescapedText.endsWith('\\') && i + 1 < segments.length;
    pending = isEscaped ? unescapedText.slice(0, -1) + separator : '';
    if (!isEscaped) parts.push(unescapedText);
  }
  return parts;
}

/** Whether GORM reads the value as true: any value except the empty one and `false`. */
export function isTrue(...values: readonly (string | undefined)[]): boolean {
  return values.some(
    (value) => value !== undefined && value !== '' && value.toLowerCase() !== 'false',
  );
}

/** Splits a list such as `a, b` of foreignKey or references. */
export function splitList(value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : value.split(',').map((name) => name.trim());
}

/**
 * Prepends a setting to the tag, unless the tag contains that text anywhere. GORM does this for
 * fields of join tables.
 */
export function prependSetting(tag: string, setting: string): string {
  const settings = tagValue(tag, 'gorm');
  return settings.includes(setting) ? tag : `gorm:"${setting};${settings}"`;
}

/** Removes settings from the tag by text search, as GORM does. */
export function removeSettings(tag: string, names: readonly string[]): string {
  return names.reduce(
    (text, name) =>
      text.replaceAll(new RegExp(`(gorm:.*?)(${name}(?::.*?)?)(?:;|("))`, 'gi'), '$1$3'),
    tag,
  );
}
