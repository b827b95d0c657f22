/** The thread that parses long texts. */
import { parentPort } from 'node:worker_threads';
import { answerInThread } from '../../../processes/analyze-long-text.ts';
import { mentionsInThisThread } from './mentions-of-text.ts';
import type { TextToRead } from './mentions-of-text.ts';

parentPort?.on('message', (message: TextToRead) => void answer(message));

async function answer(message: TextToRead): Promise<void> {
  const found = await answerInThread(message, mentionsInThisThread);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(found);
}
