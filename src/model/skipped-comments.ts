/**
 * The versioned comments of files that a server does not run, by their opening (`/*!`). Each range has
 * its first and last version; a comment without a version counts as version 0.
 */
export type SkippedComments = Readonly<Record<string, readonly (readonly [number, number])[]>>;
