/** Finds the databases that the body of a trigger, routine or event names. */
import { isKeyword } from '../../../portable/lexer/code.ts';
import { words } from '../../../portable/lexer/words.ts';
import { bareName } from '../../../sql/effects.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';

interface Body {
  readonly text: string;
  readonly code: readonly CodeToken[];
}

/** A table, view or routine follows each of these. */
const beforeTables: ReadonlySet<string> = new Set(
  words(`
    FROM JOIN STRAIGHT_JOIN INTO UPDATE DELETE INSERT REPLACE TABLE TABLES TRUNCATE VIEW CALL USING
    REFERENCES TO EXISTS SEQUENCE PROCEDURE FUNCTION EVENT TRIGGER
  `),
);

/** Words between such a word and the table. */
const modifiers: ReadonlySet<string> = new Set(
  words('LOW_PRIORITY HIGH_PRIORITY DELAYED QUICK IGNORE IF NOT LATERAL ONLY LOCAL'),
);

/** A list of tables ends before each of these. */
const afterTables: ReadonlySet<string> = new Set(
  words('; SELECT SET WHERE GROUP ORDER HAVING LIMIT VALUES VALUE BEGIN THEN ELSE DO RETURN'),
);

/** FROM has another meaning within their parentheses. */
const callsWithFrom: ReadonlySet<string> = new Set(words('EXTRACT TRIM SUBSTRING SUBSTR MID'));

const callsWithSequence: ReadonlySet<string> = new Set(words('NEXTVAL LASTVAL SETVAL'));

/** What is between two parentheses, or outside of all. */
interface Group {
  /** Whether a comma separates tables. */
  isTableList: boolean;
  /** Whether a table comes next. */
  expectsTable: boolean;
  readonly isCallWithFrom: boolean;
}

/** In lower case. A qualified column such as `NEW.id` names a database only if it has three parts. */
export function databasesInBody(body: Body): ReadonlySet<string> {
  const found = new Set<string>();
  const outside: Group = { isTableList: false, expectsTable: false, isCallWithFrom: false };
  const groups = [outside];
  for (const i of body.code.keys()) {
    const group = groups.at(-1) ?? outside;
    if (isName(body, i) && body.code[i + 1]?.word === '.' && body.code[i - 1]?.word !== '.') {
      const after = body.code[i + 3]?.word;
      if (group.expectsTable || after === '.' || after === '(') found.add(nameAt(body, i));
      group.expectsTable = false;
    } else if (body.code[i]?.word === '(') groups.push(groupAfter(body, i, group));
    else if (body.code[i]?.word === ')') {
      if (groups.length > 1) groups.pop();
      (groups.at(-1) ?? outside).expectsTable = false;
    } else follow(body, i, group);
  }
  return found;
}

function groupAfter({ code }: Body, i: number, { expectsTable }: Group): Group {
  const before = code[i - 1]?.word ?? '';
  const expectsTables = expectsTable || callsWithSequence.has(before);
  return {
    isTableList: expectsTables,
    expectsTable: expectsTables,
    isCallWithFrom: callsWithFrom.has(before),
  };
}

function follow({ code }: Body, i: number, group: Group): void {
  const { word = '', kind } = code[i] ?? {};
  if (word === '.' || code[i - 1]?.word === '.' || modifiers.has(word)) return;
  if (word === ';' || kind === 'delimiter') group.isTableList = group.expectsTable = false;
  else if (word === ',') group.expectsTable = group.isTableList;
  else if (isKeyword(code, i) && startsTables(code, i, group))
    group.isTableList = group.expectsTable = true;
  else {
    if (afterTables.has(word)) group.isTableList = false;
    group.expectsTable = false;
  }
}

function startsTables(code: readonly CodeToken[], i: number, group: Group): boolean {
  const word = code[i]?.word ?? '';
  const before = code[i - 1]?.word ?? '';
  const recent = code.slice(Math.max(0, i - maxDistance), i).map((token) => token.word);
  // FOR UPDATE, ON DUPLICATE KEY UPDATE, and ON UPDATE and ON DELETE of a foreign key.
  if (word === 'UPDATE' || word === 'DELETE') return !['FOR', 'KEY', 'ON'].includes(before);
  if (word === 'FROM') return !group.isCallWithFrom;
  if (word === 'FOR') return before === 'VALUE' && code[i - 2]?.word === 'NEXT';
  // CREATE TABLE … LIKE and CREATE INDEX … ON; elsewhere these come before an expression.
  if (word === 'LIKE') return recent.includes('TABLE');
  if (word === 'ON') return recent.some((each, j) => each === 'INDEX' && indexVerbs.has(recent[j - 1] ?? '')); // prettier-ignore
  if (functions.has(word) && code[i + 1]?.word === '(') return false;
  return beforeTables.has(word);
}

/** Between `TABLE` and `LIKE`: `IF NOT EXISTS a.b (`. */
const maxDistance = 8;

/** Functions too, if a parenthesis follows. */
const functions: ReadonlySet<string> = new Set(words('INSERT REPLACE TRUNCATE'));

const indexVerbs: ReadonlySet<string> = new Set(words('CREATE DROP UNIQUE FULLTEXT SPATIAL'));

/** With ANSI_QUOTES a string in double quotes is a name. */
function isName({ text, code }: Body, i: number): boolean {
  const { kind, start = 0 } = code[i] ?? {};
  return kind === 'word' || kind === 'quoted-name' || (kind === 'string' && text[start] === '"');
}

function nameAt({ text, code }: Body, i: number): string {
  const { start = 0, end = 0 } = code[i] ?? {};
  return bareName(text.slice(start, end)).replaceAll('``', '`').toLowerCase();
}
