/**
 * Finds expressions with so many operators that the grammar's parser stops in them: it limits the depth of its trees, and
 * each operator adds a level. Generated files have texts of hundreds of lines that are joined by `+`.
 */
import type { Span, Token } from './scan-tokens.ts';

/** The parser reads some 180 operators. */
const maxOperators = 50;

/** The start and end of what follows the first operand in each such expression outside the bodies of functions. */
export function longChains(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  bodies: ReadonlyMap<number, number>,
): readonly Span[] {
  const chains: Span[] = [];
  let before = '';
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text, offset } = tokens[i]!;
    if (kind === 'newline') continue;
    if (/^[=([{,:]$/.test(before)) {
      const { operators, second, last } = readChain(tokens, pairs, i);
      if (operators > maxOperators) {
        const end = tokens[last]!;
        chains.push([tokens[second]!.offset, end.offset + end.text.length]);
        i = last;
      }
    }
    before = kind === 'literal' ? '' : text;
    if (bodies.has(offset)) i = pairs.get(i) ?? i;
  }
  return chains;
}

interface Chain {
  readonly operators: number;
  /** The indexes of the first token of the second operand, and of the last token. */
  readonly second: number;
  readonly last: number;
}

/** Operands are names, literals and brackets, with what is called or selected of them. */
function readChain(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  from: number,
): Chain {
  let operators = 0;
  let second = from;
  let last = from;
  let before: 'operand' | 'operator' | 'dot' = 'operator';
  for (let i = from; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (kind === 'newline' && before !== 'operand') continue;
    if (kind === 'close' || kind === 'newline') break;
    if (text === '.') before = 'dot';
    else if (kind === 'other') {
      if (!/^[-+*/%&|^<>=!~]$/.test(text)) break;
      if (before === 'operand') operators++;
      before = 'operator';
    } else {
      if (kind !== 'open' && before === 'operand') break;
      if (operators === 1 && second === from) second = i;
      if (kind === 'open') i = pairs.get(i) ?? i;
      before = 'operand';
      last = i;
    }
  }
  return { operators, second, last };
}
