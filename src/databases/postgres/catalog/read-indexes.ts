import type { Index, IndexPart } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';
import type { ColumnName } from './read-column.ts';
import type { DependencyOf } from './read-constraints.ts';

/** The arguments are rows of `indexesQuery` and `constraintsQuery` for one table. The primary key's index is omitted. */
export function readIndexes(
  rows: readonly Row[],
  constraints: readonly Row[],
  { name, needsOf }: Pick<IndexContext, 'name' | 'needsOf'>,
): readonly Index[] {
  const ofConstraints = new Set(
    constraints.filter((row) => row[2] === 'u').map((row) => String(row[10])),
  );
  const byIndex = Map.groupBy(
    rows.filter((row) => row[4] !== true),
    (row) => String(row[1]),
  );
  return [...byIndex].flatMap(([oid, parts]) =>
    readIndex(parts, { isConstraint: ofConstraints.has(oid), name, needsOf }),
  );
}

interface IndexContext {
  readonly isConstraint: boolean;
  readonly name: ColumnName;
  readonly needsOf: DependencyOf;
}

function readIndex(
  rows: readonly Row[],
  { isConstraint, name, needsOf }: IndexContext,
): readonly Index[] {
  const keyRows = rows.filter((row) => row[9] === true);
  const parts = keyRows.map((row) => readPart(row, name));
  const included = rows.filter((row) => row[9] !== true).map((row) => name(Number(row[10])));
  const [first] = rows;
  if (
    first === undefined ||
    !parts.every((part) => part !== undefined) ||
    !included.every((found) => found !== undefined)
  )
    return [];
  const [, oid, indexName, unique, , method, nullsNotDistinct, where, comment] = first;
  return [
    {
      name: String(indexName),
      unique: unique === true,
      parts,
      ...(where === null ? {} : { where: String(where) }),
      ...(method === 'btree' ? {} : { method: String(method) }),
      ...(included.length === 0 ? {} : { included }),
      ...(isConstraint ? { constraint: true } : {}),
      ...(nullsNotDistinct === true ? { nullsNotDistinct: true } : {}),
      ...(unique === true && !isEnforced(keyRows) ? { unenforced: true } : {}),
      ...(comment === null ? {} : { comment: String(comment) }),
      ...needsOf(`index ${String(oid)}`),
    },
  ];
}

/** An invalid index does not cover all rows, and another operator class may treat other values as equal. */
function isEnforced(rows: readonly Row[]): boolean {
  return rows.every(
    (row) => row[15] === true && (row[13] === null || String(row[13]).endsWith('_pattern_ops')),
  );
}

/** A column or an expression; undefined if the role cannot read the column. */
function readPart(row: Row, name: ColumnName): IndexPart | undefined {
  const [number, expression, descending, operatorClass, collation] = row.slice(10);
  const column = expression === null ? name(Number(number)) : undefined;
  if (expression === null && column === undefined) return undefined;
  return {
    ...(column === undefined ? { expression: String(expression) } : { column }),
    ...(descending === true ? { descending: true } : {}),
    ...(operatorClass === null ? {} : { operatorClass: String(operatorClass) }),
    ...(collation === null ? {} : { collation: String(collation) }),
  };
}
