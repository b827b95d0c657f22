/** Tables of a schema file, all or nothing. */
import { StudioError } from '../model/errors.ts';
import { importedModels } from './imported-models.ts';
import { readSchemaUpload } from './read-schema-upload.ts';
import { runStructure } from './run-structure.ts';
import { planSchema } from './schema-plan.ts';
import { onlyFile } from './only-file.ts';
import type { JobContext, Upload } from './job.ts';

export interface ImportSchemaInput {
  readonly upload: Upload;
  /** Of a `.sql` file; found out when absent. */
  readonly dialect?: string | undefined;
  /** `skip`: statements that change data are left out. */
  readonly data?: string | undefined;
  /** `skip`: tables that are there are left alone. */
  readonly if_exists?: string | undefined;
  /** True, `true` or `1`: nothing is kept. */
  readonly dry_run?: string | boolean | undefined;
}

export interface ImportSchemaAnswer {
  readonly message: string;
  /** Nothing of it was kept. */
  readonly dry_run?: true;
  readonly tables_created: readonly string[];
  readonly go_code: string;
  readonly statements: readonly string[];
  readonly warnings: readonly string[];
  /** False for a dry run that could not be tried on the database. */
  readonly verified?: boolean;
}

export async function importSchema(
  context: JobContext,
  input: ImportSchemaInput,
): Promise<ImportSchemaAnswer> {
  const file = onlyFile(input.upload, 'A schema import');
  const { dialect: own } = context.database;
  const dryRun = isTrue(valueOf(input, 'dry_run'));
  const uploaded = await readSchemaUpload(file, {
    own,
    dialect: valueOf(input, 'dialect'),
    skipData: skips(input, 'data'),
  });
  const { schema: existing } = await context.schemas.current();
  const plan = planSchema(uploaded, { own, existing, skipExisting: skips(input, 'if_exists') });
  const { schema, statements } = plan;
  const relations = [...schema.tables, ...schema.views];
  const verified = await runStructure(context, { statements, relations, dryRun });
  const models = await importedModels(context, plan, { made: !dryRun });
  const created = schema.tables.map(({ name }) => name);
  return {
    message: sentence(created.length, dryRun),
    ...(dryRun ? { dry_run: true } : {}),
    tables_created: created,
    go_code: models.text,
    statements,
    warnings: plan.warnings,
    ...(dryRun ? { verified } : {}),
  };
}

type Parameter = Exclude<keyof ImportSchemaInput, 'upload'>;

/** From the query, or else from the form's field of the same name. */
function valueOf(input: ImportSchemaInput, name: Parameter): string | undefined {
  const told = input[name] ?? input.upload.fields[name];
  return told === undefined || told === '' ? undefined : String(told);
}

function skips(input: ImportSchemaInput, name: 'data' | 'if_exists'): boolean {
  const value = valueOf(input, name);
  if (value === undefined || value === 'skip') return value === 'skip';
  throw new StudioError('invalid_parameter', `${name} must be skip, or left out.`, {
    parameter: name,
  });
}

function isTrue(value: string | undefined): boolean {
  return value === 'true' || value === '1';
}

function sentence(count: number, dryRun: boolean): string {
  const tables = `${count} ${count === 1 ? 'table' : 'tables'}`;
  return dryRun ? `${tables} would be created. Nothing was kept.` : `${tables} created.`;
}
