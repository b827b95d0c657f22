/** Schemas as Go models, by the facts of each database. */
import { mysqlDialect } from '../../src/databases/mysql/dialect.ts';
import { postgresDialect } from '../../src/databases/postgres/dialect.ts';
import { sqliteDialect } from '../../src/databases/sqlite/dialect.ts';
import { sqlserverDialect } from '../../src/databases/sqlserver/dialect.ts';
import { writeGoModels } from '../../src/formats/go/from-schema.ts';
import { deriveRelations } from '../../src/model/relations.ts';
import type { GoOptions } from '../../src/formats/go/from-schema.ts';
import type { SchemaText } from '../../src/formats/schema-document.ts';
import type { Dialect } from '../../src/model/database.ts';
import type { Relation } from '../../src/model/relations.ts';
import type { Schema } from '../../src/model/schema.ts';

export const dialects: readonly Dialect[] = [
  sqliteDialect,
  postgresDialect,
  mysqlDialect,
  sqlserverDialect,
];

export interface WritingOptions extends Partial<GoOptions> {
  readonly relations?: ReadonlyMap<string, readonly Relation[]>;
  readonly stored?: ReadonlyMap<string, string>;
}

export function goOf(schema: Schema, dialect: Dialect, options: WritingOptions = {}): SchemaText {
  const { relations = deriveRelations(schema), stored = new Map(), ...told } = options;
  return writeGoModels({
    schema,
    relationsOf: (table) => relations.get(table) ?? [],
    goFields: dialect.goFields,
    gorm: dialect.gorm,
    usualKeyAction: dialect.ddl.usualKeyAction,
    stored,
    options: { packageName: 'models', nulls: 'pointer', json: false, ...told },
  });
}
