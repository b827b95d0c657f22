/**
 * Applies the statements that assign variables: `DECLARE @a int = 1`, `SET @a = 1`, `SELECT @a := 1`. Only
 * values that can be evaluated here are known afterwards.
 */
import { StudioError } from '../../../model/errors.ts';
import { codeOf } from '../../../portable/lexer/code.ts';
import { acceptWord, lineOf, nextToken, peekToken, syntaxError, textOf } from '../script/script.ts';
import { castTo } from '../values/cast.ts';
import { readExpression, readType } from './read-expression.ts';
import type { CodeToken } from '../../../portable/lexer/code.ts';
import type { Script } from '../script/script.ts';
import type { ScriptVariables } from '../script/script-variable.ts';
import type { CastType, SqlValue } from '../values/literals.ts';

interface Statement {
  readonly text: string;
  readonly start: number;
}

/** Applies the assignments of a statement that is skipped. */
export function assignVariables(script: Script, { text, start }: Statement): void {
  const { rules } = script.lexer;
  if (!rules.variables || !text.includes('@')) return;
  const code = codeOf(text, rules).filter(({ kind }) => !kind.startsWith('versioned'));
  const verb = code[0]?.word ?? '';
  if (code[1]?.kind !== 'variable' || !/^(?:DECLARE|SET|SELECT)$/.test(verb))
    return forgetVariables(script.variables, text, code);
  const inner: Script = {
    ...script,
    // The end of a versioned comment, such as `/*!40101 SET @a = 1 */`.
    lexer: { ...script.lexer, text: text.replace(/\*\/\s*$/, ''), at: 0, continued: undefined },
    isLast: true,
    firstLine: lineOf(script, start),
    counted: { at: 0, line: lineOf(script, start) },
    peeked: undefined,
  };
  try {
    nextToken(inner);
    const assigned = verb === 'DECLARE' ? readDeclarations(inner) : readAssignments(inner);
    for (const [name, variable] of assigned) script.variables.set(name, variable);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    forgetVariables(script.variables, text, code);
  }
}

/** `@a int = 1, @b AS nvarchar(10)` */
function readDeclarations(script: Script): ScriptVariables {
  const declared: ScriptVariables = new Map();
  do {
    const name = readVariableName(script);
    acceptWord(script, 'AS');
    const type = typeOfVariable(readType(script));
    const value: SqlValue = acceptWord(script, '=')
      ? castTo(type, readExpression(script), script.dataScript)
      : { kind: 'null' };
    declared.set(name, { type, value });
  } while (acceptWord(script, ','));
  requireEnd(script);
  return declared;
}

const sizedTypes = /^(?:NATIONAL )?N?(?:VAR)?CHAR(?:ACTER)?(?: VARYING)?$|^(?:VAR)?BINARY$/;

/** The declared type of a variable: without a length it has one character, unlike that of a cast. */
function typeOfVariable(type: CastType): CastType {
  const isUnsized = type.sizes.length === 0 && sizedTypes.test(type.name);
  return isUnsized ? { ...type, sizes: ['1'] } : type;
}

/** `@a = 1, @b := 'x'` */
function readAssignments(script: Script): ScriptVariables {
  const assigned: ScriptVariables = new Map();
  do {
    const name = readVariableName(script);
    if (!acceptWord(script, ':=') && !acceptWord(script, '='))
      throw syntaxError(script, peekToken(script), '"=" is expected');
    const { type } = script.variables.get(name) ?? {};
    const value = readExpression(script);
    const converted = type === undefined ? value : castTo(type, value, script.dataScript);
    assigned.set(name, { type, value: converted });
  } while (acceptWord(script, ','));
  requireEnd(script);
  return assigned;
}

function readVariableName(script: Script): string {
  const token = nextToken(script);
  if (token?.kind !== 'variable') throw syntaxError(script, token, 'a variable is expected');
  return textOf(script, token).toLowerCase();
}

/** A FROM would make the value depend on rows. */
function requireEnd(script: Script): void {
  const token = peekToken(script);
  if (token !== undefined && token.kind !== 'delimiter')
    throw syntaxError(script, token, 'the end of the statement is expected');
}

/** The value of a variable before it in an operand of a comparison, not the target of an assignment. */
const beforeOperands =
  /^(?:IF|WHILE|WHERE|AND|OR|NOT|WHEN|ON|HAVING|BETWEEN|LIKE|IN|RETURN|PRINT|[-(+*/%=<>!&|^]+)$/;

/** Forgets the values of variables that a statement may assign. */
function forgetVariables(
  variables: ScriptVariables,
  text: string,
  code: readonly CodeToken[],
): void {
  const fetches = code.some(({ word }) => word === 'INTO' || word === 'OUTPUT' || word === 'OUT');
  code.forEach(({ kind, start, end }, i) => {
    if (kind !== 'variable') return;
    const after = `${code[i + 1]?.word ?? ''}${code[i + 2]?.word ?? ''}`;
    const isTarget =
      /^(?::=|[-+*/%&|^]?=)/.test(after) && !beforeOperands.test(code[i - 1]?.word ?? '');
    if (!isTarget && !fetches && code[0]?.word !== 'DECLARE') return;
    const name = text.slice(start, end).toLowerCase();
    variables.set(name, { type: variables.get(name)?.type, value: undefined });
  });
}
