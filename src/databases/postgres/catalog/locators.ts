import { identityOf } from '../../../model/row-id.ts';
import { isDistributed } from '../dialect/distributed-table.ts';
import { withNativeTag } from '../dialect/types.ts';
import type { Column, Table } from '../../../model/schema.ts';
import type { RelationRow } from './catalog.ts';

/** System columns that identify a row: its table, and its physical position there. */
const locators: readonly Column[] = [
  {
    name: 'tableoid',
    type: { kind: 'integer', bits: 32, unsigned: true },
    nativeType: 'oid',
    nullable: false,
  },
  {
    name: 'ctid',
    type: withNativeTag({ kind: 'other', name: 'tid' }, 'ordered'),
    nativeType: 'tid',
    nullable: false,
  },
];

/**
 * Adds `locators` to a table without a unique key. Keys and NOT NULL of a parent table do not apply to
 * the rows of its children. (Partitions do inherit them.) Rows of distributed tables have the system columns of
 * their shards, which are not unique, and differ between the copies of a reference table.
 */
export function withLocators({ kind, hasChildren, hasLocators }: RelationRow, table: Table): Table {
  const isParent = kind === 'r' && hasChildren;
  const tableOfRows = isParent ? asParent(table) : table;
  const identity = identityOf(tableOfRows);
  const hasKey = identity.kind === 'key' && identity.isUnique;
  const isLocated = hasLocators && !isDistributed(table);
  return isLocated && !hasKey ? { ...tableOfRows, locators } : tableOfRows;
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
