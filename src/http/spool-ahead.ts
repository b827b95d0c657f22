import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder, removeFolder } from '../processes/scratch-folder.ts';

/** Maximum size of the in-memory queue. Data beyond it is spooled to a file. */
const maxQueueBytes = 1024 * 1024;
const chunkBytes = 64 * 1024;

/** Callbacks and signals of a streamed body. */
export interface BodyWatch {
  /** Aborts the body with an error. */
  readonly signal?: AbortSignal;
  /** Aborts when the client disconnects: the server may then neither read nor cancel the body. */
  readonly disconnected?: AbortSignal;
  readonly sent?: (bytes: number) => void;
  /** Awaited before the body errors. */
  readonly end?: (end: 'done' | 'failed' | 'cancelled', error?: unknown) => Promise<void>;
}

/**
 * Reads the source at full speed and buffers it for the client, so that a slow client does not keep a
 * lock or a snapshot of the database open. Canceling the body destroys the source; an error of the
 * source fails the body.
 */
export function spoolAhead(source: Readable, watch: BodyWatch = {}): ReadableStream<Uint8Array> {
  const queue = createQueue();
  const filled = fill(queue, source);
  let released: Promise<void> | undefined;
  const release = (): Promise<void> => {
    source.destroy();
    return (released ??= filled.then(() => queue.close()));
  };
  // A download that has ended cannot be canceled any more: its connection may serve another request.
  const ended = new AbortController();
  const abandon = async (): Promise<void> => {
    ended.abort();
    await release();
    await watch.end?.('cancelled');
  };
  watch.disconnected?.addEventListener('abort', () => void abandon(), { once: true });
  if (watch.disconnected?.aborted === true) void abandon();
  const { signal } = watch;
  let failed: Promise<void> | undefined;
  const fail = (controller: ReadableStreamDefaultController, error: unknown): Promise<void> =>
    (failed ??= (async () => {
      await release();
      await watch.end?.('failed', error);
      controller.error(error);
    })());
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // A client that is slow or has paused the download does not read for a long time.
        const abort = (): void => void fail(controller, signal?.reason);
        signal?.addEventListener('abort', abort, { once: true, signal: ended.signal });
      },
      async pull(controller) {
        try {
          signal?.throwIfAborted();
          const chunk = await queue.take();
          watch.sent?.(chunk?.length ?? 0);
          if (chunk !== undefined) return controller.enqueue(chunk);
          ended.abort();
          await release();
          await watch.end?.('done');
          controller.close();
        } catch (error) {
          await fail(controller, error);
        }
      },
      cancel: abandon,
    },
    { highWaterMark: 0 },
  );
}

async function fill(queue: Queue, source: Readable): Promise<void> {
  try {
    for await (const chunk of source) await queue.put(chunk as Uint8Array);
    queue.end();
  } catch (error) {
    queue.end(error);
  }
}

/** A queue of chunks in memory that overflows to a file. */
interface Queue {
  put(chunk: Uint8Array): Promise<void>;
  /** Resolves with undefined at the end. */
  take(): Promise<Uint8Array | undefined>;
  end(error?: unknown): void;
  close(): Promise<void>;
}

function createQueue(): Queue {
  const chunks: Uint8Array[] = [];
  let queuedBytes = 0;
  let overflow: Overflow | undefined;
  let outcome: { readonly error?: unknown } | undefined;
  let arrival = Promise.withResolvers<void>();
  const notifyReader = (): void => {
    arrival.resolve();
    arrival = Promise.withResolvers();
  };

  const take: Queue['take'] = async () => {
    for (;;) {
      const arrived = arrival.promise;
      const chunk = chunks.shift();
      queuedBytes -= chunk?.length ?? 0;
      if (chunk !== undefined) return chunk;
      const spooled = await overflow?.read();
      if (spooled !== undefined) return spooled;
      if (chunks.length > 0) continue;
      if (outcome !== undefined) return resultAtEnd(outcome);
      await arrived;
    }
  };
  return {
    async put(chunk) {
      if (overflow?.isEmpty() === false || queuedBytes > maxQueueBytes) {
        overflow ??= await openOverflow();
        await overflow.write(chunk);
      } else {
        chunks.push(chunk);
        queuedBytes += chunk.length;
      }
      notifyReader();
    },
    take,
    end(error) {
      outcome = error === undefined ? {} : { error };
      notifyReader();
    },
    close: async () => overflow?.close(),
  };
}

function resultAtEnd({ error }: { readonly error?: unknown }): undefined {
  if (error !== undefined) throw error;
  return undefined;
}

/** A file that is written at its end and read from its start. */
interface Overflow {
  isEmpty(): boolean;
  write(chunk: Uint8Array): Promise<void>;
  read(): Promise<Uint8Array | undefined>;
  close(): Promise<void>;
}

async function openOverflow(): Promise<Overflow> {
  const folder = await makeFolder();
  const file = await open(join(folder, 'body'), 'wx+', 0o600);
  let written = 0;
  let read = 0;
  return {
    isEmpty: () => read === written,
    async write(chunk) {
      // Starts over at the beginning once everything is read.
      if (read === written) read = written = 0;
      await writeAt(file, chunk, written);
      written += chunk.length;
    },
    async read() {
      if (read === written) return undefined;
      const length = Math.min(chunkBytes, written - read);
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, read);
      read += bytesRead;
      return buffer.subarray(0, bytesRead);
    },
    async close() {
      await file.close();
      await removeFolder(folder);
    },
  };
}

async function writeAt(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < chunk.length) {
    const { bytesWritten } = await file.write(chunk, done, chunk.length - done, position + done);
    done += bytesWritten;
  }
}
