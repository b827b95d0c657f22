/** How the generated numbers of a column begin and continue, as digits with an optional sign. */
export interface Numbering {
  readonly start: string;
  readonly step: string;
}

/** Reads the options of `Column.numbering`. Those that are absent are 1. */
export function readNumbering(options = ''): Numbering {
  const [start = '1'] = /(?<=\bSTART WITH )-?\d+/.exec(options) ?? [];
  const [step = '1'] = /(?<=\bINCREMENT BY )-?\d+/.exec(options) ?? [];
  return { start, step };
}
