/** `guarded`: text that a spreadsheet would run as a formula gets an apostrophe in front. */
export type FormulaGuard = 'guarded' | 'raw';

const isFormula = /^'*[=+\-@\t\r]/;

/** Also adds one to text that would be a formula without its leading apostrophes, since readers remove exactly one. */
export function guardFormula(text: string): string {
  return canBeginFormula(text.charCodeAt(0)) && isFormula.test(text) ? `'${text}` : text;
}

const guard = /^'+[=+\-@\t\r]/;

/** Removes the apostrophe in front of a formula, if there is one. */
export function withoutFormulaGuard(text: string): string {
  return text.startsWith("'") && guard.test(text) ? text.slice(1) : text;
}

/** A fast first check: every character that can begin a formula sorts before the digits, or is `=` or `@`. */
function canBeginFormula(code: number): boolean {
  return code <= 0x2d || code === 0x3d || code === 0x40;
}
