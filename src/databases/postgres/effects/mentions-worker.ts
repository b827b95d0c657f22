/** Reads long texts in a thread of its own. */
import { parentPort } from 'node:worker_threads';
import { answerInThread } from '../../../processes/judge-long-text.ts';
import { mentionsHere } from './mentions-of-text.ts';
import type { TextToRead } from './mentions-of-text.ts';

parentPort?.on('message', (message: TextToRead) => void answer(message));

async function answer(message: TextToRead): Promise<void> {
  const found = await answerInThread(message, mentionsHere);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(found);
}
