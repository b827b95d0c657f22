import { REPLIES_FD } from './descriptors.ts';
import { encodeReply } from './replies.ts';
import type { ReplyToSend } from './replies.ts';
import { writeWhole } from './write-whole.ts';

/** By the child: when it returns, the reply has left, whatever the child does next. */
export function sendReply(sequence: number, reply: ReplyToSend): void {
  for (const piece of encodeReply(sequence, reply)) writeWhole(REPLIES_FD, piece);
}
