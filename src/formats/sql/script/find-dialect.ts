/**
 * Finds the dialect of a script. In this order: the dialect of the request; one that a construct in
 * the script proves; the dialect of the studio, if it can read the beginning of the script; the most
 * likely one that can.
 */
import { StudioError } from '../../../model/errors.ts';
import { tokenize } from '../../../portable/lexer/lexer.ts';
import { firstMatch, fromMatch } from '../../../sql/detect-dialect.ts';
import type { DataScriptRules } from '../../../sql/data-script.ts';
import type { LexicalRules } from '../../../portable/lexer/lexer.ts';
import type { ScriptLanguage } from '../../../portable/lexer/split.ts';

export interface ScriptDialectChoice {
  readonly name: string;
  readonly language: ScriptLanguage;
  readonly dataScript: DataScriptRules;
}

export interface DialectOptions {
  /** From the request. */
  readonly dialect: string | undefined;
  readonly choices: readonly ScriptDialectChoice[];
  /** The dialect of the studio, which is the default. */
  readonly ownDialect: string;
}

export interface FoundDialect {
  readonly choice: ScriptDialectChoice;
  /** Neither the request nor the script determines the dialect. */
  readonly isAssumed: boolean;
  /** Why the script is not read in the dialect of the studio. */
  readonly reason?: string;
}

/** More occurrences of a hint do not add to the score. */
const maxCounted = 3;

/** How much of a script's beginning a dialect can read. */
export interface ReadablePart {
  /** In characters; Infinity for all of it. */
  readonly length: number;
  /** Rows in that part. */
  readonly rows: number;
}

type FindReadablePart = (choice: ScriptDialectChoice) => ReadablePart;

export function findDialect(
  head: string,
  { dialect, choices, ownDialect }: DialectOptions,
  findReadablePart: FindReadablePart,
): FoundDialect {
  if (dialect !== undefined) return { choice: choiceNamed(dialect, choices), isAssumed: false };
  const first = choiceNamed(ownDialect, choices);
  const proof = proofIn(head, first.language.lexical, choices);
  if (proof?.choice === first) return { choice: first, isAssumed: false };
  if (proof !== undefined) {
    const reason = `it contains ${JSON.stringify(proof.text)}`;
    return { choice: proof.choice, isAssumed: false, reason };
  }
  const readableInOwn = findReadablePart(first);
  if (readableInOwn.length === Infinity) return { choice: first, isAssumed: true };
  const likely = choices
    .map((choice) => ({ choice, score: score(choice, head) }))
    .filter((each) => each.choice !== first)
    .toSorted((a, b) => b.score - a.score)
    .map((each) => ({ ...each, ...findReadablePart(each.choice) }))
    // A dialect that splits the script at other positions can read past rows without recognizing them.
    .filter(
      (each) => each.rows >= readableInOwn.rows && (each.score > 0 || each.length === Infinity),
    );
  const furthest = likely.reduce((best, each) => (each.length > best.length ? each : best), {
    choice: first,
    length: readableInOwn.length,
  });
  return furthest.choice === first
    ? { choice: first, isAssumed: true }
    : { choice: furthest.choice, isAssumed: true, reason: `${ownDialect} cannot read it` };
}

interface Proof {
  readonly choice: ScriptDialectChoice;
  readonly text: string;
  readonly at: number;
}

const maxExcerpt = 40;

/** The first construct that only one dialect has. Strings are ignored, and comments only count by their beginning. */
function proofIn(
  head: string,
  rules: LexicalRules,
  choices: readonly ScriptDialectChoice[],
): Proof | undefined {
  const { code, comments } = partsOf(head, rules);
  let first: Proof | undefined;
  for (const choice of choices) {
    const { proofs } = choice.dataScript;
    const found = [
      ...comments.flatMap(({ text, at }) => {
        const match = firstMatch(text, proofs.comments);
        return match === undefined ? [] : [{ text: fromMatch(text, match), at }];
      }),
      ...proofs.code.flatMap((pattern) => {
        const match = pattern.exec(code);
        if (match === null) return [];
        // As it is in the script, with its strings.
        return [{ text: head.slice(match.index, match.index + match[0].length), at: match.index }];
      }),
    ];
    for (const { text, at } of found) {
      const excerpt = text.trim().split('\n', 1)[0]!.slice(0, maxExcerpt);
      if (first === undefined || at < first.at) first = { choice, text: excerpt, at };
    }
  }
  return first;
}

/** The text with empty strings and blank comments. */
export function codeWithoutStrings(text: string, rules: LexicalRules): string {
  return partsOf(text, rules).code;
}

interface ScriptParts {
  /** The text with empty strings and blank comments; offsets are unchanged. */
  readonly code: string;
  readonly comments: readonly { readonly text: string; readonly at: number }[];
}

function partsOf(head: string, rules: LexicalRules): ScriptParts {
  const comments: { text: string; at: number }[] = [];
  const code = tokenize(head, rules).map(({ kind, start, end }) => {
    const text = head.slice(start, end);
    if (kind === 'string') return emptyString(text);
    if (kind === 'versioned-open') comments.push({ text, at: start });
    if (kind !== 'comment' && kind !== 'hint') return text;
    comments.push({ text, at: start });
    return text.replaceAll(/[^\n]/g, ' ');
  });
  return { code: code.join(''), comments };
}

/** `E'…'` becomes `E''` followed by spaces. */
function emptyString(text: string): string {
  const opening = /^[^'"$]*['"$]/.exec(text)?.[0] ?? '';
  return `${opening}${opening.slice(-1)}`.padEnd(text.length).slice(0, text.length);
}

function choiceNamed(name: string, choices: readonly ScriptDialectChoice[]): ScriptDialectChoice {
  const found = choices.find((choice) => choice.name === name.toLowerCase());
  if (found !== undefined) return found;
  const names = choices.map((choice) => choice.name).join(', ');
  throw new StudioError('invalid_parameter', `dialect must be one of ${names}, not "${name}".`, {
    parameter: 'dialect',
  });
}

function score({ dataScript: { dialectHints } }: ScriptDialectChoice, head: string): number {
  const code = head.replaceAll(/'(?:[^'\\]|\\[^]|'')*'/g, "''");
  return dialectHints.reduce((sum, { pattern, weight }) => {
    const count = code.match(pattern)?.length ?? 0;
    return sum + Math.min(count, maxCounted) * weight;
  }, 0);
}
