import { identityOf } from '../../../model/row-id.ts';
import { marked } from '../dialect/types.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { Row } from '../../../model/values.ts';

/** Where a row is in its table's file, and in which of the tables that the statement reads. */
const locators: readonly Column[] = [
  {
    name: 'tableoid',
    type: { kind: 'integer', bits: 32, unsigned: true },
    nativeType: 'oid',
    nullable: false,
  },
  {
    name: 'ctid',
    type: marked({ kind: 'other', name: 'tid' }, 'ordered'),
    nativeType: 'tid',
    nullable: false,
  },
];

/**
 * A table by a row of `relationsQuery`. What a parent's key and NOT NULL say holds for its own rows:
 * each child has keys of its own. (A partition has not, its parent's index is valid when all have it.)
 */
export function withLocators(row: Row, table: Table): Table {
  const isParent = row[3] === 'r' && row[12] === true;
  const known = isParent ? asParent(table) : table;
  const identity = identityOf(known);
  const hasKey = identity.kind === 'key' && identity.isUnique;
  return row[13] === true && !hasKey ? { ...known, locators } : known;
}

function asParent(table: Table): Table {
  const { primaryKey, indexes, columns } = table;
  return {
    ...table,
    columns: columns.map((column) => (column.nullable ? column : { ...column, mayHoldNull: true })),
    ...(primaryKey === undefined ? {} : { primaryKey: { ...primaryKey, unenforced: true } }),
    indexes: indexes.map((index) => (index.unique ? { ...index, unenforced: true } : index)),
  };
}
