/** Sets the counters and the storage of new tables after the commit, where that commits by itself. */
import { recordCompletion } from './schema/create-programs.ts';
import { rejectionOf } from './schema/structure-transaction.ts';
import type { CounterDialect, LoadCounter } from '../../model/counters.ts';
import type { Dialect, Session } from '../../model/database.ts';
import type { ScriptProgram } from '../../model/stored-program.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { JobContext } from '../core/job.ts';
import type { Journal } from './schema/journal.ts';

interface StepsAfterCommit {
  /** Those that the transaction of the load sets. */
  readonly withinLoad: () => readonly LoadCounter[];
  /** Before the commit: notes what the studio completes after a crash, and the programs that are created then. */
  record(journal: Journal, programs: readonly ScriptProgram[]): Promise<void>;
  /** After the commit. Returns warnings. */
  run(context: JobContext<LoadCapability | 'ddl'>, journal: Journal): Promise<readonly string[]>;
}

/** `storage`: statements that give tables their own storage. Changing it keeps no counter. */
export function stepsAfterCommit(
  { setAfterCommit }: Pick<CounterDialect, 'setAfterCommit'>,
  counters: () => readonly LoadCounter[],
  storage: readonly string[],
): StepsAfterCommit {
  const statements = (): readonly string[] => [
    ...storage,
    ...(setAfterCommit === undefined ? [] : counters().flatMap((each) => statementOf(each, setAfterCommit))), // prettier-ignore
  ];
  return {
    withinLoad: () =>
      setAfterCommit === undefined ? counters() : counters().filter((each) => statementOf(each, setAfterCommit).length === 0), // prettier-ignore
    record: (journal, programs) =>
      recordCompletion(journal, { programs, statements: statements() }),
    run: async ({ database }, journal) => {
      if (statements().length === 0) return [];
      return database.transaction('ddl', async (session) => {
        await journal.lock(session);
        return runAccepted(session, database.dialect, statements());
      });
    },
  };
}

/** What the database rejects is a warning: the rows are imported all the same, and it would reject it again. */
async function runAccepted(
  session: Session,
  dialect: Dialect,
  statements: readonly string[],
): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const text of statements)
    try {
      await session.run({ text, params: [] });
    } catch (error) {
      warnings.push(
        `The database rejects "${text}" after the rows: ${rejectionOf(dialect, error)}`,
      );
    }
  return warnings;
}

function statementOf(
  { counter, position: { value, isUsed } }: LoadCounter,
  setAfterCommit: NonNullable<CounterDialect['setAfterCommit']>,
): readonly string[] {
  const next = isUsed ? value + 1n : value;
  const isValid = counter.kind === 'column' && next > 0n && next < 2n ** 64n;
  return isValid ? [setAfterCommit(counter.table, next)] : [];
}
