/** Finds SQL commands other than queries and row writes in the body of a PL/pgSQL or SQL function. */
import { effect } from '../../../sql/effects.ts';
import { words } from '../../../portable/lexer/words.ts';
import { postgresStatementRules } from '../language/statement-rules.ts';
import type { StatementEffect } from '../../../model/database.ts';

/** PL/pgSQL statements, queries, and row writes, which a read-only transaction rejects. */
const harmlessCommands: ReadonlySet<string> = new Set(
  words(`
    ( SELECT WITH VALUES TABLE EXPLAIN SHOW INSERT UPDATE DELETE MERGE CALL
    DECLARE PERFORM RETURN RAISE ASSERT GET NULL OPEN FETCH MOVE CLOSE EXIT CONTINUE EXECUTE END
  `),
);

/** A statement begins after each of these. */
const statementStarts: ReadonlySet<string> = new Set([';', 'BEGIN', 'ELSE', 'LOOP', 'EXCEPTION']);

/** Words before an expression, each with the word that ends the expression. A statement follows. */
const expressionEnds: Readonly<Record<string, string | undefined>> = {
  IF: 'THEN',
  ELSIF: 'THEN',
  ELSEIF: 'THEN',
  WHEN: 'THEN',
  WHILE: 'LOOP',
  FOR: 'LOOP',
  FOREACH: 'LOOP',
};

const assignmentTokens: ReadonlySet<string> = new Set([':=', '=', '[', '.']);

export type BodyLanguage = 'sql' | 'plpgsql';

/** Splits the upper-case tokens of a body into statements by the grammar of PL/pgSQL. */
export function effectsOfCommands(
  code: readonly string[],
  language: BodyLanguage,
): readonly StatementEffect[] {
  const effects: StatementEffect[] = [];
  let inDeclarations = false;
  let i = 0;
  while (i < code.length) {
    const word = code[i] ?? '';
    if (word === 'DECLARE' || word === 'BEGIN')
      inDeclarations = word === 'DECLARE' && language === 'plpgsql';
    if (inDeclarations && word === 'DECLARE') i += 1;
    else if (statementStarts.has(word)) i += 1;
    else if (word === '<<') i = positionAfter(code, i, '>>');
    // `#variable_conflict use_column`
    else if (word === '#') i += 3;
    else if (inDeclarations) i = positionAfter(code, i, ';');
    else if (word === 'CASE')
      i = code[i + 1] === 'WHEN' ? i + 1 : positionAfter(code, i, 'WHEN') - 1;
    else if (Object.hasOwn(expressionEnds, word))
      i = positionAfter(code, i, expressionEnds[word] ?? '');
    else {
      if (isCommand(code, i)) effects.push(commandEffect(code, i));
      i = positionAfter(code, i, ';');
    }
  }
  return effects;
}

function isCommand(code: readonly string[], i: number): boolean {
  const word = code[i] ?? '';
  const next = code[i + 1] ?? '';
  if (word === 'SET' && next === 'CONSTRAINTS') return false;
  return !harmlessCommands.has(word) && !assignmentTokens.has(next);
}

/** The position after the next `end` outside parentheses, or after a semicolon that comes first. */
function positionAfter(code: readonly string[], from: number, end: string): number {
  let depth = 0;
  for (let i = from + 1; i < code.length; i++) {
    const word = code[i] ?? '';
    if (word === ';' || (word === end && depth <= 0)) return i + 1;
    depth += Number(word === '(' || word === '[') - Number(word === ')' || word === ']');
  }
  return code.length;
}

/** Commands that are not known to be session, administration or external count as writes, which a read-only transaction rejects. */
function commandEffect(code: readonly string[], at: number): StatementEffect {
  const { verbs } = postgresStatementRules;
  const verb = [3, 2, 1]
    .map((length) => code.slice(at, at + length).join(' '))
    .find((key) => Object.hasOwn(verbs, key));
  const rule = verb === undefined ? undefined : verbs[verb];
  const kind =
    rule === 'session' || rule === 'administration' || rule === 'external' ? rule : 'write';
  return { kind, reason: effect(verb ?? code[at] ?? '', kind).reason };
}
