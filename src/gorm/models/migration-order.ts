/** The tables in AutoMigrate's order, including those that it adds implicitly. */
import { foreignKeyOf } from './foreign-keys.ts';
import type { GormModel, GormRelation } from './gorm-model.ts';

interface Entry {
  readonly model: GormModel;
  readonly depends: readonly GormModel[];
}

/**
 * Adds the targets of belongs_to, the join tables of many2many and what these reference. A join table without
 * constraints does not add the other table. Of several models with the same table, the last one wins.
 */
export function migrationOrder(
  models: readonly GormModel[],
  maxLength: number,
): readonly GormModel[] {
  const entries = new Map<string, Entry>();
  const names: string[] = [];
  const seenModels = new Set<GormModel>();

  const addModel = (model: GormModel): void => {
    if (seenModels.has(model)) return;
    seenModels.add(model);
    const joins = joinsOf(model);
    entries.set(model.table, { model, depends: dependsOn(model, maxLength) });
    names.push(model.table);
    for (const { relation, isOwned } of joins.toReversed()) {
      if (isOwned) addModel(relation.target);
      if (relation.joinTable !== undefined) addModel(relation.joinTable);
    }
  };
  models.forEach(addModel);

  const ordered = new Set<string>();
  const result: string[] = [];
  const addAfterDependencies = (name: string): void => {
    if (ordered.has(name)) return;
    ordered.add(name);
    for (const needed of entries.get(name)?.depends ?? []) {
      if (!entries.has(needed.table)) addModel(needed);
      addAfterDependencies(needed.table);
    }
    result.push(name);
  };
  // GORM does not visit the join tables of models that only these dependencies add.
  for (const name of [...names]) addAfterDependencies(name);
  return result.flatMap((name) => entries.get(name)?.model ?? []);
}

function relationsOf(model: GormModel): readonly GormRelation[] {
  return [...model.relations.values()].filter(({ field }) => !field.ignored);
}

function dependsOn(model: GormModel, maxLength: number): readonly GormModel[] {
  return relationsOf(model).flatMap((relation) => {
    const key = foreignKeyOf(relation, maxLength);
    return key !== undefined && key.model === model && key.target !== model ? [key.target] : [];
  });
}

interface Join {
  readonly relation: GormRelation;
  /** The other table references this one. */
  readonly isOwned: boolean;
}

function joinsOf(model: GormModel): readonly Join[] {
  const relations = relationsOf(model);
  const has = relations.filter(({ type }) => type === 'has_one' || type === 'has_many');
  const owned = new Set(has.map(({ target }) => target));
  return relations
    .filter(({ joinTable }) => joinTable !== undefined)
    .map((relation) => ({ relation, isOwned: owned.has(relation.target) }));
}
