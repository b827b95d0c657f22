/** Warns of columns whose comparisons become case-sensitive or case-insensitive when a schema moves to another database. */
import type { Schema, Table } from '../../model/schema.ts';
import type { ExpressionSyntax } from '../expression/syntax.ts';

/** One sentence for each kind of change, with the columns it affects. */
export function caseSensitivityWarnings(
  { tables }: Schema,
  from: ExpressionSyntax,
  to: ExpressionSyntax,
): readonly string[] {
  const textColumns = tables.flatMap((table) =>
    table.columns
      .filter(({ type }) => type.kind === 'text')
      .map((column) => ({
        name: `${table.name}.${column.name}`,
        isUnique: uniqueColumns(table).has(column.name),
        before: from.ignoresCase(column, table.options ?? {}),
        after: to.ignoresCase({ nativeType: '' }, {}),
      })),
  );
  const becomingSensitive = textColumns.filter(
    ({ before, after }) => before === true && after === false,
  );
  const becomingInsensitive = textColumns.filter(
    ({ before, after, isUnique }) => isUnique && before === false && after === true,
  );
  const sentences = [
    { effect: 'Text comparisons become case-sensitive', columns: becomingSensitive },
    {
      effect: 'Unique keys on text columns become case-insensitive and accept fewer rows',
      columns: becomingInsensitive,
    },
  ];
  return sentences
    .filter(({ columns }) => columns.length > 0)
    .map(({ effect, columns }) => `${effect}: ${columns.map(({ name }) => name).join(', ')}.`);
}

function uniqueColumns({ primaryKey, indexes }: Table): ReadonlySet<string> {
  const unique = indexes.filter((index) => index.unique);
  return new Set([
    ...(primaryKey?.columns ?? []),
    ...unique.flatMap(({ parts }) => parts.flatMap(({ column }) => column ?? [])),
  ]);
}
