/** Exports the tables as Go structs for GORM. */
import { loadGormDriver } from '../../gorm/dialects/index.ts';
import { writeGoModels } from '../../gorm/export/write-go-models.ts';
import { StudioError } from '../../model/errors.ts';
import { completeStructure } from '../core/complete-structure.ts';
import { leftOutObjects } from './left-out-objects.ts';
import { selectRequested } from './structure-script.ts';
import { storedTables } from '../core/stored-tables.ts';
import type { GoModelOptions } from '../../gorm/export/write-go-models.ts';
import type { SchemaText } from '../../formats/schema-document.ts';
import type { Database, Session } from '../../model/database.ts';
import type { Context } from '../core/context.ts';
import type { Reply } from '../core/reply.ts';
import type { CachedSchema } from '../core/schema-cache.ts';

export interface ExportModelsInput {
  /** Only these tables. All when absent or empty. */
  readonly tables?: readonly string[] | undefined;
  /** `models` when absent. */
  readonly package?: string | undefined;
  /** The Go type of nullable columns; `pointer` when absent. */
  readonly nulls?: 'pointer' | 'sql' | undefined;
  readonly json?: boolean | undefined;
}

/** The options of a request without parameters. */
export const defaultGoOptions: GoModelOptions = {
  packageName: 'models',
  nulls: 'pointer',
  json: false,
};

export async function exportModels(
  context: Context<'ddl'>,
  input: ExportModelsInput,
): Promise<Reply> {
  const options = goOptions(input);
  const { tables = [] } = input;
  const cached = await completeStructure(
    context.schemas,
    (schema) => selectRequested(schema, { tables }).schema.tables,
  );
  const { schema } = selectRequested(cached.schema, { tables });
  const { text, warnings } = await goModelsOf(context.database, {
    schema,
    relationsOf: cached.relationsOf,
    options,
  });
  const isPart = tables.length > 0;
  const leftOut = await leftOutObjects(context.database, { schema, isPart });
  return {
    body: text,
    meta: {
      contentType: 'text/x-go; charset=utf-8',
      fileName: 'models.go',
      warnings: [...warnings, ...leftOut.warnings],
    },
  };
}

export interface GoModelsInput extends Omit<CachedSchema, 'isComplete'> {
  readonly options: GoModelOptions;
  /** Where the tables are; a read transaction of the database when absent. */
  readonly session?: Session;
  /** The CREATE statements of the tables by name. Read from the session when absent. */
  readonly stored?: ReadonlyMap<string, string>;
}

/** Reads from the database what GORM itself would read about these tables. */
export async function goModelsOf(
  database: Database<'ddl'>,
  { schema, relationsOf, options, session, stored }: GoModelsInput,
): Promise<SchemaText> {
  const { name, ddl } = database.dialect;
  const { goFields, gorm } = await loadGormDriver(name);
  const readStored = (by: Session): Promise<ReadonlyMap<string, string>> =>
    storedTables(by, goFields.storedStatementsQuery);
  return writeGoModels({
    schema,
    relationsOf,
    goFields,
    gorm,
    defaultKeyAction: ddl.defaultForeignKeyAction,
    storedStatements: stored ?? (await (session ? readStored(session) : database.read(readStored))),
    options,
  });
}

/** Go's keywords, which are not allowed as a package name. */
const goKeywords: ReadonlySet<string> = new Set(
  (
    'break case chan const continue default defer else fallthrough for func go goto if import ' +
    'interface map package range return select struct switch type var'
  ).split(' '),
);

function goOptions(input: ExportModelsInput): GoModelOptions {
  const { nulls = defaultGoOptions.nulls, json = defaultGoOptions.json } = input;
  const packageName = input.package || defaultGoOptions.packageName;
  if (!/^[a-z][a-z0-9_]*$/i.test(packageName) || goKeywords.has(packageName))
    throw new StudioError(
      'invalid_parameter',
      `package must be a valid Go package name of letters, digits and underscores, not "${packageName}".`,
      {
        parameter: 'package',
      },
    );
  return { packageName, nulls, json };
}
