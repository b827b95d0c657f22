/** File descriptors of the pipes between parent and child, in addition to the standard three. */

/** Parent to child. */
export const REQUESTS_FD = 3;
/** Child to parent. Blocking in the child: a reply is in the pipe when its write returns. */
export const REPLIES_FD = 4;
/** Carries cancellations and their responses. The child exits when the parent's end closes. */
export const CONTROL_FD = 5;
/** Jobs only: input data, read on demand. */
export const INPUT_FD = 6;
/** Jobs only: output data. Blocking in the child, so that it waits for a slow reader. */
export const OUTPUT_FD = 7;
