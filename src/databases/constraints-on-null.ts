import type { Index, Table } from '../model/schema.ts';

/**
 * Whether a constraint of the table may reject NULL in one of the columns, judged by the names in its
 * expressions. `equalNulls`: unique indexes treat NULLs as equal.
 */
export function mayConstraintsRejectNull(
  table: Table,
  columns: readonly string[],
  equalNulls: boolean,
): boolean {
  const mentions = (expression: string | undefined): boolean =>
    columns.some((name) => expression !== undefined && mentionsName(expression, name));
  const observes = ({ unique, parts, where }: Index): boolean =>
    mentions(where) ||
    parts.some(
      ({ column, expression }) =>
        mentions(expression) ||
        (unique && equalNulls && column !== undefined && columns.includes(column)),
    );
  return (
    table.incomplete !== undefined ||
    table.checks.some(({ expression, enforced }) => enforced !== false && mentions(expression)) ||
    table.columns.some(({ generated }) => mentions(generated?.expression)) ||
    table.indexes.some(observes)
  );
}

/** Names are compared without case, since servers may store expressions as they were written. */
function mentionsName(expression: string, name: string): boolean {
  const [text, word] = [expression.toLowerCase(), name.toLowerCase()];
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1))
    if (!isNamePart(text[at - 1]) && !isNamePart(text[at + word.length])) return true;
  return false;
}

function isNamePart(character: string | undefined): boolean {
  return character !== undefined && /[\p{L}\p{N}_$]/u.test(character);
}
