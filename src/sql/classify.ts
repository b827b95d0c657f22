/**
 * Classifies what a script does, by all of its tokens and not only by its first word. The result
 * explains; it grants nothing, since the database itself enforces read-only transactions. Unknown
 * statements are never classified as reads.
 */
import { codeOf, groupEnds, codeTokens } from '../portable/lexer/code.ts';
import { effect } from './effects.ts';
import { tokenize } from '../portable/lexer/lexer.ts';
import { mainEffects, mainVerb } from './main-verb.ts';
import { split } from '../portable/lexer/split.ts';
import { statementKinds } from './statement-rules.ts';
import type { CodeToken } from '../portable/lexer/code.ts';
import type { ScriptLanguage } from '../portable/lexer/split.ts';
import type { Effect, StatementCode, StatementKind, StatementRules } from './statement-rules.ts';
import type { Token } from '../portable/lexer/token.ts';

export type { Effect, StatementKind, StatementRules } from './statement-rules.ts';

/** Everything the studio knows about the syntax of one dialect. */
export interface Language extends ScriptLanguage {
  readonly statements: StatementRules;
}

export interface Classification {
  readonly kind: StatementKind;
  /** The first words of the first statement, as far as they decide its kind; empty for an empty script. */
  readonly verb: string;
  readonly reasons: readonly string[];
  readonly effects: readonly Effect[];
  /** Number of statements in the text; `kind` is the most serious of their kinds. */
  readonly statements: number;
  /** The effect ends when the connection closes, for example CREATE TEMPORARY TABLE. */
  readonly isTemporary: boolean;
  /** The text ends inside a quote or comment. */
  readonly isUnfinished: boolean;
}

export function classify(text: string, language: Language): Classification {
  const statements = split(text, language).map((statement) =>
    classifyStatement(statement.text, language),
  );
  const effects = [...statements.flatMap((each) => each.effects), ...scriptEffects(text, language)];
  return {
    kind: mostSerious(kindsOf(effects)),
    verb: statements[0]?.verb ?? '',
    reasons: [...new Set(effects.map(({ reason }) => reason))],
    effects,
    statements: statements.length,
    isTemporary: language.statements.temporary.test(wordsOf(text, language)),
    isUnfinished: effects.some(({ reason }) => reason === unfinished.reason),
  };
}

function wordsOf(text: string, { lexical }: Language): string {
  return codeOf(text, lexical)
    .map(({ word }) => word)
    .join(' ');
}

const unfinished = effect('A quote or comment without an end', 'unknown');

/** Adds effects that are found elsewhere, for example in called functions. A classification only becomes more serious. */
export function withEffects(
  classification: Classification,
  effects: readonly Effect[],
): Classification {
  const rank = statementKinds.indexOf(classification.kind);
  const worse = effects.filter(({ kind }) => statementKinds.indexOf(kind) > rank);
  return {
    ...classification,
    kind: mostSerious([classification.kind, ...kindsOf(worse)]),
    reasons: [...new Set([...classification.reasons, ...worse.map(({ reason }) => reason)])],
  };
}

/**
 * Effects of the whole script. Lines for a client program, such as `\copy`, make it doubtful: a
 * server runs their words as SQL. A GO line holds nothing that could run.
 */
function scriptEffects(text: string, { lexical, statements: rules }: Language): Effect[] {
  const hasClientLine = codeOf(text, lexical).some(
    ({ kind, start }) => kind === 'meta-line' && !/^GO\b/i.test(text.slice(start, start + 3)),
  );
  return [
    ...(rules.ambiguousText?.test(text) === true
      ? [effect('An unusual line break', 'unknown')]
      : []),
    ...(hasClientLine ? [effect('A line for a client program', 'unknown')] : []),
  ];
}

function kindsOf(effects: readonly Effect[]): StatementKind[] {
  return effects.map(({ kind }) => kind);
}

function mostSerious(kinds: readonly StatementKind[]): StatementKind {
  return statementKinds.findLast((kind) => kinds.includes(kind)) ?? 'empty';
}

interface StatementEffects {
  readonly verb: string;
  readonly effects: readonly Effect[];
}

/** A versioned comment is code for one server and a comment for another, so the effects of both readings count. */
function classifyStatement(
  text: string,
  { lexical, statements: rules }: Language,
): StatementEffects {
  const tokens = tokenize(text, lexical);
  const code = codeTokens(text, tokens);
  const read = (part: readonly CodeToken[]): StatementEffects =>
    classifyCode({ text, code: part, groupEnds: groupEnds(part), rules });
  const [completeVariant, ...otherVariants] = codeVariants(text, code).map(read);
  const effects = [
    ...(completeVariant?.effects ?? []),
    ...otherVariants.flatMap((other) => other.effects),
  ];
  return {
    verb: completeVariant?.verb ?? '',
    effects: [
      ...effects,
      ...ambiguityEffects(text, code),
      ...hintEffects(text, tokens),
      ...innerDelimiterEffects(code, effects),
    ],
  };
}

function classifyCode(statement: StatementCode): StatementEffects {
  const main = mainVerb(statement);
  if (main === undefined)
    return { verb: '', effects: [effect('A statement without a verb', 'unknown')] };
  return { verb: main.verb, effects: mainEffects(statement, main) };
}

/** A statement with more of them is classified as unknown: each one doubles the number of readings. */
const maxDoubtfulComments = 4;

/** Token indexes of the versioned comments that a server may skip. */
function doubtfulComments(text: string, code: readonly CodeToken[]): readonly number[] {
  return code.flatMap(({ kind, start, end }, i) =>
    kind === 'versioned-open' && mayBeSkipped(text.slice(start, end)) ? [i] : [],
  );
}

/**
 * MariaDB skips versions from 50700 to 99999 and MySQL skips `/*M!`. Every supported server runs
 * comments for 5.6 and earlier. https://mariadb.com/kb/en/comment-syntax/
 */
function mayBeSkipped(opening: string): boolean {
  return opening.startsWith('/*M!') || Number(opening.slice('/*!'.length)) >= 50_700;
}

/** The code with each combination of doubtful comments included or skipped; the first one includes all. Empty variants are dropped. */
function codeVariants(text: string, code: readonly CodeToken[]): readonly (readonly CodeToken[])[] {
  const doubtful = doubtfulComments(text, code);
  const variantCount = doubtful.length > maxDoubtfulComments ? 1 : 2 ** doubtful.length;
  return Array.from({ length: variantCount }, (_, variant) => {
    const skipped = doubtful.filter((_comment, bit) => ((variant >> bit) & 1) === 1);
    return withoutComments(code, new Set(skipped));
  }).filter((reading, variant) => variant === 0 || reading.length > 0);
}

/** Removes the comments that open at these token indexes, and the opening and closing tokens of the others. */
function withoutComments(
  code: readonly CodeToken[],
  skipped: ReadonlySet<number>,
): readonly CodeToken[] {
  let inside = false;
  return code.filter(({ kind }, i) => {
    if (kind === 'versioned-open') inside = skipped.has(i);
    const isCode = !inside && kind !== 'versioned-open' && kind !== 'versioned-close';
    if (kind === 'versioned-close') inside = false;
    return isCode;
  });
}

/** Effects for code that the server may tokenize differently from the lexer. */
function ambiguityEffects(text: string, code: readonly CodeToken[]): Effect[] {
  if (code.some(({ unterminated }) => unterminated)) {
    return [unfinished];
  }
  const isTooMany = doubtfulComments(text, code).length > maxDoubtfulComments;
  return [
    ...(isTooMany
      ? [effect(`More than ${maxDoubtfulComments} versioned comments`, 'unknown')]
      : []),
    ...(hasUnclearComment(text, code)
      ? [effect('A versioned comment with a comment or */ in it', 'unknown')]
      : []),
  ];
}

/** A server that skips a versioned comment searches only for its end and for nested comments. */
function hasUnclearComment(text: string, code: readonly CodeToken[]): boolean {
  let open = 0;
  return code.some(({ kind, start, end }) => {
    if (kind === 'versioned-open') open = end;
    return kind === 'versioned-close' && /\*\/|\/\*/.test(text.slice(open, start));
  });
}

/** The server's hint parser understands quotes, so it may find the end of the hint elsewhere. */
function hintEffects(text: string, tokens: readonly Token[]): Effect[] {
  const isUnclear = tokens.some(
    ({ kind, start, end }) => kind === 'hint' && /['"`]/.test(text.slice(start, end)),
  );
  return isUnclear ? [effect('A hint with a quote in it', 'unknown')] : [];
}

/** Only statements with a body, such as CREATE TRIGGER, contain delimiters. */
function innerDelimiterEffects(code: readonly CodeToken[], effects: readonly Effect[]): Effect[] {
  const mayContainStatements =
    statementKinds.indexOf(mostSerious(kindsOf(effects))) >= statementKinds.indexOf('ddl');
  const hasDelimiter = code.some(({ kind, word }) => kind === 'delimiter' || word === ';');
  return hasDelimiter && !mayContainStatements
    ? [effect('A delimiter within the statement', 'unknown')]
    : [];
}
