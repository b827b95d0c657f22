import type { Row } from '../api/queries.ts';
import { cellText } from '../cells/value-kind.ts';

/** The key of a row, as the rows on a phone show it. */
export function keyText(key: readonly string[], row: Row): string {
  return key.map((name) => cellText(row[name] ?? null)).join(', ');
}
