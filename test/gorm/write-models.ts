/** Writes schemas as Go models for each database. */
import { loadGormDriver } from '../../src/gorm/dialects/index.ts';
import type { GormDriver } from '../../src/gorm/dialects/index.ts';
import { mysqlDialect } from '../../src/databases/mysql/dialect/dialect.ts';
import { postgresDialect } from '../../src/databases/postgres/dialect/dialect.ts';
import { sqliteDialect } from '../../src/databases/sqlite/dialect/dialect.ts';
import { sqlserverDialect } from '../../src/databases/sqlserver/dialect/dialect.ts';
import { writeGoModels } from '../../src/gorm/export/write-go-models.ts';
import { deriveRelations } from '../../src/model/relations.ts';
import type { GoModelOptions } from '../../src/gorm/export/write-go-models.ts';
import type { SchemaText } from '../../src/formats/schema-document.ts';
import type { Relation } from '../../src/model/relations.ts';
import type { Schema } from '../../src/model/schema.ts';
import type { Dialect } from '../databases/registered-databases.ts';

export const dialects: readonly Dialect[] = [
  sqliteDialect,
  postgresDialect,
  mysqlDialect,
  sqlserverDialect,
];

export interface WriteOptions extends Partial<GoModelOptions> {
  readonly relations?: ReadonlyMap<string, readonly Relation[]>;
  readonly storedStatements?: ReadonlyMap<string, string>;
}

const drivers: ReadonlyMap<string, GormDriver> = new Map(
  await Promise.all(dialects.map(async ({ name }) => [name, await loadGormDriver(name)] as const)),
);

export function driverOf({ name }: Dialect): GormDriver {
  return drivers.get(name)!;
}

export function goOf(schema: Schema, dialect: Dialect, options: WriteOptions = {}): SchemaText {
  const {
    relations = deriveRelations(schema),
    storedStatements = new Map(),
    ...modelOptions
  } = options;
  return writeGoModels({
    schema,
    relationsOf: (table) => relations.get(table) ?? [],
    ...driverOf(dialect),
    defaultKeyAction: dialect.ddl.defaultForeignKeyAction,
    storedStatements,
    options: { packageName: 'models', nulls: 'pointer', json: false, ...modelOptions },
  });
}
