import type { Relation } from '../model/relations.ts';

/** A relation as the schema tells it; composite keys joined by commas, with arrays beside them. */
export function relationJson(relation: Relation): string {
  const { foreignKeys, referenceKeys, joinForeignKeys, joinReferenceKeys } = relation;
  const { polymorphic } = relation;
  const isComposite = foreignKeys.length > 1 || (joinForeignKeys?.length ?? 0) > 1;
  return JSON.stringify({
    name: relation.name,
    type: relation.type,
    table: relation.table,
    foreign_key: foreignKeys.join(','),
    reference_key: referenceKeys.join(','),
    ...(isComposite ? { foreign_keys: foreignKeys, reference_keys: referenceKeys } : {}),
    ...(relation.joinTable === undefined
      ? {}
      : {
          join_table: relation.joinTable,
          join_foreign_key: joinForeignKeys?.join(','),
          join_reference_key: joinReferenceKeys?.join(','),
          ...(isComposite
            ? { join_foreign_keys: joinForeignKeys, join_reference_keys: joinReferenceKeys }
            : {}),
        }),
    ...(polymorphic === undefined
      ? {}
      : { polymorphic_type: polymorphic.column, polymorphic_value: polymorphic.value }),
  });
}
