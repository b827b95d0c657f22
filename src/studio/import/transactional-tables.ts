/** Lets new tables take their rows in a transaction, whatever stores them in the end. */
import type { Dialect } from '../../model/database.ts';
import type { UploadedSchema } from './schema/read-schema-upload.ts';

interface TransactionalStructure {
  readonly structure: UploadedSchema;
  /** Statements after the commit that give tables their own storage. */
  readonly storage: readonly string[];
}

export function withTransactionalTables(
  structure: UploadedSchema,
  { name, ddl }: Dialect<'ddl'>,
): TransactionalStructure {
  const { transactionalTable } = ddl;
  if (structure.dialect !== name || transactionalTable === undefined)
    return { structure, storage: [] };
  const { schema } = structure;
  const warnings: string[] = [];
  const storage: string[] = [];
  const tables = schema.tables.map((table) => {
    const found = transactionalTable(table);
    if (found === undefined) return table;
    storage.push(found.restore);
    if (table.foreignKeys.length > found.table.foreignKeys.length)
      warnings.push(
        `${table.name}: its foreign keys are left out: the storage engine ${found.storage} has none.`,
      );
    return found.table;
  });
  return {
    structure: {
      ...structure,
      schema: { ...schema, tables },
      warnings: [...structure.warnings, ...warnings],
    },
    storage,
  };
}
