/** Worker thread that finds the names in long texts. */
import { parentPort } from 'node:worker_threads';
import { respondInThread } from '../../../processes/analyze-long-text.ts';
import { findNames } from './names-of-text.ts';
import type { TextToRead } from './names-of-text.ts';

parentPort?.on('message', (message: TextToRead) => void respond(message));

async function respond(message: TextToRead): Promise<void> {
  const found = await respondInThread(message, findNames);
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  parentPort?.postMessage(found);
}
