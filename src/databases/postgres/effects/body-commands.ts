/** Which SQL commands the body of a function in PL/pgSQL or SQL runs beyond queries and writes of rows. */
import { effect } from '../../../sql/effects.ts';
import { words } from '../../../sql/words.ts';
import { postgresStatementRules } from '../language/statement-rules.ts';
import type { StatementEffect } from '../../../model/database.ts';

/** Statements of PL/pgSQL's own, queries, and writes of rows, which a read-only transaction refuses. */
const plain: ReadonlySet<string> = new Set(
  words(`
    ( SELECT WITH VALUES TABLE EXPLAIN SHOW INSERT UPDATE DELETE MERGE CALL
    DECLARE PERFORM RETURN RAISE ASSERT GET NULL OPEN FETCH MOVE CLOSE EXIT CONTINUE EXECUTE END
  `),
);

/** Behind these another statement begins at once. */
const openings: ReadonlySet<string> = new Set([';', 'BEGIN', 'ELSE', 'LOOP', 'EXCEPTION']);

/** Behind the expression of these, a word that another statement follows. */
const heads: Readonly<Record<string, string | undefined>> = {
  IF: 'THEN',
  ELSIF: 'THEN',
  ELSEIF: 'THEN',
  WHEN: 'THEN',
  WHILE: 'LOOP',
  FOR: 'LOOP',
  FOREACH: 'LOOP',
};

const assigning: ReadonlySet<string> = new Set([':=', '=', '[', '.']);

export type BodyLanguage = 'sql' | 'plpgsql';

/** `code` is the body's tokens in capitals, which PL/pgSQL's own grammar divides into statements in this way. */
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
    else if (openings.has(word)) i += 1;
    else if (word === '<<') i = behind(code, i, '>>');
    // `#variable_conflict use_column`
    else if (word === '#') i += 3;
    else if (inDeclarations) i = behind(code, i, ';');
    else if (word === 'CASE') i = code[i + 1] === 'WHEN' ? i + 1 : behind(code, i, 'WHEN') - 1;
    else if (Object.hasOwn(heads, word)) i = behind(code, i, heads[word] ?? '');
    else {
      if (isCommand(code, i)) effects.push(commandEffect(code, i));
      i = behind(code, i, ';');
    }
  }
  return effects;
}

function isCommand(code: readonly string[], i: number): boolean {
  const word = code[i] ?? '';
  const next = code[i + 1] ?? '';
  if (word === 'SET' && next === 'CONSTRAINTS') return false;
  return !plain.has(word) && !assigning.has(next);
}

/** The position behind the next `end` outside parentheses, where a delimiter does not come first. */
function behind(code: readonly string[], from: number, end: string): number {
  let depth = 0;
  for (let i = from + 1; i < code.length; i++) {
    const word = code[i] ?? '';
    if (word === ';' || (word === end && depth <= 0)) return i + 1;
    depth += Number(word === '(' || word === '[') - Number(word === ')' || word === ']');
  }
  return code.length;
}

/** What a transaction's commands do to it, they do only where the statement does not only read. */
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
