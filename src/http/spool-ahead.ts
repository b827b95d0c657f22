import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder, removeFolder } from '../studio/scratch-folder.ts';

/** What is kept in memory of what the client has not taken; the rest waits in a file. */
const longestQueueBytes = 1024 * 1024;
const pieceBytes = 64 * 1024;

/** Who is told how a body goes. */
export interface BodyWatch {
  /** Breaks the body off. */
  readonly signal?: AbortSignal;
  /** Says that the client has gone: what serves the body may never take or cancel it then. */
  readonly gone?: AbortSignal;
  readonly sent?: (bytes: number) => void;
  /** A body that fails waits for it. */
  readonly end?: (end: 'done' | 'failed' | 'cancelled', error?: unknown) => Promise<void>;
}

/**
 * A body that is read at its source's pace, not at the client's: a slow client holds no lock and no
 * snapshot of the database. Cancelling it destroys the source, and a failing source breaks it off.
 */
export function spoolAhead(source: Readable, watch: BodyWatch = {}): ReadableStream<Uint8Array> {
  const queue = createQueue();
  const filled = fill(queue, source);
  let released: Promise<void> | undefined;
  const release = (): Promise<void> => {
    source.destroy();
    return (released ??= filled.then(() => queue.close()));
  };
  const abandon = async (): Promise<void> => {
    await release();
    await watch.end?.('cancelled');
  };
  watch.gone?.addEventListener('abort', () => void abandon(), { once: true });
  if (watch.gone?.aborted === true) void abandon();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          watch.signal?.throwIfAborted();
          const piece = await queue.take();
          watch.sent?.(piece?.length ?? 0);
          if (piece !== undefined) return controller.enqueue(piece);
          await release();
          await watch.end?.('done');
          controller.close();
        } catch (error) {
          await release();
          await watch.end?.('failed', error);
          controller.error(error);
        }
      },
      cancel: abandon,
    },
    { highWaterMark: 0 },
  );
}

async function fill(queue: Queue, source: Readable): Promise<void> {
  try {
    for await (const piece of source) await queue.put(piece as Uint8Array);
    queue.end();
  } catch (error) {
    queue.end(error);
  }
}

/** Pieces in order: in memory, and beyond its limit in a file until that has been read up. */
interface Queue {
  put(piece: Uint8Array): Promise<void>;
  /** Undefined at the end. */
  take(): Promise<Uint8Array | undefined>;
  end(error?: unknown): void;
  close(): Promise<void>;
}

function createQueue(): Queue {
  const pieces: Uint8Array[] = [];
  let queuedBytes = 0;
  let overflow: Overflow | undefined;
  let ending: { readonly error?: unknown } | undefined;
  let arrival = Promise.withResolvers<void>();
  const announce = (): void => {
    arrival.resolve();
    arrival = Promise.withResolvers();
  };

  const take: Queue['take'] = async () => {
    for (;;) {
      const arrived = arrival.promise;
      const piece = pieces.shift();
      queuedBytes -= piece?.length ?? 0;
      if (piece !== undefined) return piece;
      const spooled = await overflow?.read();
      if (spooled !== undefined) return spooled;
      if (pieces.length > 0) continue;
      if (ending !== undefined) return ended(ending);
      await arrived;
    }
  };
  return {
    async put(piece) {
      if (overflow?.isEmpty() === false || queuedBytes > longestQueueBytes) {
        overflow ??= await openOverflow();
        await overflow.write(piece);
      } else {
        pieces.push(piece);
        queuedBytes += piece.length;
      }
      announce();
    },
    take,
    end(error) {
      ending = error === undefined ? {} : { error };
      announce();
    },
    close: async () => overflow?.close(),
  };
}

function ended({ error }: { readonly error?: unknown }): undefined {
  if (error !== undefined) throw error;
  return undefined;
}

/** A file that is written at its end and read from its beginning. */
interface Overflow {
  isEmpty(): boolean;
  write(piece: Uint8Array): Promise<void>;
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
    async write(piece) {
      // What has been read up is written over.
      if (read === written) read = written = 0;
      await writeAt(file, piece, written);
      written += piece.length;
    },
    async read() {
      if (read === written) return undefined;
      const length = Math.min(pieceBytes, written - read);
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

async function writeAt(file: FileHandle, piece: Uint8Array, position: number): Promise<void> {
  let done = 0;
  while (done < piece.length) {
    const { bytesWritten } = await file.write(piece, done, piece.length - done, position + done);
    done += bytesWritten;
  }
}
