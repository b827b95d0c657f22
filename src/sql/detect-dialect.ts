import { tokenize } from '../portable/lexer/lexer.ts';
import type { DialectHint } from './ddl/ddl-reader.ts';
import type { LexicalRules } from '../portable/lexer/lexical-rules.ts';

export interface DialectCandidate {
  readonly name: string;
  readonly hints: readonly DialectHint[];
  /** Match header comments that prove this dialect. */
  readonly comments: readonly RegExp[];
}

export interface OwnDialect {
  readonly name: string;
  readonly lexical: LexicalRules;
}

export interface RankedDialect {
  readonly name: string;
  /** An excerpt that only this dialect can contain; undefined if the text has none. */
  readonly proof: string | undefined;
}

/** Only the beginning of a file is examined, in UTF-16 units: hints appear early. */
const maxExaminedLength = 1_000_000;
/** Further occurrences of one hint add nothing to the score. */
const maxCountedOccurrences = 5;
/** Hints of less weight prove nothing: other dialects have the construct too, or it is a common word. */
const minProofWeight = 5;
const maxExcerptLength = 40;

/** The possible dialects of a text, most likely first. A dialect other than `own` comes first only with proof. */
export function rankDialects(
  text: string,
  candidates: readonly DialectCandidate[],
  ownDialect: OwnDialect,
): readonly RankedDialect[] {
  const { code, comments } = partsOf(text.slice(0, maxExaminedLength), ownDialect.lexical);
  const scored = candidates.map((candidate) => ({
    name: candidate.name,
    header: comments
      .map((comment) => {
        const match = firstMatch(comment, candidate.comments);
        return match === undefined ? undefined : fromMatch(comment, match);
      })
      .find((found) => found !== undefined),
    ...scoreOf(code, candidate.hints),
  }));
  const byProof = scored.toSorted(
    (a, b) =>
      Number(b.header !== undefined) - Number(a.header !== undefined) ||
      b.strong - a.strong ||
      Number(b.name === ownDialect.name) - Number(a.name === ownDialect.name) ||
      b.weak - a.weak,
  );
  const [best] = byProof;
  const isProven = best !== undefined && (best.header !== undefined || best.strong > 0);
  return byProof
    .filter(
      ({ name, header, strong }) =>
        !isProven || name === best.name || header !== undefined || strong * 2 >= best.strong,
    )
    .map(({ name, header, excerpt }) => ({
      name,
      proof: header?.slice(0, maxExcerptLength) ?? excerpt,
    }));
}

export function firstMatch(text: string, patterns: readonly RegExp[]): RegExpExecArray | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return match;
  }
  return undefined;
}

/** The line of the match, from there. */
export function fromMatch(text: string, { index }: RegExpExecArray): string {
  return text.slice(index).trimStart().split('\n', 1)[0]!;
}

interface Score {
  readonly strong: number;
  readonly weak: number;
  /** The first match that proves the dialect. */
  readonly excerpt: string | undefined;
}

function scoreOf(code: string, hints: readonly DialectHint[]): Score {
  let [strong, weak] = [0, 0];
  let excerpt: string | undefined;
  for (const { pattern, weight } of hints) {
    const matches = occurrences(code, pattern);
    if (weight < minProofWeight) weak += weight * matches.length;
    else {
      strong += weight * matches.length;
      excerpt ??= matches[0]?.trim().replaceAll(/\s+/g, ' ').slice(0, maxExcerptLength);
    }
  }
  return { strong, weak, excerpt };
}

function occurrences(code: string, pattern: RegExp): readonly string[] {
  const matches = code.matchAll(pattern);
  const found: string[] = [];
  for (let next = matches.next(); found.length < maxCountedOccurrences && next.done !== true;) {
    found.push(next.value[0]);
    next = matches.next();
  }
  return found;
}

interface TextParts {
  /** Strings are emptied and comments removed, since their contents say nothing about the dialect. */
  readonly code: string;
  readonly comments: readonly string[];
}

function partsOf(text: string, rules: LexicalRules): TextParts {
  const comments: string[] = [];
  const code = tokenize(text, rules).map(({ kind, start, end }) => {
    const token = text.slice(start, end);
    if (kind === 'comment' || kind === 'versioned-open') comments.push(token);
    // A versioned comment is code to the servers that run it.
    if (kind === 'comment') return /^\/\*M?!/.test(token) ? token : ' ';
    if (kind !== 'string' || token.startsWith('$')) return token;
    return /^[^'"]*/.exec(token)![0] + token.slice(-1).repeat(2);
  });
  return { code: code.join(''), comments };
}
