import { loadLanguage } from '../databases/index.ts';
import { StudioError } from '../model/errors.ts';
import { classify } from '../sql/classify.ts';
import type { Dialect } from '../model/database.ts';
import type { StatementKind } from '../sql/classify.ts';

const refused: ReadonlySet<StatementKind> = new Set(['external', 'unknown', 'transaction']);

/**
 * Statements of an import hold words of its file: types, defaults, checks, views. Each is to be the
 * one statement that it was made as, and none may reach files, programs or the network.
 */
export async function refuseReach(statements: readonly string[], dialect: Dialect): Promise<void> {
  const language = await loadLanguage(dialect);
  for (const statement of statements) {
    const found = classify(statement, language);
    if (found.statements <= 1 && !refused.has(found.kind)) continue;
    const reason = found.reasons.join('; ') || 'It holds several statements';
    const message = `What the file says would make a statement that is not run: ${reason}.`;
    throw new StudioError('import_failed', message, {
      errors: [{ code: 'statement_refused', message }],
      statement,
    });
  }
}
