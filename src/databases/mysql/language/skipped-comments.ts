import type { SkippedComments } from '../../../model/skipped-comments.ts';

/** The largest number that a comment can have. */
const lastVersion = 999_999;

/** Without a server to ask, comments run unless they are for a version that no server has or will have soon. */
export const skippedEverywhere: SkippedComments = {
  '/*!': [
    [99_999, 99_999],
    [200_000, lastVersion],
  ],
  '/*M!': [[200_000, lastVersion]],
};

/**
 * https://mariadb.com/kb/en/comment-syntax/: MariaDB skips what MySQL 5.7 and later have added.
 * https://dev.mysql.com/doc/refman/8.4/en/comments.html: to MySQL, `/*M!` begins an ordinary comment.
 */
export function skippedCommentsOf({
  isMariadb,
  version,
}: {
  readonly isMariadb: boolean;
  readonly version: string;
}): SkippedComments {
  const [major = 0, minor = 0, patch = 0] = version.split(/[.-]/).map(Number);
  const number = major * 10_000 + minor * 100 + patch;
  if (!Number.isSafeInteger(number)) return skippedEverywhere;
  const newer = [number + 1, lastVersion] as const;
  return isMariadb
    ? { '/*!': [[50_700, 99_999], newer], '/*M!': [newer] }
    : { '/*!': [newer], '/*M!': [[0, lastVersion]] };
}
