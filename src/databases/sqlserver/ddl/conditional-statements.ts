/** Decides which branch of IF a script runs, and whether it runs the body of WHILE. */
import {
  RejectedStatement,
  accept,
  acceptOne,
  openCursor,
  parseQualifiedName,
} from '../../../sql/ddl/cursor.ts';
import { findTable, findView, nameOfTable } from '../../../sql/ddl/draft.ts';
import { evaluate } from '../../../sql/ddl/guards/query.ts';
import { truthOf, undetermined } from '../../../sql/ddl/guards/value.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { isKeyword } from '../../../portable/lexer/code.ts';
import { sqlserverLanguage } from '../language/language.ts';
import { sqlserverSplitRules } from '../language/split-rules.ts';
import { endOfBlock, firstTopLevelKeyword, isBlockStart, statementsInRange } from './blocks.ts';
import { discardVariables } from './text-value.ts';
import type { Truth } from '../../../sql/ddl/guards/value.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';
import type { Position } from '../../../portable/lexer/position.ts';
import type { TableReference } from '../../../sql/ddl/draft.ts';
import type { NestedStatement, ScriptStatement } from '../../../sql/ddl/script-statement.ts';
import type { Range } from './blocks.ts';
import type { ScriptRun } from './script-run.ts';

export interface ConditionalContext {
  readonly statement: ScriptStatement;
  readonly run: ScriptRun;
  readonly tableReference: (parts: readonly string[]) => TableReference;
}

interface Branches {
  readonly condition: string;
  readonly body: Range;
  readonly otherwise: Range | undefined;
}

type Content = readonly NestedStatement[] | undefined;

/** The statements of the branch that the script runs; undefined if the statement has no body. */
export function branchOfIf(context: ConditionalContext): Content {
  const { statement } = context;
  const branches = branchesOf(statement);
  if (branches === undefined) return undefined;
  const { body, otherwise } = branches;
  const isTaken = isBranchTaken(context, branches);
  if (isTaken) return statementsInRange(statement, body, true);
  return otherwise === undefined ? [] : statementsInRange(statement, otherwise, true);
}

function isBranchTaken(context: ConditionalContext, branches: Branches): boolean {
  const { statement, run } = context;
  const { condition, body, otherwise } = branches;
  const { truth, reads } = evaluateCondition(run, condition);
  const warn = (message: string): void =>
    void run.script.draft.warnings.push(`Line ${statement.line}: ${message}`);
  const conditionText = `the condition ${condition.replaceAll(/\s+/g, ' ')}`;
  const endsScript = endsRun(statement, statementsInRange(statement, body, true));
  const isTestForAbsence = testsForAbsence(condition);
  const isPrecondition = truth === true && endsScript && isTestForAbsence && hasCreatedNothing(run);
  if (truth === undetermined) mustNotDecideRows(context, branches);
  if (truth === undetermined || isPrecondition) {
    const isTaken = !endsScript;
    const isRelevant = changesStructure(statement, body) || dropsOwnTable(context, body);
    if (!isTaken || isRelevant || otherwise !== undefined)
      warn(`${conditionText} is assumed to be ${String(isTaken)}.`);
    if (isTaken && otherwise !== undefined && changesStructure(statement, otherwise))
      warn('the ELSE branch is left out.');
    return isTaken;
  }
  if (truth === true) {
    if (otherwise !== undefined && !reads.catalog && changesStructure(statement, otherwise))
      warn('the ELSE branch is left out.');
    return true;
  }
  if (reads.catalog) recordDrops(context, body);
  const isWarned = !reads.catalog || !isTestForAbsence;
  if (run.hasRows && !reads.rows && writesRows(statement, body))
    warn(`${conditionText} is false, so that its rows are left out.`);
  else if (reads.rows && !endsScript && !run.hasRows)
    warn(`${conditionText} is assumed to be false.`);
  else if (otherwise === undefined && isWarned && changesStructure(statement, body))
    warn(`${conditionText} is false.`);
  else if (
    otherwise !== undefined &&
    !reads.catalog &&
    (changesStructure(statement, body) || changesStructure(statement, otherwise))
  )
    warn(`${conditionText} is false.`);
  return false;
}

/** An import with rows must not assume which of them the script inserts. */
function mustNotDecideRows(
  { statement, run }: ConditionalContext,
  { condition, body, otherwise }: Branches,
): void {
  if (!run.hasRows || ![body, otherwise].some((branch) => branch && writesRows(statement, branch)))
    return;
  throw new RejectedStatement(
    `The condition ${condition.replaceAll(/\s+/g, ' ')} decides about rows, and only SQL Server can evaluate it. Write its statements without IF.`,
    statement.start,
  );
}

const rowVerbs: ReadonlySet<string> = new Set(
  'INSERT UPDATE DELETE MERGE TRUNCATE EXEC EXECUTE'.split(' '),
);

function writesRows({ code }: ScriptStatement, [from, to]: Range): boolean {
  return code.some(
    ({ word }, i) => i >= from && i < to && isKeyword(code, i) && rowVerbs.has(word),
  );
}

/** Whether the script has created nothing yet. Its conditions then test whether the database is the right one. */
function hasCreatedNothing({ script: { draft, data } }: ScriptRun): boolean {
  return draft.tables.size === 0 && draft.views.size === 0 && data.length === 0;
}

function evaluateCondition(
  { rules, reads }: ScriptRun,
  condition: string,
): { readonly truth: Truth; readonly reads: ScriptRun['reads'] } {
  reads.catalog = false;
  reads.rows = false;
  const truth = truthOf(evaluate(condition, rules));
  return { truth, reads: { ...reads } };
}

/** Whether the condition holds if an object or a row does not exist. */
function testsForAbsence(condition: string): boolean {
  if (/^[\s(]*NOT\s*\(?\s*EXISTS\b/i.test(condition)) return true;
  if (/^[\s(]*EXISTS\b/i.test(condition)) return false;
  return /\bIS\s+NULL[\s)]*$|\)\s*=\s*0[\s)]*$/i.test(condition);
}

const changingVerbs: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'EXEC', 'EXECUTE']);

/** Objects that no import creates. */
const otherObjects: ReadonlySet<string> = new Set(
  'DATABASE LOGIN USER ROLE PROC PROCEDURE FUNCTION TRIGGER SEQUENCE SYNONYM CERTIFICATE FULLTEXT ASSEMBLY SERVER AUTHORIZATION'.split(
    ' ',
  ),
);

/** Whether statements in the range may create or change tables. */
function changesStructure({ code }: ScriptStatement, [from, to]: Range): boolean {
  return (
    code.some(
      ({ word }, i) =>
        i >= from &&
        i < to &&
        isKeyword(code, i) &&
        changingVerbs.has(word) &&
        !otherObjects.has(code[i + 1]?.word ?? ''),
    ) ||
    code.some(
      ({ word }, i) =>
        i >= from &&
        i < to &&
        word === 'DROP' &&
        ['INDEX', 'TYPE'].includes(code[i + 1]?.word ?? ''),
    )
  );
}

/** Notes the tables that DROP would remove if they existed: the database of the import may have them. */
function recordDrops(context: ConditionalContext, body: Range): void {
  const { draft } = context.run.script;
  for (const { reference, line, column } of dropsIn(context, body))
    if (!reference.localName.startsWith('#') && !isInDraft(context, reference))
      draft.dropped.push({ name: nameOfTable(reference), line, column });
}

function dropsOwnTable(context: ConditionalContext, body: Range): boolean {
  return dropsIn(context, body).some(({ reference }) => isInDraft(context, reference));
}

function isInDraft({ run: { script } }: ConditionalContext, reference: TableReference): boolean {
  const { draft } = script;
  return findTable(draft, reference) !== undefined || findView(draft, reference) !== undefined;
}

interface DroppedReference extends Position {
  readonly reference: TableReference;
}

/** The tables and views that statements of a branch drop. */
function dropsIn(
  { statement, tableReference }: ConditionalContext,
  body: Range,
): readonly DroppedReference[] {
  const droppedObjects: DroppedReference[] = [];
  for (const inner of withoutBlock(statement, statementsInRange(statement, body, true))) {
    const cursor = openCursor(inner, sqlserverLanguage.lexical);
    if (!accept(cursor, 'DROP') || acceptOne(cursor, ['TABLE', 'VIEW']) === undefined) continue;
    accept(cursor, 'IF', 'EXISTS');
    const { line, column } = inner;
    do {
      const reference = tableReference(parseQualifiedName(cursor, 'a table'));
      droppedObjects.push({ reference, line, column });
    } while (accept(cursor, ','));
  }
  return droppedObjects;
}

/** Whether a branch ends the script, as scripts do after an error or on a wrong database. */
function endsRun(statement: ScriptStatement, branch: readonly NestedStatement[]): boolean {
  const block = withoutBlock(statement, branch);
  const creates = block.some(({ firstWord }) => ['CREATE', 'ALTER'].includes(firstWord));
  return (
    !creates &&
    block.some(
      ({ firstWord, text }) =>
        ['RETURN', 'THROW', 'ROLLBACK', 'GOTO'].includes(firstWord) ||
        /^SET\s+(?:NOEXEC|PARSEONLY)\s+ON\b/i.test(text),
    )
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
  return isPlain ? statementsInRange({ ...block, code, kind }, [1, end], true) : branch;
}

const statementVerbs: ReadonlySet<string> = new Set([
  ...(sqlserverSplitRules.undelimited?.verbs ?? []),
  'THROW',
]);

function branchesOf(statement: ScriptStatement): Branches | undefined {
  const { code, text } = statement;
  const from = firstTopLevelKeyword(code, 1, (i) => statementVerbs.has(code[i]?.word ?? ''));
  const condition = text.slice(code[1]?.start, code[(from ?? 1) - 1]?.end);
  if (from === undefined) return undefined;
  let inner = 0;
  const otherwise = firstTopLevelKeyword(code, from, (i) => {
    if (code[i]?.word === 'ELSE') inner -= 1;
    if (code[i]?.word === 'IF' && (code[i + 1]?.word !== 'EXISTS' || code[i + 2]?.word === '('))
      inner += 1;
    return inner < 0;
  });
  if (otherwise === undefined)
    return { condition, body: [from, code.length], otherwise: undefined };
  return { condition, body: [from, otherwise], otherwise: [otherwise + 1, code.length] };
}

/** A loop is left out, unless it may change tables. */
export function bodyOfWhile({ statement, run }: ConditionalContext): Content {
  const branches = branchesOf(statement);
  if (branches === undefined) return undefined;
  const { truth, reads } = evaluateCondition(run, branches.condition);
  const isSkipped = truth === false || truth === null;
  if (!isSkipped && (changesTables(statement.code) || mayExecuteChanges(statement, run)))
    throw new RejectedStatement(
      'WHILE changes tables, which an import does not follow. Write its statements out.',
      statement.start,
    );
  if (!isSkipped || !reads.catalog) warnOmitted(statement, run.script.draft);
  if (!isSkipped) discardVariables(statement, run.variables);
  return [];
}

/**
 * Whether the loop executes dynamic SQL or renames something. Before the first table, dynamic SQL that only
 * drops objects changes nothing.
 */
function mayExecuteChanges({ code, text }: ScriptStatement, { script }: ScriptRun): boolean {
  const executes = code.some(
    ({ word }, i) =>
      (word === 'EXEC' || word === 'EXECUTE') &&
      (code[i + 1]?.word === '(' ||
        code.slice(i + 1, i + 6).some((next) => /^SP_(?:EXECUTESQL|RENAME)$/.test(next.word))),
  );
  if (!executes || script.draft.tables.size > 0) return executes;
  const texts = code
    .filter(({ kind }) => kind === 'string')
    .map(({ start, end }) => text.slice(start, end))
    .join(' ');
  return !/\bDROP\b/i.test(texts) || /\b(?:CREATE|ADD)\b/i.test(texts);
}

function changesTables(code: readonly CodeToken[]): boolean {
  return code.some(
    ({ word }, i) =>
      isKeyword(code, i) &&
      ['CREATE', 'ALTER', 'DROP'].includes(word) &&
      code.slice(i + 1, i + 4).some((next) => ['TABLE', 'VIEW', 'INDEX'].includes(next.word)),
  );
}
