/** Worker thread that finds the names in long texts. */
import { parentPort } from 'node:worker_threads';
import { answerInThread } from '../../../processes/analyze-long-text.ts';
import { namesHere } from './names-of-text.ts';
import type { TextToRead } from './names-of-text.ts';

parentPort?.on('message', (message: TextToRead) => void answer(message));

async function answer(message: TextToRead): Promise<void> {
  const found = await answerInThread(message, namesHere);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(found);
}
