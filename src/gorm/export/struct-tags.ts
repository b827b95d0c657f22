/** Writes struct tags. */

/** A setting of GORM's tag. Some settings have no value. */
export type TagSetting = readonly [name: string, value?: string];

/** `column:a;not null`, without quotes. */
export function settingsText(settings: readonly TagSetting[]): string {
  return settings
    .map(([name, value]) => (value === undefined ? name : `${name}:${escapeSettingValue(value)}`))
    .join(';');
}

/** GORM reads `\;` as part of a value, and `\"` as a quote. */
function escapeSettingValue(value: string): string {
  if (!/[;"]/.test(value)) return value;
  return value.replaceAll(';', String.raw`\;`).replaceAll(String.raw`\"`, String.raw`\\"`);
}

/** Whether GORM reads the value back unchanged from a tag, and does not create an index because of it. */
export function canBeInTag(value: string): boolean {
  return !value.endsWith('\\') && !/;\s*(?:unique)?index\s*(?:[:;]|$)/i.test(value);
}

/** The literal of the tag, in backquotes if possible. */
export function tagLiteral(tags: readonly (readonly [key: string, value: string])[]): string {
  const text = tags.map(([key, value]) => `${key}:${goStringLiteral(value)}`).join(' ');
  return text.includes('`') ? goStringLiteral(text) : `\`${text}\``;
}

/** A Go string literal. */
export function goStringLiteral(value: string): string {
  if (/^[ !#-[\]-~]*$/.test(value)) return `"${value}"`;
  const inner = value
    .toWellFormed()
    .replaceAll(/[\\"]/g, (letter) => `\\${letter}`)
    .replaceAll(/[\p{C}\u2028\u2029]/gu, escapeCharacter);
  return `"${inner}"`;
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escapeCharacter(letter: string): string {
  const code = letter.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (letter in shortEscapes) return shortEscapes[letter] ?? '';
  if (code < 0x80) return `\\x${hex.padStart(2, '0')}`;
  return code > 0xffff ? `\\U${hex.padStart(8, '0')}` : `\\u${hex.padStart(4, '0')}`;
}
