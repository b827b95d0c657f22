/** The child's side of a job: one order, then the process ends. */
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
  /** Waits, blocking, for a reader that is slower: pieces of 32 KB or more are best. */
  readonly output: Writable;
  /** A small JSON message; has left when this returns. */
  readonly progress: (message: unknown) => void;
}

/** Returns the job's result as JSON. What it wrote to `output` must have been written by then. */
export type JobHandler = (order: unknown, pipes: JobPipes) => unknown;

/** A child that has no order by then is the spare. */
const SPARE_AFTER_MS = 100;

/**
 * Makes this process a job: called once, by the module that `createJobs` was given. A spare
 * prepares itself while it waits.
 */
export function serveJob(handler: JobHandler, prepare: () => void): void {
  startWatchdog();
  const timer = setTimeout(prepare, SPARE_AFTER_MS);
  const orders = new Socket({ fd: REQUESTS_FD, readable: true, writable: false });
  const read = createFrameReader((sequence, payload) => {
    clearTimeout(timer);
    void work(handler, sequence, payload);
  });
  orders.on('data', read);
}

async function work(handler: JobHandler, sequence: number, payload: Buffer): Promise<void> {
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
