/** The text of a field, in parts. */
export interface FieldText {
  add(this: void, part: string): void;
  /** Returns the text, and begins another one. */
  take(this: void): string;
}

const partsOfBlock = 4096;

/** A string to which millions of parts are added keeps each of them in memory: a field may have 40 MB of escapes. */
export function createFieldText(): FieldText {
  let blocks: string[] = [];
  let parts: string[] = [];
  return {
    add: (part) => {
      parts.push(part);
      if (parts.length < partsOfBlock) return;
      blocks.push(parts.join(''));
      parts = [];
    },
    take: () => {
      const last = parts.length === 1 ? parts[0]! : parts.join('');
      const text = blocks.length === 0 ? last : [...blocks, last].join('');
      [blocks, parts] = [[], []];
      return text;
    },
  };
}
