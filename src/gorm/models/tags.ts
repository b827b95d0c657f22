/** Struct tags: Go's convention of keys, and GORM's settings within its key. */
import { unquote } from '../go/literals.ts';

/** GORM's settings of one tag, by upper-cased name. */
export type TagSettings = Map<string, string>;

/** What reflect.StructTag.Get gives; empty where the tag is malformed before the key. */
export function tagValue(tag: string, key: string): string {
  return tagPairs(tag).get(key) ?? '';
}

/** The keys of a struct tag, each with its value, up to where the tag is malformed. */
export function tagPairs(tag: string): ReadonlyMap<string, string> {
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
export function gormSettings(tag: string): TagSettings {
  return parseSettings(tagValue(tag, 'gorm'), ';');
}

/** `a;b:c` as GORM reads it: a backslash keeps the separator behind it, the last of equal names wins. */
export function parseSettings(text: string, separator: string): TagSettings {
  const settings: TagSettings = new Map();
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
  for (const [i, piece] of segments.entries()) {
    const whole = pending + piece;
    const isEscaped = whole.endsWith('\\') && i + 1 < segments.length;
    pending = isEscaped ? whole.slice(0, -1) + separator : '';
    if (!isEscaped) parts.push(whole);
  }
  return parts;
}

/** GORM's truth: any value but the empty one and `false`. */
export function isTrue(...values: readonly (string | undefined)[]): boolean {
  return values.some(
    (value) => value !== undefined && value !== '' && value.toLowerCase() !== 'false',
  );
}

/** `a, b` of foreignKey, references and the like. */
export function splitList(value: string | undefined): readonly string[] {
  return value === undefined || value === '' ? [] : value.split(',').map((name) => name.trim());
}

/** The tag with a setting in front, unless the word is in it anywhere, as GORM makes join tables' fields. */
export function prependSetting(tag: string, setting: string): string {
  const settings = tagValue(tag, 'gorm');
  return settings.includes(setting) ? tag : `gorm:"${setting};${settings}"`;
}

/** The tag without settings, as GORM cuts them out of its text. */
export function removeSettings(tag: string, names: readonly string[]): string {
  return names.reduce(
    (text, name) =>
      text.replaceAll(new RegExp(`(gorm:.*?)(${name}(?::.*?)?)(?:;|("))`, 'gi'), '$1$3'),
    tag,
  );
}
