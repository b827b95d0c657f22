/** What to do about a column without a name, by its number from 1. */
export function unnamedAdvice(columnNumber: number): string {
  return `Map "column ${columnNumber}" to a column of the table, or to null to skip it.`;
}

/** The names of a file's columns, made different from each other: `name`, `name (2)`; those without a name by their number. */
export function distinctNames(names: readonly string[]): readonly string[] {
  const originalNames = new Set(names);
  const takenNames = new Set<string>();
  const numbers = new Map<string, number>();
  return names.map((name, i) => {
    const plain = name === '' ? `column ${i + 1}` : name;
    let distinct = plain;
    // A file may repeat one name a million times.
    let number = numbers.get(plain) ?? 2;
    const isTaken = (): boolean =>
      takenNames.has(distinct) || (distinct !== name && originalNames.has(distinct));
    for (; isTaken(); number++) distinct = `${plain} (${number})`;
    numbers.set(plain, number);
    takenNames.add(distinct);
    return distinct;
  });
}
