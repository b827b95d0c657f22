/** Foreign keys of a dump that reference tables which neither the dump nor the database has. */
import type { DdlDialect } from '../../model/ddl-dialect.ts';
import type { Schema } from '../../model/schema.ts';
import type { UploadedSchema } from './schema/read-schema-upload.ts';

/**
 * Leaves them out where CREATE TABLE accepts them (SQLite): every row with such a reference would be
 * rejected. Elsewhere the plan of the structure does so.
 */
export function withoutMissingTargets(
  structure: UploadedSchema,
  existing: Schema,
  { canAddForeignKeys }: DdlDialect,
): UploadedSchema {
  if (canAddForeignKeys) return structure;
  const tablesOfBoth = [...existing.tables, ...structure.schema.tables];
  const names = new Set(tablesOfBoth.map(({ name }) => name.toLowerCase()));
  const warnings: string[] = [];
  const tables = structure.schema.tables.map((table) => {
    const foreignKeys = table.foreignKeys.filter((key) => {
      if (names.has(key.table.toLowerCase())) return true;
      warnings.push(
        `${table.name}: the foreign key (${key.columns.join(', ')}) is left out: there is no table ${key.table}.`,
      );
      return false;
    });
    return foreignKeys.length === table.foreignKeys.length ? table : { ...table, foreignKeys };
  });
  if (warnings.length === 0) return structure;
  return {
    ...structure,
    schema: { ...structure.schema, tables },
    warnings: [...structure.warnings, ...warnings],
  };
}
