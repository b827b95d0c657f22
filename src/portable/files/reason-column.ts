/** The column of a file of rejected rows that says why. An import skips it, unless the table has such a column. */

const base = 'import_error';

/** A name that is not one of the file's. */
export function reasonColumn(names: readonly string[]): string {
  let name = base;
  while (names.includes(name)) name += '_';
  return name;
}

/** Whether the text is a CSV file of rejected rows: it has a header, whatever the file of the import had. */
export function beginsWithReason(characters: string): boolean {
  return startOfReasons.test(characters);
}

const startOfReasons = new RegExp(`^\\W?${base}_*(?!\\w)`);

export function isReasonColumn(name: string): boolean {
  return name.startsWith(base) && /^_*$/.test(name.slice(base.length));
}
