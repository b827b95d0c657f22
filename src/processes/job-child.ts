/** The child's side of a job. It handles one request and exits. */
import { closeSync } from 'node:fs';
import { Socket } from 'node:net';
import { Writable } from 'node:stream';
import type { Readable } from 'node:stream';

import { INPUT_FD, OUTPUT_FD, REQUESTS_FD } from './descriptors.ts';
import { describeThrown } from './errors.ts';
import { createFrameReader } from './frames.ts';
import { NO_BODY, errorReply, finalReply, progressReply } from './replies.ts';
import { sendReply } from './send-reply.ts';
import { startWatchdog } from './start-watchdog.ts';
import { writeWhole } from './write-whole.ts';

export interface JobPipes {
  readonly input: Readable;
  /** Writes block while the reader is slower. Chunks of 32 KB or more are most efficient. */
  readonly output: Writable;
  /** Sends a small JSON message. It is in the pipe when this returns. */
  readonly progress: (message: unknown) => void;
}

/** Returns the job's result, which must be JSON. All writes to `output` must have finished by then. */
export type JobHandler = (request: unknown, pipes: JobPipes) => unknown;

/** A child without a request after this time is the spare. */
const SPARE_AFTER_MS = 100;

/**
 * Makes this process a job runner. The `entry` module of `createJobs` calls it once. `prepare` runs
 * only in a spare, while it waits.
 */
export function serveJob(handler: JobHandler, prepare: () => void): void {
  startWatchdog();
  const timer = setTimeout(prepare, SPARE_AFTER_MS);
  const requests = new Socket({ fd: REQUESTS_FD, readable: true, writable: false });
  const read = createFrameReader((sequence, payload) => {
    clearTimeout(timer);
    void handleRequest(handler, sequence, payload);
  });
  requests.on('data', read);
}

async function handleRequest(
  handler: JobHandler,
  sequence: number,
  payload: Buffer,
): Promise<void> {
  try {
    const meta = await handler(JSON.parse(payload.toString()), openPipes(sequence));
    closeSync(OUTPUT_FD);
    sendReply(sequence, finalReply({ meta, body: NO_BODY }));
  } catch (error) {
    sendReply(sequence, errorReply(describeThrown(error)));
  }
  process.exit();
}

function openPipes(sequence: number): JobPipes {
  return {
    input: new Socket({ fd: INPUT_FD, readable: true, writable: false }),
    output: new Writable({
      write(chunk: Uint8Array, _, done) {
        writeWhole(OUTPUT_FD, chunk);
        done();
      },
    }),
    progress: (message) => sendReply(sequence, progressReply(message)),
  };
}
