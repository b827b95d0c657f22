/** Builds the join table of a many2many relation: a struct that GORM generates. */
import { parseField } from './parse-field.ts';
import {
  addColumns,
  copyKeyType,
  emptyModel,
  findField,
  makeAutoIncrement,
  reportModelError,
} from './build-model.ts';
import { singular } from '../../model/inflection.ts';
import { isSameType } from '../go/program/types.ts';
import { splitList, removeSettings, prependSetting } from './tags.ts';
import type { GoType, StructField, StructType } from '../go/program/types.ts';
import type { GormField, GormModel, GormRelation } from './gorm-model.ts';
import type { ModelContext } from './build-model.ts';

export function buildJoinTable(relation: GormRelation, tag: string, context: ModelContext): void {
  const { model, target } = relation;
  const ownKeys = referencedFields(model, 'FOREIGNKEY', relation);
  const targetKeys = referencedFields(target, 'REFERENCES', relation);
  relation.type = 'many_to_many';
  if (ownKeys === undefined || targetKeys === undefined) return;
  const columns = joinColumns(relation, ownKeys, targetKeys);
  const problem = problemOfStruct(relation, columns);
  if (problem !== undefined) {
    reportPanic(relation, problem);
    return;
  }
  const join = joinTableOf(relation, columns, context);
  join.struct = tag;
  const { naming } = context.scope.program;
  join.table = naming.storedTable(naming.joinTable(tag));
  relation.joinTable = join;
  addJoinReferences(relation, join, columns);
}

/**
 * The model of the struct that GORM generates for a relation. GORM parses each type once. So relations whose structs
 * are equal, such as those of a struct that is embedded twice, share a join table, which the last of them names.
 */
function joinTableOf(
  relation: GormRelation,
  columns: readonly JoinColumn[],
  { scope, parsing }: ModelContext,
): GormModel {
  const type = joinStruct(relation, columns);
  const ownerName = type.fields.at(-1)!.name;
  const candidates = parsing.joinTables.get(ownerName) ?? [];
  const shared = candidates.find((join) => hasSameFields(join.type, type));
  if (shared !== undefined) return shared;
  const join = { ...emptyModel(type, '', scope), offset: relation.field.offset };
  for (const structField of type.fields.slice(0, -1))
    join.fields.push(parseField(structField, { scope, model: join }).field);
  addColumns(join);
  makeAutoIncrement(join);
  parsing.joinTables.set(ownerName, [...candidates, join]);
  return join;
}

/** The struct that GORM generates: a field for each column, and a last one, without a column, of the model's type. */
function joinStruct({ model, field }: GormRelation, columns: readonly JoinColumn[]): StructType {
  const ownerField = {
    name: title(model.struct) + field.name,
    type: model.type,
    tag: 'gorm:"-"',
    isEmbedded: false,
    offset: field.offset,
  };
  const fields = uniqueColumns(columns).map(({ name, key }) => joinField(name, key));
  return { form: 'struct', fields: [...fields, ownerField] };
}

function hasSameFields(one: GoType, other: StructType): boolean {
  if (one.form !== 'struct' || one.fields.length !== other.fields.length) return false;
  return one.fields.every(({ name, type, tag }, i) => {
    const field = other.fields[i];
    return name === field?.name && tag === field.tag && isSameType(type, field.type);
  });
}

/** Why reflect.StructOf rejects the struct that GORM generates for the join table. */
function problemOfStruct(
  { model, field }: GormRelation,
  columns: readonly JoinColumn[],
): string | undefined {
  const ownNames = columns.filter(({ isOwn }) => isOwn).map(({ name }) => name);
  const targetNames = columns.map(({ name }) => name).filter((name) => !ownNames.includes(name));
  const names = [...ownNames, ...new Set(targetNames), title(model.struct) + field.name];
  const invalidName = names.find((name) => !/^\p{Lu}[\p{L}\p{Nd}_]*$/u.test(name));
  if (invalidName !== undefined) return `"${invalidName}" is no exported name in Go`;
  const duplicate = names.find((name, i) => names.indexOf(name) < i);
  return duplicate === undefined ? undefined : `its struct has two fields ${duplicate}`;
}

/** Reports many2many relations of a migrated model whose join table lacks the key of one side. */
export function reportJoinsWithoutKeys(model: GormModel): void {
  for (const relation of model.relations.values()) {
    const sides = relation.field.ignored ? [] : [...(relation.joinTable?.relations.values() ?? [])];
    const side = sides.find(({ references }) => references.length === 0);
    if (side !== undefined) reportPanic(relation, `${side.target.struct} has no primary key`);
  }
}

function reportPanic({ model, field }: GormRelation, reason: string): void {
  const message = `invalid join table for ${model.struct}'s field ${field.name}: GORM panics, because ${reason}`;
  reportModelError(model, message, field);
}

/** The fields that the join table references: the named ones, or else the primary key. */
function referencedFields(
  model: GormModel,
  setting: string,
  { field, model: relationModel }: GormRelation,
): readonly GormField[] | undefined {
  const names = splitList(field.settings.get(setting));
  if (names.length === 0) return model.primaryFields;
  const fields = names.map((name) => ({ name, found: findField(model, name) }));
  const missing = fields.find(({ found }) => found === undefined);
  if (missing !== undefined) {
    reportModelError(relationModel, `invalid foreign key: ${missing.name}`, field);
    return undefined;
  }
  return fields.flatMap(({ found }) => found ?? []);
}

interface JoinColumn {
  /** The Go name of the join struct's field. */
  readonly name: string;
  /** The field that the column references. */
  readonly key: GormField;
  /** Whether the field references the struct that has the relation's field. */
  readonly isOwn: boolean;
}

function joinColumns(
  relation: GormRelation,
  ownKeys: readonly GormField[],
  targetKeys: readonly GormField[],
): readonly JoinColumn[] {
  const { settings } = relation.field;
  const foreignKeys = splitList(settings.get('JOINFOREIGNKEY'));
  const references = splitList(settings.get('JOINREFERENCES'));
  const ownColumns = ownKeys.map((key, i): JoinColumn => ({
    name: title(
      foreignKeys[i] ?? relation.model.struct + (foreignKeys[i] === undefined ? key.name : ''),
    ),
    key,
    isOwn: true,
  }));
  const usedNames = new Set(ownColumns.map(({ name }) => name));
  const targetColumns = targetKeys.map((key, i): JoinColumn => ({
    name:
      references[i] === undefined
        ? targetFieldName(relation, key, usedNames)
        : title(references[i]),
    key,
    isOwn: false,
  }));
  return [...ownColumns, ...targetColumns];
}

/** In a self-join, the field of the other side is named after the relation's field. */
function targetFieldName(
  { field, target }: GormRelation,
  key: GormField,
  usedNames: ReadonlySet<string>,
): string {
  const defaultName = title(target.struct) + key.name;
  if (!usedNames.has(defaultName)) return defaultName;
  return field.name === target.struct ? `${defaultName}Reference` : singular(field.name) + key.name;
}

function title(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function uniqueColumns(columns: readonly JoinColumn[]): readonly JoinColumn[] {
  const byName = Map.groupBy(columns, ({ name }) => name);
  return [...byName.values()].flatMap(([first]) => first ?? []);
}

const droppedSettings = ['column', 'autoincrement', 'index', 'unique', 'uniqueindex'];

function joinField(name: string, key: GormField): StructField {
  const tag = removeSettings(prependSetting(key.tag, 'primaryKey'), droppedSettings);
  return { name, type: key.type, tag, isEmbedded: false, offset: key.offset };
}

function addJoinReferences(
  relation: GormRelation,
  join: GormModel,
  columns: readonly JoinColumn[],
): void {
  const { model, target, field } = relation;
  const ownName = model.struct;
  const targetName = ownName === target.struct ? field.name : target.struct;
  const ownSide = addBelongsTo(ownName, { join, relation, target: model });
  const targetSide =
    targetName === ownName ? ownSide : addBelongsTo(targetName, { join, relation, target });
  for (const joinColumnField of join.fields) {
    const ofColumn = columns.filter(({ name }) => name === joinColumnField.name);
    const first = ofColumn[0];
    if (first !== undefined) copyKeyType(joinColumnField, first.key);
    // Of several keys of the target with this name, GORM keeps the last one.
    const ownKey = ofColumn.find(({ isOwn }) => isOwn);
    const targetKey = ofColumn.findLast(({ isOwn }) => !isOwn);
    for (const { key, isOwn } of [ownKey, targetKey].filter((one) => one !== undefined)) {
      const side = isOwn ? ownSide : targetSide;
      // The other side keeps the field of the first relation that shares the table, and so its settings.
      if (isOwn) side.field = field;
      side.references.push({
        primaryKey: key,
        foreignKey: joinColumnField,
        primaryValue: '',
        ownsKey: false,
      });
      relation.references.push({
        primaryKey: key,
        foreignKey: joinColumnField,
        primaryValue: '',
        ownsKey: isOwn,
      });
    }
  }
  join.primaryFields = [...join.fields];
}

interface JoinSide {
  readonly join: GormModel;
  readonly relation: GormRelation;
  readonly target: GormModel;
}

/** Adds a belongs_to relation to the join table, or empties the one of another relation that shares the table. */
function addBelongsTo(name: string, { join, relation, target }: JoinSide): GormRelation {
  const existing = join.relations.get(name);
  if (existing !== undefined) {
    existing.references.length = 0;
    return existing;
  }
  const belongsTo: GormRelation = {
    name,
    type: 'belongs_to',
    field: relation.field,
    model: join,
    target,
    references: [],
    joinTable: undefined,
    polymorphic: undefined,
  };
  join.relations.set(name, belongsTo);
  return belongsTo;
}
