/**
 * The dialect that a script is read in: as the request says, else the one that the script proves to be
 * of, else the studio's own where it can read the script's beginning, else the likeliest that can.
 */
import { StudioError } from '../../model/errors.ts';
import { tokenize } from '../../sql/lexer.ts';
import type { DataScript } from '../../sql/data-script.ts';
import type { LexicalRules } from '../../sql/lexer.ts';
import type { ScriptLanguage } from '../../sql/split.ts';

/** A dialect that scripts may be in. */
export interface ScriptDialectChoice {
  readonly name: string;
  readonly language: ScriptLanguage;
  readonly dataScript: DataScript;
}

export interface DialectOptions {
  /** As the request names it. */
  readonly dialect: string | undefined;
  readonly choices: readonly ScriptDialectChoice[];
  /** The studio's own, which a script is in that shows nothing else. */
  readonly own: string;
}

export interface FoundDialect {
  readonly choice: ScriptDialectChoice;
  /** Neither the request nor the script says that it is of this dialect. */
  readonly isAssumed: boolean;
  /** Why the script is not read in the studio's own dialect. */
  readonly reason?: string;
}

/** Occurrences beyond these say nothing more. */
const mostCounted = 3;

/** What a dialect can read of a script's beginning. */
export interface ReadablePart {
  /** Infinity when it can read all of it. */
  readonly length: number;
  /** How many rows that brings. */
  readonly rows: number;
}

type ReadableIn = (choice: ScriptDialectChoice) => ReadablePart;

export function findDialect(
  head: string,
  { dialect, choices, own }: DialectOptions,
  readableIn: ReadableIn,
): FoundDialect {
  if (dialect !== undefined) return { choice: choiceNamed(dialect, choices), isAssumed: false };
  const first = choiceNamed(own, choices);
  const proof = proofIn(head, first.language.lexical, choices);
  if (proof?.choice === first) return { choice: first, isAssumed: false };
  if (proof !== undefined) {
    const reason = `it holds ${JSON.stringify(proof.text)}`;
    return { choice: proof.choice, isAssumed: false, reason };
  }
  const inOwn = readableIn(first);
  if (inOwn.length === Infinity) return { choice: first, isAssumed: true };
  const likely = choices
    .map((choice) => ({ choice, score: score(choice, head) }))
    .filter((each) => each.choice !== first)
    .toSorted((a, b) => b.score - a.score)
    .map((each) => ({ ...each, ...readableIn(each.choice) }))
    // A dialect that takes statements with rows for parts of others would lose them.
    .filter((each) => each.rows >= inOwn.rows && (each.score > 0 || each.length === Infinity));
  const furthest = likely.reduce((best, each) => (each.length > best.length ? each : best), {
    choice: first,
    length: inOwn.length,
  });
  return furthest.choice === first
    ? { choice: first, isAssumed: true }
    : { choice: furthest.choice, isAssumed: true, reason: `${own} cannot read it` };
}

interface Proof {
  readonly choice: ScriptDialectChoice;
  readonly text: string;
  readonly at: number;
}

const longestShown = 40;

/** The first construct that is one dialect's alone. Strings prove nothing, and of comments only how they begin. */
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
      ...comments.flatMap(({ text, at }) =>
        proofs.comments.some((pattern) => pattern.test(text)) ? [{ text, at }] : [],
      ),
      ...proofs.code.flatMap((pattern) => {
        const match = pattern.exec(code);
        return match === null ? [] : [{ text: match[0], at: match.index }];
      }),
    ];
    for (const { text, at } of found) {
      const shown = text.trim().split('\n', 1)[0]!.slice(0, longestShown);
      if (first === undefined || at < first.at) first = { choice, text: shown, at };
    }
  }
  return first;
}

interface ScriptParts {
  /** With strings emptied and comments blanked, so that everything stays where it is. */
  readonly code: string;
  readonly comments: readonly { readonly text: string; readonly at: number }[];
}

function partsOf(head: string, rules: LexicalRules): ScriptParts {
  const comments: { text: string; at: number }[] = [];
  const code = tokenize(head, rules).map(({ kind, start, end }) => {
    const text = head.slice(start, end);
    if (kind === 'string') return emptied(text);
    if (kind === 'versioned-open') comments.push({ text, at: start });
    if (kind !== 'comment' && kind !== 'hint') return text;
    comments.push({ text, at: start });
    return text.replaceAll(/[^\n]/g, ' ');
  });
  return { code: code.join(''), comments };
}

/** `E'…'` becomes `E''`, with blanks behind it. */
function emptied(text: string): string {
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

function score({ dataScript: { signs } }: ScriptDialectChoice, head: string): number {
  const code = head.replaceAll(/'(?:[^'\\]|\\[^]|'')*'/g, "''");
  return signs.reduce((sum, { pattern, weight }) => {
    const count = code.match(pattern)?.length ?? 0;
    return sum + Math.min(count, mostCounted) * weight;
  }, 0);
}
