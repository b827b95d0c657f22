/** A number that a double holds but would not print as it is written: `10.50`, `1.0`, `-0`. */
export class NumberToken {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  toString(): string {
    return this.source;
  }

  valueOf(): number {
    return Number(this.source);
  }

  /** Written back as it was read. */
  toJSON(): unknown {
    return rawJson(this.source);
  }
}

// Both are younger than the types that come with the compiler.
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parseJson = JSON.parse as (text: string, reviver: Reviver) => unknown;
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** JSON whose numbers keep their source text: those that would not be printed as they came are tokens. */
export function parseExactJson(text: string): unknown {
  return parseJson(text, keepSource);
}

function keepSource(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return String(value) === context.source ? value : new NumberToken(context.source);
}
