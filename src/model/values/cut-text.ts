/** The start of a text, at most `maxLength` UTF-16 units, without half of a surrogate pair at its end. */
export function startOfText(text: string, maxLength: number): string {
  const isSplit = isHighSurrogate(text.charCodeAt(maxLength - 1));
  return text.slice(0, isSplit ? maxLength - 1 : maxLength);
}

const shortLength = 40;

/** A value in a sentence. */
export function shortText(text: string): string {
  return text.length <= shortLength ? text : `${startOfText(text, shortLength)}…`;
}

/** The end of a text, without half of a surrogate pair at its start. */
export function endOfText(text: string, maxLength: number): string {
  const from = Math.max(0, text.length - maxLength);
  const isSplit = from > 0 && isHighSurrogate(text.charCodeAt(from - 1));
  return text.slice(isSplit ? from + 1 : from);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
