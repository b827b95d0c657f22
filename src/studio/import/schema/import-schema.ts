/** Creates the tables of a schema file, all or nothing. */
import { hasGormDriver } from '../../../gorm/dialects/index.ts';
import { modelsOfCreated, modelsOfPlanned, modelsWithin } from './imported-models.ts';
import { readSchemaUpload } from './read-schema-upload.ts';
import { runStructure } from './run-structure.ts';
import { rejectBeingCreated, unlessBeingCreated } from './running-imports.ts';
import { planSchema, unlessCreatedMeanwhile } from './schema-plan.ts';
import { withStoredNames } from './stored-names.ts';
import { onlyFile } from '../only-file.ts';
import { invalidParameter, uploadParameters } from '../upload-parameters.ts';
import type { StructureCapability } from '../../core/capabilities.ts';
import type { JobContext, Upload } from '../../core/job.ts';
import type { SchemaText } from '../../../formats/schema-document.ts';
import type { Session } from '../../../model/database.ts';

export interface ImportSchemaInput {
  readonly upload: Upload;
  /** The dialect of a `.sql` file. Detected when absent. */
  readonly dialect?: string | undefined;
  /** `skip`: ignores statements that change data. */
  readonly data?: string | undefined;
  /** `skip`: leaves existing tables as they are. */
  readonly if_exists?: string | undefined;
  /** True, `true` or `1`: everything is rolled back. */
  readonly dry_run?: string | boolean | undefined;
}

export interface ImportSchemaResponse {
  readonly message: string;
  /** Nothing was created. */
  readonly dry_run?: true;
  readonly tables_created: readonly string[];
  readonly go_code: string;
  readonly statements: readonly string[];
  readonly warnings: readonly string[];
  /** False for a dry run whose statements could not be run on the database. */
  readonly verified?: boolean;
}

export async function importSchema(
  context: JobContext<StructureCapability>,
  input: ImportSchemaInput,
): Promise<ImportSchemaResponse> {
  return unlessBeingCreated(context, () => createSchemaOf(input, context));
}

async function createSchemaOf(
  input: ImportSchemaInput,
  context: JobContext<StructureCapability>,
): Promise<ImportSchemaResponse> {
  const file = onlyFile(input.upload, 'A schema import');
  const { dialect: ownDialect } = context.database;
  const parameters = uploadParameters(input, ['dialect', 'data', 'if_exists', 'dry_run']);
  const dryRun = parameters.flag('dry_run');
  const skips = (name: 'data' | 'if_exists'): boolean => isSkip(name, parameters.text(name));
  const { schema: existing } = await context.schemas.current();
  const read = await readSchemaUpload(file, {
    ownDialect,
    defaultNamespace: existing.defaultNamespace,
    dialect: parameters.text('dialect'),
    data: skips('data') ? 'skipped' : 'rejected',
  });
  const uploaded = withStoredNames(read, existing, ownDialect.ddl);
  const plan = planSchema(uploaded, {
    ownDialect,
    existing,
    skipExisting: skips('if_exists'),
    existsHint,
  });
  const { schema, statements } = plan;
  await rejectBeingCreated(context, plan.skipped);
  const relations = [...schema.tables, ...schema.views];
  const hasModels = hasGormDriver(ownDialect.name);
  let models: SchemaText | undefined;
  const inspect = async (session: Session): Promise<void> => {
    if (hasModels) models = await modelsWithin(session, context, plan);
  };
  const verified = await unlessCreatedMeanwhile(context, { schema, existsHint }, () =>
    runStructure(context, { statements, relations, dryRun, inspect }),
  );
  if (hasModels && models === undefined)
    models = await (dryRun ? modelsOfPlanned(context, plan) : modelsOfCreated(context, plan));
  const createdTables = schema.tables.map(({ name }) => name);
  return {
    message: sentence(createdTables.length, dryRun),
    ...(dryRun ? { dry_run: true } : {}),
    tables_created: createdTables,
    go_code: models?.text ?? '',
    statements,
    warnings: [
      ...plan.warnings,
      ...(createdTables.length === 0 ? [noTableWarning] : []),
      ...(models === undefined ? [noGormWarning] : verified ? [] : [unverifiedWarning]),
    ],
    ...(dryRun ? { verified } : {}),
  };
}

const existsHint = 'if_exists=skip leaves such tables as they are';
const noTableWarning = 'No table of the file is created.';
const noGormWarning =
  'There are no Go structs for the tables: GORM has no driver for the database.';
const unverifiedWarning =
  'The statements could not be run on the database, so the import itself may give the Go structs other defaults and indexes.';

function isSkip(name: string, text: string | undefined): boolean {
  if (text === undefined || text === 'skip') return text === 'skip';
  throw invalidParameter(`${name} must be skip, or left out.`, name);
}

function sentence(count: number, dryRun: boolean): string {
  const tables = `${count} ${count === 1 ? 'table' : 'tables'}`;
  return dryRun ? `${tables} would be created. Nothing was kept.` : `${tables} created.`;
}
