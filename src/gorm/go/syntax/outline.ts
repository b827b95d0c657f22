/**
 * Prepares a Go file for the grammar. Comments and function bodies are replaced by spaces, so that
 * only declarations remain: bodies are most of a file and say little about its structs. Every other
 * character keeps its offset.
 */
import { unsupportedInstantiations } from './instantiations.ts';
import { longChains } from './long-chains.ts';
import { scanTokens } from './scan-tokens.ts';
import type { GoSyntaxError, Scan, Span, Token } from './scan-tokens.ts';

export interface Outline {
  /** Has the same length as the source. */
  readonly text: string;
  /**
   * The same, with words replaced that are names in Go, but not in the grammar: `_0`, and `true`, `false` and `nil`,
   * which a program may declare, and which end a statement at the end of a line. Long chains of operators are texts,
   * and type arguments are a name where the grammar does not support others.
   */
  readonly grammarText: string;
  /** The offset after the `}` of each function body, by the offset of its `{`. */
  readonly bodies: ReadonlyMap<number, number>;
  /**
   * The offsets of the names of generic aliases. The grammar does not support these, so their `=`
   * is replaced by a space.
   */
  readonly aliases: ReadonlySet<number>;
  /** Start and end of the type arguments that are replaced by a name. */
  readonly typeArguments: readonly Span[];
}

/** The outline of a source. A syntax error if brackets, quotes or comments are not closed. */
export function outlineOf(
  source: string,
  { keepBodies = false }: { readonly keepBodies?: boolean } = {},
): Outline | GoSyntaxError {
  const scan = scanTokens(source);
  if ('message' in scan) return scan;
  const separator = misplacedSeparator(scan.tokens);
  if (separator !== undefined)
    return { message: `Unexpected "${separator.text}".`, offset: separator.offset };
  const pairs = pairBrackets(scan.tokens);
  if ('message' in pairs) return pairs;
  if (keepBodies)
    return {
      ...blankOut(source, scan, { spans: [] }),
      bodies: new Map(),
      aliases: new Set(),
      typeArguments: [],
    };
  const bodies = findBodies(scan.tokens, pairs);
  const aliases = findAliases(scan.tokens, pairs);
  const typeArguments = unsupportedInstantiations(scan.tokens, pairs, bodies);
  const equalsSpans = [...aliases.values()].map((offset) => [offset, offset + 1] as const);
  const bodyContents = [...bodies].map(([from, to]) => [from + 1, to - 1] as const);
  return {
    ...blankOut(source, scan, {
      spans: [...bodyContents, ...equalsSpans],
      replacements: [
        ...longChains(scan.tokens, pairs, bodies).map(asText),
        ...typeArguments.map(asName),
      ],
    }),
    bodies,
    typeArguments,
    aliases: new Set(aliases.keys()),
  };
}

export function isGoSyntaxError(value: object): value is GoSyntaxError {
  return 'message' in value && 'offset' in value;
}

/**
 * A comma or colon directly after a comma or an opening bracket, which the grammar accepts in places.
 * Only a slice (`a[:n]`) begins with a colon.
 */
function misplacedSeparator(tokens: readonly Token[]): Token | undefined {
  let before: Token | undefined;
  for (const token of tokens) {
    if (token.kind === 'newline') continue;
    const isFirst = before?.kind === 'open' || before?.text === ',';
    if (isFirst && (token.text === ',' || (token.text === ':' && before?.text !== '[')))
      return token;
    before = token;
  }
  return undefined;
}

const closing: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** The index of each opening bracket's closing one. */
function pairBrackets(tokens: readonly Token[]): ReadonlyMap<number, number> | GoSyntaxError {
  const pairs = new Map<number, number>();
  const open: number[] = [];
  let lastOpener = -1;
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text, offset } = tokens[i]!;
    if (kind === 'word' || kind === 'other') continue;
    if (kind === 'open') open.push(i);
    // After a name, a value or a bracket, the end of a line ends a statement, which the grammar ignores there.
    const isInBrackets = tokens[open.at(-1) ?? -1]?.text === '[' && endsStatement(tokens[i - 1]);
    if (kind === 'newline' && (isInBrackets || endsTypePrefix(tokens, lastOpener, i - 1)))
      return { message: 'Unexpected end of the line.', offset };
    if (kind !== 'close') continue;
    const opener = open.pop();
    if (opener === undefined || closing[tokens[opener]?.text ?? ''] !== text)
      return { message: `Unexpected "${text}".`, offset };
    pairs.set(opener, i);
    lastOpener = opener;
  }
  const last = tokens[open.at(-1) ?? -1];
  return last === undefined
    ? pairs
    : { message: `The "${last.text}" is not closed.`, offset: last.offset };
}

function endsStatement(token: Token | undefined): boolean {
  return token?.kind === 'word' || token?.kind === 'literal' || token?.kind === 'close';
}

/** Whether a token closes the `[]`, `[3]` or `map[K]` that the type of the elements must follow. */
function endsTypePrefix(tokens: readonly Token[], opener: number, at: number): boolean {
  if (tokens[at]?.text !== ']' || tokens[opener]?.text !== '[') return false;
  const before = tokens[opener - 1];
  const beginsType = before?.kind === 'other' || before?.kind === 'open' || before?.text === 'map';
  return beginsType || opener + 1 === at;
}

function findBodies(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const bodies = new Map<number, number>();
  for (let i = 0; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    if (kind !== 'word' || text !== 'func') continue;
    const open = bodyAfter(tokens, pairs, i + 1);
    const close = open === undefined ? undefined : pairs.get(open);
    if (open === undefined || close === undefined) continue;
    bodies.set(tokens[open]!.offset, tokens[close]!.offset + 1);
    i = close;
  }
  return bodies;
}

/**
 * The index of the `{` of the body of the function whose signature begins at `from`. Undefined if it has no
 * body. A signature has words, brackets, `*`, `.` and the `<-` of channels only.
 */
function bodyAfter(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
  from: number,
): number | undefined {
  for (let i = from; i < tokens.length; i++) {
    const { kind, text } = tokens[i]!;
    const before = tokens[i - 1]?.text;
    if (text === '{' && before !== 'struct' && before !== 'interface') return i;
    if (kind === 'open') i = pairs.get(i) ?? i;
    else if (kind === 'newline' && before === 'func') continue;
    else if (kind !== 'word' && text !== '*' && text !== '.' && text !== '<' && text !== '-')
      return undefined;
  }
  return undefined;
}

/** The offsets of the name and the `=` of an alias `Name[T any] = …`. */
function findAliases(
  tokens: readonly Token[],
  pairs: ReadonlyMap<number, number>,
): ReadonlyMap<number, number> {
  const aliases = new Map<number, number>();
  for (const [open, close] of pairs) {
    const name = tokens[open - 1];
    if (tokens[open]?.text !== '[' || name?.kind !== 'word') continue;
    const before = tokens[open - 2];
    const equals = tokens[close + 1];
    // A parameter has a name and a constraint.
    const hasParameter = close > open + 2;
    const begins = before?.kind === 'newline' || before?.text === 'type' || before?.text === '(';
    if (begins && hasParameter && equals?.text === '=') aliases.set(name.offset, equals.offset);
  }
  return aliases;
}

function blankOut(
  source: string,
  { tokens, comments }: Scan,
  {
    spans: others,
    replacements = [],
  }: { readonly spans: readonly Span[]; readonly replacements?: readonly Replacement[] },
): Pick<Outline, 'text' | 'grammarText'> {
  const spans = [...comments, ...others];
  const segments: string[] = [];
  let end = 0;
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (from < end) continue;
    segments.push(source.slice(end, from), blanksFor(source.slice(from, to)));
    end = to;
  }
  const text = (segments.join('') + source.slice(end)).replace(/^\ufeff/, ' ');
  return { text, grammarText: replaceSpans(replaceWords(text, tokens), replacements) };
}

/** Spaces with the same line ends. */
function blanksFor(text: string): string {
  return text
    .split('\n')
    .map((line) => ' '.repeat(line.length))
    .join('\n');
}

interface Replacement {
  readonly span: Span;
  /** Of the same length as the span. */
  readonly by: string;
}

/** A raw string. */
function asText(span: Span): Replacement {
  const [from, to] = span;
  return { span, by: `\`${' '.repeat(Math.max(0, to - from - 2))}\`` };
}

function asName(span: Span): Replacement {
  const [from, to] = span;
  return { span, by: 'a'.padEnd(to - from) };
}

function replaceSpans(text: string, replacements: readonly Replacement[]): string {
  const segments: string[] = [];
  let end = 0;
  for (const { span, by } of replacements.toSorted((a, b) => a.span[0] - b.span[0])) {
    const [from, to] = span;
    if (from < end) continue;
    segments.push(text.slice(end, from), by);
    end = to;
  }
  return segments.join('') + text.slice(end);
}

/** A word of the same length that the grammar reads as a name. */
const otherWords: ReadonlyMap<string, string> = new Map([
  ['true', 'tru_'],
  ['false', 'fals_'],
  ['nil', 'ni_'],
]);

function replaceWords(text: string, tokens: readonly Token[]): string {
  const segments: string[] = [];
  let end = 0;
  for (const { kind, text: word, offset } of tokens) {
    if (kind !== 'word') continue;
    const other = word.startsWith('_') ? word.replace(/^_(?=\d)/, 'a') : otherWords.get(word);
    if (other === undefined) continue;
    segments.push(
      text.slice(end, offset),
      text[offset] === ' ' ? text.slice(offset, offset + word.length) : other,
    );
    end = offset + word.length;
  }
  return segments.join('') + text.slice(end);
}
