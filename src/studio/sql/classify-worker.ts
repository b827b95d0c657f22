/** Classifies long texts in a thread of its own. */
import { parentPort } from 'node:worker_threads';
import { respondInThread } from '../../processes/analyze-long-text.ts';
import { classifyInProcess } from './classify-text.ts';
import type { TextToClassify } from './classify-text.ts';

parentPort?.on('message', (message: TextToClassify) => void respond(message));

async function respond(message: TextToClassify): Promise<void> {
  const classification = await respondInThread(message, classifyInProcess);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(classification);
}
