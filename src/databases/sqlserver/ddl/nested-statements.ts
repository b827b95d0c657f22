/** Finds the statements that an import reads within others: in IF, BEGIN, TRY and EXEC. */
import {
  DdlError,
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
import { leaveOut } from '../../../sql/ddl/read-script.ts';
import { innerStatements, nestingIn } from '../../../sql/ddl/script-statement.ts';
import { isKeyword } from '../../../portable/lexer/code.ts';
import { positionCounter } from '../../../portable/lexer/position.ts';
import { split } from '../../../portable/lexer/split.ts';
import { sqlserverLanguage } from '../language/language.ts';
import { sqlserverSplitRules } from '../language/split-rules.ts';
import {
  constantText,
  followVariables,
  forgetVariables,
  nameParts,
  offsetInFile,
  parseTextValue,
  shownText,
} from './text-value.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';
import type { Cursor } from '../../../sql/ddl/cursor.ts';
import type { DdlRules } from '../../../sql/ddl/ddl-rules.ts';
import type { SchemaDraft } from '../../../sql/ddl/draft.ts';
import type { NestedStatement, ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { TextPart, TextValue, Variables } from './text-value.ts';

export interface NestedContext {
  readonly statement: ScriptStatement;
  readonly draft: SchemaDraft;
  readonly variables: Variables;
  readonly tableReference: DdlRules['tableReference'];
}

type Content = readonly NestedStatement[] | undefined;

/** Undefined for a statement that contains no others; empty for one that has no effect on the schema. */
export function nestedStatements(context: NestedContext): Content {
  const { statement, variables } = context;
  switch (statement.code[0]?.word) {
    case 'IF':
      return branchOfIf(context);
    case 'BEGIN':
      return contentOfBlock(context);
    case 'EXEC':
    case 'EXECUTE':
      return executedText(context);
    case 'DECLARE':
    case 'SET':
    case 'SELECT':
      if (followVariables(statement, variables)) return [];
      break;
    default:
  }
  if (['WHILE', 'FETCH', 'SELECT'].includes(statement.firstWord))
    forgetVariables(statement, variables);
  return undefined;
}

type Range = readonly [from: number, to: number];

function within(
  statement: ScriptStatement,
  range: Range,
  isConditional: boolean,
): readonly NestedStatement[] {
  return innerStatements(statement, range, { language: sqlserverLanguage, isConditional });
}

// BEGIN

/** The statements of `BEGIN … END`, and of the TRY block of `BEGIN TRY … END TRY BEGIN CATCH … END CATCH`. */
function contentOfBlock({ statement, draft }: NestedContext): Content {
  const { code, start } = statement;
  if (!isBlockStart(code, 0)) return undefined;
  const end = endOfBlock(code, 0);
  if (end === undefined) throw new DdlError('The BEGIN here has no END.', start);
  if (code[1]?.word !== 'TRY') {
    requireNoRest(statement, end + 1);
    return within(statement, [1, end], false);
  }
  const isTry = code[end + 1]?.word === 'TRY' && code[end + 2]?.word === 'BEGIN';
  if (!isTry || code[end + 3]?.word !== 'CATCH')
    throw new DdlError('BEGIN TRY needs an END TRY with BEGIN CATCH after it.', start);
  leaveOut(statement, draft, 'the CATCH block, which is for errors,');
  return within(statement, [2, end], false);
}

function requireNoRest({ code, start, text }: ScriptStatement, at: number): void {
  const rest = code[at];
  if (rest === undefined || rest.kind === 'delimiter') return;
  const word = text.slice(rest.start, rest.end);
  throw new DdlError(
    `"${word}" was found where the end of the statement is expected.`,
    start + rest.start,
  );
}

/** Words after BEGIN that make it another statement than a block. */
const notBlocks =
  sqlserverSplitRules.opensBlock.find(({ word }) => word === 'BEGIN')?.notBefore ?? [];
const notEnds = sqlserverSplitRules.closesBlock.find(({ word }) => word === 'END')?.notAfter ?? [];

function isBlockStart(code: readonly CodeToken[], i: number): boolean {
  return code[i]?.word === 'BEGIN' && !notBlocks.includes(code[i + 1]?.word ?? '');
}

function depthChange(code: readonly CodeToken[], i: number): number {
  const word = code[i]?.word;
  if (word === '(') return 1;
  if (word === ')') return -1;
  if (!isKeyword(code, i)) return 0;
  if (word === 'CASE' || isBlockStart(code, i)) return 1;
  const isEnd =
    word === 'END' &&
    code[i + 1]?.word !== 'CONVERSATION' &&
    !notEnds.includes(`${code[i - 2]?.word ?? ''} ${code[i - 1]?.word ?? ''}`);
  return isEnd ? -1 : 0;
}

/** Index of the END of the block that begins at `from`. */
function endOfBlock(code: readonly CodeToken[], from: number): number | undefined {
  let depth = 0;
  for (let i = from; i < code.length; i += 1) {
    depth += depthChange(code, i);
    if (depth === 0) return i;
  }
  return undefined;
}

// IF

interface Branches {
  readonly condition: string;
  readonly body: Range;
  readonly otherwise: Range | undefined;
}

function branchOfIf({ statement, draft }: NestedContext): Content {
  const branches = branchesOf(statement);
  if (branches === undefined) return undefined;
  const { condition, body, otherwise } = branches;
  const taken = within(statement, body, true);
  const asksForObject = asksWhatIsThere.test(condition);
  const isPositive = !isNegative(condition);
  const isTaken =
    !isFalse.test(condition) &&
    !endsScript(statement, taken) &&
    !(asksForObject && otherwise !== undefined && isPositive) &&
    !(asksForRows(condition) && isPositive) &&
    !asksForError.test(condition);
  const warn = (what: string): void => void draft.warnings.push(`Line ${statement.line}: ${what}`);
  if (!asksForObject || !isTaken)
    warn(`the condition ${condition.replaceAll(/\s+/g, ' ')} is assumed to be ${String(isTaken)}.`);
  if (
    isTaken &&
    otherwise !== undefined &&
    !onlyReports(statement, within(statement, otherwise, true))
  )
    warn('the ELSE branch is left out.');
  if (isTaken) return taken;
  return otherwise === undefined ? [] : within(statement, otherwise, true);
}

/** Asks the catalog or a table of migrations. As in an empty database, nothing is there. */
const asksWhatIsThere =
  /\b(?:EXISTS|OBJECT_ID|DB_ID|SCHEMA_ID|TYPE_ID|INDEXPROPERTY|COLUMNPROPERTY|COL_LENGTH|FULLTEXTSERVICEPROPERTY)\b/i;
const isFalse = /^\(*\s*(?:0\s*=\s*1|1\s*=\s*0|1\s*=\s*2)\s*\)*$/;

/** Whether the condition holds if what it asks for is not there. */
function isNegative(condition: string): boolean {
  if (/^[\s(]*NOT\s*\(?\s*EXISTS\b/i.test(condition)) return true;
  if (/^[\s(]*EXISTS\b/i.test(condition)) return false;
  return /\bIS\s+NULL[\s)]*$|\)\s*=\s*0[\s)]*$/i.test(condition);
}

/** Asks for rows of a table that is not of the catalog. In an empty database, it has none. */
function asksForRows(condition: string): boolean {
  const tables = condition.matchAll(/\bFROM\s+([\w.[\]"]+)/gi);
  return (
    /^[\s(]*(?:NOT\s*\(?\s*)?EXISTS\b/i.test(condition) &&
    [...tables].some(([, table = '']) => !catalogTable.test(table.replaceAll(/[[\]"]/g, '')))
  );
}

const catalogTable =
  /^(?:\w*\.)*(?:sys\.\w+|information_schema\.\w+|sys(?:objects|columns|indexes|foreignkeys|constraints|databases|users|types|properties|logins|comments|references)|fn_listextendedproperty)$/i;
const asksForError =
  /@@ERROR\s*(?:(?:<>|!=|>)\s*0|=\s*[1-9])|@@TRANCOUNT\s*=\s*0|\bXACT_STATE\s*\(\s*\)\s*=\s*-\s*1/i;

/** Whether a branch ends the script, which does not happen when all goes well. */
function endsScript(statement: ScriptStatement, branch: readonly NestedStatement[]): boolean {
  const block = withoutBlock(statement, branch);
  const creates = block.some(({ firstWord }) => ['CREATE', 'ALTER'].includes(firstWord));
  return !creates && block.some(({ firstWord, text }) => endsRun(firstWord, text));
}

function onlyReports(statement: ScriptStatement, branch: readonly NestedStatement[]): boolean {
  return withoutBlock(statement, branch).every(({ firstWord }) =>
    ['PRINT', 'RAISERROR'].includes(firstWord),
  );
}

/** The statements of a branch, or of the block that it is. */
function withoutBlock(
  { kind }: ScriptStatement,
  branch: readonly NestedStatement[],
): readonly NestedStatement[] {
  const [block] = branch;
  if (block === undefined || branch.length > 1 || block.firstWord !== 'BEGIN') return branch;
  const { code } = openCursor(block, sqlserverLanguage.lexical);
  const end = endOfBlock(code, 0);
  const isPlain = isBlockStart(code, 0) && end !== undefined && code[1]?.word !== 'TRY';
  return isPlain ? within({ ...block, code, kind }, [1, end], true) : branch;
}

function endsRun(firstWord: string, text: string): boolean {
  return (
    ['RETURN', 'THROW', 'ROLLBACK'].includes(firstWord) ||
    /^SET\s+(?:NOEXEC|PARSEONLY)\s+ON\b/i.test(text)
  );
}

const statementVerbs: ReadonlySet<string> = new Set([
  ...(sqlserverSplitRules.undelimited?.verbs ?? []),
  'THROW',
]);

function branchesOf(statement: ScriptStatement): Branches | undefined {
  const { code, text } = statement;
  const from = firstAtDepth(code, 1, (i) => statementVerbs.has(code[i]?.word ?? ''));
  const condition = text.slice(code[1]?.start, code[(from ?? 1) - 1]?.end);
  if (from === undefined) return undefined;
  let inner = 0;
  const otherwise = firstAtDepth(code, from, (i) => {
    if (code[i]?.word === 'ELSE') inner -= 1;
    if (code[i]?.word === 'IF' && (code[i + 1]?.word !== 'EXISTS' || code[i + 2]?.word === '('))
      inner += 1;
    return inner < 0;
  });
  if (otherwise === undefined)
    return { condition, body: [from, code.length], otherwise: undefined };
  return { condition, body: [from, otherwise], otherwise: [otherwise + 1, code.length] };
}

/** Index of the first keyword outside parentheses, blocks and CASE that passes the test. */
function firstAtDepth(
  code: readonly CodeToken[],
  from: number,
  test: (i: number) => boolean,
): number | undefined {
  let depth = 0;
  for (let i = from; i < code.length; i += 1) {
    if (depth === 0 && isKeyword(code, i) && test(i)) return i;
    depth += depthChange(code, i);
  }
  return undefined;
}

// EXEC

/** The statements of `EXEC (N'…')` and `EXEC sp_executesql N'…'`, if the text is constant. */
function executedText(context: NestedContext): Content {
  const { statement, draft, variables } = context;
  const cursor = openCursor(statement, sqlserverLanguage.lexical);
  cursor.at = 1;
  const value = parseExecutedText(cursor, context);
  if (value === undefined) {
    if (statement.code.some(({ word }) => word === 'OUTPUT' || word === 'OUT'))
      forgetVariables(statement, variables);
    return undefined;
  }
  if (value === 'left out') return [];
  const text = constantText(value);
  if (text !== undefined) return statementsIn(text, value, statement);
  if (dropsDefault(context, value)) return [];
  leaveOut(statement, draft, `EXEC of a computed text (${excerpt(shownText(value))})`);
  return [];
}

function parseExecutedText(
  cursor: Cursor,
  { statement, draft, variables }: NestedContext,
): TextValue | 'left out' | undefined {
  if (wordAt(cursor, 1) === '=' && cursor.code[cursor.at]?.kind === 'variable') cursor.at += 2;
  if (accept(cursor, '(')) {
    const value = parseTextValue(cursor, variables);
    // Parameters of a text for another server.
    if (wordAt(cursor) !== ',') expect(cursor, ')');
    if (isNext(cursor, ',') || isNext(cursor, 'AT')) {
      leaveOut(statement, draft);
      return 'left out';
    }
    if (accept(cursor, 'AS')) {
      const kind = parseQualifiedName(cursor, 'USER or LOGIN').join('.');
      expect(cursor, '=');
      leaveOut(statement, draft, `AS ${kind} = ${parseText(cursor)} of EXEC`);
    }
    accept(cursor, ';');
    requireNoRest(statement, cursor.at);
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
  if (wordAt(cursor) !== ',') requireNoRest(statement, cursor.at);
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
  const nesting = { ...nestingIn(outer, false), offsetInFile: inFile };
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
function dropsDefault({ draft, tableReference }: NestedContext, value: TextValue): boolean {
  const [before, found, after] = value;
  const owner = defaultOwner(value, found);
  const altered = /^\s*ALTER\s+TABLE\s+(.+?)\s+DROP\s+CONSTRAINT\s*\[?\s*$/i.exec(
    before?.text ?? '',
  )?.[1];
  if (owner === undefined || altered === undefined || !/^\s*\]?\s*;?\s*$/.test(after?.text ?? ''))
    return false;
  const parts = nameParts(altered);
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
