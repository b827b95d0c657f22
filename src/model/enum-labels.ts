/**
 * Whether a text may be one of an enum's labels. MySQL and MariaDB list labels with a `?` for each
 * character beyond the basic plane; whether it is that character only they can say.
 */
export function mayBeLabel(labels: readonly string[], text: string): boolean {
  if (labels.includes(text)) return true;
  const listed = text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?');
  return listed !== text && labels.includes(listed);
}
