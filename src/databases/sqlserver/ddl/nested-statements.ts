/** Finds the statements that an import reads within others: in IF, BEGIN, TRY and EXEC. */
import {
  DdlError,
  RejectedStatement,
  accept,
  expect,
  isNext,
  openCursor,
  parseQualifiedName,
  parseText,
  textBetween,
  wordAt,
} from '../../../sql/ddl/cursor.ts';
import { changeColumn, hasColumn } from '../../../sql/ddl/change-table.ts';
import { changeTable, findTable } from '../../../sql/ddl/draft.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { nestingIn } from '../../../sql/ddl/script-statement.ts';
import { positionCounter } from '../../../portable/lexer/position.ts';
import { split } from '../../../portable/lexer/split.ts';
import { sqlserverLanguage } from '../language/language.ts';
import { endOfBlock, isBlockStart, requireEndOfStatement, statementsInRange } from './blocks.ts';
import { bodyOfWhile, branchOfIf } from './conditional-statements.ts';
import { endBatch, trackTransaction } from './script-run.ts';
import {
  constantText,
  trackVariables,
  discardVariables,
  offsetInFile,
  parseTextValue,
  shownText,
  systemNameParts,
} from './text-value.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type {
  NestedContent,
  NestedStatement,
  ScriptStatement,
} from '../../../sql/ddl/script-statement.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';
import type { Range } from './blocks.ts';
import type { ConditionalContext } from './conditional-statements.ts';
import type { ScriptRun } from './script-run.ts';
import type { TextPart, TextValue } from './text-value.ts';

type Content = readonly NestedStatement[] | undefined;

/** Undefined for a statement that contains no others; empty for one that has no effect on the schema. */
export function nestedStatements(context: ConditionalContext): NestedContent | undefined {
  const { statement, run } = context;
  const { word } = statement.code[0] ?? {};
  if (word === 'EXEC' || word === 'EXECUTE') return executedText(context);
  if (statement.kind === 'transaction') trackTransaction(run, statement);
  const statements = contentOf(context);
  return statements && { statements };
}

function contentOf(context: ConditionalContext): Content {
  const { statement, run } = context;
  switch (statement.code[0]?.word) {
    case 'IF':
      return branchOfIf(context);
    case 'WHILE':
      return bodyOfWhile(context);
    case 'BEGIN':
      return contentOfBlock(context);
    case 'RETURN':
    case 'THROW':
      endBatch(run, statement);
      return [];
    case 'GOTO':
      throw new RejectedStatement(
        'GOTO jumps to another statement, which an import does not follow. Remove it.',
        statement.start,
      );
    case 'DECLARE':
    case 'SET':
    case 'SELECT':
      if (trackVariables(statement, run.variables, run.rules)) return [];
      break;
    default:
  }
  if (['FETCH', 'SELECT'].includes(statement.firstWord)) discardVariables(statement, run.variables);
  return undefined;
}

// BEGIN

/** The statements of `BEGIN … END`, and of the TRY block of `BEGIN TRY … END TRY BEGIN CATCH … END CATCH`. */
function contentOfBlock({ statement, run }: ConditionalContext): Content {
  const { code, start } = statement;
  if (!isBlockStart(code, 0)) return undefined;
  const end = endOfBlock(code, 0);
  if (end === undefined) throw new DdlError('The BEGIN here has no END.', start);
  if (code[1]?.word !== 'TRY') {
    requireEndOfStatement(statement, end + 1);
    return statementsInRange(statement, [1, end], false);
  }
  const isTry = code[end + 1]?.word === 'TRY' && code[end + 2]?.word === 'BEGIN';
  if (!isTry || code[end + 3]?.word !== 'CATCH')
    throw new DdlError('BEGIN TRY needs an END TRY with BEGIN CATCH after it.', start);
  const endOfCatch = endOfBlock(code, end + 2);
  if (endOfCatch === undefined || code[endOfCatch + 1]?.word !== 'CATCH')
    throw new DdlError('The BEGIN CATCH here has no END CATCH.', start + code[end + 2]!.start);
  requireEndOfStatement(statement, endOfCatch + 2);
  const raising = raisingWord(code, [2, end]);
  if (run.hasRows && raising !== undefined)
    throw new DdlError(
      `Only SQL Server can tell which rows of a TRY block with ${raising.word} it inserts. Write its statements without TRY.`,
      start + raising.start,
    );
  warnOmitted(statement, run.script.draft, 'the CATCH block, which is for errors,');
  return statementsInRange(statement, [2, end], false);
}

/** The first word that raises an error, outside of CATCH blocks. */
function raisingWord(code: readonly CodeToken[], [from, to]: Range): CodeToken | undefined {
  for (let i = from; i < to; i += 1) {
    if (isBlockStart(code, i) && code[i + 1]?.word === 'CATCH') i = endOfBlock(code, i) ?? to;
    const token = code[i];
    if (token?.word === 'THROW' || token?.word === 'RAISERROR') return token;
  }
  return undefined;
}

// EXEC

/** The statements of `EXEC (N'…')` and `EXEC sp_executesql N'…'`, if the text is constant. */
function executedText(context: ConditionalContext): NestedContent | undefined {
  const { statement, run } = context;
  const { variables, script } = run;
  const cursor = openCursor(statement, sqlserverLanguage.lexical);
  cursor.at = 1;
  const value = parseExecutedText(cursor, context);
  if (value === undefined) {
    if (statement.code.some(({ word }) => word === 'OUTPUT' || word === 'OUT'))
      discardVariables(statement, variables);
    return undefined;
  }
  if (value === 'left out') return { statements: [] };
  const text = constantText(value);
  const isNull = value.length === 1 && value[0]?.value === null;
  if (isNull) return { statements: [] };
  if (text !== undefined)
    return { statements: statementsIn(text, value, statement), end: scopeOf(run, statement) };
  if (!dropsDefault(context, value))
    warnOmitted(statement, script.draft, `EXEC of a computed text (${excerpt(shownText(value))})`);
  return { statements: [] };
}

/** The text has variables of its own, and USE and RETURN end with it. Returns what ends it. */
function scopeOf(
  { variables: { values }, script, batchEnds }: ScriptRun,
  statement: ScriptStatement,
): () => void {
  const { draft } = script;
  const { database, tablesDatabase } = draft;
  const outer = [...values];
  values.clear();
  return () => {
    values.clear();
    for (const [name, value] of outer) values.set(name, value);
    batchEnds.delete(statement.start);
    // Where the tables outside the text are is not known.
    if (
      database === undefined &&
      tablesDatabase === undefined &&
      draft.tablesDatabase !== undefined
    ) {
      const { line, column } = statement;
      const message = `The text creates tables in the database ${draft.tablesDatabase}, which the file does not use otherwise. Import one database at a time.`;
      if (draft.database === draft.tablesDatabase)
        draft.problems.push({ code: 'statement_refused', message, line, column });
    }
    draft.database = database;
  };
}

function parseExecutedText(
  cursor: Cursor,
  { statement, run: { variables, script } }: ConditionalContext,
): TextValue | 'left out' | undefined {
  if (wordAt(cursor, 1) === '=' && cursor.code[cursor.at]?.kind === 'variable') cursor.at += 2;
  if (accept(cursor, '(')) {
    const value = parseTextValue(cursor, variables);
    // Parameters of a text for another server.
    if (wordAt(cursor) !== ',') expect(cursor, ')');
    if (isNext(cursor, ',') || isNext(cursor, 'AT')) {
      warnOmitted(statement, script.draft);
      return 'left out';
    }
    if (accept(cursor, 'AS')) {
      const kind = parseQualifiedName(cursor, 'USER or LOGIN').join('.');
      expect(cursor, '=');
      warnOmitted(statement, script.draft, `AS ${kind} = ${parseText(cursor)} of EXEC`);
    }
    accept(cursor, ';');
    requireEndOfStatement(statement, cursor.at);
    return value;
  }
  if (cursor.code[cursor.at]?.kind === 'variable') return undefined;
  const procedure = parseQualifiedName(cursor, 'a procedure').at(-1)?.toLowerCase();
  if (procedure !== 'sp_executesql') return undefined;
  if (
    /^@(?:statement|stmt)$/i.test(textBetween(cursor, cursor.at, cursor.at + 1)) &&
    wordAt(cursor, 1) === '='
  )
    cursor.at += 2;
  const value = parseTextValue(cursor, variables);
  // The values of its parameters follow, which only its statements use.
  if (wordAt(cursor) !== ',') requireEndOfStatement(statement, cursor.at);
  return value;
}

function statementsIn(
  text: string,
  value: TextValue,
  outer: ScriptStatement,
): readonly NestedStatement[] {
  const { start, line, column, batch, nesting: outerNesting } = outer;
  const inOuter = (offset: number): number => offsetInFile(value, offset);
  const inFile = (offset: number): number =>
    outerNesting?.offsetInFile?.(inOuter(offset)) ?? inOuter(offset);
  const nesting = { ...nestingIn(outer, false), offsetInFile: inFile, executedAt: start };
  const position = positionCounter(outer.text);
  return split(text, sqlserverLanguage).map((inner) => {
    const offset = inOuter(inner.start) - start;
    const isInside = offset >= 0 && offset <= outer.text.length;
    const found = isInside ? position(offset) : { line: 1, column: 1 };
    return {
      ...inner,
      batch,
      line: line + found.line - 1,
      column: found.line === 1 ? column + found.column - 1 : found.column,
      nesting,
    };
  });
}

const maxShownLength = 200;

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > maxShownLength ? `${line.slice(0, maxShownLength)}…` : line;
}

/** Drops the default of a column by the name that the script has found in the catalog. */
function dropsDefault({ run, tableReference }: ConditionalContext, value: TextValue): boolean {
  const { draft } = run.script;
  const [before, found, after] = value;
  const owner = defaultOwner(value, found);
  const altered = /^\s*ALTER\s+TABLE\s+(.+?)\s+DROP\s+CONSTRAINT\s*\[?\s*$/i.exec(
    before?.text ?? '',
  )?.[1];
  if (owner === undefined || altered === undefined || !/^\s*\]?\s*;?\s*$/.test(after?.text ?? ''))
    return false;
  const parts = systemNameParts(altered);
  if (parts === undefined) return false;
  const reference = tableReference(parts);
  const table = findTable(draft, reference);
  if (table === undefined || !hasColumn(table, owner.column)) return false;
  return changeTable(draft, reference, (each) =>
    changeColumn(each, owner.column, ({ default: _dropped, ...column }) => column),
  );
}

function defaultOwner(value: TextValue, found: TextPart | undefined): TextPart['defaultOf'] {
  return value.length <= 3 && found?.isComputed === true ? found.defaultOf : undefined;
}
