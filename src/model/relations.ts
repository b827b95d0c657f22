import {
  foldCase,
  goFieldNames,
  goPluralName,
  goStructName,
  reservedFields,
  uniqueNames,
} from './go-names.ts';
import { linksOf } from './links.ts';
import { modeledTables } from './model-relations.ts';
import type { Link } from './links.ts';
import type { ModeledTables } from './model-relations.ts';
import type { Relation, RelationType } from './relation.ts';
import type { ForeignKey, Schema, Table } from './schema.ts';
import type { TableModel } from './table-model.ts';

export type { Relation, RelationType } from './relation.ts';

/**
 * The relations that follow from foreign keys, by table name. The order is belongs_to, has_one and
 * has_many, many_to_many, each in the order of `linksOf`, which does not depend on the catalog. A table
 * with a Go model has the relations of the model first, in their order, and from foreign keys only those
 * of tables without a model.
 */
export function deriveRelations(
  schema: Schema,
  models: readonly TableModel[] = [],
): ReadonlyMap<string, readonly Relation[]> {
  const modeled = modeledTables(schema, models);
  const links = linksOf(schema.tables);
  const joins = Map.groupBy(
    links.filter((link) => link.isJoinTable),
    (link) => link.from,
  );
  const derived = [
    ...links.flatMap(relationsOfLink),
    ...[...joins.values()].flatMap(manyToManyEnds),
  ];
  const drafts = derived.filter(
    (draft) => !modeled.replacesForeignKey(draft.of.name, draft.from.name),
  );
  const byTable = Map.groupBy(drafts, (draft) => draft.of);
  return new Map(
    schema.tables.map((table) => [
      table.name,
      namedRelations(table, byTable.get(table) ?? [], modeled),
    ]),
  );
}

/** A relation without its final name. */
interface Draft {
  readonly of: Table;
  /** The table whose foreign key it comes from. */
  readonly from: Table;
  readonly relation: Omit<Relation, 'name'>;
  /** The preferred name, and then the alternatives for a name that is taken. */
  readonly names: readonly string[];
}

function relationsOfLink(link: Link): readonly Draft[] {
  return link.isJoinTable ? [belongsTo(link)] : [belongsTo(link), has(link)];
}

function belongsTo({ from, to, key, stem, prefix }: Link): Draft {
  const target = goStructName(nameFrom(from, to));
  const name = key.columns.length > 1 || stem === '' ? target : stem;
  return {
    of: from,
    from,
    relation: { type: 'belongs_to', table: to.name, ...columnsOf(key), constraints: [key] },
    names: [name, prefix + target],
  };
}

function has({ from, to, key, prefix, unique, isOnlyKey }: Link): Draft {
  const nameFromParent = nameFrom(to, from);
  const name = unique ? goStructName(nameFromParent) : goPluralName(nameFromParent);
  const type = unique ? 'has_one' : 'has_many';
  return {
    of: to,
    from,
    relation: { type, table: from.name, ...columnsOf(key), constraints: [key] },
    names: isOnlyKey ? [name, prefix + name] : [prefix + name],
  };
}

function manyToManyEnds(links: readonly Link[]): readonly Draft[] {
  const [one, two] = links;
  return one === undefined || two === undefined ? [] : [manyToMany(one, two), manyToMany(two, one)];
}

function manyToMany(near: Link, far: Link): Draft {
  const name = goPluralName(nameFrom(near.to, far.to));
  const joinTable = near.from;
  return {
    of: near.to,
    from: joinTable,
    relation: {
      type: 'many_to_many',
      table: far.to.name,
      ...columnsOf(near.key),
      joinTable: joinTable.name,
      joinForeignKeys: far.key.columns,
      joinReferenceKeys: far.key.referencedColumns,
      constraints: [near.key, far.key],
    },
    names: [name, far.prefix + name, goPluralName(nameFrom(near.to, joinTable))],
  };
}

function columnsOf(key: ForeignKey): Pick<Relation, 'foreignKeys' | 'referenceKeys'> {
  return { foreignKeys: key.columns, referenceKeys: key.referencedColumns };
}

/** A table's name within a namespace. Tables of the same namespace are not qualified. */
function nameFrom(table: Table, related: Table): string {
  return related.namespace === table.namespace ? related.localName : related.name;
}

// Names.

/** Names are assigned in this order. Later relations get the alternatives. */
const ranks: readonly (readonly RelationType[])[] = [
  ['belongs_to'],
  ['has_one', 'has_many'],
  ['many_to_many'],
];

function namedRelations(
  table: Table,
  drafts: readonly Draft[],
  modeled: ModeledTables,
): readonly Relation[] {
  const fields = goFieldNames(table.columns.map((column) => column.name));
  const declared = modeled.relationsOf(table.name);
  const usedNames = [...reservedFields, ...fields.values(), ...declared.map(({ name }) => name)];
  const derived = ranks.flatMap((types) => {
    const ranked = drafts.filter((draft) => types.includes(draft.relation.type));
    const names = chooseNames(
      ranked.map((draft) => draft.names),
      usedNames,
    );
    usedNames.push(...names);
    return ranked.map(({ relation }, i) => ({ name: names[i] ?? '', ...relation }));
  });
  return [...declared, ...derived];
}

/**
 * Returns for each list its first name that no other list claims. All lists that claim the same name move
 * on to their next one, so that the result does not depend on their order. When a list is exhausted, a
 * number makes the name unique.
 */
function chooseNames(
  lists: readonly (readonly string[])[],
  usedNames: readonly string[],
): readonly string[] {
  const names = lists.map(([first = '']) => first);
  const clashing = clashes(names, usedNames);
  if (!lists.some((list, i) => clashing[i] === true && list.length > 1)) {
    return uniqueNames(names, usedNames);
  }
  const next = lists.map((list, i) =>
    clashing[i] === true && list.length > 1 ? list.slice(1) : list,
  );
  return chooseNames(next, usedNames);
}

function clashes(names: readonly string[], usedNames: readonly string[]): readonly boolean[] {
  const foldedUsedNames = new Set(usedNames.map(foldCase));
  const requested = Map.groupBy(names, foldCase);
  return names.map(
    (name) =>
      foldedUsedNames.has(foldCase(name)) || (requested.get(foldCase(name))?.length ?? 0) > 1,
  );
}
