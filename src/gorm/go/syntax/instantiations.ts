/**
 * Finds the type arguments of values that the grammar does not support: `New[[]int]`, `New[int, string]`. Where it reads an
 * index, it supports a name.
 */
import type { Span, Token } from './scan-tokens.ts';

/** The start and end of what is between such brackets in the values of variables, outside the bodies of functions. */
export function unsupportedInstantiations(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  bodies: ReadonlyMap<number, number>,
): readonly Span[] {
  const spans: Span[] = [];
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (kind === 'open') i = pairs.get(i) ?? i;
    if (kind !== 'word' || text !== 'var') continue;
    const end = tokens[i + 1]?.text === '(' ? pairs.get(i + 1)! : undefined;
    i = addInValues({ tokens, pairs, bodies, spans }, end === undefined ? i + 1 : i + 2, end);
  }
  return spans;
}

interface Search {
  readonly tokens: readonly Token[];
  readonly pairs: ReadonlyMap<number, number>;
  readonly bodies: ReadonlyMap<number, number>;
  readonly spans: Span[];
}

/** Reads the declarations of a group up to its end, or a single one. Returns the index where it stopped. */
function addInValues(search: Search, from: number, end: number | undefined): number {
  const { tokens, pairs, bodies, spans } = search;
  let isValue = false;
  let depth = 0;
  let i = from;
  for (; i < (end ?? tokens.length); i++) {
    const { kind, text, offset } = tokens[i]!;
    if (bodies.has(offset) || (kind === 'open' && !isValue)) i = pairs.get(i) ?? i;
    else if (isValue && text === '[' && isUnsupported(tokens, pairs, i)) {
      const close = pairs.get(i)!;
      spans.push([offset + 1, tokens[close]!.offset]);
      i = close;
    } else if (kind === 'open') depth++;
    else if (kind === 'close') depth--;
    else if (text === '=') isValue = true;
    else if (depth === 0 && (text === ';' || (kind === 'newline' && endsDeclaration(tokens, i)))) {
      isValue = false;
      if (end === undefined) return i;
    }
  }
  return i;
}

function endsDeclaration(tokens: readonly Token[], newline: number): boolean {
  const before = tokens[newline - 1];
  return before?.kind !== 'other' && before?.kind !== 'newline';
}

const typeKeywords: ReadonlySet<string> = new Set(['map', 'chan', 'func', 'struct', 'interface']);

/** Whether the brackets from `open` have several type arguments, or other ones than names. */
function isUnsupported(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  open: number,
): boolean {
  const before = tokens[open - 1];
  if (before?.kind !== 'word' || typeKeywords.has(before.text)) return false;
  return tokens
    .slice(open + 1, pairs.get(open))
    .some(({ text }) => text === '[' || text === ',' || typeKeywords.has(text));
}
