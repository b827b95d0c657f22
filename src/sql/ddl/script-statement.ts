/** Statements of a script, and statements within them. */
import { positionCounter } from '../../portable/lexer/position.ts';
import { split } from '../../portable/lexer/split.ts';
import { DdlError } from './cursor.ts';
import type { Language, StatementKind } from '../classify.ts';
import type { CodeToken } from '../../portable/lexer/code.ts';
import type { Statement } from '../../portable/lexer/split.ts';

/** A statement with its tokens and its classification. */
export interface ScriptStatement extends Statement {
  /** Without the openings and closings of versioned comments. */
  readonly code: readonly CodeToken[];
  readonly kind: StatementKind;
  /** Set for a statement within another one. */
  readonly nesting?: Nesting | undefined;
}

/** Where a statement is within another one: in the body of IF, or in the text that EXEC runs. */
export interface Nesting {
  readonly depth: number;
  /** The statement may be about tables that the file does not create. */
  readonly isConditional: boolean;
  /** Offset in the file for an offset in a text that EXEC runs. */
  readonly offsetInFile?: ((offset: number) => number) | undefined;
  /** Offset of the EXEC whose text contains the statement. RETURN ends that text only. */
  readonly executedAt?: number | undefined;
}

export interface NestedStatement extends Statement {
  readonly nesting: Nesting;
}

/** The statements within another one, which are read in its place. */
export interface NestedContent {
  readonly statements: readonly NestedStatement[];
  /** Runs after the last of them. */
  readonly end?: (() => void) | undefined;
}

/** The most levels of nested statements. */
const maxDepth = 20;

/** The nesting of statements that another statement contains. */
export function nestingIn({ start, nesting }: ScriptStatement, isConditional: boolean): Nesting {
  const depth = (nesting?.depth ?? 0) + 1;
  if (depth > maxDepth)
    throw new DdlError('The statement has too many levels of nested statements.', start);
  return {
    ...nesting,
    depth,
    isConditional: isConditional || nesting?.isConditional === true,
  };
}

/** The statements from token `from` to before token `to` of another one. */
export function innerStatements(
  statement: ScriptStatement,
  [from, to]: readonly [number, number],
  { language, isConditional }: { readonly language: Language; readonly isConditional: boolean },
): readonly NestedStatement[] {
  const { text, code, start, batch } = statement;
  const first = code[from];
  const last = code[to - 1];
  if (first === undefined || last === undefined || to <= from) return [];
  const nesting = nestingIn(statement, isConditional);
  const position = positionCounter(text);
  return split(text.slice(first.start, last.end), language).map((inner) => {
    const { line, column } = position(first.start + inner.start);
    return {
      ...inner,
      batch,
      start: start + first.start + inner.start,
      end: start + first.start + inner.end,
      line: statement.line + line - 1,
      column: line === 1 ? statement.column + column - 1 : column,
      nesting,
    };
  });
}
