/** Finds external access through settings, table options and routine bodies of MySQL and MariaDB. */
import { isKeyword } from '../../../portable/lexer/code.ts';
import { bareName, effect } from '../../../sql/effects.ts';
import { words } from '../../../portable/lexer/words.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';
import type { Effect, StatementCode } from '../../../sql/statement-rules.ts';

export function externalAccessEffects(statement: StatementCode): readonly Effect[] {
  const verb = statement.code[0]?.word ?? '';
  return [
    ...statement.code.flatMap((_, i) => settingEffects(statement, i)),
    ...(verb === 'CREATE' || verb === 'ALTER' ? definitionEffects(statement) : []),
    ...systemTableEffects(statement, verb),
  ];
}

// The server's own tables

const changingWords: ReadonlySet<string> = new Set(
  words(`
    ALTER CREATE DELETE DROP INSERT RENAME REPLACE TRUNCATE UPDATE
  `),
);

/** Statements that name these tables only to describe them or to grant privileges. */
const harmlessVerbs: ReadonlySet<string> = new Set(words('DESC DESCRIBE GRANT REVOKE SHOW'));

/**
 * The schema `mysql` contains loadable functions, remote servers and accounts. A row there has the
 * effect of INSTALL PLUGIN or CREATE SERVER, so every changing statement that names it counts.
 */
function systemTableEffects(statement: StatementCode, verb: string): readonly Effect[] {
  const { code } = statement;
  if (harmlessVerbs.has(verb)) return [];
  const isChange = code.some(
    ({ kind, word }, i) => kind === 'word' && changingWords.has(word) && code[i + 1]?.word !== '(',
  );
  if (!isChange) return [];
  return code.flatMap((token, i) => {
    const isSystem = code[i + 1]?.word === '.' && nameAt(statement, i) === 'MYSQL';
    const isPart = code[i - 1]?.word === '.';
    return isSystem && !isPart && token.kind !== 'variable'
      ? [effect(`The system table mysql.${nameAt(statement, i + 2).toLowerCase()}`, 'external')]
      : [];
  });
}

function nameAt({ text, code }: StatementCode, i: number): string {
  const token = code[i];
  if (token === undefined) return '';
  if (token.kind !== 'word' && token.kind !== 'quoted-name' && token.kind !== 'variable') return '';
  return bareName(text.slice(token.start, token.end)).toUpperCase();
}

// Settings

const scopes: ReadonlySet<string> = new Set(
  words(`
    GLOBAL PERSIST PERSIST_ONLY SESSION LOCAL
  `),
);

/** Values that cannot be a path, an address or a statement, whatever the setting is. */
const plainValue: ReadonlySet<string> = new Set(['ON', 'OFF', 'TRUE', 'FALSE', 'DEFAULT', 'NULL']);

/** Text settings that hold no path, address or statement. */
const plainSettings: ReadonlySet<string> = new Set(
  words(`
    AUTOCOMMIT BINLOG_FORMAT BINLOG_ROW_IMAGE BLOCK_ENCRYPTION_MODE CHARACTER_SET_CLIENT
    CHARACTER_SET_CONNECTION CHARACTER_SET_DATABASE CHARACTER_SET_FILESYSTEM
    CHARACTER_SET_RESULTS CHARACTER_SET_SERVER COLLATION_CONNECTION COLLATION_DATABASE
    COLLATION_SERVER COMPLETION_TYPE CONCURRENT_INSERT DEFAULT_COLLATION_FOR_UTF8MB4
    DEFAULT_WEEK_FORMAT DELAY_KEY_WRITE EVENT_SCHEDULER EXPLAIN_FORMAT FT_BOOLEAN_SYNTAX
    GENERAL_LOG INNODB_CHANGE_BUFFERING INNODB_CHECKSUM_ALGORITHM INNODB_DEFAULT_ROW_FORMAT
    INNODB_FLUSH_METHOD INNODB_MONITOR_DISABLE INNODB_MONITOR_ENABLE INNODB_MONITOR_RESET
    INNODB_STATS_METHOD INTERNAL_TMP_MEM_STORAGE_ENGINE LC_MESSAGES LC_TIME_NAMES LOG_OUTPUT
    LOG_SLOW_FILTER LOG_SLOW_VERBOSITY LOG_TIMESTAMPS MYISAM_STATS_METHOD OLD_MODE
    OPTIMIZER_SWITCH OPTIMIZER_TRACE SESSION_TRACK_SYSTEM_VARIABLES SQL_MODE SLOW_QUERY_LOG
    THREAD_POOL_PRIORITY TIME_ZONE TRANSACTION_ISOLATION TX_ISOLATION USE_STAT_TABLES
  `),
);

/**
 * Assignments such as `GLOBAL name = value` and `@@global.name = value`. Settings may name files,
 * programs, addresses and statements that run later, and they differ by version and plugin. So only
 * plain values and settings that are known to be harmless are allowed.
 */
function settingEffects(statement: StatementCode, i: number): Effect[] {
  const { code } = statement;
  const at = settingNameAt(statement, i);
  if (at === undefined) return [];
  let equals = at + 1;
  while (code[equals]?.word === '.') equals += 2;
  if (code[equals]?.word !== '=' && code[equals]?.word !== ':=') return [];
  const name = nameAt(statement, equals - 1).replace(/^@@/, '');
  if (plainSettings.has(name) || isPlain(statement, equals + 1)) return [];
  return [effect(`A text for the setting ${name}`, 'external')];
}

/** Index of the setting's name, if its scope or `@@` is at `i`. */
function settingNameAt(statement: StatementCode, i: number): number | undefined {
  const { code } = statement;
  const word = code[i]?.word ?? '';
  const isAssigned = code[i - 1]?.word === 'SET' || code[i - 1]?.word === ',';
  if (!isAssigned) return undefined;
  if (scopes.has(word) && code[i]?.kind === 'word')
    return isAtOperator(code[i + 1]) ? afterAtOperators(code, i + 1) : i + 1;
  if (code[i]?.kind === 'variable' && nameAt(statement, i).startsWith('@@')) return i;
  return isAtOperator(code[i]) ? afterAtOperators(code, i) : undefined;
}

/** The lexer splits @@`name` into `@` operators and a name. */
function isAtOperator(token: CodeToken | undefined): boolean {
  return token?.kind === 'operator' && /^@+$/.test(token.word);
}

function afterAtOperators(code: readonly CodeToken[], i: number): number {
  let at = i;
  while (isAtOperator(code[at])) at += 1;
  return at;
}

function isPlain({ code }: StatementCode, at: number): boolean {
  const value = code[at]?.word === '-' ? at + 1 : at;
  const isValue = code[value]?.kind === 'number' || plainValue.has(code[value]?.word ?? '');
  const next = code[value + 1];
  return isValue && (next === undefined || next.kind === 'delimiter' || /^[,;]$/.test(next.word));
}

// CREATE and ALTER

/** Engines that store rows in the server's data files or in memory. */
const plainEngines: ReadonlySet<string> = new Set(
  words(`
    ARCHIVE ARIA BLACKHOLE COLUMNSTORE CSV HEAP INNOBASE INNODB MEMORY MERGE MRG_MYISAM MROONGA
    MYISAM NDB NDBCLUSTER OQGRAPH ROCKSDB SEQUENCE TOKUDB XTRADB
  `),
);

/** Table options that reference nothing outside the table. Other options may be a path or an address. */
const plainOptions: ReadonlySet<string> = new Set(
  words(`
    ALGORITHM AUTOEXTEND_SIZE AUTO_INCREMENT AVG_ROW_LENGTH CHARSET CHECKSUM COLLATE COMMENT
    COMPRESSION DEFINER DELAY_KEY_WRITE ENCRYPTED ENCRYPTION ENCRYPTION_KEY_ID ENGINE
    IETF_QUOTES INSERT_METHOD ITEF_QUOTES KEY_BLOCK_SIZE LOCK MAX_ROWS MIN_ROWS NODEGROUP
    PACK_KEYS PAGE_CHECKSUM PAGE_COMPRESSED PAGE_COMPRESSION_LEVEL PARTITIONS PASSWORD
    ROW_FORMAT SET STATS_AUTO_RECALC STATS_PERSISTENT STATS_SAMPLE_PAGES TABLE_CHECKSUM
    TABLESPACE TRANSACTIONAL UNION
  `),
);

const routines: ReadonlySet<string> = new Set(
  words(`
    EVENT FUNCTION PACKAGE PROCEDURE TRIGGER
  `),
);

function definitionEffects(statement: StatementCode): readonly Effect[] {
  const { code } = statement;
  const object = code.find(
    ({ kind, word }) => kind === 'word' && (routines.has(word) || tables.has(word)),
  );
  if (object === undefined) return [];
  return tables.has(object.word) ? tableEffects(statement) : routineEffects(statement, object.word);
}

const tables: ReadonlySet<string> = new Set(['TABLE', 'DATABASE', 'SCHEMA', 'VIEW']);

/** Examines the definition up to the query of CREATE TABLE … SELECT. */
function tableEffects(statement: StatementCode): readonly Effect[] {
  const { code } = statement;
  const query = code.findIndex(({ word }, i) => word === 'SELECT' && code[i - 1]?.word !== '.');
  const definition = code.slice(0, query < 0 ? code.length : query);
  let depth = 0;
  return definition.flatMap((token, i) => {
    depth += Number(token.word === '(') - Number(token.word === ')');
    const name = nameAt(statement, i);
    const isOption = depth === 0 && definition[i + 1]?.word === '=' && name !== '';
    if (name === 'ENGINE' || (name === 'TYPE' && isOption)) return engineEffects(statement, i);
    const isLink = depth === 0 && name === 'CONNECTION' && definition[i + 1]?.kind === 'string';
    const isPlainOption = plainOptions.has(name) || name.startsWith('@@');
    return (isOption && !isPlainOption) || isLink
      ? [effect(`The table's option ${name}`, 'external')]
      : [];
  });
}

/** `ENGINE = name` or `ENGINE name`, as opposed to a column named `engine`. */
function engineEffects(statement: StatementCode, i: number): Effect[] {
  const hasEquals = statement.code[i + 1]?.word === '=';
  const token = statement.code[i + (hasEquals ? 2 : 1)];
  const isNamed = token !== undefined && ['word', 'quoted-name', 'string'].includes(token.kind);
  if (!isNamed || (!hasEquals && !isAfterDefinition(statement.code, i))) return [];
  const tokenText = statement.text.slice(token.start, token.end);
  const name = bareName(tokenText.replace(/^'(.*)'$/s, '`$1`')).toUpperCase();
  return plainEngines.has(name) ? [] : [effect(`The engine ${name}`, 'external')];
}

/** False where ENGINE is a column name, which is followed by its type: within the parentheses, or after ADD and the like. */
function isAfterDefinition(code: readonly CodeToken[], i: number): boolean {
  const before = code[i - 1];
  return ![
    '(',
    ',',
    '.',
    'COLUMN',
    'ADD',
    'CHANGE',
    'MODIFY',
    'EXISTS',
    'DROP',
    'TO',
    'AFTER',
    'BY',
  ].includes(before?.word ?? '');
}

/** Dynamic SQL may access what the text itself must not name. */
function routineEffects(statement: StatementCode, object: string): readonly Effect[] {
  const { code } = statement;
  const tableStarts = code.flatMap(({ word }, i) =>
    word === 'TABLE' && tableVerbs.has(code[i - 1]?.word ?? '') && isKeyword(code, i)
      ? [i - 1]
      : [],
  );
  const inner = tableStarts.flatMap((start) => tableEffects(statementFrom(statement, start)));
  return [...inner, ...dynamicEffects(statement, object)];
}

/** Words before the TABLE of a statement that sets its engine and options. */
const tableVerbs: ReadonlySet<string> = new Set(words('CREATE ALTER REPLACE TEMPORARY'));

/** A statement of a body, up to its semicolon. */
function statementFrom({ code, ...rest }: StatementCode, start: number): StatementCode {
  const end = code.findIndex(({ word }, i) => i > start && word === ';');
  return { ...rest, code: code.slice(start, end === -1 ? code.length : end) };
}

function dynamicEffects({ code }: StatementCode, object: string): readonly Effect[] {
  return code.flatMap(({ kind, word }, i) => {
    if (kind !== 'word' || code[i - 1]?.word === '.') return [];
    const isDynamic =
      (word === 'EXECUTE' && code[i + 1]?.word !== ',') ||
      (word === 'PREPARE' && code[i + 2]?.word === 'FROM');
    const isCall = word === 'CALL' && object === 'EVENT';
    return isDynamic || isCall ? [effect(`${word} within its body`, 'execute')] : [];
  });
}
