import { readCopyFormat } from './copy-format.ts';
import { readExpression } from './read-expression.ts';
import { readColumns, readNameParts } from './read-names.ts';
import { readString } from './read-string.ts';
import { nextToken, peekToken, acceptWord, expectWord, syntaxError } from '../script/script.ts';
import type { ImportContext, Warning } from '../../row-import.ts';
import { decodeText } from '../values/literals.ts';
import type { SqlValue } from '../values/literals.ts';
import type { CopyFormat } from './copy-format.ts';
import type { StatementHead } from './row-groups.ts';
import type { Script, ScriptToken } from '../script/script.ts';

interface InsertHead extends StatementHead {
  /** The only row, if the head contains it: none of `DEFAULT VALUES`, those of `SET a = 1, b = 2`. */
  readonly row: readonly SqlValue[] | undefined;
  /** `REPLACE`, `INSERT IGNORE`, `INSERT OR REPLACE` say what happens to existing rows. */
  readonly hasConflictRule?: boolean;
}

const modifiers: ReadonlySet<string> = new Set([
  'LOW_PRIORITY',
  'DELAYED',
  'HIGH_PRIORITY',
  'IGNORE',
  'OR',
  'ROLLBACK',
  'ABORT',
  'FAIL',
  'REPLACE',
]);

const conflictModifiers: ReadonlySet<string> = new Set(['IGNORE', 'REPLACE']);

/** Reads `INSERT INTO t (a, b) VALUES` up to the first row, after the verb. */
export function readInsertHead(script: Script, verb: ScriptToken): InsertHead {
  const words = [verb.word];
  while (modifiers.has(peekToken(script)?.word ?? '')) words.push(nextToken(script)?.word ?? '');
  const hasConflictRule = words.some((word) => conflictModifiers.has(word));
  return { ...readTarget(script, verb), hasConflictRule };
}

function readTarget(script: Script, verb: ScriptToken): InsertHead {
  acceptWord(script, 'INTO');
  const parts = readNameParts(script);
  const columns = peekToken(script)?.word === '(' ? readColumns(script) : undefined;
  if (acceptWord(script, 'OVERRIDING')) for (let i = 0; i < 2; i++) nextToken(script);
  if (acceptWord(script, 'VALUES') || acceptWord(script, 'VALUE'))
    return { parts, columns, row: undefined };
  if (columns === undefined && acceptWord(script, 'DEFAULT') && acceptWord(script, 'VALUES'))
    return { parts, columns: [], row: [] };
  if (columns === undefined && script.dataScript.insertsBySet && acceptWord(script, 'SET'))
    return { parts, ...readAssignments(script) };
  const found = peekToken(script);
  throw syntaxError(
    script,
    found,
    `${verb.word} is imported with VALUES only; rows that the database computes (SELECT) are not`,
  );
}

/** `a = 1, b = DEFAULT` */
function readAssignments(script: Script): Pick<InsertHead, 'columns' | 'row'> {
  const columns: string[] = [];
  const row: SqlValue[] = [];
  do {
    columns.push(readNameParts(script).at(-1) ?? '');
    if (!acceptWord(script, ':=')) expectWord(script, '=');
    row.push(readExpression(script));
  } while (acceptWord(script, ','));
  return { columns, row };
}

/** Warns that the import does not do with existing rows what the statement says. */
export const ruleIgnored: Warning = (count) =>
  `${count} ${count === 1 ? 'statement says' : 'statements say'} what happens to existing rows (REPLACE, INSERT IGNORE, INSERT OR …), which the import does not follow; the parameter on_conflict decides.`;

const conflictsIgnored: Warning = (count) =>
  `ON CONFLICT DO NOTHING was ignored in ${count} ${count === 1 ? 'statement' : 'statements'}; the parameter on_conflict decides what happens to existing rows.`;

/** Reads what can follow the last row. */
export function readInsertTail(script: Script, context: ImportContext, undelimited: boolean): void {
  const next = peekToken(script);
  if (next === undefined || next.kind === 'meta-line') return;
  if (next.kind === 'delimiter') return void nextToken(script);
  if (next.word === 'ON') return readConflictClause(script, context);
  if (undelimited && next.kind === 'word') return;
  throw syntaxError(script, next, 'expected "," or the end of the statement after a row');
}

function readConflictClause(script: Script, context: ImportContext): void {
  const on = nextToken(script);
  const words: string[] = [];
  let token = peekToken(script);
  for (; token !== undefined && token.kind !== 'delimiter'; token = peekToken(script)) {
    words.push(token.word);
    nextToken(script);
  }
  if (token !== undefined) nextToken(script);
  if (words[0] !== 'CONFLICT' || words.slice(-2).join(' ') !== 'DO NOTHING')
    throw syntaxError(
      script,
      on,
      'conflicts are handled by the parameter on_conflict, not by the script: remove this clause',
    );
  context.warn(conflictsIgnored);
}

/** What COPY … FROM says, up to the delimiter of the statement. */
export interface CopyHead extends StatementHead {
  readonly format: CopyFormat;
  /** The path of the file. Undefined for rows that follow in the script. */
  readonly filePath: string | undefined;
}

/** Reads `COPY t (a, b) FROM stdin …;` or `… FROM 'file' …;`, after the verb. */
export function readCopyHead(script: Script): CopyHead {
  const target = readCopyTarget(script);
  const token = nextToken(script);
  const isFile = token?.kind === 'string';
  if (token === undefined || !(isFile || token.word === 'STDIN'))
    throw syntaxError(
      script,
      token,
      token?.word === 'PROGRAM'
        ? 'COPY … FROM PROGRAM runs a program, which an import does not do: write its output to a file of the archive'
        : 'COPY imports the rows after it, or those of a file',
    );
  const filePath = isFile ? decodeText(textOfString(script, token)).text : undefined;
  const format = readCopyFormat(script, target.columns);
  const end = nextToken(script);
  if (end?.kind !== 'delimiter') throw syntaxError(script, end, 'the end of COPY is expected');
  if (filePath === undefined && format.encoding !== undefined)
    throw syntaxError(script, token, 'the option ENCODING is for rows in a file');
  return { ...target, format, filePath };
}

/** Reads `t (a, b) FROM`. */
export function readCopyTarget(script: Script): StatementHead {
  const parts = readNameParts(script);
  const columns = peekToken(script)?.word === '(' ? readColumns(script) : undefined;
  if (peekToken(script)?.word === 'TO')
    throw syntaxError(
      script,
      peekToken(script),
      'COPY … TO writes rows to a file, which an import does not do: remove it',
    );
  expectWord(script, 'FROM');
  return { parts, columns };
}

function textOfString(script: Script, token: ScriptToken): string {
  const value = readString(script, token);
  return value.kind === 'text' ? value.raw : '';
}
