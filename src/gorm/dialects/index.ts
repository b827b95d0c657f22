/** The databases that GORM has drivers for. Each is loaded when it is needed, as in `databases/index.ts`. */
import type { GoFieldDialect } from '../go-field-dialect.ts';
import type { GormDialect } from '../gorm-dialect.ts';

export interface GormDriver {
  /** Renders the structure of models as the driver does. */
  readonly gorm: GormDialect;
  /** Finds Go fields that the driver reads back as the columns of a table. */
  readonly goFields: GoFieldDialect;
}

interface Entry {
  /** The name of the database's dialect. */
  readonly database: string;
  load(): Promise<GormDriver>;
}

const registry: readonly Entry[] = [
  {
    database: 'postgres',
    load: async () => ({
      gorm: (await import('./postgres/gorm-dialect.ts')).postgresGormDialect,
      goFields: (await import('./postgres/go-fields.ts')).postgresGoFields,
    }),
  },
  {
    database: 'mysql',
    load: async () => ({
      gorm: (await import('./mysql/gorm-dialect.ts')).mysqlGormDialect,
      goFields: (await import('./mysql/go-fields.ts')).mysqlGoFields,
    }),
  },
  {
    database: 'sqlserver',
    load: async () => ({
      gorm: (await import('./sqlserver/gorm-dialect.ts')).sqlserverGormDialect,
      goFields: (await import('./sqlserver/go-fields.ts')).sqlserverGoFields,
    }),
  },
  {
    database: 'sqlite',
    load: async () => ({
      gorm: (await import('./sqlite/gorm-dialect.ts')).sqliteGormDialect,
      goFields: (await import('./sqlite/go-fields.ts')).sqliteGoFields,
    }),
  },
];

export function hasGormDriver(database: string): boolean {
  return registry.some((each) => each.database === database);
}

/** The driver for a database, by the name of its dialect. Callers check `hasGormDriver` first. */
export async function loadGormDriver(database: string): Promise<GormDriver> {
  const entry = registry.find((each) => each.database === database);
  if (entry !== undefined) return entry.load();
  throw new Error(`GORM has no driver for the database "${database}".`);
}
