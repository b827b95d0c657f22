/** Finds blocks among the tokens of T-SQL. */
import { DdlError } from '../../../sql/ddl/cursor.ts';
import { innerStatements } from '../../../sql/ddl/script-statement.ts';
import { isKeyword } from '../../../portable/lexer/code.ts';
import { sqlserverLanguage } from '../language/language.ts';
import { sqlserverSplitRules } from '../language/split-rules.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';
import type { NestedStatement, ScriptStatement } from '../../../sql/ddl/script-statement.ts';

/** Indexes of tokens; `to` is after the last one. */
export type Range = readonly [from: number, to: number];

export function statementsInRange(
  statement: ScriptStatement,
  range: Range,
  isConditional: boolean,
): readonly NestedStatement[] {
  return innerStatements(statement, range, { language: sqlserverLanguage, isConditional });
}

/** Throws if the statement has more tokens than those before `at`. */
export function requireEndOfStatement({ code, start, text }: ScriptStatement, at: number): void {
  const rest = code[at];
  if (rest === undefined || rest.kind === 'delimiter') return;
  const word = text.slice(rest.start, rest.end);
  throw new DdlError(
    `"${word}" was found where the end of the statement is expected.`,
    start + rest.start,
  );
}

/** Words after a BEGIN that opens no block, such as TRANSACTION. */
const wordsAfterOtherBegins =
  sqlserverSplitRules.opensBlock.find(({ word }) => word === 'BEGIN')?.notBefore ?? [];
/** Words before an END that closes no block. */
const wordsBeforeOtherEnds =
  sqlserverSplitRules.closesBlock.find(({ word }) => word === 'END')?.notAfter ?? [];

export function isBlockStart(code: readonly CodeToken[], i: number): boolean {
  return code[i]?.word === 'BEGIN' && !wordsAfterOtherBegins.includes(code[i + 1]?.word ?? '');
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
    !wordsBeforeOtherEnds.includes(`${code[i - 2]?.word ?? ''} ${code[i - 1]?.word ?? ''}`);
  return isEnd ? -1 : 0;
}

/** Index of the END of the block that begins at `from`. */
export function endOfBlock(code: readonly CodeToken[], from: number): number | undefined {
  let depth = 0;
  for (let i = from; i < code.length; i += 1) {
    depth += depthChange(code, i);
    if (depth === 0) return i;
  }
  return undefined;
}

/** Index of the first keyword outside parentheses, blocks and CASE that passes the test. */
export function firstTopLevelKeyword(
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
