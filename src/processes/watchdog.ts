/**
 * The watchdog thread of a child. It kills the process when the parent exits, even if the main
 * thread is blocked, and responds to cancellations.
 */
import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';

import { CONTROL_FD } from './descriptors.ts';
import { createFrameReader, frame } from './frames.ts';
import { tryCancel } from './shared-requests.ts';
import type { SharedRequests } from './shared-requests.ts';

const requests = workerData as SharedRequests;
const controlPipe = new Socket({ fd: CONTROL_FD, readable: true, writable: true });

const handleCancellation = createFrameReader((sequence) => {
  controlPipe.write(frame(sequence, Uint8Array.of(tryCancel(requests, sequence) ? 1 : 0)));
});

controlPipe.on('data', handleCancellation);
controlPipe.on('error', () => undefined);
controlPipe.on('close', () => process.kill(process.pid, 'SIGKILL'));
