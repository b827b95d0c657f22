/** A position in a text as editors show it: line and column from 1, columns in UTF-16 units. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export function lineColumn(text: string, offset: number): Position {
  return positionCounter(text)(offset);
}

/** `lineColumn` for many offsets in ascending order, in one pass over the text. */
export function positionCounter(text: string): (offset: number) => Position {
  const newline = /\r\n?|\n/g;
  let line = 1;
  let lineStart = 0;
  let next = newline.exec(text);
  return (offset) => {
    while (next !== null && newline.lastIndex <= offset) {
      line += 1;
      lineStart = newline.lastIndex;
      next = newline.exec(text);
    }
    return { line, column: offset - lineStart + 1 };
  };
}
