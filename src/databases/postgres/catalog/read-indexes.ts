import type { Index, IndexPart } from '../../../model/schema.ts';
import type { ConstraintRow, IndexRow } from './catalog.ts';
import type { ColumnName } from './read-column.ts';
import type { DependencyOf } from './read-constraints.ts';

interface IndexContext {
  /** The oids of indexes that belong to a UNIQUE constraint. */
  readonly ofConstraints: ReadonlySet<string>;
  readonly columnName: ColumnName;
  readonly needsOf: DependencyOf;
}

/** Takes rows of one table. The primary key's index is omitted. */
export function readIndexes(
  rows: readonly IndexRow[],
  constraints: readonly ConstraintRow[],
  names: Pick<IndexContext, 'columnName' | 'needsOf'>,
): readonly Index[] {
  const ofConstraints = new Set(
    constraints.filter(({ kind }) => kind === 'u').map(({ index }) => index),
  );
  const byIndex = Map.groupBy(
    rows.filter(({ isPrimary }) => !isPrimary),
    ({ oid }) => oid,
  );
  return [...byIndex.values()].flatMap((ofIndex) =>
    readIndex(ofIndex, { ...names, ofConstraints }),
  );
}

function readIndex(
  rows: readonly IndexRow[],
  { ofConstraints, columnName, needsOf }: IndexContext,
): readonly Index[] {
  const keyRows = rows.filter(({ isKeyPart }) => isKeyPart);
  const parts = keyRows.map((row) => readPart(row, columnName));
  const included = rows
    .filter(({ isKeyPart }) => !isKeyPart)
    .map(({ columnNumber }) => columnName(columnNumber));
  const [first] = rows;
  if (
    first === undefined ||
    !parts.every((part) => part !== undefined) ||
    !included.every((found) => found !== undefined)
  )
    return [];
  const { oid, name, isUnique, method, where, comment } = first;
  return [
    {
      name,
      unique: isUnique,
      parts,
      ...(where === undefined ? {} : { where }),
      ...(method === 'btree' ? {} : { method }),
      ...(included.length === 0 ? {} : { included }),
      ...(ofConstraints.has(oid) ? { constraint: true } : {}),
      ...(first.nullsNotDistinct ? { nullsNotDistinct: true } : {}),
      ...(isUnique && !isEnforced(keyRows) ? { unenforced: true } : {}),
      ...(comment === undefined ? {} : { comment }),
      ...needsOf(`index ${oid}`),
    },
  ];
}

/** An invalid index does not cover all rows, and another operator class may treat other values as equal. */
function isEnforced(rows: readonly IndexRow[]): boolean {
  return rows.every(
    ({ isValid, operatorClass }) =>
      isValid && (operatorClass === undefined || operatorClass.endsWith('_pattern_ops')),
  );
}

/** A column or an expression; undefined if the role cannot read the column. */
function readPart(row: IndexRow, columnName: ColumnName): IndexPart | undefined {
  const { expression, operatorClass, collation } = row;
  const column = expression === undefined ? columnName(row.columnNumber) : undefined;
  if (expression === undefined && column === undefined) return undefined;
  return {
    ...(column === undefined ? { expression: expression ?? '' } : { column }),
    ...(row.isDescending ? { descending: true } : {}),
    ...(operatorClass === undefined ? {} : { operatorClass }),
    ...(collation === undefined ? {} : { collation }),
  };
}
