/** Derives foreign keys from `relations` and `references`, for documents whose tables have no `foreign_keys`, such as schema responses of the API. */
import {
  choiceIn,
  errorAt,
  itemsIn,
  objectIn,
  requiredText,
  textsIn,
  nonEmptyTextIn,
} from './schema-document-node.ts';
import type { ForeignKey, Table } from '../model/schema.ts';
import type { Members } from './schema-document-node.ts';

interface DescribedKey {
  readonly from: string;
  readonly key: ForeignKey;
  /** The relation or reference that describes the key. */
  readonly item: Members;
}

/** Adds the keys that the items of the document's list of tables describe. A table that has `foreign_keys` gets no others. */
export function addKeysOfRelations(items: readonly Members[], tables: readonly Table[]): Table[] {
  const listed = new Set(
    items
      .filter(({ byName }) => byName.has('foreign_keys'))
      .map((item) => nonEmptyTextIn(item, 'name')),
  );
  const described = items.flatMap((item) => [
    ...fromReferences(item),
    ...fromRelations(item, listed.has(nonEmptyTextIn(item, 'name'))),
  ]);
  const found = described.filter(({ from }) => !listed.has(from));
  const byName = new Map(tables.map((table) => [table.name, table]));
  for (const each of found) requireColumns(each, byName);
  const byTable = Map.groupBy(found, ({ from }) => from);
  return tables.map((table) => {
    const keys = (byTable.get(table.name) ?? []).map(({ key }) => key);
    return keys.length === 0 ? table : { ...table, foreignKeys: distinct(keys) };
  });
}

/** Throws if the document lacks the table of the key, or a column of either table. The referenced table may exist in the database already. */
function requireColumns(
  { from, key, item }: DescribedKey,
  tables: ReadonlyMap<string, Table>,
): void {
  const ownTable = tables.get(from);
  if (ownTable === undefined) {
    const reason = `${item.path} is a key of the table "${from}", which the document does not have`;
    throw errorAt(item.source, item.byName.get('table') ?? item.node, reason);
  }
  const target = tables.get(key.table);
  const ends = [
    { table: ownTable, columns: key.columns },
    ...(target === undefined ? [] : [{ table: target, columns: key.referencedColumns }]),
  ];
  for (const { table, columns } of ends) {
    const missing = columns.find((name) => table.columns.every((column) => column.name !== name));
    if (missing === undefined) continue;
    const reason = `${item.path} names the column "${missing}", which the table "${table.name}" does not have`;
    throw errorAt(item.source, item.node, reason);
  }
}

function distinct(keys: readonly ForeignKey[]): ForeignKey[] {
  const byMeaning = Map.groupBy(keys, ({ columns, table, referencedColumns }) =>
    JSON.stringify([columns, table, referencedColumns]),
  );
  return [...byMeaning.values()].flatMap(([first]) => first ?? []);
}

/** A column's `references {table, column}`. */
function fromReferences(item: Members): DescribedKey[] {
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

/** belongs_to is a key of this table, has_one and has_many of the related one. Incomplete relations are errors unless the table lists its keys. */
function fromRelations(item: Members, isListed: boolean): DescribedKey[] {
  const name = requiredText(item, 'name');
  return itemsIn(item, 'relations').flatMap((relation) => {
    const related = requiredText(relation, 'table');
    const type = choiceIn(relation, 'type', relationTypes);
    const isPolymorphic = nonEmptyTextIn(relation, 'polymorphic_type') !== undefined;
    if (type === 'many_to_many' || isPolymorphic) return [];
    const columns = columnsIn(relation, 'foreign_key');
    const referencedColumns = columnsIn(relation, 'reference_key');
    const isComplete =
      type !== undefined && columns.length > 0 && columns.length === referencedColumns.length;
    if (!isComplete && isListed) return [];
    if (!isComplete) throw errorAt(relation.source, relation.node, missingParts(relation, type));
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

function missingParts({ path }: Members, type: string | undefined): string {
  return type === undefined
    ? `${path} has no type`
    : `${path} needs as many columns in foreign_key as in reference_key, and at least one`;
}

/** Uses the list of a composite key's columns, since a column name may contain the comma that joins names. */
function columnsIn(relation: Members, name: 'foreign_key' | 'reference_key'): readonly string[] {
  const listed = textsIn(relation, `${name}s`);
  if (listed !== undefined) return listed;
  return (nonEmptyTextIn(relation, name) ?? '').split(',').filter((column) => column !== '');
}

function keyOf(ends: Pick<ForeignKey, 'table' | 'columns' | 'referencedColumns'>): ForeignKey {
  return { ...ends, onUpdate: 'no action', onDelete: 'no action' };
}
