/**
 * The thread beside a child's main thread. It ends the process when the parent is gone, whatever
 * the main thread is doing, and answers the parent's cancellations of requests not yet begun.
 */
import { Socket } from 'node:net';
import { workerData } from 'node:worker_threads';

import { LIFE_LINE_FD } from './descriptors.ts';
import { createFrameReader, frame } from './frames.ts';
import { cancelTurn } from './turns.ts';
import type { Turns } from './turns.ts';

const turns = workerData as Turns;
const lifeLine = new Socket({ fd: LIFE_LINE_FD, readable: true, writable: true });

const takeCancellation = createFrameReader((sequence) => {
  lifeLine.write(frame(sequence, Uint8Array.of(cancelTurn(turns, sequence) ? 1 : 0)));
});

lifeLine.on('data', takeCancellation);
lifeLine.on('error', () => undefined);
lifeLine.on('close', () => process.kill(process.pid, 'SIGKILL'));
