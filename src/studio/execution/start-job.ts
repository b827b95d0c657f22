import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { databaseNameOf } from '../../databases/index.ts';
import { createJobs } from '../../processes/job.ts';
import { moduleUrl } from '../../processes/module-url.ts';
import { makeFolder, removeFolder } from '../../processes/scratch-folder.ts';
import { HostError } from '../../processes/errors.ts';
import { isInterruption, StudioError } from '../../model/errors.ts';
import { withStatedOutcome } from '../core/write-transaction.ts';
import { studioErrorOf } from './child-errors.ts';
import { createJobQueue } from './job-queue.ts';
import { jobs } from './jobs.ts';
import type { Jobs } from '../../processes/job.ts';
import type { Traceparent } from '../../model/traceparent.ts';
import type { ErrorDetails, WriteOutcome } from '../../model/errors.ts';
import type { Executor, RunningJobHandle, RecoveryResult } from './executor.ts';
import type { FileHead, JobMessage, JobRequest, Progress } from '../core/job.ts';
import type { JobName, JobPhase } from '../core/job.ts';
import type { ExportDataInput } from '../export/export-data.ts';
import type { ExportTableInput } from '../export/export-table.ts';
import type { ImportDataInput } from '../import/import-options.ts';
import type { AcquireOptions } from './job-queue.ts';

export interface JobOptions {
  /** Aborted when the client disconnects: kills the job's process and rolls back what it has done. */
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** The trace of the request that starts the job. */
  readonly traceparent?: Traceparent;
}

/** A job that is running. */
export interface StartedJob {
  /** Describes the file. Rejects if the job fails before it has sent the description. */
  readonly head: Promise<FileHead>;
  /** The file. It must be read to its end, or destroyed, which kills the job. Fails if the job fails. */
  readonly output: Readable;
  /** The job's JSON response. */
  readonly result: Promise<unknown>;
}

export type StartJob = (name: JobName, input: unknown, options?: JobOptions) => Promise<StartedJob>;

export interface JobStarter {
  readonly start: StartJob;
  counts(): JobCounts;
  close(): Promise<void>;
}

/** Imports and exports. */
export interface JobCounts {
  readonly running: number;
  readonly waiting: number;
}

export type JobSettings = Pick<
  JobRequest,
  'target' | 'access' | 'models' | 'stateDir' | 'fonts' | 'maxUploadBytes'
>;

const heapLimitMb = 1024;
/** The length of each queue. No normal use of a studio needs more. */
const maxWaiting = 100;
const jobEntry = moduleUrl(new URL('../../job.ts', import.meta.url));

interface StarterOptions {
  readonly singleUse?: boolean;
  /** Called with a sentence for what a job leaves out of an earlier import that it completes. */
  readonly onRecovery?: ((sentence: string) => void) | undefined;
}

/** Starts jobs, each in a process of its own, and removes what a failed or killed job leaves. */
export function createJobStarter(
  settings: JobSettings,
  executor: Executor,
  { singleUse = false, onRecovery }: StarterOptions = {},
): JobStarter {
  const children = createChildren(settings, singleUse);
  const queues = createQueues();
  const finishing = new Set<Promise<unknown>>();
  let waiting = 0;
  return {
    start: async (name, input, options = {}) => {
      waiting += 1;
      const acquired = queues[jobs[name].queue].acquire({
        ...waitingOptions(options),
        ...exportUse(input),
      });
      const release = await acquired.catch(failBeforeStart).finally(() => (waiting -= 1));
      const [folder, structure] = await Promise.all([
        makeFolder(),
        // A studio that is used once has cached nothing.
        singleUse ? {} : findCachedTables(executor, name, input),
      ]).catch((error: unknown) => {
        release();
        throw error;
      });
      const journal = randomUUID();
      const { writes: isWrite } = jobs[name];
      const handle = executor.addJob({ description: describe(name, input), isWrite });
      const outcome = createOutcome(handle);
      const parts = { ...structure, ...traceOf(options) };
      const request = { ...settings, name, input, folder, journal, ...parts };
      const beginning = beginJob(children, request, { ...options, outcome, onRecovery });
      const end = (): void => {
        handle.end();
        outcome.next('ended');
        release();
      };
      const result = finishJob(beginning, {
        name,
        input,
        executor,
        folder,
        journal,
        outcome,
        end,
        changesStructure: !singleUse && mayChangeStructure(name, input),
      });
      finishing.add(result);
      // Callers that only read the output get the error from it.
      result.catch(() => undefined).finally(() => finishing.delete(result));
      const job = await beginning.catch(() => undefined);
      return job === undefined ? (result as Promise<never>) : { ...job, result };
    },
    counts: () => ({ running: finishing.size, waiting }),
    close: async () => {
      await children.close();
      await Promise.allSettled(finishing);
    },
  };
}

function failBeforeStart(error: unknown): never {
  throw withStatedOutcome(error, 'nothing_written');
}

function createQueues() {
  return {
    transfers: createJobQueue({ running: 4, waiting: maxWaiting }),
    diagrams: createJobQueue({ running: 2, waiting: maxWaiting }),
  };
}

function createChildren({ target }: JobSettings, singleUse: boolean): Jobs {
  return createJobs({
    entry: jobEntry,
    args: [databaseNameOf(target.url) ?? ''],
    heapLimitMb,
    name: 'job',
    spare: !singleUse,
  });
}

/** The job reports the error if the structure cannot be read. */
async function findCachedTables(
  executor: Executor,
  name: JobName,
  input: unknown,
): Promise<Pick<JobRequest, 'cachedTables'>> {
  const names = exportedTables(name, input);
  const cachedTables = await executor.cachedTables?.(names).catch(() => undefined);
  return cachedTables === undefined ? {} : { cachedTables };
}

/** The tables that an export of rows names. */
function exportedTables(name: JobName, input: unknown): readonly string[] {
  if (name === 'export-table') return [(input as ExportTableInput).table];
  return name === 'export-data' ? ((input as ExportDataInput).tables ?? []) : [];
}

function traceOf({ traceparent }: JobOptions): Pick<JobRequest, 'traceparent'> {
  return traceparent === undefined ? {} : { traceparent };
}

/** Exports of one table never occupy the whole queue. */
function exportUse(input: unknown): AcquireOptions {
  const { table } = (input ?? {}) as { readonly table?: unknown };
  return typeof table === 'string' ? { use: { kind: 'reads', table } } : {};
}

function waitingOptions({ signal, onProgress }: JobOptions): AcquireOptions {
  return {
    ...(signal === undefined ? {} : { signal }),
    onWaiting: (ahead) => onProgress?.({ bytes: 0, total_bytes: 0, rows: 0, waiting: ahead + 1 }),
  };
}

/** The last phase that the job reported, also known after it was killed. */
interface Outcome {
  phase?: Exclude<JobPhase, 'undone'>;
  /** Records the job's next phase, or its end. */
  next(phase: JobPhase | 'ended'): void;
}

function createOutcome(handle: RunningJobHandle): Outcome {
  let finishCommit: () => void = () => {};
  const outcome: Outcome = {
    next: (phase) => {
      finishCommit();
      if (phase === 'ended') return;
      if (phase === 'undone') {
        delete outcome.phase;
        return;
      }
      outcome.phase = phase;
      if (phase !== 'committing') return;
      const { promise, resolve } = Promise.withResolvers<void>();
      finishCommit = resolve;
      handle.committing(promise);
    },
  };
  return outcome;
}

/** The job, as error messages describe it. */
function describe(name: JobName, input: unknown): string {
  const { table } = (input ?? {}) as { readonly table?: unknown };
  const kind = jobs[name].writes ? 'an import' : 'an export';
  return typeof table === 'string' && table !== '' ? `${kind} of "${table}"` : kind;
}

async function beginJob(
  children: Jobs,
  request: JobRequest,
  options: JobOptions & Pick<StarterOptions, 'onRecovery'> & { readonly outcome: Outcome },
): Promise<StartedJob> {
  const head = Promise.withResolvers<FileHead>();
  head.promise.catch(() => undefined);
  const onProgress = (message: unknown): void => {
    const jobMessage = message as JobMessage;
    if ('head' in jobMessage) head.resolve(jobMessage.head);
    else if ('phase' in jobMessage) options.outcome.next(jobMessage.phase);
    else if ('progress' in jobMessage) options.onProgress?.(jobMessage.progress);
    else for (const sentence of jobMessage.recovered) options.onRecovery?.(sentence);
  };
  const { signal } = options;
  const { output, result } = await children.run(request, {
    onProgress,
    toOutputError: studioErrorOf,
    ...(signal === undefined ? {} : { signal }),
  });
  result.then(() => head.reject(new Error('The job has no file.')), head.reject);
  return { head: head.promise, output, result };
}

interface JobToFinish {
  readonly name: JobName;
  readonly input: unknown;
  readonly executor: Executor;
  readonly folder: string;
  readonly journal: string;
  readonly outcome: Outcome;
  readonly changesStructure: boolean;
  /** Lets the next job of the queue start. */
  readonly end: () => void;
}

/** Returns the job's response, or undoes what a failed job has left. */
async function finishJob(
  beginning: Promise<StartedJob>,
  { name, input, executor, folder, journal, outcome, changesStructure, end }: JobToFinish,
): Promise<unknown> {
  const { writes } = jobs[name];
  try {
    const result = await (await beginning).result;
    if (changesStructure) executor.structureChanged();
    return result;
  } catch (error) {
    const wasKilled = !(error instanceof HostError);
    const mayLeave = writes && (wasKilled || mayChangeStructure(name, input));
    const recovered = mayLeave ? await executor.recover(journal) : nothingToUndo;
    const { isUndone, objectsLeft } = recovered;
    const failure = studioErrorOf(error);
    const isToBeCompleted = outcome.phase === 'committed' && objectsLeft.length > 0;
    if (isToBeCompleted) throw withSentence(failure, completionSentence, writtenOutcome);
    if (isUndone) throw withLeftObjects(failure, recovered);
    if (!writes) throw failure;
    // An error that the job itself reports of its commit states the outcome, or that the database has rejected it.
    const hasReportedCommit = !wasKilled && outcome.phase === 'committing';
    if (hasReportedCommit) throw withStatedOutcome(failure, 'unknown');
    throw withPhase(failure, outcome);
  } finally {
    end();
    await removeFolder(folder);
  }
}

function mayChangeStructure(name: JobName, input: unknown): boolean {
  const { changesStructure: when } = jobs[name];
  if (when !== 'create_table') return when;
  const { create_table: query, upload } = input as ImportDataInput;
  return [query, upload.fields[when]].some((value) => /^(?:true|1)$/.test(String(value)));
}

const nothingToUndo: RecoveryResult = { isUndone: false, objectsLeft: [], objectsInDoubt: [] };

/** Adds the objects of the failed import that may still be in the database. */
function withLeftObjects(error: unknown, { objectsLeft, objectsInDoubt }: RecoveryResult): unknown {
  const all = [...objectsLeft, ...objectsInDoubt];
  if (all.length === 0) return withStatedOutcome(error, 'nothing_written');
  const sentences: string[] = [];
  if (objectsLeft.length > 0)
    sentences.push(
      `These objects may still exist: ${objectsLeft.join(', ')}. ` +
        'The studio removes what others do not use as soon as the database allows it, at the latest at its next start.',
    );
  if (objectsInDoubt.length > 0)
    sentences.push(
      `These objects exist, but others may have created them, so they stay: ${objectsInDoubt.join(', ')}.`,
    );
  return withSentence(error, sentences.join(' '), {
    objects_left: all,
    ...(isInterruption(error) ? unknownOutcome : {}),
  });
}

const writtenOutcome: ErrorDetails = { phase: 'committed', outcome: 'written' };
const completionSentence =
  'The imported rows are committed. The studio creates the triggers, routines and counters that are missing as soon as ' +
  'the database allows it.';

const unknownOutcome: { readonly outcome: WriteOutcome } = { outcome: 'unknown' };

const phaseSentences: Readonly<Record<NonNullable<Outcome['phase']>, string>> = {
  committing:
    'It was being committed at that time: check whether the database contains the imported data.',
  committed: 'It had already been committed: the imported data is in the database.',
};

/** Adds the commit phase that the failed import had reached. */
function withPhase(error: unknown, { phase }: Outcome): unknown {
  if (phase === undefined) return withStatedOutcome(error, 'nothing_written');
  const written: WriteOutcome = phase === 'committed' ? 'written' : 'unknown';
  return withSentence(error, phaseSentences[phase], { phase, outcome: written });
}

function withSentence(error: unknown, sentence: string, details: ErrorDetails): StudioError {
  const original = error instanceof StudioError ? error : undefined;
  const message = `${original?.message ?? 'The import was ended.'} ${sentence}`;
  return new StudioError(original?.code ?? 'database_unavailable', message, {
    ...original?.details,
    ...details,
  });
}
