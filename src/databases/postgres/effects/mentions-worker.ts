/** The thread that parses long texts. */
import { parentPort } from 'node:worker_threads';
import { respondInThread } from '../../../processes/analyze-long-text.ts';
import { mentionsInThisThread } from './mentions-of-text.ts';
import type { TextToRead } from './mentions-of-text.ts';

parentPort?.on('message', (message: TextToRead) => void respond(message));

async function respond(message: TextToRead): Promise<void> {
  const found = await respondInThread(message, mentionsInThisThread);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(found);
}
