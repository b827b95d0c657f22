/** Whether text that a spreadsheet would run gets an apostrophe in front that keeps it from that. */
export type FormulaGuard = 'guarded' | 'raw';

const runs = /^'*[=+\-@\t\r]/;

/** One apostrophe more for what would be run without its apostrophes; readers take exactly one off. */
export function guardFormula(text: string): string {
  return mayRun(text.charCodeAt(0)) && runs.test(text) ? `'${text}` : text;
}

/** Everything that it begins with comes before the letters and digits, or is an `=` or `@`. */
function mayRun(code: number): boolean {
  return code <= 0x2d || code === 0x3d || code === 0x40;
}
