/**
 * Explains what a text does, by its parts and not by its first word. It permits nothing: that is
 * for the database to decide. What is not known is never called a read.
 */
import { codeOf, groupEnds } from './code.ts';
import { effect } from './effects.ts';
import { mainEffects, mainVerb } from './main-verb.ts';
import { split } from './split.ts';
import { statementKinds } from './statement-rules.ts';
import type { CodeToken } from './code.ts';
import type { Effect, StatementCode } from './effects.ts';
import type { ScriptLanguage } from './split.ts';
import type { StatementKind, StatementRules } from './statement-rules.ts';

export type { StatementKind, StatementRules } from './statement-rules.ts';

/** All that the studio knows of one dialect's text. */
export interface Language extends ScriptLanguage {
  readonly statements: StatementRules;
}

export interface Classification {
  readonly kind: StatementKind;
  /** The first words as far as they tell the kind; empty for an empty text. */
  readonly verb: string;
  readonly reasons: readonly string[];
  /** How many statements the text holds; the kind is the worst of theirs. */
  readonly statements: number;
}

export function classify(text: string, language: Language): Classification {
  const judged = split(text, language).map((statement) => judge(statement.text, language));
  const isDoubtful = language.statements.doubtful?.test(text) === true;
  const effects = [
    ...judged.flatMap((judgement) => judgement.effects),
    ...(isDoubtful ? [effect('An unusual line break', 'unknown')] : []),
  ];
  return {
    kind: worst(kindsOf(effects)),
    verb: judged[0]?.verb ?? '',
    reasons: [...new Set(effects.map(({ reason }) => reason))],
    statements: judged.length,
  };
}

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

/** Servers differ in whether they run versioned comments: both ways count. */
function judge(text: string, { lexical, statements: rules }: Language): Judgement {
  const code = codeOf(text, lexical);
  const read = (part: readonly CodeToken[]): Judgement =>
    judgeCode({ text, code: part, groupEnds: groupEnds(part), rules });
  const run = read(code.filter(isNoMark));
  const plain = withoutVersioned(code);
  const isVersioned = plain.length < code.length && plain.length > 0;
  const effects = isVersioned ? [...run.effects, ...read(plain).effects] : run.effects;
  return {
    verb: run.verb,
    effects: [...effects, ...doubts(text, code), ...severalEffect(code, effects)],
  };
}

function judgeCode(statement: StatementCode): Judgement {
  const main = mainVerb(statement);
  if (main === undefined)
    return { verb: '', effects: [effect('A statement without a verb', 'unknown')] };
  return { verb: main.verb, effects: mainEffects(statement, main) };
}

function isNoMark({ kind }: CodeToken): boolean {
  return kind !== 'versioned-open' && kind !== 'versioned-close';
}

function withoutVersioned(code: readonly CodeToken[]): CodeToken[] {
  let inside = false;
  return code.filter(({ kind }) => {
    if (kind === 'versioned-open') inside = true;
    const isPlain = !inside;
    if (kind === 'versioned-close') inside = false;
    return isPlain;
  });
}

/** Where the server may see other tokens than the lexer did. */
function doubts(text: string, code: readonly CodeToken[]): Effect[] {
  if (code.some(({ unterminated }) => unterminated)) {
    return [effect('A quote or comment without an end', 'unknown')];
  }
  return hasUnclearComment(text, code)
    ? [effect('A versioned comment with */ in it', 'unknown')]
    : [];
}

function hasUnclearComment(text: string, code: readonly CodeToken[]): boolean {
  let open = 0;
  return code.some(({ kind, start, end }) => {
    if (kind === 'versioned-open') open = end;
    return kind === 'versioned-close' && text.slice(open, start).includes('*/');
  });
}

/** Only what has a body holds delimiters. */
function severalEffect(code: readonly CodeToken[], effects: readonly Effect[]): Effect[] {
  const mayHoldMore =
    statementKinds.indexOf(worst(kindsOf(effects))) >= statementKinds.indexOf('ddl');
  const holdsMore = code.some(({ kind, word }) => kind === 'delimiter' || word === ';');
  return holdsMore && !mayHoldMore ? [effect('A delimiter within the statement', 'unknown')] : [];
}
