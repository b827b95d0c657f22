/** What Excel takes in no name. */
const unfit = /[[\]:*?/\\\p{Cc}\uFFFE\uFFFF]/gu;
const longest = 31;

/** Names for sheets: cleaned, cut to length, and unlike each other whatever the case. */
export function sheetNames(): (wanted: string) => string {
  const taken = new Set(['history']);
  return (wanted) => {
    const name = cleaned(wanted);
    let numbered = cut(name, longest);
    for (let number = 2; taken.has(numbered.toLowerCase()); number++)
      numbered = numberedName(name, number);
    taken.add(numbered.toLowerCase());
    return numbered;
  };
}

/** `name (2)`, which a table goes on in that is too long for one sheet. */
export function numberedName(name: string, number: number): string {
  const mark = ` (${number})`;
  return cut(name, longest - mark.length) + mark;
}

function cleaned(name: string): string {
  const fit = name
    .toWellFormed()
    .replaceAll(unfit, '_')
    .replaceAll(/^'+|'+$/g, '_');
  return fit.trim() === '' ? 'Sheet' : fit;
}

/** Without halving a pair. */
function cut(name: string, length: number): string {
  const short = name.slice(0, length);
  return short.isWellFormed() ? short : short.slice(0, -1);
}
