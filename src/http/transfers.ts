import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileHeaders, jsonResponse } from './http-response.ts';
import { errorResponse } from './errors.ts';
import { apiHeaders } from './headers.ts';
import { keepRejectedRows } from './rejected-rows.ts';
import { spoolAhead } from './spool-ahead.ts';
import { makeFolder, removeFolder } from '../processes/scratch-folder.ts';
import type { JobName } from '../studio/core/job.ts';
import type { Progress, Upload } from '../studio/core/job.ts';
import type { JobOptions, StartedJob } from '../studio/execution/start-job.ts';
import type { Studio } from '../studio/studio.ts';
import type { HttpResponse, TextResponse } from './http-response.ts';
import type { Log } from './errors.ts';
import type { RequestTrace } from './request-trace.ts';
import type { TrackedTransfer } from './tracked-transfers.ts';
import type { TransferEnd } from './transfer-state.ts';
import type { HeaderFields } from './headers.ts';
import type { BodyWatch } from './spool-ahead.ts';

/** The context of a request that starts a job. */
export interface Transfer {
  readonly studio: Studio;
  readonly request: Request;
  readonly log: Log | undefined;
  readonly trace: RequestTrace;
  /** Closes the connection and resolves when it is closed. Undefined if the connection is unknown. */
  readonly closeConnection?: CloseConnection;
}

export type CloseConnection = () => Promise<void>;

export interface Export {
  readonly name: JobName;
  readonly input: object;
  /** Set if the client tracks the download. */
  readonly tracked?: TrackedTransfer;
}

/** Streams the file of an export. */
export async function download(transfer: Transfer, exportRequest: Export): Promise<HttpResponse> {
  const { studio, request } = transfer;
  const { name, input, tracked } = exportRequest;
  try {
    const job = await studio.start(name, input, jobOptions(transfer, tracked));
    const head = await job.head;
    const consistency = head.consistent === false ? { 'Studio-Consistency': 'none' } : {};
    const headers = { ...fileHeaders(head), ...consistency };
    if (request.method !== 'HEAD') {
      const body = spoolAhead(job.output, watchOf(transfer, job, tracked));
      return { status: 200, headers, body };
    }
    job.output.destroy();
    tracked?.end('cancelled');
    return { status: 200, headers, body: null };
  } catch (error) {
    tracked?.end('failed', { error });
    if (tracked?.signal.aborted !== true) throw error;
    await closeConnection(transfer, true, error);
    return { status: 200, headers: apiHeaders, body: brokenBody(error) };
  }
}

/** A body that fails immediately, so that the client does not mistake it for a file. */
function brokenBody(error: unknown): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (controller) => controller.error(error) });
}

function jobOptions(
  { request: { signal }, trace }: Transfer,
  tracked: TrackedTransfer | undefined,
): JobOptions {
  if (tracked === undefined) return { ...trace.statements, signal };
  const { setProgress: onProgress } = tracked;
  return { ...trace.statements, signal: AbortSignal.any([signal, tracked.signal]), onProgress };
}

function watchOf(
  transfer: Transfer,
  job: StartedJob,
  tracked: TrackedTransfer | undefined,
): BodyWatch {
  const end: BodyWatch['end'] = async (outcome, error) => {
    if (tracked !== undefined) void endTracked(tracked, job, outcome);
    if (outcome === 'failed')
      await closeConnection(transfer, tracked?.signal.aborted === true, error);
  };
  const disconnected = transfer.request.signal;
  if (tracked === undefined) return { end, disconnected };
  return { end, disconnected, signal: tracked.signal, sent: tracked.sent };
}

interface ExportedRows {
  readonly rows: number;
}

/** Records the end of a tracked download with the row count or the error of its job. */
async function endTracked(
  tracked: TrackedTransfer,
  { result }: StartedJob,
  outcome: TransferEnd,
): Promise<void> {
  try {
    const { rows } = (await result) as ExportedRows;
    tracked.end(outcome, { rows });
  } catch (error) {
    tracked.end(outcome, { error });
  }
}

/** Logs the error and closes the connection first: the server might print an error of the body in full. */
async function closeConnection(
  transfer: Transfer,
  isCanceled: boolean,
  error: unknown,
): Promise<void> {
  if (transfer.request.signal.aborted) return;
  if (!isCanceled)
    transfer.log?.error(
      { request: transfer.trace.id, err: error },
      'A download was aborted because the export failed.',
    );
  await transfer.closeConnection?.();
}

/** A response with a short body, so that it can be stored. */
export interface StoredResponse extends HttpResponse {
  readonly body: string | null;
}

/**
 * Carries out a request, or returns the response of an earlier one with the same key. `content` has the same result
 * each time; it is called only for requests with a key. The signal that `perform` gets aborts when the studio stops,
 * and for a request without a key when its client disconnects.
 */
export type CarryOut = <R extends HttpResponse>(
  content: () => string | Promise<string>,
  perform: (signal: AbortSignal) => Promise<R>,
) => Promise<R | StoredResponse>;

interface UploadTransfer extends Transfer {
  /** The session or credentials of the client. */
  readonly client: string;
  readonly carryOut: CarryOut;
}

/** Runs an import job on the uploaded files. Streams progress as NDJSON if the client accepts it. */
export async function upload(
  transfer: UploadTransfer,
  name: JobName,
  input: object,
): Promise<HttpResponse> {
  const { request, studio, carryOut } = transfer;
  const limitBytes = studio.config.maxUploadBytes;
  // The multipart parser is loaded on first use.
  const { readUpload } = await import('./read-upload.ts');
  const folder = await makeFolder();
  const received = await readUpload(request, { folder, limitBytes }).catch(
    async (error: unknown) => {
      await removeFolder(folder);
      throw error;
    },
  );
  const job = { name, input, upload: received, folder };
  const work = async (onProgress?: OnProgress): Promise<StoredResponse> => {
    try {
      return await carryOut(
        () => contentOf(received),
        (signal) => runImport(transfer, job, { signal, onProgress }),
      );
    } finally {
      await removeFolder(folder);
    }
  };
  return acceptsNdjson(request) ? ndjsonResponse(transfer, work) : work();
}

type OnProgress = (progress: Progress) => void;

/** Returns a text that two uploads have in common if their fields and files are equal. */
async function contentOf({ files, fields }: Upload): Promise<string> {
  const parts: string[] = Object.entries(fields)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map((field) => JSON.stringify(field));
  for (const { name, folder, path } of files) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(path), hash);
    parts.push(JSON.stringify([folder, name, hash.digest('base64')]));
  }
  return parts.join('\n');
}

interface Import {
  readonly name: JobName;
  readonly input: object;
  readonly upload: Upload;
  /** Where the files are, and those that the job writes. */
  readonly folder: string;
}

interface RunOptions {
  readonly signal: AbortSignal;
  readonly onProgress: OnProgress | undefined;
}

async function runImport(
  { studio, client, trace }: UploadTransfer,
  { name, input, upload: received, folder }: Import,
  { signal, onProgress }: RunOptions,
): Promise<TextResponse> {
  const { rejectedFiles } = studio;
  const rejectedTo = { path: join(folder, 'rejected'), maxBytes: rejectedFiles.maxBytes };
  const job = await studio.start(
    name,
    { ...input, upload: received, rejectedTo },
    { ...trace.statements, signal, ...(onProgress === undefined ? {} : { onProgress }) },
  );
  const file = { path: rejectedTo.path, upload: received, owner: client };
  return jsonResponse(200, await keepRejectedRows(rejectedFiles, file, await job.result));
}

function acceptsNdjson(request: Request): boolean {
  return (request.headers.get('accept') ?? '').includes('application/x-ndjson');
}

const lineHeaders: HeaderFields = { ...apiHeaders, 'Content-Type': 'application/x-ndjson' };

/** Streams one JSON line per progress message. The last line is the result or the error. */
function ndjsonResponse(
  { log, request, trace }: Transfer,
  work: (onProgress: OnProgress) => Promise<StoredResponse>,
): HttpResponse {
  const body = new ReadableStream<Uint8Array>({
    async start(controller) {
      const writeLine = (line: string): void => {
        if (!request.signal.aborted) controller.enqueue(Buffer.from(`${line}\n`));
      };
      try {
        const { body: result } = await work((progress) => writeLine(JSON.stringify({ progress })));
        writeLine(`{"result":${result}}`);
      } catch (error) {
        // If the client has disconnected, nobody reads the error, and it is not a defect to log.
        if (!request.signal.aborted) writeLine(errorResponse(error, log, trace).body);
      }
      if (!request.signal.aborted) controller.close();
    },
  });
  return { status: 200, headers: lineHeaders, body };
}
