/** Converts properties of tables that only models declare to plain data. */
import { ownRelations } from './parse-relation.ts';
import { softDeleteOf } from './soft-delete.ts';
import type { ModelRelation, TableModel } from '../../model/table-model.ts';
import type { GormModel, GormReference, GormRelation } from './gorm-model.ts';

export function tableModelOf(model: GormModel): TableModel {
  const softDelete = softDeleteOf(model);
  return {
    struct: model.struct,
    table: model.table,
    relations: ownRelations(model).map(relationOf),
    ...(softDelete === undefined ? {} : { softDelete }),
  };
}

function relationOf(relation: GormRelation): ModelRelation {
  const { joinTable, polymorphic } = relation;
  const pairs = relation.references.filter(({ primaryKey }) => primaryKey !== undefined);
  const foreignKeyPairs = pairs.filter(({ ownsKey }) => joinTable === undefined || ownsKey);
  const joinKeyPairs = pairs.filter(({ ownsKey }) => joinTable !== undefined && !ownsKey);
  return {
    name: relation.name,
    type: relation.type === 'has' ? 'has_many' : relation.type,
    table: relation.target.table,
    ...{
      foreignKeys: foreignColumns(foreignKeyPairs),
      referenceKeys: primaryColumns(foreignKeyPairs),
    },
    ...(joinTable === undefined
      ? {}
      : {
          joinTable: joinTable.table,
          joinForeignKeys: foreignColumns(joinKeyPairs),
          joinReferenceKeys: primaryColumns(joinKeyPairs),
        }),
    ...(polymorphic === undefined
      ? {}
      : { polymorphic: { column: polymorphic.typeField.column, value: polymorphic.value } }),
  };
}

function foreignColumns(references: readonly GormReference[]): readonly string[] {
  return references.map(({ foreignKey }) => foreignKey.column);
}

function primaryColumns(references: readonly GormReference[]): readonly string[] {
  return references.flatMap(({ primaryKey }) => primaryKey?.column ?? []);
}
