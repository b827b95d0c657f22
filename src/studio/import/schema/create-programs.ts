/** Creates triggers, routines and events of a dump after its rows, where each statement of DDL commits. */
import { dropPrograms, programCreated, recordProgram, runInOrder } from './run-structure.ts';
import { withoutProgram } from './select-programs.ts';
import type { ScriptProgram } from '../../../model/stored-program.ts';
import type { StructureCapability } from '../../core/capabilities.ts';
import type { JobContext } from '../../core/job.ts';
import type { Journal } from './journal.ts';
import type { Rejection } from './rejected-object.ts';

/** Creates programs that are part of no structure, such as triggers after the rows. */
async function createPrograms(
  context: JobContext<StructureCapability>,
  programs: readonly ScriptProgram[],
  journal: Journal,
): Promise<void> {
  if (programs.length === 0) return;
  await context.database.transaction('ddl', async (session) => {
    await journal.lock(session);
    for (const program of programs) {
      await recordProgram(journal, program);
      await runInOrder([program.text], { context, session, relations: [], programs });
      await programCreated(journal, program, { database: context.database, session });
    }
  });
}

interface LastPrograms {
  readonly programs: readonly ScriptProgram[];
  readonly onLeftOut?: ((program: ScriptProgram) => void) | undefined;
}

/** Creates programs after the rows are committed. Those that the database rejects are left out; returns a warning for each. */
export async function createLastPrograms(
  context: JobContext<StructureCapability>,
  { programs, onLeftOut }: LastPrograms,
  journal: Journal,
): Promise<readonly string[]> {
  const warnings: string[] = [];
  let remaining = programs;
  for (const program of programs) {
    if (!remaining.includes(program)) continue;
    let isCreated = true;
    const leaveOut = ({ reason }: Rejection): void => {
      isCreated = false;
      const rest = withoutProgram(remaining, program, reason);
      for (const one of remaining) if (!rest.programs.includes(one)) onLeftOut?.(one);
      remaining = rest.programs;
      warnings.push(...rest.warnings);
    };
    await context.database.transaction('ddl', async (session) => {
      await journal.lock(session);
      await recordProgram(journal, program);
      await runInOrder([program.text], {
        context,
        session,
        relations: [],
        programs,
        optional: { savepoint: undefined, onRejected: leaveOut },
      });
    });
    if (isCreated) await programCreated(journal, program);
  }
  return warnings;
}

interface CompletionSteps {
  /** Statements that run before the programs are created. */
  readonly statements: readonly string[];
  readonly programs: readonly ScriptProgram[];
}

/** Records that the rows are about to be committed. After a crash, the studio then sets the counters and creates the programs. */
export async function recordCompletion(
  journal: Journal,
  { statements, programs }: CompletionSteps,
): Promise<void> {
  await journal.record({ complete: [statements], programs });
}

/** Creates and drops programs, so that the import fails before its rows are committed. */
export async function tryPrograms(
  context: JobContext<StructureCapability>,
  programs: readonly ScriptProgram[],
  journal: Journal,
): Promise<void> {
  await createPrograms(context, programs, journal);
  await dropPrograms(context.database, journal, (program) => programs.includes(program));
  // Others may create a program of the name while the rows are loaded.
  for (const { kind, name, drop } of programs)
    if (drop !== undefined)
      await journal.record({
        table: name,
        undo: drop,
        object: `${kind} ${name}`,
        isReverted: true,
      });
}
