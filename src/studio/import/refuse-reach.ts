import { loadLanguage } from '../../databases/index.ts';
import { StudioError } from '../../model/errors.ts';
import { classify } from '../../sql/classify.ts';
import { effect } from '../../sql/effects.ts';
import { odditiesOfShape } from '../../sql/statement-shape.ts';
import type { Database, StatementEffect } from '../../model/database.ts';
import type { Effect, Language, StatementKind } from '../../sql/classify.ts';

/** Whatever the operator allows: reads of what an import made would run these. */
const refused: ReadonlySet<StatementKind> = new Set([
  'external',
  'unknown',
  'execute',
  'administration',
  'transaction',
  'session',
]);

/**
 * Statements of an import hold words of its file: types, defaults, checks, views. Each is to be the
 * one statement that it was made as, and none may reach files, programs or the network, administer
 * the server, change connections, or call functions that write, other than for a sequence's number.
 */
export async function refuseReach(
  statements: readonly string[],
  database: Database,
): Promise<void> {
  if (statements.length === 0) return;
  const language = await loadLanguage(database.dialect);
  // One question for all of them; which one it is matters only where there is something to say.
  const isPlain = (await database.effectsOf(statements.join(';\n'))).length === 0;
  for (const statement of statements) {
    const effects = isPlain ? [] : await database.effectsOf(statement);
    const reasons = reasonsAgainst(statement, effects, language);
    if (reasons.length === 0) continue;
    const message = `What the file says would make a statement that is not run: ${[...new Set(reasons)].join('; ')}.`;
    throw new StudioError('import_failed', message, {
      errors: [{ code: 'statement_refused', message }],
      statement,
    });
  }
}

function reasonsAgainst(
  statement: string,
  effects: readonly StatementEffect[],
  language: Language,
): readonly string[] {
  const { verb, effects: ofText, statements } = classify(statement, language);
  const rule = language.statements.verbs[verb];
  // CREATE EXTENSION administers by its own verb, which is the studio's and not the file's.
  const own = rule === 'administration' ? effect(verb, rule).reason : undefined;
  const found = [...ofText, ...effects].filter(
    (one) => one.reason !== own && (refused.has(one.kind) || writesByCall(one, statement)),
  );
  return [
    ...(statements > 1 ? ['It holds several statements'] : []),
    ...odditiesOfShape(statement, language.lexical),
    ...found.map(({ reason }) => reason),
  ];
}

/** A view's rows are asked for by whoever reads; a default takes its number when a row is written. */
function writesByCall({ kind, calls }: Effect, statement: string): boolean {
  if (kind !== 'write' || calls === undefined) return false;
  return calls !== 'nextval' || /^CREATE\s+(?:MATERIALIZED\s+)?VIEW\b/i.test(statement);
}
