/**
 * Splits a script into statements as the dialect's own client does: by tokens, without checking
 * whether the statements are valid.
 */
import { codeOf, isKeyword } from './code.ts';
import { positionCounter } from './position.ts';
import type { CodeToken } from './code.ts';
import type { LexicalRules } from './lexical-rules.ts';

/** The rules, besides the delimiter, for where statements of a dialect end: data only. */
export interface SplitRules {
  /**
   * Identifies statements whose bodies contain statements: by a verb and, within `window` tokens, an
   * object such as TRIGGER. Blocks count only in these statements.
   */
  readonly bodies: {
    readonly verbs: readonly string[];
    readonly objects: readonly string[];
    /** Words that make the next one another object: PARTITION FUNCTION. */
    readonly notAfter?: readonly string[];
    readonly window: number;
  };
  /** Blocks count in every statement. */
  readonly blocksAnywhere: boolean;
  /** A statement with a body extends to the end of its batch. */
  readonly bodiesFillBatch: boolean;
  readonly opensBlock: readonly BlockWord[];
  readonly closesBlock: readonly BlockWord[];
  /** A delimiter within parentheses does not end the statement. */
  readonly ignoresDelimiterInParentheses: boolean;
  /** Words that begin a statement which contains others outside of routines: `BEGIN NOT ATOMIC …`. */
  readonly compoundVerbs?: readonly string[];
  /** Set for dialects whose statements need no delimiter between them. */
  readonly undelimited?: UndelimitedRules;
}

export interface BlockWord {
  readonly word: string;
  readonly before?: readonly string[];
  readonly notBefore?: readonly string[];
  readonly after?: readonly string[];
  /** One or two words. */
  readonly notAfter?: readonly string[];
}

export interface UndelimitedRules {
  /** Reserved words that begin a statement wherever the previous one is complete. */
  readonly verbs: readonly string[];
  /** After these words (one or two), a verb belongs to the previous statement. */
  readonly notAfter: readonly string[];
  /** For each verb, the next words that make it something else. */
  readonly notBefore: Readonly<Record<string, readonly string[]>>;
  /** For each verb, the verbs that are its clauses: SET for UPDATE. */
  readonly clauses: Readonly<Record<string, readonly string[]>>;
  /** Words within a statement after which the verbs of `clauses` are its clauses too: FETCH after OFFSET. */
  readonly clauseWords: readonly string[];
  /** IF, WHILE, WITH: the next verb belongs to them. */
  readonly leads: readonly string[];
}

export interface ScriptLanguage {
  readonly lexical: LexicalRules;
  readonly splitting: SplitRules;
}

export interface Statement {
  /** Without surrounding comments and without the delimiter. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly line: number;
  readonly column: number;
  /** The first unquoted word in upper case; empty if there is none. */
  readonly firstWord: string;
  /** Batches count from 0; only GO ends one. */
  readonly batch: number;
  /** How often the batch runs, as `GO 5` requests. */
  readonly repeat: number;
  /** Offsets of the rows of COPY … FROM stdin. */
  readonly rows?: { readonly start: number; readonly end: number };
}

type FoundStatement = Omit<Statement, 'text' | 'line' | 'column'>;
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export function split(text: string, language: ScriptLanguage): Statement[] {
  const position = positionCounter(text);
  return findStatements(text, language).map((found) => ({
    ...found,
    ...position(found.start),
    text: text.slice(found.start, found.end),
  }));
}

/** The state of the statement that is being read. */
interface StatementState {
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
  readonly statements: Mutable<FoundStatement>[];
  draft: StatementState | undefined;
  batch: number;
  /** Inside of a versioned comment, which belongs to one statement. */
  isVersioned: boolean;
}

function findStatements(
  text: string,
  { lexical, splitting }: ScriptLanguage,
): readonly FoundStatement[] {
  const code = codeOf(text, lexical);
  const splitter: Splitter = {
    text,
    code,
    rules: splitting,
    statements: [],
    draft: undefined,
    batch: 0,
    isVersioned: false,
  };
  for (let i = 0; i < code.length; i += 1) handleToken(splitter, i);
  finish(splitter, code.length);
  return splitter.statements;
}

function handleToken(splitter: Splitter, i: number): void {
  const { code, statements, text } = splitter;
  const token = code[i] as CodeToken;
  if (token.kind === 'versioned-open') splitter.isVersioned = true;
  if (token.kind === 'versioned-close') splitter.isVersioned = false;
  if (token.kind === 'meta-line') handleClientLine(splitter, i);
  else if (token.kind === 'copy-data') {
    const copy = statements.at(-1);
    if (copy !== undefined) copy.rows = { start: token.start, end: token.end };
  } else if (separatesSentTogether(splitter, i)) finish(splitter, i);
  else if (
    token.kind === 'delimiter' &&
    !isInsideStatement(splitter, text.slice(token.start, token.end)) &&
    !isBeforeElse(splitter, i)
  ) {
    finish(splitter, i);
  } else {
    if (startsAnother(splitter, i)) finish(splitter, i);
    splitter.draft ??= begin(i);
    updateState(splitter, splitter.draft, i);
  }
}

/** Lines for the client end the statement before them; GO also ends the batch. */
function handleClientLine(splitter: Splitter, i: number): void {
  const { code, text, statements } = splitter;
  finish(splitter, i);
  const token = code[i] as CodeToken;
  const go = /^GO\s*(\d*)/i.exec(text.slice(token.start, token.end));
  if (go === null) return;
  const repeat = Number(go[1] || 1);
  for (let n = statements.length - 1; statements[n]?.batch === splitter.batch; n -= 1) {
    (statements[n] as Mutable<FoundStatement>).repeat = repeat;
  }
  splitter.batch += 1;
}

function begin(first: number): StatementState {
  return { first, parentheses: 0, blocks: 0, hasBody: false, verb: '', leads: false };
}

/** Ends the statement before token `next`, without trailing delimiters. */
function finish(splitter: Splitter, next: number): void {
  const { draft, code, statements, batch } = splitter;
  splitter.draft = undefined;
  if (draft === undefined) return;
  let last = next - 1;
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

/** Whether a delimiter `;` belongs to a body or parentheses. Another one, set by DELIMITER, always ends the statement. */
function isInsideStatement({ draft, rules }: Splitter, delimiter: string): boolean {
  if (draft === undefined || delimiter !== ';') return false;
  if (rules.bodiesFillBatch && draft.hasBody) return true;
  return draft.blocks > 0 || (rules.ignoresDelimiterInParentheses && draft.parentheses > 0);
}

/**
 * Whether `;` separates statements that the client sends together, because DELIMITER has set another
 * delimiter. A statement that contains others extends to that delimiter.
 */
function separatesSentTogether({ code, draft, rules, isVersioned }: Splitter, i: number): boolean {
  const { kind, word } = code[i] as CodeToken;
  if (word !== ';' || kind === 'delimiter' || isVersioned) return false;
  if (draft === undefined) return true;
  const [verb = '', second] = code.slice(draft.first, draft.first + 2).map((each) => each.word);
  const isTransaction = verb === 'BEGIN' && (second === ';' || second === 'WORK');
  const isCompound = rules.compoundVerbs?.includes(verb) === true || second === ':';
  return !draft.hasBody && (isTransaction || !isCompound);
}

/** T-SQL: `IF … PRINT 'a'; ELSE PRINT 'b';` is one statement. */
function isBeforeElse({ draft, code, rules }: Splitter, i: number): boolean {
  return (
    rules.undelimited !== undefined &&
    code[draft?.first ?? i]?.word === 'IF' &&
    code[i + 1]?.word === 'ELSE'
  );
}

function updateState(splitter: Splitter, draft: StatementState, i: number): void {
  const { code, rules } = splitter;
  const { word } = code[i] as CodeToken;
  if (word === '(') draft.parentheses += 1;
  if (word === ')') draft.parentheses = Math.max(0, draft.parentheses - 1);
  if (!isKeyword(code, i)) return;
  if (i - draft.first < rules.bodies.window) draft.hasBody ||= namesBody(splitter, draft, i);
  if (draft.hasBody || rules.blocksAnywhere) countBlocks(splitter, draft, i);
  if (rules.undelimited !== undefined) updateVerb(splitter, draft, i);
}

function namesBody({ code, rules }: Splitter, draft: StatementState, i: number): boolean {
  const { verbs, objects, notAfter } = rules.bodies;
  return (
    verbs.includes(code[draft.first]?.word ?? '') &&
    objects.includes(code[i]?.word ?? '') &&
    notAfter?.includes(code[i - 1]?.word ?? '') !== true
  );
}

function countBlocks({ code, rules }: Splitter, draft: StatementState, i: number): void {
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
    rule.notAfter?.includes(before) !== true &&
    rule.notAfter?.includes(`${code[i - 2]?.word ?? ''} ${before}`) !== true
  );
}

/** Whether a verb begins a statement without a delimiter before it. */
function startsAnother({ code, rules, draft }: Splitter, i: number): boolean {
  if (rules.undelimited === undefined || draft === undefined || !isKeyword(code, i)) return false;
  if (draft.parentheses > 0 || draft.blocks > 0 || draft.leads) return false;
  if (rules.bodiesFillBatch && draft.hasBody) return false;
  const { undelimited } = rules;
  if (!isVerb(undelimited, code, i) || continuesPrevious(undelimited, code, i)) return false;
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

function continuesPrevious(
  { notAfter }: UndelimitedRules,
  code: readonly CodeToken[],
  i: number,
): boolean {
  const before = code[i - 1]?.word ?? '';
  return notAfter.includes(before) || notAfter.includes(`${code[i - 2]?.word ?? ''} ${before}`);
}

/** `DROP TABLE IF EXISTS t`, not `IF EXISTS (SELECT …)`. */
function isIfExists(code: readonly CodeToken[], i: number): boolean {
  return code[i]?.word === 'IF' && code[i + 1]?.word === 'EXISTS' && code[i + 2]?.word !== '(';
}

function updateVerb({ code, rules }: Splitter, draft: StatementState, i: number): void {
  const undelimited = rules.undelimited as UndelimitedRules;
  const { word } = code[i] as CodeToken;
  if (draft.parentheses > 0 || (draft.blocks > 0 && word !== 'BEGIN')) return;
  const isFirst = i === draft.first || code[i - 1]?.word === 'AS';
  if (isVerb(undelimited, code, i)) {
    draft.verb = word;
    draft.leads = undelimited.leads.includes(word);
  } else if (undelimited.clauseWords.includes(word)) draft.verb = word;
  else if (isFirst && undelimited.leads.includes(word)) draft.leads = true;
}
