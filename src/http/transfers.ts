import { fileHeaders, jsonAnswer } from './answer.ts';
import { errorAnswer } from './errors.ts';
import { apiHeaders } from './headers.ts';
import { spoolAhead } from './spool-ahead.ts';
import { makeFolder, removeFolder } from '../studio/scratch-folder.ts';
import type { JobName } from '../studio/job.ts';
import type { Progress, Upload } from '../studio/job.ts';
import type { JobOptions, RunningJob } from '../studio/start-job.ts';
import type { Studio } from '../studio/studio.ts';
import type { Answer } from './answer.ts';
import type { Log } from './errors.ts';
import type { FollowedTransfer, TransferEnd } from './followed-transfers.ts';
import type { HeaderFields } from './headers.ts';
import type { BodyWatch } from './spool-ahead.ts';

/** A request that starts a job. */
export interface Transfer {
  readonly studio: Studio;
  readonly request: Request;
  readonly log: Log | undefined;
  /** Where the connection is known: ends it, and resolves when it has ended. */
  readonly breakOff?: BreakOff;
}

export type BreakOff = () => Promise<void>;

export interface Export {
  readonly name: JobName;
  readonly input: object;
  /** Set where the client follows its download. */
  readonly followed?: FollowedTransfer;
}

/** Sends the file of an export. */
export async function download(transfer: Transfer, given: Export): Promise<Answer> {
  const { studio, request } = transfer;
  const { name, input, followed } = given;
  try {
    const job = await studio.start(name, input, jobOptions(request, followed));
    const head = await job.head;
    const consistency = head.consistent === false ? { 'Studio-Consistency': 'none' } : {};
    const headers = { ...fileHeaders(head), ...consistency };
    if (request.method !== 'HEAD') {
      const body = spoolAhead(job.output, watchOf(transfer, job, followed));
      return { status: 200, headers, body };
    }
    job.output.destroy();
    followed?.end('cancelled');
    return { status: 200, headers, body: null };
  } catch (error) {
    followed?.end('failed', { error });
    if (followed?.signal.aborted !== true) throw error;
    await breakOff(transfer, true, error);
    return { status: 200, headers: apiHeaders, body: brokenBody(error) };
  }
}

/** Where nothing ends the connection, the body does: no client takes it for a file. */
function brokenBody(error: unknown): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(error) });
}

function jobOptions({ signal }: Request, followed: FollowedTransfer | undefined): JobOptions {
  if (followed === undefined) return { signal };
  return { signal: AbortSignal.any([signal, followed.signal]), onProgress: followed.tell };
}

function watchOf(
  transfer: Transfer,
  job: RunningJob,
  followed: FollowedTransfer | undefined,
): BodyWatch {
  const end: BodyWatch['end'] = async (how, error) => {
    if (followed !== undefined) void endFollowed(followed, job, how);
    if (how === 'failed') await breakOff(transfer, followed?.signal.aborted === true, error);
  };
  const gone = transfer.request.signal;
  if (followed === undefined) return { end, gone };
  return { end, gone, signal: followed.signal, sent: followed.sent };
}

interface ExportedRows {
  readonly rows: number;
}

/** Why a body broke off, and how many rows it had, only its job can say. */
async function endFollowed(
  followed: FollowedTransfer,
  { result }: RunningJob,
  how: TransferEnd,
): Promise<void> {
  try {
    const { rows } = (await result) as ExportedRows;
    followed.end(how, { rows });
  } catch (error) {
    followed.end(how, { error });
  }
}

/** Who serves a body may print what it fails with, all of it: the log is told, and the connection ended first. */
async function breakOff(transfer: Transfer, isWanted: boolean, error: unknown): Promise<void> {
  if (transfer.request.signal.aborted) return;
  if (!isWanted)
    transfer.log?.error({ err: error }, 'A download broke off: what made it has failed.');
  await transfer.breakOff?.();
}

/** Takes the files of an import, and answers when they are in; with lines of its progress if asked to. */
export async function upload(transfer: Transfer, name: JobName, input: object): Promise<Answer> {
  const { request, studio } = transfer;
  const limitBytes = studio.config.maxUploadBytes;
  // The reader of forms is loaded with the first of them.
  const { readUpload } = await import('./read-upload.ts');
  const folder = await makeFolder();
  const given = await readUpload(request, { folder, limitBytes }).catch(async (error: unknown) => {
    await removeFolder(folder);
    throw error;
  });
  const work = async (onProgress?: OnProgress): Promise<unknown> => {
    try {
      return await perform(transfer, { name, input: { ...input, upload: given } }, onProgress);
    } finally {
      await removeFolder(folder);
    }
  };
  return wantsLines(request) ? linesAnswer(transfer, work) : jsonAnswer(200, await work());
}

type OnProgress = (progress: Progress) => void;

interface Import {
  readonly name: JobName;
  readonly input: { readonly upload: Upload };
}

async function perform(
  { studio, request }: Transfer,
  { name, input }: Import,
  onProgress: OnProgress | undefined,
): Promise<unknown> {
  const { signal } = request;
  const job = await studio.start(name, input, {
    signal,
    ...(onProgress === undefined ? {} : { onProgress }),
  });
  return job.result;
}

function wantsLines(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes('application/x-ndjson');
}

const lineHeaders: HeaderFields = { ...apiHeaders, 'Content-Type': 'application/x-ndjson' };

/** One line of JSON for each piece of news; the last one is the result or the error. */
function linesAnswer(
  { log, request }: Transfer,
  work: (onProgress: OnProgress) => Promise<unknown>,
): Answer {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const tell = (line: string): void => {
        if (!request.signal.aborted) controller.enqueue(Buffer.from(`${line}\n`));
      };
      try {
        const result = await work((progress) => tell(JSON.stringify({ progress })));
        tell(JSON.stringify({ result }));
      } catch (error) {
        // Nobody is there any more to be told, and that they have gone is no defect.
        if (!request.signal.aborted) tell(errorAnswer(error, log).body);
      }
      if (!request.signal.aborted) controller.close();
    },
  });
  return { status: 200, headers: lineHeaders, body };
}
