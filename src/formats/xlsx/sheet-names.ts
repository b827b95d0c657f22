/** Characters that Excel does not accept in a sheet name. */
const invalidCharacters = /[[\]:*?/\\\p{Cc}\uFFFE\uFFFF]/gu;
const maxLength = 31;

/** Creates sheet names: valid, short enough, and unique without regard to case. `History` is reserved by Excel. */
export function sheetNames(): (tableName: string) => string {
  const usedNames = new Set(['history']);
  return (tableName) => {
    const name = clean(tableName);
    let numbered = cut(name, maxLength);
    for (let number = 2; usedNames.has(numbered.toLowerCase()); number++)
      numbered = numberedName(name, number);
    usedNames.add(numbered.toLowerCase());
    return numbered;
  };
}

/** `name (2)`: the sheet in which a table continues that is too long for one sheet. */
export function numberedName(name: string, number: number): string {
  const suffix = ` (${number})`;
  return cut(name, maxLength - suffix.length) + suffix;
}

function clean(name: string): string {
  const valid = name
    .toWellFormed()
    .replaceAll(invalidCharacters, '_')
    .replaceAll(/^'+|'+$/g, '_');
  return valid.trim() === '' ? 'Sheet' : valid;
}

/** Does not split a surrogate pair. */
function cut(name: string, length: number): string {
  const short = name.slice(0, length);
  return short.isWellFormed() ? short : short.slice(0, -1);
}
