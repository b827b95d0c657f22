import { kindOf, registry } from '../../databases/index.ts';
import { dataFormats } from '../../formats/data-formats.ts';
import { StudioError } from '../../model/errors.ts';
import { observeCommits } from '../core/commit-watch.ts';
import { createContext } from '../core/create-context.ts';
import { withStudioErrors } from '../core/with-studio-errors.ts';
import { asFullDatabase } from '../../model/supports.ts';
import { asDatabaseError } from '../core/explain-error.ts';
import { boundedDatabase } from './bounded-database.ts';
import { jobs } from './jobs.ts';
import { sentencesForLog } from './recovery.ts';
import { undoJournals } from '../import/schema/undo-journals.ts';
import type { JobPipes } from '../../processes/job-child.ts';
import type { Database, DatabaseKind } from '../../model/database.ts';
import type {
  JobContext,
  JobMessage,
  JobRequest,
  JobOutput,
  JobPhase,
  Progress,
} from '../core/job.ts';

/** Performs a job in the process that was started for it. */
export async function performJob(request: JobRequest, pipes: JobPipes): Promise<unknown> {
  const kind = await kindOf(request.target.url);
  if (kind === undefined)
    throw new StudioError('internal', 'The job received a URL of an unknown database.');
  // The modules of the job are loaded while the server answers.
  await kind.loadDriver?.();
  const { name, stateDir } = request;
  const target = jobs[name].writes ? request.target : { ...request.target, readOnly: true };
  const [database, perform] = await Promise.all([
    openDatabase(kind, { ...request, target }),
    jobs[name].load(),
  ]);
  const onPhase = (phase: JobPhase): void => pipes.progress({ phase } satisfies JobMessage);
  const context = createJobContext(database, { ...request, target }, onPhase);
  try {
    // The database may have been unavailable when an earlier import was to be undone. Through a database that is not
    // observed: these commits are not those of this import.
    const undoing = {
      target,
      database: withStudioErrors(database),
      ...(stateDir === undefined ? {} : { stateDir }),
    };
    if (jobs[name].changesStructure) {
      const undone = await undoJournals(undoing).catch(() => undefined);
      pipes.progress({ recovered: sentencesForLog(undone) } satisfies JobMessage);
    }
    return await perform(context, request.input as never, jobOutput(pipes));
  } catch (error) {
    throw asDatabaseError(context.database.dialect, error);
  } finally {
    await context.database.close();
  }
}

/** Loads what most downloads need in advance, so that they start faster. */
export async function prepareJob(databaseName: string): Promise<void> {
  const { csv, json } = dataFormats;
  await Promise.all([
    registry
      .find(({ name }) => name === databaseName)
      ?.loadKind()
      .then((kind) => kind.loadDriver?.()),
    ...[jobs['export-table'], jobs['export-data'], csv, json].map((part) => part.load()),
  ]);
}

async function openDatabase(
  kind: DatabaseKind,
  { target, traceparent }: Pick<JobRequest, 'target' | 'traceparent'>,
): Promise<Database> {
  const opened = await kind.open({ ...target, watchesServer: true });
  return traceparent === undefined ? opened : boundedDatabase(opened, { traceparent });
}

function createJobContext(
  unobserved: Database,
  request: JobRequest,
  onPhase: (phase: JobPhase) => void,
): JobContext {
  // Where every statement of DDL commits, a journal undoes what such transactions have created.
  const isJournaled = asFullDatabase(unobserved).dialect.ddl?.ddlUndo !== undefined;
  const database = observeCommits(unobserved, {
    // Outside of transactions, imports only create and drop databases for dry runs, and undo themselves.
    ignored: ['read', 'sql', 'outside transaction', ...(isJournaled ? ['ddl' as const] : [])],
    committing: () => onPhase('committing'),
    committed: () => onPhase('committed'),
  });
  const { target, folder, stateDir, journal, fonts, maxUploadBytes, cachedTables } = request;
  return {
    ...createContext(database, request.access, request.models),
    target,
    folder,
    fonts,
    maxUploadBytes,
    ...(stateDir === undefined ? {} : { stateDir }),
    ...(journal === undefined ? {} : { journal }),
    ...(cachedTables === undefined ? {} : { cachedTables }),
    onPhase,
  };
}

function jobOutput(pipes: JobPipes): JobOutput {
  const send = (message: JobMessage): void => pipes.progress(message);
  return {
    head: (head) => send({ head }),
    stream: pipes.output,
    progress: throttled((progress) => send({ progress })),
  };
}

const progressEveryMs = 200;

function throttled(send: (progress: Progress) => void): (progress: Progress) => void {
  let next = 0;
  return (progress) => {
    const now = performance.now();
    if (now < next) return;
    next = now + progressEveryMs;
    send(progress);
  };
}
