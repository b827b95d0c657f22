/** Classifies the statements of T-SQL that contain others: IF, BEGIN and EXEC. */
import { executableCode } from '../../../sql/ddl/cursor.ts';
import { isKeyword } from '../../../portable/lexer/code.ts';
import { split } from '../../../portable/lexer/split.ts';
import { unquote } from '../values/literals.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';
import type { KindContext, StatementKind } from './statement-kind.ts';

interface StatementCode {
  readonly text: string;
  readonly code: readonly CodeToken[];
}

/** Classifies the statements of a text. */
type Classify = (text: string, context: KindContext) => StatementKind;

/** Undefined for a statement that contains no others. */
export function kindOfNesting(
  statement: StatementCode,
  context: KindContext,
  classify: Classify,
): StatementKind | undefined {
  if (context.dataScript.proceduresWithoutRows === undefined) return undefined;
  const { code } = statement;
  const [verb = '', second = ''] = code.map(({ word }) => word);
  if (isWithoutRows(statement)) return 'skippable';
  if (verb === 'IF' && testsForError(code)) return 'skippable';
  const isNesting = ['IF', 'EXEC', 'EXECUTE'].includes(verb) || (verb === 'BEGIN' && !/^(?:|TRAN(?:SACTION)?|DISTRIBUTED|DIALOG|CONVERSATION)$/.test(second)); // prettier-ignore
  if (!isNesting) return undefined;
  if (isPlainCall(statement)) {
    const kind = kindOfCall(statement, 0, { context, classify });
    return kind === 'other' ? undefined : kind;
  }
  if (writesOrJumps(code)) return 'container';
  let isStructural = code.some(({ word }, i) => structuralVerbs.has(word) && isKeyword(code, i));
  for (const [i, { word }] of code.entries()) {
    if ((word !== 'EXEC' && word !== 'EXECUTE') || !isKeyword(code, i)) continue;
    const kind = kindOfCall(statement, i, { context, classify });
    if (kind === 'other' || kind === 'container') return 'container';
    isStructural ||= kind === 'ddl';
  }
  return isStructural ? 'ddl' : 'skippable';
}

function isPlainCall({ code: [first] }: StatementCode): boolean {
  return first?.word === 'EXEC' || first?.word === 'EXECUTE';
}

const verbsWithoutRows: ReadonlySet<string> = new Set(['RAISERROR', 'RECONFIGURE', 'WAITFOR']);

function isWithoutRows({ code }: StatementCode): boolean {
  const [verb = '', second = ''] = code.map(({ word }) => word);
  if (verb === 'DECLARE') return code[1]?.kind === 'variable';
  // DBCC CHECKIDENT is read before. The other commands check and report, if they do not repair.
  if (verb === 'DBCC') return !code.some(({ word }) => word.startsWith('REPAIR'));
  if (verb === 'ENABLE' || verb === 'DISABLE') return second === 'TRIGGER';
  return verbsWithoutRows.has(verb);
}

/** `IF @@ERROR <> 0 …`: an import that meets an error ends there. */
function testsForError(code: readonly CodeToken[]): boolean {
  const [, first, second, third, fourth] = code;
  const isError = first?.kind === 'variable' && first.end - first.start === '@@ERROR'.length;
  const operator = `${second?.word ?? ''}${third?.kind === 'operator' ? third.word : ''}`;
  const zero = third?.kind === 'operator' ? fourth : third;
  const hasElse = code.some(({ word }) => word === 'ELSE');
  return isError && /^(?:<>|!=|>)$/.test(operator) && zero?.kind === 'number' && !hasElse;
}

const structuralVerbs: ReadonlySet<string> = new Set(['CREATE', 'ALTER', 'DROP']);
const writingVerbs: ReadonlySet<string> = new Set(
  'INSERT UPDATE DELETE MERGE TRUNCATE BULK INTO WRITETEXT UPDATETEXT RESTORE'.split(' '),
);
const jumps: ReadonlySet<string> = new Set(
  'RETURN GOTO THROW BREAK CONTINUE WHILE ROLLBACK NOEXEC PARSEONLY FMTONLY FETCH KILL SHUTDOWN'.split(
    ' ',
  ),
);

function writesOrJumps(code: readonly CodeToken[]): boolean {
  return code.some(({ word }, i) => {
    if (!isKeyword(code, i)) return false;
    return jumps.has(word) || (writingVerbs.has(word) && !isPartOfOther(code, i));
  });
}

/** `ON DELETE CASCADE`, `GRANT SELECT, INSERT ON …`, `UPDATE STATISTICS` */
function isPartOfOther(code: readonly CodeToken[], i: number): boolean {
  const [before = '', after = ''] = [code[i - 1]?.word, code[i + 1]?.word];
  if (after === 'STATISTICS') return true;
  if (/^(?:ON|GRANT|DENY|REVOKE)$/.test(before)) return true;
  return (before === ',' || before === 'FOR') && (after === ',' || after === 'ON');
}

interface Call {
  readonly context: KindContext;
  readonly classify: Classify;
}

/** Classifies the call whose EXEC is at `i`: of a known procedure, or of a text. */
function kindOfCall(statement: StatementCode, i: number, call: Call): StatementKind {
  const { text, code } = statement;
  let at = i + 1;
  if (code[at]?.kind === 'variable' && code[at + 1]?.word === '=') at += 2;
  if (code[at]?.word === '(') return kindOfText(statement, at + 1, call);
  while (code[at + 1]?.word === '.') at += 2;
  if (code[at]?.word === '.') at += 1;
  const token = code[at];
  if (token?.kind !== 'word' && token?.kind !== 'quoted-name') return 'other';
  const procedure = text
    .slice(token.start, token.end)
    .replaceAll(/[[\]"]/g, '')
    .toLowerCase();
  if (procedure === 'sp_executesql') {
    const isNamed = code[at + 1]?.kind === 'variable' && code[at + 2]?.word === '=';
    return kindOfText(statement, at + (isNamed ? 3 : 1), call);
  }
  if (procedure === 'sp_msforeachtable') return kindForEachTable(statement, at + 1);
  const isKnown = call.context.dataScript.proceduresWithoutRows?.has(procedure) === true;
  if (!isKnown) return 'other';
  return /^sp_(?:(?:add|update)extendedproperty|rename|addtype)$/.test(procedure)
    ? 'ddl'
    : 'skippable';
}

/** `EXEC sp_MSforeachtable 'ALTER TABLE ? NOCHECK CONSTRAINT ALL'` switches checks off and on. */
function kindForEachTable({ text, code }: StatementCode, at: number): StatementKind {
  const isNamed = code[at]?.kind === 'variable' && code[at + 1]?.word === '=';
  const token = code[isNamed ? at + 2 : at];
  const command = token?.kind === 'string' ? text.slice(token.start, token.end) : '';
  const switches =
    /^N?'\s*ALTER\s+TABLE\s+\?\s+(?:(?:WITH\s+(?:NO)?CHECK\s+)?(?:NO)?CHECK\s+CONSTRAINT\s+ALL|(?:EN|DIS)ABLE\s+TRIGGER\s+ALL)\s*;?\s*'$/i;
  return switches.test(command) ? 'skippable' : 'other';
}

/** A variable can have a text that executes the variable. */
const maxDepth = 10;

/** Classifies the text that EXEC runs. Computed parts of it stand for a name or a part of a string. */
function kindOfText(statement: StatementCode, from: number, call: Call): StatementKind {
  const { text, code } = statement;
  const { context, classify } = call;
  if (context.depth > maxDepth) return 'other';
  const inner = { ...context, depth: context.depth + 1 };
  let [executed, isComputed] = ['', false];
  for (let at = from; ; at += 1) {
    const token = code[at];
    if (token === undefined || /^(?:\)|,|;)$/.test(token.word)) break;
    if (token.word === '+') continue;
    const part = text.slice(token.start, token.end);
    if (token.kind === 'string') executed += unquote(part.replace(/^N/i, ''), 'plain');
    else if (token.kind === 'variable') {
      const value = context.textOf(part);
      isComputed ||= value === undefined;
      executed += value ?? 'computed';
    } else return 'other';
  }
  const isModule =
    /^\s*(?:CREATE|ALTER)\s+(?:OR\s+ALTER\s+)?(?:PROC|PROCEDURE|FUNCTION|TRIGGER|VIEW)\b/i;
  if (isModule.test(executed)) return 'ddl';
  const kinds = split(executed, { ...context.language, lexical: context.lexical }).map((each) =>
    writesOrJumps(executableCode(each.text, context.lexical))
      ? 'container'
      : classify(each.text, inner),
  );
  if (kinds.includes('other') || kinds.includes('container')) return isComputed ? 'other' : 'container'; // prettier-ignore
  return kinds.includes('ddl') ? 'ddl' : 'skippable';
}
