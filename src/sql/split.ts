/**
 * Splits a script into statements, as the dialect's own client would: by what stands in the text,
 * never by asking whether it makes sense.
 */
import { codeOf, isKeyword } from './code.ts';
import { positionCounter } from './position.ts';
import type { CodeToken } from './code.ts';
import type { LexicalRules } from './lexical-rules.ts';

/** What, besides the delimiter, decides where a dialect's statements end: data only. */
export interface SplitRules {
  /** Statements whose bodies hold statements: a verb and, within `window` tokens, an object. Blocks count only in them. */
  readonly bodies: {
    readonly verbs: readonly string[];
    readonly objects: readonly string[];
    readonly window: number;
  };
  /** Blocks count in every statement. */
  readonly blocksAnywhere: boolean;
  /** A statement with a body goes on to the end of its batch. */
  readonly bodiesFillBatch: boolean;
  readonly opensBlock: readonly BlockWord[];
  readonly closesBlock: readonly BlockWord[];
  /** A delimiter in parentheses ends nothing. */
  readonly parenthesesHold: boolean;
  /** Set where statements need no delimiter between them. */
  readonly undelimited?: UndelimitedRules;
}

export interface BlockWord {
  readonly word: string;
  readonly before?: readonly string[];
  readonly notBefore?: readonly string[];
  readonly after?: readonly string[];
  readonly notAfter?: readonly string[];
}

export interface UndelimitedRules {
  /** Reserved words that begin a statement, wherever the one before it is complete. */
  readonly verbs: readonly string[];
  /** Behind these, one word or two, a verb belongs to what came before. */
  readonly notAfter: readonly string[];
  /** Before these a verb is none. */
  readonly notBefore: Readonly<Record<string, readonly string[]>>;
  /** Verbs that are a clause of another: the SET of UPDATE. */
  readonly clauses: Readonly<Record<string, readonly string[]>>;
  /** Words behind which a statement's clauses are others. */
  readonly turns: readonly string[];
  /** IF, WHILE, WITH: the next verb belongs to them. */
  readonly leads: readonly string[];
}

export interface ScriptLanguage {
  readonly lexical: LexicalRules;
  readonly splitting: SplitRules;
}

export interface Statement {
  /** Without comments around it and without its delimiter. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  /** The first bare word in capitals; empty when there is none. */
  readonly firstWord: string;
  /** Batches count from 0; only GO ends one. */
  readonly batch: number;
  /** How often GO wants its batch run. */
  readonly repeat: number;
  /** Where the rows of COPY … FROM stdin stand. */
  readonly rows?: { readonly start: number; readonly end: number };
}

type Found = Omit<Statement, 'text' | 'line' | 'column'>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function split(text: string, language: ScriptLanguage): Statement[] {
  const position = positionCounter(text);
  return findStatements(text, language).map((found) => ({
    ...found,
    ...position(found.start),
    text: text.slice(found.start, found.end),
  }));
}

/** What is known of the statement that is being read. */
interface Draft {
  readonly first: number;
  parentheses: number;
  blocks: number;
  hasBody: boolean;
  /** The verb whose clauses are being read. */
  verb: string;
  /** The next verb belongs to this statement. */
  leads: boolean;
}

interface Splitter {
  readonly text: string;
  readonly code: readonly CodeToken[];
  readonly rules: SplitRules;
  readonly statements: Mutable<Found>[];
  draft: Draft | undefined;
  batch: number;
}

function findStatements(text: string, { lexical, splitting }: ScriptLanguage): readonly Found[] {
  const code = codeOf(text, lexical);
  const splitter: Splitter = {
    text,
    code,
    rules: splitting,
    statements: [],
    draft: undefined,
    batch: 0,
  };
  for (let i = 0; i < code.length; i += 1) take(splitter, i);
  finish(splitter, code.length);
  return splitter.statements;
}

function take(splitter: Splitter, i: number): void {
  const { code, statements, text } = splitter;
  const token = code[i] as CodeToken;
  if (token.kind === 'meta-line') takeLine(splitter, i);
  else if (token.kind === 'copy-data') {
    const copy = statements.at(-1);
    if (copy !== undefined) copy.rows = { start: token.start, end: token.end };
  } else if (token.kind === 'delimiter' && !isHeld(splitter, text.slice(token.start, token.end))) {
    finish(splitter, i);
  } else {
    if (startsAnother(splitter, i)) finish(splitter, i);
    splitter.draft ??= begin(i);
    follow(splitter, splitter.draft, i);
  }
}

/** Lines for the client end the statement before them; GO also ends the batch. */
function takeLine(splitter: Splitter, i: number): void {
  const { code, text, statements } = splitter;
  finish(splitter, i);
  const token = code[i] as CodeToken;
  const go = /^GO\s*(\d*)/i.exec(text.slice(token.start, token.end));
  if (go === null) return;
  const repeat = Number(go[1] || 1);
  for (let n = statements.length - 1; statements[n]?.batch === splitter.batch; n -= 1) {
    (statements[n] as Mutable<Found>).repeat = repeat;
  }
  splitter.batch += 1;
}

function begin(first: number): Draft {
  return { first, parentheses: 0, blocks: 0, hasBody: false, verb: '', leads: false };
}

/** Ends the statement before `behind`, without delimiters that its body held at the end. */
function finish(splitter: Splitter, behind: number): void {
  const { draft, code, statements, batch } = splitter;
  splitter.draft = undefined;
  if (draft === undefined) return;
  let last = behind - 1;
  while (last > draft.first && code[last]?.kind === 'delimiter') last -= 1;
  statements.push({
    start: (code[draft.first] as CodeToken).start,
    end: (code[last] as CodeToken).end,
    firstWord: firstWordOf(code, draft.first, last),
    batch,
    repeat: 1,
  });
}

function firstWordOf(code: readonly CodeToken[], first: number, last: number): string {
  for (let i = first; i <= last; i += 1) {
    if (code[i]?.kind === 'word') return code[i]?.word ?? '';
  }
  return '';
}

/** A delimiter that the client was told of ends a statement whatever its text. */
function isHeld({ draft, rules }: Splitter, delimiter: string): boolean {
  if (draft === undefined || delimiter !== ';') return false;
  if (rules.bodiesFillBatch && draft.hasBody) return true;
  return draft.blocks > 0 || (rules.parenthesesHold && draft.parentheses > 0);
}

function follow(splitter: Splitter, draft: Draft, i: number): void {
  const { code, rules } = splitter;
  const { word } = code[i] as CodeToken;
  if (word === '(') draft.parentheses += 1;
  if (word === ')') draft.parentheses = Math.max(0, draft.parentheses - 1);
  if (!isKeyword(code, i)) return;
  if (i - draft.first < rules.bodies.window) draft.hasBody ||= namesBody(splitter, draft, word);
  if (draft.hasBody || rules.blocksAnywhere) followBlocks(splitter, draft, i);
  if (rules.undelimited !== undefined) followVerb(splitter, draft, i);
}

function namesBody({ code, rules }: Splitter, draft: Draft, word: string): boolean {
  const verb = code[draft.first]?.word ?? '';
  return rules.bodies.verbs.includes(verb) && rules.bodies.objects.includes(word);
}

function followBlocks({ code, rules }: Splitter, draft: Draft, i: number): void {
  if (rules.closesBlock.some((closer) => isBlockWord(closer, code, i))) {
    draft.blocks = Math.max(0, draft.blocks - 1);
  } else if (rules.opensBlock.some((opener) => isBlockWord(opener, code, i))) draft.blocks += 1;
}

function isBlockWord(rule: BlockWord, code: readonly CodeToken[], i: number): boolean {
  const before = code[i - 1]?.word ?? '';
  const after = code[i + 1]?.word ?? '';
  return (
    code[i]?.word === rule.word &&
    rule.before?.includes(after) !== false &&
    rule.notBefore?.includes(after) !== true &&
    rule.after?.includes(before) !== false &&
    rule.notAfter?.includes(before) !== true
  );
}

/** Whether a verb begins a statement though nothing ended the one before. */
function startsAnother({ code, rules, draft }: Splitter, i: number): boolean {
  if (rules.undelimited === undefined || draft === undefined || !isKeyword(code, i)) return false;
  if (draft.parentheses > 0 || draft.blocks > 0 || draft.leads) return false;
  if (rules.bodiesFillBatch && draft.hasBody) return false;
  const { undelimited } = rules;
  if (!isVerb(undelimited, code, i) || followsOn(undelimited, code, i)) return false;
  return !undelimited.clauses[draft.verb]?.includes(code[i]?.word ?? '');
}

function isVerb(
  { verbs, notBefore }: UndelimitedRules,
  code: readonly CodeToken[],
  i: number,
): boolean {
  const word = code[i]?.word ?? '';
  if (!verbs.includes(word) || isIfExists(code, i)) return false;
  return !notBefore[word]?.includes(code[i + 1]?.word ?? '');
}

function followsOn({ notAfter }: UndelimitedRules, code: readonly CodeToken[], i: number): boolean {
  const before = code[i - 1]?.word ?? '';
  return notAfter.includes(before) || notAfter.includes(`${code[i - 2]?.word ?? ''} ${before}`);
}

/** `DROP TABLE IF EXISTS t`, not `IF EXISTS (SELECT …)`. */
function isIfExists(code: readonly CodeToken[], i: number): boolean {
  return code[i]?.word === 'IF' && code[i + 1]?.word === 'EXISTS' && code[i + 2]?.word !== '(';
}

function followVerb({ code, rules }: Splitter, draft: Draft, i: number): void {
  const undelimited = rules.undelimited as UndelimitedRules;
  const { word } = code[i] as CodeToken;
  if (draft.parentheses > 0 || (draft.blocks > 0 && word !== 'BEGIN')) return;
  const isFirst = i === draft.first || code[i - 1]?.word === 'AS';
  if (isVerb(undelimited, code, i)) {
    draft.verb = word;
    draft.leads = undelimited.leads.includes(word);
  } else if (undelimited.turns.includes(word)) draft.verb = word;
  else if (isFirst && undelimited.leads.includes(word)) draft.leads = true;
}
