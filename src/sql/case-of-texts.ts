/** Whether equal texts stay equal when a schema goes to another database: some ignore case, some do not. */
import type { Schema, Table } from '../model/schema.ts';
import type { ExpressionSyntax } from './expression/syntax.ts';

/** A sentence for each way in which comparisons change, with the columns that it concerns. */
export function caseWarnings(
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
  const sharper = texts.filter(({ before, after }) => before === true && after === false);
  const blunter = texts.filter(
    ({ before, after, isKey }) => isKey && before === false && after === true,
  );
  const sentences = [
    { what: 'Comparisons of texts become case-sensitive', columns: sharper },
    { what: 'Keys of texts become case-insensitive, and take fewer rows', columns: blunter },
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
