import { loadLanguage } from '../../databases/index.ts';
import { StudioError } from '../../model/errors.ts';
import { classify } from '../../sql/classify.ts';
import { effect } from '../../sql/effects.ts';
import { shapeProblems } from '../../sql/statement-shape.ts';
import type { Database, StatementEffect } from '../../model/database.ts';
import type { Effect, Language, StatementKind } from '../../sql/classify.ts';

/** Kinds that are always rejected in an import: later reads of the created objects would run them. */
const rejectedKinds: ReadonlySet<StatementKind> = new Set([
  'external',
  'unknown',
  'execute',
  'administration',
  'transaction',
  'session',
]);

/**
 * Rejects dangerous statements of an import. They contain text of the file, such as types, defaults,
 * checks and views. Each must be a single statement of the expected kind. None may access files,
 * programs or the network, administer the server, change the session, or call functions that write,
 * except to get a number from a sequence.
 */
export async function rejectExternalAccess(
  statements: readonly string[],
  database: Database<'ddl'>,
): Promise<void> {
  if (statements.length === 0) return;
  const language = await loadLanguage(database.dialect);
  // One query for all statements. Only if it finds effects, each statement is examined.
  const hasNoEffects = (await database.effectsOf(statements.join(';\n'))).length === 0;
  for (const statement of statements) {
    const effects = hasNoEffects ? [] : await database.effectsOf(statement);
    const reasons = rejectionReasons(statement, effects, language);
    if (reasons.length === 0) continue;
    const message = `The file leads to a statement that imports do not run: ${[...new Set(reasons)].join('; ')}.`;
    throw new StudioError('import_failed', message, {
      errors: [{ code: 'statement_refused', message }],
      statement,
    });
  }
}

function rejectionReasons(
  statement: string,
  effects: readonly StatementEffect[],
  language: Language,
): readonly string[] {
  const { verb, effects: ofText, statements } = classify(statement, language);
  const rule = language.statements.verbs[verb];
  // The studio itself writes CREATE EXTENSION, so the effect of the verb itself is allowed.
  const own = rule === 'administration' ? effect(verb, rule).reason : undefined;
  const found = [...ofText, ...effects].filter(
    (one) =>
      one.reason !== own && (rejectedKinds.has(one.kind) || writesThroughCall(one, statement)),
  );
  return [
    ...(statements > 1 ? ['It contains several statements'] : []),
    ...shapeProblems(statement, language.lexical),
    ...found.map(({ reason }) => reason),
  ];
}

/** Whether the statement calls a function that writes. `nextval` is allowed in a default, but not in a view, which reads run. */
function writesThroughCall({ kind, calls }: Effect, statement: string): boolean {
  if (kind !== 'write' || calls === undefined) return false;
  return calls !== 'nextval' || /^CREATE\s+(?:MATERIALIZED\s+)?VIEW\b/i.test(statement);
}
