/** Reads the statements of DO blocks in PL/pgSQL, as far as they are conditions and plain statements. */
import { RejectedStatement, executableCode } from '../../../sql/ddl/cursor.ts';
import { evaluate } from '../../../sql/ddl/guards/query.ts';
import { truthOf, undetermined } from '../../../sql/ddl/guards/value.ts';
import { warnOmitted } from '../../../sql/ddl/warn-omitted.ts';
import { nestingIn } from '../../../sql/ddl/script-statement.ts';
import { positionCounter } from '../../../portable/lexer/position.ts';
import { readString } from '../../../sql/expression/read-literal.ts';
import { split } from '../../../portable/lexer/split.ts';
import { postgresLanguage } from '../language/language.ts';
import { isDuplicate } from './duplicate-object.ts';
import { blockDepths, startsStatement, wordsAt } from './plpgsql-tokens.ts';
import type { GuardRules } from '../../../sql/ddl/guards/scope.ts';
import type { SchemaDraft } from '../../../sql/ddl/draft.ts';
import type {
  NestedContent,
  NestedStatement,
  Nesting,
  ScriptStatement,
} from '../../../sql/ddl/script-statement.ts';
import type { Statement } from '../../../portable/lexer/split.ts';
import type { FileState } from './statement-context.ts';

const { lexical } = postgresLanguage;

export interface DoContext {
  readonly statement: ScriptStatement;
  readonly draft: SchemaDraft;
  readonly state: FileState;
  readonly rules: GuardRules;
}

/** A block of PL/pgSQL whose statements are being read. */
interface Block {
  readonly outer: Block | undefined;
  /** Errors that its handlers ignore or only report, in upper case. */
  readonly ignored: ReadonlySet<string>;
  isEnded: boolean;
  /** Whether one of its statements has changed the draft. */
  hasChanged: boolean;
}

const blocks = new WeakMap<Nesting, Block>();

function blockOf(statement: Statement | NestedStatement | ScriptStatement): Block | undefined {
  const nesting = 'nesting' in statement ? statement.nesting : undefined;
  return nesting && blocks.get(nesting);
}

/** Whether no RETURN or error has ended the block of the statement. */
export function isReachedInBlock(statement: Statement | NestedStatement): boolean {
  for (let block = blockOf(statement); block !== undefined; block = block.outer)
    if (block.isEnded) return false;
  return true;
}

/** The statements within DO and within the statements of its block; undefined for other statements. */
export function contentOfDo(context: DoContext): NestedContent | undefined {
  const { statement, draft } = context;
  const block = blockOf(statement);
  const [first, second] = statement.code;
  if (first?.word === 'DO') return bodyOfDo(statement);
  if (block === undefined) return undefined;
  switch (first?.word) {
    case 'BEGIN':
      return { statements: statementsOfBlock(statement, block) };
    case 'IF':
      return { statements: branchOf(context, block) };
    case 'NULL':
      return { statements: [] };
    case 'RAISE':
      if (onlyReports(second?.word ?? '')) return { statements: [] };
      throw new RejectedStatement('RAISE ends the script here.', statement.start);
    case 'RETURN':
      for (let each: Block | undefined = block; each !== undefined; each = each.outer)
        each.isEnded = true;
      return { statements: [] };
    case 'EXECUTE':
      return { statements: statementsOfExecute(context, block) };
    case 'FOR':
    case 'WHILE':
    case 'LOOP':
    case 'CASE':
    case 'PERFORM':
      warnOmitted(statement, draft);
      return { statements: [] };
    default:
      return second?.word === ':=' || second?.word === ':'
        ? { statements: [] }
        : singleStatement(context, block);
  }
}

/** RAISE with these levels only reports. */
function onlyReports(level: string): boolean {
  return ['NOTICE', 'INFO', 'LOG', 'DEBUG', 'WARNING'].includes(level);
}

/** `DO [LANGUAGE plpgsql] $$ [DECLARE …] BEGIN … END $$` */
function bodyOfDo(statement: ScriptStatement): NestedContent | undefined {
  const { code, text } = statement;
  const body = code.find(({ kind }) => kind === 'string');
  const otherWords = code.filter((token) => token !== body).map(({ word }) => word);
  if (body === undefined || !/^DO(?: LANGUAGE PLPGSQL)?$/.test(otherWords.join(' ')))
    return undefined;
  const bodyText = text.slice(body.start, body.end);
  if (!bodyText.startsWith('$')) return undefined;
  const tag = bodyText.indexOf('$', 1) + 1;
  const inner = bodyText.slice(tag, -tag);
  const tokens = executableCode(inner, lexical);
  const from = tokens.findIndex(({ word }) => word === 'BEGIN');
  const end = tokens.findLastIndex(({ word }) => word === 'END');
  if (
    from < 0 ||
    end < from ||
    !['', 'DECLARE'].includes(from === 0 ? '' : (tokens[0]?.word ?? 'x'))
  )
    return undefined;
  const offset = body.start + tag;
  const range = { start: offset + tokens[from]!.start, end: offset + tokens[end]!.end };
  return { statements: [nestedAt(statement, range, undefined)] };
}

interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** The statement in a range of the text of another one. */
function nestedAt(
  outer: ScriptStatement,
  { start, end }: TextRange,
  block: Block | undefined,
): NestedStatement {
  const { line, column } = positionCounter(outer.text)(start);
  const text = outer.text.slice(start, end);
  const nesting = { ...nestingIn(outer, true) };
  blocks.set(nesting, block ?? newBlock(undefined, new Set()));
  return {
    text,
    start: outer.start + start,
    end: outer.start + end,
    line: outer.line + line - 1,
    column: line === 1 ? outer.column + column - 1 : column,
    firstWord: executableCode(text, lexical)[0]?.word ?? '',
    batch: outer.batch,
    repeat: 1,
    nesting,
  };
}

function newBlock(outer: Block | undefined, ignored: ReadonlySet<string>): Block {
  return { outer, ignored, isEnded: false, hasChanged: false };
}

/** The statements from token `from` to before token `to`. */
function statementsIn(
  statement: ScriptStatement,
  [from, to]: readonly [number, number],
  block: Block,
): readonly NestedStatement[] {
  const { code } = statement;
  const depths = blockDepths(code);
  const statements: NestedStatement[] = [];
  let first = from;
  for (let i = from; i < to; i += 1) {
    const isEnd = code[i]?.word === ';' && depths[i] === depths[from];
    const isLast = i === to - 1;
    if (!isEnd && !isLast) continue;
    const last = isEnd ? i - 1 : i;
    if (last >= first)
      statements.push(
        nestedAt(statement, { start: code[first]!.start, end: code[last]!.end }, block),
      );
    first = i + 1;
  }
  return statements;
}

/** `BEGIN … [EXCEPTION WHEN … THEN …] END` */
function statementsOfBlock(statement: ScriptStatement, outer: Block): readonly NestedStatement[] {
  const { code } = statement;
  const depths = blockDepths(code);
  const end = code.findLastIndex(({ word }) => word === 'END');
  const handler = code.findIndex(
    ({ word }, i) => word === 'EXCEPTION' && depths[i] === 1 && startsStatement(code, i),
  );
  const block = newBlock(outer, handler < 0 ? new Set() : ignoredErrors(statement, handler, end));
  return statementsIn(statement, [1, handler < 0 ? end : handler], block);
}

/** The errors that the block ignores: `WHEN a OR b THEN NULL`. */
function ignoredErrors({ code }: ScriptStatement, from: number, end: number): ReadonlySet<string> {
  const errors = new Set<string>();
  let at = from + 1;
  while (code[at]?.word === 'WHEN') {
    const then = code.findIndex(({ word }, i) => i > at && word === 'THEN');
    const next = code.findIndex(
      ({ word }, i) => i > then && word === 'WHEN' && startsStatement(code, i),
    );
    const until = next < 0 ? end : next;
    const isIgnored = wordsAt(code, then + 1, until).every((words) =>
      /^(?:NULL|RAISE (?:NOTICE|INFO|LOG|DEBUG|WARNING)\b.*)$/.test(words),
    );
    if (isIgnored)
      for (const { word, kind } of code.slice(at + 1, then))
        if (kind === 'word' && word !== 'OR') errors.add(word);
    at = until;
  }
  return errors;
}

/** The statements of the branch of `IF … THEN … [ELSIF … THEN …] [ELSE …] END IF` that runs. */
function branchOf(
  { statement, draft, rules }: DoContext,
  block: Block,
): readonly NestedStatement[] {
  const { code, text } = statement;
  const depths = blockDepths(code);
  const branches = code.flatMap(({ word }, i) => {
    const isBranch = ['ELSIF', 'ELSEIF', 'ELSE'].includes(word) && startsStatement(code, i);
    return depths[i] === 1 && isBranch ? [i] : [];
  });
  const end = code.findLastIndex(({ word }) => word === 'END');
  for (const [n, from] of [0, ...branches].entries()) {
    const to = branches[n] ?? end;
    const then = code[from]?.word === 'ELSE' ? from : thenAfter(statement, from);
    const condition = text.slice(code[from + 1]?.start, code[then - 1]?.end);
    const truth = then === from ? true : truthOf(evaluate(condition, rules));
    if (truth === undetermined) {
      warnOmitted(
        statement,
        draft,
        `IF ${condition.replaceAll(/\s+/g, ' ')}, which only a server can answer,`,
      );
      return [];
    }
    if (truth === true) return statementsIn(statement, [then + 1, to], block);
  }
  return [];
}

function thenAfter({ code }: ScriptStatement, from: number): number {
  const depths = blockDepths(code);
  return code.findIndex(({ word }, i) => i > from && word === 'THEN' && depths[i] === 1);
}

/** `EXECUTE 'CREATE TABLE …'` */
function statementsOfExecute(
  { statement, draft }: DoContext,
  block: Block,
): readonly NestedStatement[] {
  const { code, text } = statement;
  const [, literal, ...rest] = code;
  const literalText = literal?.kind === 'string' ? text.slice(literal.start, literal.end) : '';
  const value = literalText === '' ? undefined : readString(literalText, lexical);
  if (value?.kind !== 'text' || rest.length > 0) {
    warnOmitted(statement, draft);
    return [];
  }
  const nesting = { ...nestingIn(statement, true), offsetInFile: () => statement.start };
  blocks.set(nesting, block);
  const { line, column, batch } = statement;
  return split(value.value, postgresLanguage).map((inner) => ({
    ...inner,
    batch,
    line,
    column,
    nesting,
  }));
}

/** A statement that contains no others. An object that is there already ends a block that ignores the error. */
function singleStatement(
  { statement, draft, state }: DoContext,
  block: Block,
): NestedContent | undefined {
  const error = isDuplicate(statement, { draft, state });
  const handler = error === undefined ? undefined : handlerOf(block, error);
  if (handler === undefined) {
    for (let each: Block | undefined = block; each !== undefined; each = each.outer)
      each.hasChanged = true;
    return undefined;
  }
  if (handler.hasChanged)
    throw new RejectedStatement(
      'The object exists already, and the handler of the error undoes the statements before this one. Remove it.',
      statement.start,
    );
  handler.isEnded = true;
  return { statements: [] };
}

function handlerOf(block: Block, error: string): Block | undefined {
  for (let each: Block | undefined = block; each !== undefined; each = each.outer)
    if (each.ignored.has(error) || each.ignored.has('OTHERS')) return each;
  return undefined;
}
