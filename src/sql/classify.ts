/**
 * Explains what a text does, by its parts and not by its first word. It permits nothing: that is
 * for the database to decide. What is not known is never called a read.
 */
import { codeOf, groupEnds, withWords } from './code.ts';
import { effect } from './effects.ts';
import { tokenize } from './lexer.ts';
import { mainEffects, mainVerb } from './main-verb.ts';
import { split } from './split.ts';
import { statementKinds } from './statement-rules.ts';
import type { CodeToken } from './code.ts';
import type { ScriptLanguage } from './split.ts';
import type { Effect, StatementCode, StatementKind, StatementRules } from './statement-rules.ts';
import type { Token } from './token.ts';

export type { Effect, StatementKind, StatementRules } from './statement-rules.ts';

/** All that the studio knows of one dialect's text. */
export interface Language extends ScriptLanguage {
  readonly statements: StatementRules;
}

export interface Classification {
  readonly kind: StatementKind;
  /** The first words as far as they tell the kind; empty for an empty text. */
  readonly verb: string;
  readonly reasons: readonly string[];
  readonly effects: readonly Effect[];
  /** How many statements the text holds; the kind is the worst of theirs. */
  readonly statements: number;
  /** Its effect ends with its connection. */
  readonly isTemporary: boolean;
  /** The text ends inside a quote or comment. */
  readonly isUnfinished: boolean;
}

export function classify(text: string, language: Language): Classification {
  const judged = split(text, language).map((statement) => judge(statement.text, language));
  const effects = [
    ...judged.flatMap((judgement) => judgement.effects),
    ...oddities(text, language),
  ];
  return {
    kind: worst(kindsOf(effects)),
    verb: judged[0]?.verb ?? '',
    reasons: [...new Set(effects.map(({ reason }) => reason))],
    effects,
    statements: judged.length,
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

/** A classification with what else is known of the statement: it can only become more serious. */
export function withEffects(found: Classification, effects: readonly Effect[]): Classification {
  const rank = statementKinds.indexOf(found.kind);
  const worse = effects.filter(({ kind }) => statementKinds.indexOf(kind) > rank);
  return {
    ...found,
    kind: worst([found.kind, ...kindsOf(worse)]),
    reasons: [...new Set([...found.reasons, ...worse.map(({ reason }) => reason)])],
  };
}

/** What makes a whole text doubtful. No server knows the lines of a client program: it runs their words. GO has none. */
function oddities(text: string, { lexical, statements: rules }: Language): Effect[] {
  const holdsClientLine = codeOf(text, lexical).some(
    ({ kind, start }) => kind === 'meta-line' && !/^GO\b/i.test(text.slice(start, start + 3)),
  );
  return [
    ...(rules.doubtful?.test(text) === true ? [effect('An unusual line break', 'unknown')] : []),
    ...(holdsClientLine ? [effect('A line for a client program', 'unknown')] : []),
  ];
}

function kindsOf(effects: readonly Effect[]): StatementKind[] {
  return effects.map(({ kind }) => kind);
}

function worst(kinds: readonly StatementKind[]): StatementKind {
  return statementKinds.findLast((kind) => kinds.includes(kind)) ?? 'empty';
}

interface Judgement {
  readonly verb: string;
  readonly effects: readonly Effect[];
}

/** A versioned comment is code for one server and a comment for another: all ways count. */
function judge(text: string, { lexical, statements: rules }: Language): Judgement {
  const tokens = tokenize(text, lexical);
  const code = withWords(text, tokens);
  const read = (part: readonly CodeToken[]): Judgement =>
    judgeCode({ text, code: part, groupEnds: groupEnds(part), rules });
  const [run, ...others] = readings(text, code).map(read);
  const effects = [...(run?.effects ?? []), ...others.flatMap((other) => other.effects)];
  return {
    verb: run?.verb ?? '',
    effects: [
      ...effects,
      ...doubts(text, code),
      ...hintDoubts(text, tokens),
      ...severalEffect(code, effects),
    ],
  };
}

function judgeCode(statement: StatementCode): Judgement {
  const main = mainVerb(statement);
  if (main === undefined)
    return { verb: '', effects: [effect('A statement without a verb', 'unknown')] };
  return { verb: main.verb, effects: mainEffects(statement, main) };
}

/** With more doubtful versioned comments a statement is not judged: each doubles the ways to read it. */
const mostDoubtful = 4;

/** The places of versioned comments that a server may leave out. */
function doubtfulComments(text: string, code: readonly CodeToken[]): readonly number[] {
  return code.flatMap(({ kind, start, end }, i) =>
    kind === 'versioned-open' && mayBeLeft(text.slice(start, end)) ? [i] : [],
  );
}

/** MariaDB runs no number from 50700 to 99999, MySQL no `/*M!`; every server that is served runs those of 5.6 and before. */
function mayBeLeft(opening: string): boolean {
  return opening.startsWith('/*M!') || Number(opening.slice('/*!'.length)) >= 50_700;
}

/** The statement's code with each doubtful comment in and out, first with all of them in. A reading without code does nothing. */
function readings(text: string, code: readonly CodeToken[]): readonly (readonly CodeToken[])[] {
  const doubtful = doubtfulComments(text, code);
  const ways = doubtful.length > mostDoubtful ? 1 : 2 ** doubtful.length;
  return Array.from({ length: ways }, (_, way) => {
    const left = doubtful.filter((_comment, bit) => ((way >> bit) & 1) === 1);
    return withoutComments(code, new Set(left));
  }).filter((reading, way) => way === 0 || reading.length > 0);
}

/** Without the comments that open at these places, and without the marks of the others. */
function withoutComments(
  code: readonly CodeToken[],
  left: ReadonlySet<number>,
): readonly CodeToken[] {
  let inside = false;
  return code.filter(({ kind }, i) => {
    if (kind === 'versioned-open') inside = left.has(i);
    const isCode = !inside && kind !== 'versioned-open' && kind !== 'versioned-close';
    if (kind === 'versioned-close') inside = false;
    return isCode;
  });
}

/** Where the server may see other tokens than the lexer did. */
function doubts(text: string, code: readonly CodeToken[]): Effect[] {
  if (code.some(({ unterminated }) => unterminated)) {
    return [unfinished];
  }
  const isTooMany = doubtfulComments(text, code).length > mostDoubtful;
  return [
    ...(isTooMany ? [effect(`More than ${mostDoubtful} versioned comments`, 'unknown')] : []),
    ...(hasUnclearComment(text, code)
      ? [effect('A versioned comment with a comment or */ in it', 'unknown')]
      : []),
  ];
}

/** A server that leaves a comment out looks for its end only, and for comments within it. */
function hasUnclearComment(text: string, code: readonly CodeToken[]): boolean {
  let open = 0;
  return code.some(({ kind, start, end }) => {
    if (kind === 'versioned-open') open = end;
    return kind === 'versioned-close' && /\*\/|\/\*/.test(text.slice(open, start));
  });
}

/** The server's own reader of hints knows quotes, and may find their end elsewhere. */
function hintDoubts(text: string, tokens: readonly Token[]): Effect[] {
  const isUnclear = tokens.some(
    ({ kind, start, end }) => kind === 'hint' && /['"`]/.test(text.slice(start, end)),
  );
  return isUnclear ? [effect('A hint with a quote in it', 'unknown')] : [];
}

/** Only what has a body holds delimiters. */
function severalEffect(code: readonly CodeToken[], effects: readonly Effect[]): Effect[] {
  const mayHoldMore =
    statementKinds.indexOf(worst(kindsOf(effects))) >= statementKinds.indexOf('ddl');
  const holdsMore = code.some(({ kind, word }) => kind === 'delimiter' || word === ';');
  return holdsMore && !mayHoldMore ? [effect('A delimiter within the statement', 'unknown')] : [];
}
