import { tokenize } from './lexer.ts';
import type { DialectSign } from './ddl/reading.ts';
import type { LexicalRules } from './lexical-rules.ts';

export interface DialectCandidate {
  readonly name: string;
  readonly signs: readonly DialectSign[];
  /** Beginnings of comments that only tools of this dialect write. */
  readonly comments: readonly RegExp[];
}

export interface OwnDialect {
  readonly name: string;
  readonly lexical: LexicalRules;
}

export interface RankedDialect {
  readonly name: string;
  /** What only this dialect has, as the text shows it; undefined where it shows none. */
  readonly proof: string | undefined;
  /** Whether anything at all speaks for it. */
  readonly isHinted: boolean;
}

/** As much of a text as is looked at: what a file is shows early. */
const longestLook = 1_000_000;
/** Of one sign, more than so many occurrences say no more. */
const mostCounted = 5;
/** What other dialects have too, or what is only a word, proves nothing. */
const leastProof = 5;
const longestShown = 40;

/** The dialects that a text may be of, the one to read it in first: another than the own one only by proof. */
export function rankDialects(
  text: string,
  candidates: readonly DialectCandidate[],
  own: OwnDialect,
): readonly RankedDialect[] {
  const { code, comments } = partsOf(text.slice(0, longestLook), own.lexical);
  const scored = candidates.map((candidate) => ({
    name: candidate.name,
    header: comments.find((comment) => candidate.comments.some((begin) => begin.test(comment))),
    ...scoreOf(code, candidate.signs),
  }));
  const byProof = scored.toSorted(
    (a, b) =>
      Number(b.header !== undefined) - Number(a.header !== undefined) ||
      b.strong - a.strong ||
      Number(b.name === own.name) - Number(a.name === own.name) ||
      b.weak - a.weak,
  );
  const [best] = byProof;
  const isProven = best !== undefined && (best.header !== undefined || best.strong > 0);
  return byProof
    .filter(
      ({ name, header, strong }) =>
        !isProven || name === best.name || header !== undefined || strong * 2 >= best.strong,
    )
    .map(({ name, header, strong, weak, shown }) => ({
      name,
      proof: header?.slice(0, longestShown) ?? shown,
      isHinted: strong + weak > 0,
    }));
}

interface Score {
  readonly strong: number;
  readonly weak: number;
  /** The first thing that proves. */
  readonly shown: string | undefined;
}

function scoreOf(code: string, signs: readonly DialectSign[]): Score {
  let [strong, weak] = [0, 0];
  let shown: string | undefined;
  for (const { pattern, weight } of signs) {
    const matches = occurrences(code, pattern);
    if (weight < leastProof) weak += weight * matches.length;
    else {
      strong += weight * matches.length;
      shown ??= matches[0]?.trim().replaceAll(/\s+/g, ' ').slice(0, longestShown);
    }
  }
  return { strong, weak, shown };
}

function occurrences(code: string, pattern: RegExp): readonly string[] {
  const matches = code.matchAll(pattern);
  const found: string[] = [];
  for (let next = matches.next(); found.length < mostCounted && next.done !== true;) {
    found.push(next.value[0]);
    next = matches.next();
  }
  return found;
}

interface TextParts {
  /** Texts are empty, and comments are gone: what stands in them says nothing. */
  readonly code: string;
  readonly comments: readonly string[];
}

function partsOf(text: string, rules: LexicalRules): TextParts {
  const comments: string[] = [];
  const code = tokenize(text, rules).map(({ kind, start, end }) => {
    const token = text.slice(start, end);
    if (kind === 'comment' || kind === 'versioned-open') comments.push(token);
    // What one server runs of a comment is code to it.
    if (kind === 'comment') return /^\/\*M?!/.test(token) ? token : ' ';
    if (kind !== 'string' || token.startsWith('$')) return token;
    return /^[^'"]*/.exec(token)![0] + token.slice(-1).repeat(2);
  });
  return { code: code.join(''), comments };
}
