/** Characters that draw nothing, break the line or turn its direction; joiners and selectors do their work within a text. */
const invisible =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]|[\ud800-\udfff]/gu;

/** A name as it can be drawn on one line: what could not be seen is there as a sign. */
export function printable(text: string): string {
  return text.replace(invisible, signOf);
}

/** Unicode has pictures of the control characters; the rest gets that of a substitute. */
function signOf(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\u2426';
}

const longestTitle = 2000;

/** No more of a text than anyone reads in a note beside the pointer. */
export function shortened(text: string): string {
  return text.length <= longestTitle ? text : `${text.slice(0, longestTitle)}…`;
}
