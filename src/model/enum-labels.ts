/**
 * Whether a text may be a label of an enum. MySQL and MariaDB list labels with a `?` for each character
 * outside the Basic Multilingual Plane, so only the server can compare these exactly.
 */
export function mayBeLabel(labels: readonly string[], text: string): boolean {
  if (labels.includes(text)) return true;
  const listed = text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?');
  return listed !== text && labels.includes(listed);
}
