/** What becomes of statements that hold no rows. */
import { codeOf } from '../../sql/code.ts';
import type { CodeToken } from '../../sql/code.ts';
import type { LexicalRules } from '../../sql/lexer.ts';

export type StatementKind =
  /** What dump tools put around rows: it is left out. */
  | 'around'
  /** It makes or changes structure: refused, or left out on request. */
  | 'ddl'
  | 'other';

const around: ReadonlySet<string> = new Set([
  'BEGIN',
  'START',
  'COMMIT',
  'END',
  'SET',
  'LOCK',
  'UNLOCK',
  'PRAGMA',
  'USE',
  'ANALYZE',
  'VACUUM',
  'OPTIMIZE',
  'CHECKPOINT',
  'PRINT',
  'SAVEPOINT',
  'RELEASE',
  'FLUSH',
  'RESET',
  'DISCARD',
]);

const structural: ReadonlySet<string> = new Set([
  'CREATE',
  'ALTER',
  'DROP',
  'COMMENT',
  'GRANT',
  'REVOKE',
  'RENAME',
  'REINDEX',
  'REFRESH',
  'SECURITY',
  'DENY',
]);

/** Bare words that a loose check of a whole statement looks for. */
const structuralVerbs: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'DROP']);
const writingVerbs: ReadonlySet<string> = new Set([
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE',
  'REPLACE',
  'TRUNCATE',
]);

/** REPLACE is a function too. */
const rowVerbs: ReadonlySet<string> = new Set(
  [...writingVerbs].filter((verb) => verb !== 'REPLACE'),
);

/** Functions that move counters, or set how the server speaks. */
const settingFunctions: ReadonlySet<string> = new Set(['SETVAL', 'SET_CONFIG']);
/** SQLite's own tables: a counter of keys, and statistics. */
const ownTables = /^sqlite_(?:sequence|stat\d)$/i;

export function isInternalTable(parts: readonly string[]): boolean {
  return ownTables.test(parts.at(-1) ?? '');
}

export function kindOfStatement(text: string, rules: LexicalRules): StatementKind {
  const code = codeOf(text, rules).filter(({ kind }) => !kind.startsWith('versioned'));
  const words = code.map(({ word }) => word);
  const [verb = ''] = words;
  if (verb === '') return 'around';
  if (around.has(verb)) return opensBlock(words) || holdsWrites(words) ? 'other' : 'around';
  // MariaDB's dumps move sequences by `DO SETVAL(…)`.
  if (verb === 'DO' && words[1] === 'SETVAL' && words[2] === '(') return 'around';
  if (verb === 'SELECT') return isSetting(code) ? 'around' : 'other';
  if (verb === 'DELETE') return deletesOwn(code, text) ? 'around' : 'other';
  if (verb === 'ALTER' && switchesChecks(words)) return 'around';
  if (structural.has(verb)) return 'ddl';
  return verb === 'IF' && isStructural(words) ? 'ddl' : 'other';
}

/** `BEGIN TRY`, `BEGIN INSERT …`, and a `BEGIN;` that ends no statement: a block of statements, no transaction. */
function opensBlock([verb, next = '']: readonly string[]): boolean {
  return (
    verb === 'BEGIN' &&
    !/^(?:|TRAN(?:SACTION)?|WORK|IMMEDIATE|EXCLUSIVE|DEFERRED|ISOLATION|READ|NOT)$/.test(next)
  );
}

/** A statement within the statement, such as MariaDB's `SET STATEMENT … FOR INSERT …`; LOCK names its modes. */
function holdsWrites([verb, ...words]: readonly string[]): boolean {
  return verb !== 'LOCK' && words.some((word) => rowVerbs.has(word));
}

function isSetting(code: readonly CodeToken[]): boolean {
  const call = code.find(({ word }, i) => code[i + 1]?.word === '(' && word !== '');
  return settingFunctions.has(call?.word ?? '');
}

function deletesOwn(code: readonly CodeToken[], text: string): boolean {
  const table = code.findLast(({ kind }) => kind === 'word' || kind === 'quoted-name');
  return (
    table !== undefined &&
    ownTables.test(text.slice(table.start, table.end).replaceAll(/["`]/g, ''))
  );
}

/** DISABLE KEYS, ENABLE TRIGGER, NOCHECK CONSTRAINT, ALTER CONSTRAINT … DEFERRABLE and the like. */
function switchesChecks(words: readonly string[]): boolean {
  const text = words.join(' ');
  return (
    /\b(?:(?:DIS|EN)ABLE (?:KEYS|TRIGGER)|(?:(?:NO)?CHECK|ALTER) CONSTRAINT)\b/.test(text) &&
    !/\b(?:ADD|DROP)\b/.test(text)
  );
}

/** `IF EXISTS (…) DROP TABLE …`. */
function isStructural(words: readonly string[]): boolean {
  return (
    words.some((word) => structuralVerbs.has(word)) && !words.some((word) => writingVerbs.has(word))
  );
}
