/** Finds statements that administer the server in the body of a trigger, routine or event. */
import { isKeyword } from '../../../portable/lexer/code.ts';
import { words } from '../../../portable/lexer/words.ts';
import { bareName } from '../../../sql/effects.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';

interface Body {
  readonly text: string;
  readonly code: readonly CodeToken[];
}

/** Reserved words, which begin a statement wherever they are keywords. */
const reservedVerbs: ReadonlySet<string> = new Set(words('GRANT REVOKE KILL PURGE'));

/** By the first word of a statement: second words that make it such a statement. */
const administration: Readonly<Record<string, readonly string[] | undefined>> = {
  CREATE: words('USER ROLE DATABASE SCHEMA SERVER TABLESPACE LOGFILE UNDO'),
  ALTER: words('USER DATABASE SCHEMA SERVER TABLESPACE LOGFILE UNDO INSTANCE'),
  DROP: words('USER ROLE DATABASE SCHEMA SERVER TABLESPACE LOGFILE UNDO'),
  RENAME: words('USER'),
  CHANGE: words('MASTER REPLICATION'),
  START: words('ALL SLAVE REPLICA GROUP_REPLICATION'),
  STOP: words('ALL SLAVE REPLICA GROUP_REPLICATION'),
  RESET: words('MASTER SLAVE REPLICA BINARY PERSIST QUERY'),
  FLUSH: words(`
    BINARY ENGINE ERROR GENERAL HOSTS LOCAL LOGS NO_WRITE_TO_BINLOG OPTIMIZER_COSTS PRIVILEGES QUERY
    RELAY SLOW STATUS TABLE TABLES USER_RESOURCES
  `),
  UNINSTALL: words('PLUGIN SONAME COMPONENT'),
  BACKUP: words('STAGE LOCK UNLOCK'),
};

/** A statement may begin after each of these. */
const statementStarts: ReadonlySet<string> = new Set(
  words(
    '; : ) BEGIN THEN ELSE DO LOOP REPEAT ROW SQLEXCEPTION SQLWARNING FOUND SQL DATA DETERMINISTIC DEFINER INVOKER',
  ),
);

const globalScopes: ReadonlySet<string> = new Set(words('GLOBAL PERSIST PERSIST_ONLY'));

/** The first words of each such statement. */
export function administrationInBody({ text, code }: Body): readonly string[] {
  const plain = code.filter((_, i) => !isReplacePhrase(code, i));
  const body = { text, code: plain };
  const found = plain.map((_, i) => administrationAt(body, i) ?? globalVariableAt(body, i));
  return [...new Set(found.filter((subject) => subject !== undefined))];
}

/** `OR REPLACE` comes between CREATE and the kind of the object. */
function isReplacePhrase(code: readonly CodeToken[], i: number): boolean {
  const [before, word, next] = [code[i - 1]?.word, code[i]?.word, code[i + 1]?.word];
  return (word === 'OR' && next === 'REPLACE') || (before === 'OR' && word === 'REPLACE');
}

function administrationAt({ code }: Body, i: number): string | undefined {
  if (!isKeyword(code, i)) return undefined;
  const { word } = code[i]!;
  const { word: next = '', kind: nextKind } = code[i + 1] ?? {};
  if (reservedVerbs.has(word)) return word;
  if (Object.hasOwn(administration, word) && administration[word]?.includes(next))
    return `${word} ${next}`;
  const before = code[i - 1]?.word ?? '';
  // `SET GLOBAL name = …`, as opposed to a column with that name.
  if (globalScopes.has(word) && (before === 'SET' || before === ',') && nextKind === 'word')
    return `SET ${word}`;
  if (!statementStarts.has(before)) return undefined;
  // UPDATE has a SET too.
  if (word === 'SET' && next === 'PASSWORD') return 'SET PASSWORD';
  const isAlone = nextKind === undefined || nextKind === 'delimiter' || [';', 'END'].includes(next);
  return (word === 'SHUTDOWN' || word === 'RESTART') && (isAlone || next === 'WAIT')
    ? word
    : undefined;
}

/** `@@global.name = …` within SET. The lexer reads @@`global` as operators and a name. */
function globalVariableAt({ text, code }: Body, i: number): string | undefined {
  const before = code[i - 1]?.word ?? '';
  if (before !== 'SET' && before !== ',') return undefined;
  let at = i;
  while (code[at]?.kind === 'operator' && /^@+$/.test(code[at]?.word ?? '')) at += 1;
  const { start = 0, end = 0, kind } = code[at] ?? {};
  if (kind !== 'variable' && at === i) return undefined;
  const scope = bareName(text.slice(start, end).replace(/^@@/, '')).toUpperCase();
  const assignment = code[at + 3]?.word;
  const isAssigned = assignment === '=' || assignment === ':=';
  return isAssigned && globalScopes.has(scope) ? `SET ${scope}` : undefined;
}
