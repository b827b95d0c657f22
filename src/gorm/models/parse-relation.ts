/** Finds relations in fields as GORM does. */
import { elementOf, typeText, underlyingOf, withoutPointers } from '../go/program/types.ts';
import { guessRelation } from './guess-relation.ts';
import { buildJoinTable } from './join-table.ts';
import { findField, reportModelError, copyKeyType } from './build-model.ts';
import { splitList } from './tags.ts';
import type { GormField, GormModel, GormRelation } from './gorm-model.ts';
import type { ModelContext } from './build-model.ts';

export function parseRelation(field: GormField, context: ModelContext): void {
  const { model, parsing } = context;
  const type = elementOf(field.type);
  if (underlyingOf(type).form !== 'struct') {
    reportModelError(
      model,
      `failed to parse field: ${field.name}, error: unsupported data type: ${typeText(type)}`,
      field,
    );
    return;
  }
  const isNew = !parsing.models.has(type);
  const target = parsing.parseModel(type, context.scope);
  if (isNew && target.error !== undefined) {
    reportModelError(
      model,
      `failed to parse field: ${field.name}, error: ${target.error.message}`,
      field,
    );
    return;
  }
  const relation: GormRelation = {
    name: field.name,
    type: 'has',
    field,
    model,
    target,
    references: [],
    joinTable: undefined,
    polymorphic: undefined,
  };
  buildRelation(relation, context);
  if (model.error === undefined) registerRelation(relation);
}

function buildRelation(relation: GormRelation, context: ModelContext): void {
  const { settings } = relation.field;
  const joinTable = settings.get('MANY2MANY') ?? '';
  const { form } = underlyingOf(withoutPointers(relation.field.type));
  if (isPolymorphic(relation.field)) buildPolymorphic(relation);
  else if (joinTable !== '') buildJoinTable(relation, joinTable, context);
  else if ((settings.get('BELONGSTO') ?? '') !== '') guessRelation(relation, 'belongs');
  else if (form === 'struct') guessRelation(relation, 'any');
  else if (form === 'slice') guessRelation(relation, 'has');
  else
    reportModelError(
      relation.model,
      `unsupported data type ${typeText(relation.field.type)} on field ${relation.name}`,
      relation.field,
    );
}

function isPolymorphic({ settings }: GormField): boolean {
  return (
    settings.has('POLYMORPHIC') ||
    (settings.has('POLYMORPHICTYPE') && settings.has('POLYMORPHICID'))
  );
}

/** Registers a has_one or has_many relation in the target model too, which has the foreign key. */
function registerRelation(relation: GormRelation): void {
  const { model, target, field } = relation;
  if (relation.type === 'has') {
    if (target !== model && relation.polymorphic === undefined && field.owner === undefined)
      target.relations.set(`_${model.struct}_${relation.name}`, relation);
    const { form } = underlyingOf(withoutPointers(field.type));
    relation.type = form === 'struct' ? 'has_one' : 'has_many';
  }
  const existingRelation = model.relations.get(relation.name);
  if (existingRelation === undefined || existingRelation.field.bindNames.length > 1)
    model.relations.set(relation.name, relation);
}

function buildPolymorphic(relation: GormRelation): void {
  const { model, target, field } = relation;
  const { settings } = field;
  const prefix = settings.get('POLYMORPHIC') ?? '';
  const typeField = target.byName.get(settings.get('POLYMORPHICTYPE')?.trim() ?? `${prefix}Type`);
  const idField = target.byName.get(settings.get('POLYMORPHICID')?.trim() ?? `${prefix}ID`);
  if (typeField === undefined || idField === undefined) {
    const missing = `${prefix}${typeField === undefined ? 'Type' : 'ID'}`;
    reportModelError(
      model,
      `invalid polymorphic type ${target.struct} for ${model.struct} on field ${field.name}, missing field ${missing}`,
      field,
    );
    return;
  }
  const value = settings.get('POLYMORPHICVALUE')?.trim() ?? model.table;
  relation.polymorphic = { typeField, idField, value };
  relation.references.push({
    primaryKey: undefined,
    foreignKey: typeField,
    primaryValue: value,
    ownsKey: false,
  });
  addOwnerReference(relation, idField);
}

function addOwnerReference(relation: GormRelation, idField: GormField): void {
  const { model, target, field } = relation;
  const foreignKeys = splitList(field.settings.get('FOREIGNKEY'));
  const [first] = foreignKeys;
  const key = first === undefined ? model.prioritizedField : findField(model, first);
  if (key === undefined || foreignKeys.length > 1) {
    const reason =
      first === undefined
        ? 'missing primaryKey field'
        : `invalid polymorphic foreign keys ${foreignKeys.join(',')}`;
    reportModelError(
      model,
      `invalid polymorphic type ${target.struct} for ${model.struct} on field ${field.name}, ${reason}`,
      field,
    );
    return;
  }
  copyKeyType(idField, key);
  relation.references.push({
    primaryKey: key,
    foreignKey: idField,
    primaryValue: '',
    ownsKey: true,
  });
}

/** The relations that a model itself declares, without the reverse sides of relations of other models. */
export function ownRelations(model: GormModel): readonly GormRelation[] {
  return [...model.relations]
    .filter(([name]) => !name.startsWith('_'))
    .map(([, relation]) => relation);
}
