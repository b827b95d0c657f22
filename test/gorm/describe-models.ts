import { ownRelations } from '../../src/gorm/models/parse-relation.ts';
import type { GormField, GormModel, GormRelation } from '../../src/gorm/models/gorm-model.ts';
import type { GoModels } from '../../src/gorm/models/read-go-models.ts';
import type { GoldenRelations } from './goldens.ts';

/** Describes models in the format of golden.relations.json, without the Go types of fields. */
export function describeModels(found: GoModels): GoldenRelations {
  return {
    package: found.packages[0] ?? '',
    ignored_structs: found.ignored,
    models: found.models.map(describeModel),
  };
}

function describeModel(model: GormModel): Record<string, unknown> {
  return {
    struct: model.struct,
    table: model.table,
    fields: model.columns.map((column) => describeField(model.byColumn.get(column)!)),
    relations: ownRelations(model)
      .map(describeRelation)
      .toSorted((a, b) => (String(a['name']) < String(b['name']) ? -1 : 1)),
  };
}

function describeField(field: GormField): Record<string, unknown> {
  return {
    name: field.bindNames.join('.'),
    column: field.column,
    data_type: field.dataType,
    ...withoutEmpty({
      size: field.size,
      precision: field.precision,
      scale: field.scale,
      primary_key: field.primaryKey,
      auto_increment: field.autoIncrement,
      not_null: field.notNull,
      unique: field.unique,
      default: field.defaultText,
      comment: field.comment,
      ignored_by_migration: field.ignored,
    }),
  };
}

function describeRelation(relation: GormRelation): Record<string, unknown> {
  const pairs = relation.references.filter(({ primaryKey }) => primaryKey !== undefined);
  const isJoin = relation.joinTable !== undefined;
  const near = pairs.filter(({ ownsKey }) => !isJoin || ownsKey);
  const far = pairs.filter(({ ownsKey }) => isJoin && !ownsKey);
  const foreignKeys = near.map(({ foreignKey }) => foreignKey.column);
  const referenceKeys = near.map(({ primaryKey }) => primaryKey!.column);
  return {
    name: relation.name,
    type: relation.type,
    table: relation.target.table,
    foreign_key: foreignKeys[0],
    reference_key: referenceKeys[0],
    foreign_keys: foreignKeys,
    reference_keys: referenceKeys,
    ...withoutEmpty({
      join_table: relation.joinTable?.table,
      join_reference_columns: far.map(({ foreignKey }) => foreignKey.column),
      join_reference_keys: far.map(({ primaryKey }) => primaryKey!.column),
      polymorphic_type: relation.polymorphic?.typeField.column,
      polymorphic_id: relation.polymorphic?.idField.column,
      polymorphic_value: relation.polymorphic?.value,
    }),
  };
}

function withoutEmpty(members: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean =>
    value === undefined ||
    value === '' ||
    value === 0 ||
    value === false ||
    (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(members).filter(([, value]) => !isEmpty(value)));
}
