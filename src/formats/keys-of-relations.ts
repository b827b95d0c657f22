/** Foreign keys of tables that tell of them by relations and references only, as interface.md's tables do. */
import {
  choiceIn,
  itemsIn,
  objectIn,
  requiredText,
  textsIn,
  wordIn,
} from './schema-document-node.ts';
import type { ForeignKey, Table } from '../model/schema.ts';
import type { Members } from './schema-document-node.ts';

interface Found {
  readonly from: string;
  readonly key: ForeignKey;
}

/** The tables with the keys that their items tell of; a table that lists its foreign keys has no others. */
export function keysOfRelations(items: readonly Members[], tables: readonly Table[]): Table[] {
  const listed = new Set(
    items.filter(({ byName }) => byName.has('foreign_keys')).map((item) => wordIn(item, 'name')),
  );
  const byTable = Map.groupBy(
    items.flatMap((item) => [...fromReferences(item), ...fromRelations(item)]),
    ({ from }) => from,
  );
  return tables.map((table) => {
    const found = listed.has(table.name) ? [] : (byTable.get(table.name) ?? []);
    const keys = found.map(({ key }) => key).filter((key) => isOf(table, key));
    return keys.length === 0 ? table : { ...table, foreignKeys: distinct(keys) };
  });
}

function isOf(table: Table, { columns }: ForeignKey): boolean {
  return columns.every((name) => table.columns.some((column) => column.name === name));
}

function distinct(keys: readonly ForeignKey[]): ForeignKey[] {
  const byMeaning = Map.groupBy(keys, ({ columns, table, referencedColumns }) =>
    JSON.stringify([columns, table, referencedColumns]),
  );
  return [...byMeaning.values()].flatMap(([first]) => first ?? []);
}

/** A column's `references {table, column}`. */
function fromReferences(item: Members): Found[] {
  const from = requiredText(item, 'name');
  return itemsIn(item, 'columns').flatMap((column) => {
    const target = objectIn(column, 'references');
    if (target === undefined) return [];
    const ends = {
      table: requiredText(target, 'table'),
      columns: [requiredText(column, 'name')],
      referencedColumns: [requiredText(target, 'column')],
    };
    return [{ from, key: keyOf(ends) }];
  });
}

const relationTypes = ['belongs_to', 'has_one', 'has_many', 'many_to_many'] as const;

/** belongs_to is a key of this table, has_one and has_many are of the related one. */
function fromRelations(item: Members): Found[] {
  const name = requiredText(item, 'name');
  return itemsIn(item, 'relations').flatMap((relation) => {
    const related = requiredText(relation, 'table');
    const columns = columnsIn(relation, 'foreign_key');
    const referencedColumns = columnsIn(relation, 'reference_key');
    if (columns.length === 0 || columns.length !== referencedColumns.length) return [];
    switch (choiceIn(relation, 'type', relationTypes)) {
      case 'belongs_to':
        return [{ from: name, key: keyOf({ table: related, columns, referencedColumns }) }];
      case 'has_one':
      case 'has_many':
        return [{ from: related, key: keyOf({ table: name, columns, referencedColumns }) }];
      default:
        return [];
    }
  });
}

/** A composite key's columns have a list of their own, names joined by commas have not always. */
function columnsIn(relation: Members, name: 'foreign_key' | 'reference_key'): readonly string[] {
  const listed = textsIn(relation, `${name}s`);
  if (listed !== undefined) return listed;
  return (wordIn(relation, name) ?? '').split(',').filter((column) => column !== '');
}

function keyOf(ends: Pick<ForeignKey, 'table' | 'columns' | 'referencedColumns'>): ForeignKey {
  return { ...ends, onUpdate: 'no action', onDelete: 'no action' };
}
