/** Results as JSON of limited length: a language model pays for every byte that it reads. */
import type { JsonObject } from './studio-api.ts';

/** In UTF-16 code units, about a quarter as many tokens. */
const maxLength = 48_000;

/**
 * The members, and as many rows as fit, each on a line of its own. If rows are left out, `left_out` says how
 * many and what to do.
 */
export function rowsText(members: JsonObject, rows: readonly unknown[]): string {
  const lines: string[] = [];
  let length = 0;
  for (const row of rows) {
    const line = JSON.stringify(row);
    length += line.length + 2;
    if (length > maxLength && lines.length > 0) break;
    lines.push(line.length > maxLength ? shortened(line) : line);
  }
  const missing = rows.length - lines.length;
  const note =
    missing === 0
      ? {}
      : {
          left_out: `${missing} rows, since the result would be too long: ask for fewer rows or columns.`,
        };
  const head = JSON.stringify({ ...members, ...note }).slice(1, -1);
  return `{${head}${head === '' ? '' : ','}"rows":[\n${lines.join(',\n')}\n]}`;
}

/** A row that is too long by itself, as a JSON string of its beginning. */
function shortened(line: string): string {
  return JSON.stringify(`${line.slice(0, maxLength)}…`);
}

/** The parts as paragraphs, as many as fit; at least one. */
export function partsText(parts: readonly string[], separator: string): string {
  const shown: string[] = [];
  let length = 0;
  for (const part of parts) {
    length += part.length + separator.length;
    if (length > maxLength && shown.length > 0) break;
    shown.push(part.slice(0, maxLength));
  }
  const missing = parts.length - shown.length;
  const note = missing === 0 ? [] : [`${missing} more are left out: ask for fewer, or search.`];
  return [...shown, ...note].join(separator);
}
