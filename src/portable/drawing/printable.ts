/** Characters that are invisible, break the line or change its direction. Joiners and variation selectors are not among them. */
const invisible =
  // oxlint-disable-next-line no-control-regex, no-misleading-character-class
  /[\0-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff0-\uffff]|[\ud800-\udfff]/gu;

/** Makes a name fit for a single line: invisible characters become visible symbols. */
export function printable(text: string): string {
  return text.replace(invisible, symbolOf);
}

/** Control characters have pictures in Unicode. All others become SYMBOL FOR SUBSTITUTE FORM TWO. */
function symbolOf(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x20 ? String.fromCharCode(0x2400 + code) : '\u2426';
}

const maxTooltipLength = 2000;

/** Truncates a text for use as a tooltip. */
export function shortened(text: string): string {
  return text.length <= maxTooltipLength ? text : `${text.slice(0, maxTooltipLength)}…`;
}
