import { kindOf, registry } from '../../databases/index.ts';
import { dataFormats } from '../../formats/data-formats.ts';
import { StudioError } from '../../model/errors.ts';
import { createContext } from '../core/create-context.ts';
import { asDatabaseError } from '../core/explain-error.ts';
import { jobs } from './jobs.ts';
import { undoJournals } from '../import/undo-journals.ts';
import type { JobPipes } from '../../processes/job-child.ts';
import type { Database } from '../../model/database.ts';
import type {
  JobContext,
  JobMessage,
  JobRequest,
  JobOutput,
  JobPhase,
  Progress,
} from '../core/job.ts';

/** Does a job, in the process that was started for it. */
export async function performJob(order: JobRequest, pipes: JobPipes): Promise<unknown> {
  const [perform, context] = await Promise.all([
    jobs[order.name].load(),
    openContext(order, (phase) => pipes.progress({ phase } satisfies JobMessage)),
  ]);
  try {
    // The database had gone when these were to be undone.
    if (jobs[order.name].changesStructure) await undoJournals(context).catch(() => undefined);
    return await perform(context, order.input as never, jobOutput(pipes));
  } catch (error) {
    throw asDatabaseError(context.database.dialect, error);
  } finally {
    await context.database.close();
  }
}

/** Loads what most downloads need, so that their first byte is there the sooner. */
export async function prepareJob(databaseName: string): Promise<void> {
  const { csv, json } = dataFormats;
  await Promise.all([
    registry.find(({ name }) => name === databaseName)?.loadKind(),
    ...[jobs['export-table'], jobs['export-data'], csv, json].map((part) => part.load()),
  ]);
}

async function openContext(
  order: JobRequest,
  onPhase: (phase: JobPhase) => void,
): Promise<JobContext> {
  const kind = await kindOf(order.target.url);
  if (kind === undefined)
    throw new StudioError('internal', 'The job was given a URL of no known database.');
  const { writes } = jobs[order.name];
  const target = writes ? order.target : { ...order.target, readOnly: true };
  const database = withPhases(await kind.open(target), onPhase);
  const context = createContext(database, order.access, order.models);
  const { folder, stateDir, journal, fonts, maxUploadBytes } = order;
  return {
    ...context,
    target,
    folder,
    fonts,
    maxUploadBytes,
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(journal === undefined ? {} : { journal }),
  };
}

/** Reports the phase before and after each commit of a write transaction. */
function withPhases(database: Database, onPhase: (phase: JobPhase) => void): Database {
  return {
    ...database,
    transaction: async (mode, work, options) => {
      if (mode !== 'write') return database.transaction(mode, work, options);
      const result = await database.transaction(
        mode,
        async (session) => {
          const value = await work(session);
          onPhase('committing');
          return value;
        },
        options,
      );
      onPhase('committed');
      return result;
    },
  };
}

function jobOutput(pipes: JobPipes): JobOutput {
  const tell = (news: JobMessage): void => pipes.progress(news);
  return {
    head: (head) => tell({ head }),
    stream: pipes.output,
    progress: throttled((progress) => tell({ progress })),
  };
}

const progressEveryMs = 200;

function throttled(tell: (progress: Progress) => void): (progress: Progress) => void {
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (now < next) return;
    next = now + progressEveryMs;
    tell(progress);
  };
}
