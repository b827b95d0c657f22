import { setImmediate } from 'node:timers/promises';
import { loadLanguage } from '../../../databases/index.ts';
import { StudioError } from '../../../model/errors.ts';
import { classify } from '../../../sql/classify.ts';
import { effect } from '../../../sql/effects.ts';
import { shapeProblems } from '../../../sql/statement-shape.ts';
import type { Database, StatementEffect } from '../../../model/database.ts';
import type { Effect, Language, StatementKind } from '../../../sql/classify.ts';

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
  const [first] = await findExternalAccess(statements, database);
  if (first !== undefined) throw externalAccessError(first);
}

export function externalAccessError({ statement, reason }: ExternalAccess): StudioError {
  const message = `The file leads to a statement that imports do not run: ${reason}.`;
  return new StudioError('import_failed', message, {
    errors: [{ code: 'statement_refused', message }],
    statement,
  });
}

export interface ExternalAccess {
  readonly statement: string;
  /** Without a full stop. */
  readonly reason: string;
}

/** The statements that `rejectExternalAccess` would reject. */
export async function findExternalAccess(
  statements: readonly string[],
  database: Database<'ddl'>,
): Promise<readonly ExternalAccess[]> {
  if (statements.length === 0) return [];
  const language = await loadLanguage(database.dialect);
  const effectsOfCalls = findEffectsOfCalls(statements, database);
  effectsOfCalls.catch(() => undefined);
  // The texts are checked while a thread and the database look for the effects of calls.
  await setImmediate();
  const findings = statements.map((statement) => inspectText(statement, language));
  const ofCalls = await effectsOfCalls;
  return statements.flatMap((statement, i) => {
    const reasons = rejectionReasons(statement, findings[i]!, ofCalls.get(statement) ?? []);
    return reasons.length === 0 ? [] : [{ statement, reason: [...new Set(reasons)].join('; ') }];
  });
}

/** Effects of the functions that each statement calls. Empty if no statement calls one that has any. */
async function findEffectsOfCalls(
  statements: readonly string[],
  database: Database<'ddl'>,
): Promise<ReadonlyMap<string, readonly StatementEffect[]>> {
  const found = new Map<string, readonly StatementEffect[]>();
  // One query for all statements. Only if it finds effects, each statement is examined.
  if ((await database.effectsOf(statements.join(';\n'))).length === 0) return found;
  for (const statement of statements) found.set(statement, await database.effectsOf(statement));
  return found;
}

/** What the text of a statement shows. */
interface TextFindings {
  readonly reasons: readonly string[];
  readonly effects: readonly Effect[];
  /** The reason of an effect that is allowed, because the studio itself writes such statements. */
  readonly allowed: string | undefined;
}

function inspectText(statement: string, language: Language): TextFindings {
  if (language.statements.written?.test(statement) === true)
    return { reasons: [], effects: [], allowed: undefined };
  const { verb, effects, statements } = classify(statement, language);
  const rule = language.statements.verbs[verb];
  return {
    reasons: [
      ...(statements > 1 ? ['It contains several statements'] : []),
      ...shapeProblems(statement, language.lexical),
    ],
    effects,
    // CREATE EXTENSION administers the server.
    allowed: rule === 'administration' ? effect(verb, rule).reason : undefined,
  };
}

function rejectionReasons(
  statement: string,
  { reasons, effects, allowed }: TextFindings,
  ofCalls: readonly StatementEffect[],
): readonly string[] {
  const found = [...effects, ...ofCalls].filter(
    (one) =>
      one.reason !== allowed && (rejectedKinds.has(one.kind) || writesThroughCall(one, statement)),
  );
  return [...reasons, ...found.map(({ reason }) => reason)];
}

/** Whether the statement calls a function that writes. `nextval` is allowed in a default, but not in a view, which reads run. */
function writesThroughCall({ kind, calls }: Effect, statement: string): boolean {
  if (kind !== 'write' || calls === undefined) return false;
  return calls !== 'nextval' || /^CREATE\s+(?:MATERIALIZED\s+)?VIEW\b/i.test(statement);
}
