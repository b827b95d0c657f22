/** Foreign keys of tables that tell of them by relations and references only, as interface.md's tables do. */
import {
  choiceIn,
  failAt,
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
  /** What describes the key. */
  readonly item: Members;
}

/** The tables with the keys that their items tell of; a table that lists its foreign keys has no others. */
export function keysOfRelations(items: readonly Members[], tables: readonly Table[]): Table[] {
  const listed = new Set(
    items.filter(({ byName }) => byName.has('foreign_keys')).map((item) => wordIn(item, 'name')),
  );
  const described = items.flatMap((item) => [
    ...fromReferences(item),
    ...fromRelations(item, listed.has(wordIn(item, 'name'))),
  ]);
  const found = described.filter(({ from }) => !listed.has(from));
  const byName = new Map(tables.map((table) => [table.name, table]));
  for (const each of found) demandEnds(each, byName);
  const byTable = Map.groupBy(found, ({ from }) => from);
  return tables.map((table) => {
    const keys = (byTable.get(table.name) ?? []).map(({ key }) => key);
    return keys.length === 0 ? table : { ...table, foreignKeys: distinct(keys) };
  });
}

/** Fails where the document does not make the table that has the key, or a column of it. A table that it points at may be there already. */
function demandEnds({ from, key, item }: Found, tables: ReadonlyMap<string, Table>): void {
  const own = tables.get(from);
  if (own === undefined) {
    const why = `${item.path} is a key of the table "${from}", which the document does not have`;
    throw failAt(item.source, item.byName.get('table') ?? item.node, why);
  }
  const target = tables.get(key.table);
  const ends = [
    { table: own, columns: key.columns },
    ...(target === undefined ? [] : [{ table: target, columns: key.referencedColumns }]),
  ];
  for (const { table, columns } of ends) {
    const missing = columns.find((name) => table.columns.every((column) => column.name !== name));
    if (missing === undefined) continue;
    const why = `${item.path} names the column "${missing}", which the table "${table.name}" does not have`;
    throw failAt(item.source, item.node, why);
  }
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
    return [{ from, key: keyOf(ends), item: target }];
  });
}

const relationTypes = ['belongs_to', 'has_one', 'has_many', 'many_to_many'] as const;

/** belongs_to is a key of this table, has_one and has_many are of the related one. Of a table that lists its keys they say nothing more. */
function fromRelations(item: Members, isListed: boolean): Found[] {
  const name = requiredText(item, 'name');
  return itemsIn(item, 'relations').flatMap((relation) => {
    const related = requiredText(relation, 'table');
    const type = choiceIn(relation, 'type', relationTypes);
    const isPolymorphic = wordIn(relation, 'polymorphic_type') !== undefined;
    if (type === 'many_to_many' || isPolymorphic) return [];
    const columns = columnsIn(relation, 'foreign_key');
    const referencedColumns = columnsIn(relation, 'reference_key');
    const isWhole =
      type !== undefined && columns.length > 0 && columns.length === referencedColumns.length;
    if (!isWhole && isListed) return [];
    if (!isWhole) throw failAt(relation.source, relation.node, lackOf(relation, type));
    return type === 'belongs_to'
      ? [{ from: name, key: keyOf({ table: related, columns, referencedColumns }), item: relation }]
      : [
          {
            from: related,
            key: keyOf({ table: name, columns, referencedColumns }),
            item: relation,
          },
        ];
  });
}

function lackOf({ path }: Members, type: string | undefined): string {
  return type === undefined
    ? `${path} has no type`
    : `${path} needs as many columns in foreign_key as in reference_key, and at least one`;
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
