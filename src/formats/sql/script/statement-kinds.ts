/** Classifies statements without rows. */
import { executableCode } from '../../../sql/ddl/cursor.ts';
import { kindOfNesting } from './nested-kinds.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';
import type { KindContext, StatementKind } from './statement-kind.ts';

const skippedVerbs: ReadonlySet<string> = new Set([
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

const schemaVerbs: ReadonlySet<string> = new Set([
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

/** Words that an approximate check of a whole statement looks for. */
const structuralVerbs: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'DROP']);
const writingVerbs: ReadonlySet<string> = new Set([
  'INSERT',
  'UPDATE',
  'DELETE',
  'MERGE',
  'REPLACE',
  'TRUNCATE',
]);

/** Without REPLACE, which is a function too. */
const rowVerbs: ReadonlySet<string> = new Set(
  [...writingVerbs].filter((verb) => verb !== 'REPLACE'),
);

/** Functions that set sequences or session settings. */
const settingFunctions: ReadonlySet<string> = new Set(['SETVAL', 'SET_CONFIG']);
/** Internal tables of SQLite: AUTOINCREMENT counters and statistics. */
const internalTables = /^sqlite_(?:sequence|stat\d)$/i;

export function kindOfStatement(text: string, context: KindContext): StatementKind {
  const code = executableCode(text, context.lexical);
  const words = code.map(({ word }) => word);
  const [verb = ''] = words;
  if (code.length === 0) return 'skippable';
  const nested = kindOfNesting({ text, code }, context, kindOfStatement);
  if (nested === 'container' && verb === 'IF' && isStructural(words)) return 'ddl';
  if (nested !== undefined) return nested;
  if (skippedVerbs.has(verb))
    return opensBlock(words) || containsWrites(words) ? 'other' : 'skippable';
  if (setsUpReplication(words)) return 'skippable';
  // T-SQL. Elsewhere a table may have this name.
  if (verb === 'UPDATE' && words[1] === 'STATISTICS' && !words.includes('SET')) return 'skippable';
  // Dumps of MariaDB set sequences with `DO SETVAL(…)`.
  if (verb === 'DO' && words[1] === 'SETVAL' && words[2] === '(') return 'skippable';
  if (verb === 'DO') return changesOnlyStructure(code, text) ? 'ddl' : 'other';
  if (verb === 'SELECT') return isSetting(code) ? 'skippable' : kindOfSelect(words);
  if (verb === 'DELETE') return deletesInternalRows(code, text) ? 'skippable' : 'other';
  if (verb === 'ALTER' && switchesChecks(words)) return 'skippable';
  if (schemaVerbs.has(verb) || callsSchemaProcedure(code, text)) return 'ddl';
  return verb === 'IF' && isStructural(words) ? 'ddl' : 'other';
}

/** A block of PL/pgSQL, as migrations write it: `DO $$ BEGIN ALTER TABLE … EXCEPTION … END $$`. */
function changesOnlyStructure(code: readonly CodeToken[], text: string): boolean {
  const body = code.find(({ kind, start }) => kind === 'string' && text[start] === '$');
  const bodyText = body === undefined ? '' : text.slice(body.start, body.end);
  return (
    /\b(?:CREATE|ALTER|DROP)\b/i.test(bodyText) &&
    !/\b(?:INSERT|UPDATE|DELETE|MERGE|TRUNCATE|COPY)\b/i.test(bodyText.replaceAll(actions, ''))
  );
}

/** Of a foreign key. */
const actions = /\bON\s+(?:DELETE|UPDATE)\b/gi;

/** SELECT INTO creates a table, or writes a file. */
function kindOfSelect(words: readonly string[]): StatementKind {
  return words.includes('INTO') || words.some((word) => rowVerbs.has(word)) ? 'other' : 'read';
}

/** BEGIN of a block of statements, not of a transaction: `BEGIN TRY`, `BEGIN INSERT …`. */
function opensBlock([verb, next = '']: readonly string[]): boolean {
  return (
    verb === 'BEGIN' &&
    !/^(?:|TRAN(?:SACTION)?|WORK|IMMEDIATE|EXCLUSIVE|DEFERRED|ISOLATION|READ|NOT)$/.test(next)
  );
}

/**
 * Contains a statement that writes, such as MariaDB's `SET STATEMENT … FOR INSERT …`. LOCK has such
 * words as modes, and `ANALYZE TABLE … UPDATE HISTOGRAM` writes statistics.
 */
function containsWrites([verb, ...words]: readonly string[]): boolean {
  if (verb === 'LOCK' || (verb === 'ANALYZE' && words[0] === 'TABLE')) return false;
  return words.some((word) => rowVerbs.has(word));
}

/** Dumps of MySQL and MariaDB with --master-data or --dump-slave set up replication. */
function setsUpReplication([verb = '', object = '']: readonly string[]): boolean {
  return (
    /^(?:CHANGE|STOP)$/.test(verb) && /^(?:MASTER|REPLICATION|SLAVE|REPLICA|ALL)$/.test(object)
  );
}

function isSetting(code: readonly CodeToken[]): boolean {
  const call = code.find(({ word }, i) => code[i + 1]?.word === '(' && word !== '');
  return settingFunctions.has(call?.word ?? '');
}

function deletesInternalRows(code: readonly CodeToken[], text: string): boolean {
  const table = code[code.findIndex(({ word }) => word === 'FROM') + 1];
  return (
    table !== undefined &&
    internalTables.test(text.slice(table.start, table.end).replaceAll(/["`]/g, ''))
  );
}

/** DISABLE KEYS, ENABLE TRIGGER, NOCHECK CONSTRAINT, ALTER CONSTRAINT … DEFERRABLE and similar. */
function switchesChecks(words: readonly string[]): boolean {
  const text = words.join(' ');
  return (
    /\b(?:(?:DIS|EN)ABLE (?:KEYS|TRIGGER)|(?:(?:NO)?CHECK|ALTER) CONSTRAINT)\b/.test(text) &&
    !/\b(?:ADD|DROP)\b/.test(text)
  );
}

/** Procedures of SQL Server that describe or rename objects, and types. */
const schemaProcedures: ReadonlySet<string> = new Set([
  'sp_addextendedproperty',
  'sp_updateextendedproperty',
  'sp_rename',
  'sp_addtype',
]);

function callsSchemaProcedure(code: readonly CodeToken[], text: string): boolean {
  const [verb, ...others] = code;
  if (verb?.word !== 'EXEC' && verb?.word !== 'EXECUTE') return false;
  let last = 0;
  while (others[last + 1]?.word === '.') last += 2;
  const name = others[last];
  return (
    name !== undefined &&
    schemaProcedures.has(
      text
        .slice(name.start, name.end)
        .replaceAll(/[[\]"]/g, '')
        .toLowerCase(),
    )
  );
}

/** `IF EXISTS (…) DROP TABLE …`. */
function isStructural(words: readonly string[]): boolean {
  return (
    words.some((word) => structuralVerbs.has(word)) && !words.some((word) => writingVerbs.has(word))
  );
}
