import { loadLanguage } from '../databases/index.ts';
import { StudioError } from '../model/errors.ts';
import { classify, withEffects } from '../sql/classify.ts';
import type { Database } from '../model/database.ts';
import type { StatementKind } from '../sql/classify.ts';

const refused: ReadonlySet<StatementKind> = new Set([
  'external',
  'unknown',
  'execute',
  'transaction',
]);

/**
 * Statements of an import hold words of its file: types, defaults, checks, views. Each is to be the
 * one statement that it was made as, and none may reach files, programs or the network.
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
    const found = withEffects(classify(statement, language), effects);
    if (found.statements <= 1 && !refused.has(found.kind)) continue;
    const reason = found.reasons.join('; ') || 'It holds several statements';
    const message = `What the file says would make a statement that is not run: ${reason}.`;
    throw new StudioError('import_failed', message, {
      errors: [{ code: 'statement_refused', message }],
      statement,
    });
  }
}
