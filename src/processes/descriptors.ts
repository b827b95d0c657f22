/** The file descriptors that parent and child talk over, besides the three of every process. */

/** Parent to child. */
export const REQUESTS_FD = 3;
/** Child to parent. Blocking in the child: a reply has left when its write returns. */
export const REPLIES_FD = 4;
/** Open as long as the parent lives; cancellations and their answers go over it. */
export const LIFE_LINE_FD = 5;
/** Of jobs: bulk bytes in, read as the child is ready for them. */
export const INPUT_FD = 6;
/** Of jobs: bulk bytes out. Blocking in the child, which waits for a slow reader. */
export const OUTPUT_FD = 7;
