import { optional, withoutBrackets } from './read-column.ts';
import type { Check, ForeignKey, ForeignKeyAction } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { ColumnOf } from './read-indexes.ts';
import type { RelationName } from '../../name-relations.ts';

/** Reads the rows of `checksQuery` for one table. */
export function readChecks(rows: readonly Row[]): readonly Check[] {
  return rows.map(([, name, definition]) => ({
    ...optional('name', name),
    expression: withoutBrackets(String(definition)),
  }));
}

/** Indexed by the numbers of the catalog. */
const actions: readonly ForeignKeyAction[] = ['no action', 'cascade', 'set null', 'set default'];

interface Surroundings {
  readonly columnOf: ColumnOf;
  readonly nameOf: RelationName;
}

/** Reads the rows of `foreignKeysQuery` for one table. */
export function readForeignKeys(
  rows: readonly Row[],
  surroundings: Surroundings,
): readonly ForeignKey[] {
  const byKey = Map.groupBy(rows, (row) => row[1]);
  return [...byKey.values()].flatMap((parts) => readForeignKey(parts, surroundings));
}

/** Empty if the login may not see the referenced table. */
function readForeignKey(
  rows: readonly Row[],
  { columnOf, nameOf }: Surroundings,
): readonly ForeignKey[] {
  const [, , name, , namespace, localName, , onUpdate, onDelete] = rows[0] ?? [];
  const columns = rows.flatMap((row) => columnOf(row[3])?.name ?? []);
  const referencedColumns = rows.flatMap((row) => (row[6] === null ? [] : String(row[6])));
  if (localName === null || columns.length < rows.length || referencedColumns.length < rows.length)
    return [];
  return [
    {
      ...optional('name', name),
      columns,
      table: nameOf({ namespace: String(namespace), localName: String(localName) }),
      referencedColumns,
      onUpdate: actions[Number(onUpdate)] ?? 'no action',
      onDelete: actions[Number(onDelete)] ?? 'no action',
    },
  ];
}
