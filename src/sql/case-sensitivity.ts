/** Warns where texts compare with or without case differently after a schema moves to another database. */
import type { Schema, Table } from '../model/schema.ts';
import type { ExpressionSyntax } from './expression/syntax.ts';

/** One sentence for each change of comparisons, with the columns it affects. */
export function caseSensitivityWarnings(
  { tables }: Schema,
  from: ExpressionSyntax,
  to: ExpressionSyntax,
): readonly string[] {
  const texts = tables.flatMap((table) =>
    table.columns
      .filter(({ type }) => type.kind === 'text')
      .map((column) => ({
        name: `${table.name}.${column.name}`,
        isKey: uniqueColumns(table).has(column.name),
        before: from.ignoresCase(column, table.options ?? {}),
        after: to.ignoresCase({ nativeType: '' }, {}),
      })),
  );
  const becomingSensitive = texts.filter(({ before, after }) => before === true && after === false);
  const becomingInsensitive = texts.filter(
    ({ before, after, isKey }) => isKey && before === false && after === true,
  );
  const sentences = [
    { what: 'Comparisons of texts become case-sensitive', columns: becomingSensitive },
    {
      what: 'Keys of texts become case-insensitive and accept fewer rows',
      columns: becomingInsensitive,
    },
  ];
  return sentences
    .filter(({ columns }) => columns.length > 0)
    .map(({ what, columns }) => `${what}: ${columns.map(({ name }) => name).join(', ')}.`);
}

function uniqueColumns({ primaryKey, indexes }: Table): ReadonlySet<string> {
  const unique = indexes.filter((index) => index.unique);
  return new Set([
    ...(primaryKey?.columns ?? []),
    ...unique.flatMap(({ parts }) => parts.flatMap(({ column }) => column ?? [])),
  ]);
}
