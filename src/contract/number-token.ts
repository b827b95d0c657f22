/** A number whose source text JavaScript would not reproduce, such as `10.50`, `1.0` or `-0`. */
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

  /** Serializes the source text. */
  toJSON(): unknown {
    return rawJson(this.source);
  }
}

// The compiler's types do not include these two features yet.
type Reviver = (key: string, value: unknown, context?: { readonly source?: string }) => unknown;
const parseJson = JSON.parse as (text: string, reviver: Reviver) => unknown;
const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => unknown };

/** Parses JSON. Numbers whose source text would not survive a round trip become NumberTokens. */
export function parseJsonWithTokens(text: string): unknown {
  return parseJson(text, keepSource);
}

function keepSource(_key: string, value: unknown, context?: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value;
  return String(value) === context.source ? value : new NumberToken(context.source);
}
