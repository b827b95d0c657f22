import { REPLIES_FD } from './descriptors.ts';
import { encodeReply } from './replies.ts';
import type { ReplyToSend } from './replies.ts';
import { writeWhole } from './write-whole.ts';

/** Writes the reply to the pipe synchronously: it arrives even if the child crashes next. */
export function sendReply(sequence: number, reply: ReplyToSend): void {
  for (const buffer of encodeReply(sequence, reply)) writeWhole(REPLIES_FD, buffer);
}
