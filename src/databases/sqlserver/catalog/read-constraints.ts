import { optional, withoutBrackets } from './read-column.ts';
import type { Check, ForeignKey, ForeignKeyAction } from '../../../model/schema.ts';
import type { CheckRow, ForeignKeyRow } from './catalog.ts';
import type { ColumnOf } from './read-indexes.ts';
import type { FormatRelationName } from '../../name-relations.ts';

/** All functions of this file take the rows of one table. */
export function readChecks(rows: readonly CheckRow[]): readonly Check[] {
  return rows.map(({ name, definition }) => ({
    ...optional('name', name),
    expression: withoutBrackets(definition),
  }));
}

/** Indexed by the numbers of the catalog. */
const actions: readonly ForeignKeyAction[] = ['no action', 'cascade', 'set null', 'set default'];

interface ForeignKeyContext {
  readonly columnOf: ColumnOf;
  readonly nameOf: FormatRelationName;
}

export function readForeignKeys(
  rows: readonly ForeignKeyRow[],
  context: ForeignKeyContext,
): readonly ForeignKey[] {
  const byKey = Map.groupBy(rows, ({ id }) => id);
  return [...byKey.values()].flatMap((parts) => readForeignKey(parts, context));
}

/** Empty if the login may not see the referenced table. */
function readForeignKey(
  rows: readonly ForeignKeyRow[],
  { columnOf, nameOf }: ForeignKeyContext,
): readonly ForeignKey[] {
  const [first] = rows;
  const columns = rows.flatMap(({ columnNumber }) => columnOf(columnNumber)?.name ?? []);
  const referencedColumns = rows.flatMap(({ referencedColumn }) => referencedColumn ?? []);
  if (
    first?.localName === undefined ||
    columns.length < rows.length ||
    referencedColumns.length < rows.length
  )
    return [];
  return [
    {
      ...optional('name', first.name),
      columns,
      table: nameOf({ namespace: first.namespace, localName: first.localName }),
      referencedColumns,
      onUpdate: actions[first.onUpdate] ?? 'no action',
      onDelete: actions[first.onDelete] ?? 'no action',
    },
  ];
}
