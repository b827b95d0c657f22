/** Creates the tables that GORM's AutoMigrate would create for Go sources, all or nothing. */
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

import { ddlReaderOf } from '../../../databases/all.ts';
import { loadGormDriver } from '../../../gorm/dialects/index.ts';
import { decodeGoSource } from '../../../gorm/go/program/decode-go-source.ts';
import { planMigration } from '../../../gorm/migration/plan-migration.ts';
import { readGoModels, modelsInMigrationOrder } from '../../../gorm/models/read-go-models.ts';
import { tableModelOf } from '../../../gorm/models/table-model.ts';
import { isOutcomeUnknown, StudioError } from '../../../model/errors.ts';
import { completeStructure } from '../../core/complete-structure.ts';
import { storedTables } from '../../core/stored-tables.ts';
import { savePendingModels } from './pending-models.ts';
import { rejectBeingCreated, unlessBeingCreated } from './running-imports.ts';
import { migrateModels } from './migrate-models.ts';
import { storedTableNames } from './stored-names.ts';
import { invalidParameter, uploadParameters } from '../upload-parameters.ts';
import type { Migration } from '../../../gorm/migration/plan-migration.ts';
import type { GoModels, StructFinding } from '../../../gorm/models/read-go-models.ts';
import type { SourceFile } from '../../../gorm/go/syntax/syntax.ts';
import type { ModelRelation, TableModel } from '../../../model/table-model.ts';
import type { PendingModels } from './pending-models.ts';
import type { MigrationResult } from './migrate-models.ts';
import type { StructureCapability } from '../../core/capabilities.ts';
import type { JobContext, Upload, UploadedFile } from '../../core/job.ts';

export interface ImportModelsInput {
  readonly upload: Upload;
  /** True, `true` or `1`: everything is rolled back. */
  readonly dry_run?: string | boolean | undefined;
  /** `skip`: skips structs that GORM rejects, with a warning. */
  readonly on_error?: string | undefined;
  /** The structs to import, separated by commas. By default, those that look like models. */
  readonly structs?: string | readonly string[] | undefined;
  /** The prefix of table names, except those that a TableName method returns. */
  readonly table_prefix?: string | undefined;
  /** True, `true` or `1`: names of tables are not plurals. */
  readonly singular_tables?: string | boolean | undefined;
  /** Pairs `old=new`, separated by commas: texts that are replaced in Go names. */
  readonly replacements?: string | readonly string[] | undefined;
  /** `skip`: relations create no foreign keys. */
  readonly foreign_keys?: string | undefined;
}

export interface ImportModelsResponse {
  readonly message: string;
  /** Nothing was created. */
  readonly dry_run?: true;
  readonly tables_created: readonly string[];
  readonly tables_altered: readonly string[];
  readonly structs_parsed: number;
  readonly models: readonly { readonly struct: string; readonly table: string }[];
  /** All structs that are models or show signs of one. */
  readonly structs: readonly StructFinding[];
  readonly relations: readonly RelationOfModel[];
  readonly statements: readonly string[];
  /** False for a dry run whose statements could not be run on the database. */
  readonly verified?: boolean;
  readonly warnings: readonly string[];
}

interface RelationOfModel {
  readonly model: string;
  readonly name: string;
  readonly type: string;
  readonly table: string;
  readonly foreign_key: string;
  readonly reference_key: string;
}

export async function importModels(
  context: JobContext<StructureCapability>,
  input: ImportModelsInput,
): Promise<ImportModelsResponse> {
  return unlessBeingCreated(context, () => migrateToModels(input, context));
}

async function migrateToModels(
  input: ImportModelsInput,
  context: JobContext<StructureCapability>,
): Promise<ImportModelsResponse> {
  const parameters = uploadParameters(input, [
    'dry_run',
    'on_error',
    'structs',
    'table_prefix',
    'singular_tables',
    'replacements',
    'foreign_keys',
  ]);
  const dryRun = parameters.flag('dry_run');
  const skipRejected = parameters.choice('on_error', ['abort', 'skip']) === 'skip';
  const sources = await readSources(input.upload.files);
  const structs = parameters.text('structs')?.split(/\s*,\s*/);
  const { schema: existing } = await context.schemas.current();
  const naming = {
    storedTable: storedTableNames(existing, context.database.dialect.ddl),
    tablePrefix: parameters.text('table_prefix'),
    singularTables: parameters.flag('singular_tables'),
    replacements: readReplacements(parameters.text('replacements')),
  };
  const skipForeignKeys = parameters.choice('foreign_keys', ['create', 'skip']) === 'skip';
  const found = readGoModels(sources, { skipRejected, structs, naming, skipForeignKeys });
  if (found.models.length === 0) throw noModelError(found, sources);
  const plan = await planImport(context, found, skipForeignKeys);
  const tableModels = found.models.map(tableModelOf);
  const { verified, statements } = dryRun
    ? await migrateModels(context, plan, { dryRun, beforeCommit: async () => {} })
    : await migrateWithModels(context, plan, tableModels);
  return {
    message: sentence(plan.created.length, plan.altered.length, dryRun),
    ...(dryRun ? { dry_run: true } : {}),
    tables_created: plan.created,
    tables_altered: plan.altered,
    structs_parsed: found.models.length + found.ignored.length,
    models: tableModels.map(({ struct, table }) => ({ struct, table })),
    structs: found.structs,
    relations: tableModels.flatMap(relationsOf),
    statements,
    ...(dryRun ? { verified } : {}),
    warnings: [
      ...unbuiltWarning(found),
      ...found.setupWarnings,
      ...found.warnings.map(({ struct, message }) => `${struct}: ${message}`),
      ...plan.warnings,
    ],
  };
}

async function planImport(
  context: JobContext<StructureCapability>,
  found: GoModels,
  skipForeignKeys: boolean,
): Promise<Migration> {
  const { database, schemas } = context;
  const { dialect } = database;
  const { gorm, goFields } = await loadGormDriver(dialect.name);
  const modelTables = new Set(modelsInMigrationOrder(found, gorm).map(({ table }) => table));
  const { schema } = await completeStructure(schemas, ({ tables }) =>
    tables.filter(({ name }) => modelTables.has(name)),
  );
  const existing = schema.tables.map(({ name }) => name).filter((name) => modelTables.has(name));
  await rejectBeingCreated(context, existing);
  const storedStatements = await database.read((session) =>
    storedTables(session, goFields.storedStatementsQuery),
  );
  return planMigration(found, schema, {
    dialect: gorm,
    goFields,
    storedStatements,
    readType: ddlReaderOf(dialect).readType,
    skipForeignKeys,
  });
}

function readReplacements(text = ''): readonly (readonly [from: string, to: string])[] {
  if (text === '') return [];
  return text.split(',').map((pair) => {
    const [from = '', to, ...more] = pair.split('=');
    if (from !== '' && to !== undefined && more.length === 0) return [from, to];
    throw invalidParameter(`replacements must be pairs old=new, not "${pair}".`, 'replacements');
  });
}

/** Creates the tables and stores their models, or neither. */
async function migrateWithModels(
  context: JobContext<StructureCapability>,
  plan: Migration,
  imported: readonly TableModel[],
): Promise<MigrationResult> {
  let pending: PendingModels | undefined;
  const beforeCommit = async (): Promise<void> => {
    pending = await savePendingModels(context.models, { imported, migration: plan, context });
  };
  const migrated = await migrateModels(context, plan, { dryRun: false, beforeCommit }).catch(
    async (error: unknown) => {
      // If the connection was lost, the commit may have succeeded. The studio that started the import checks.
      if (isOutcomeUnknown(error)) pending?.leave();
      // It also removes what cannot be removed now.
      else await pending?.revert().catch(() => {});
      throw error;
    },
  );
  await pending?.confirm();
  return migrated;
}

/** The files are read into memory. */
const maxBytes = 50 * 1024 * 1024;

async function readSources(files: readonly UploadedFile[]): Promise<readonly SourceFile[]> {
  if (files.length === 0)
    throw new StudioError(
      'invalid_parameter',
      'A models import takes Go files, each in a form field "file"; there is none.',
      { parameter: 'file' },
    );
  const other = files.find(({ name }) => !name.toLowerCase().endsWith('.go') && name !== 'go.mod');
  if (other !== undefined)
    throw new StudioError(
      'unsupported_media_type',
      `A models import takes .go files; "${other.name}" is none.`,
    );
  if (files.reduce((sum, { bytes }) => sum + bytes, 0) > maxBytes)
    throw new StudioError('too_large', 'The Go files of an import have at most 50 MB together.');
  return Promise.all(
    files.map(async ({ name, folder = '', path }) =>
      decodeGoSource(
        folder === '' ? basename(name) : `${folder}/${basename(name)}`,
        await readFile(path),
      ),
    ),
  );
}

function noModelError({ ignored }: GoModels, sources: readonly SourceFile[]): StudioError {
  const files = sources.map(({ name }) => name).join(', ');
  const structs =
    ignored.length === 0 ? 'there are no structs' : `the structs are ${ignored.join(', ')}`;
  const message = `No model was found in ${files}: ${structs}. A model has gorm.Model, a gorm tag, a field ID or a method TableName.`;
  return new StudioError('import_failed', message, {
    errors: [{ code: 'import_failed', message }],
  });
}

function unbuiltWarning({ unbuilt }: GoModels): readonly string[] {
  if (unbuilt.length === 0) return [];
  return [
    `Left out, because they are tests, or for other systems or build tags: ${unbuilt.join(', ')}.`,
  ];
}

function relationsOf({ struct, relations }: TableModel): readonly RelationOfModel[] {
  return relations.map((relation) => relationOf(struct, relation));
}

function relationOf(
  model: string,
  { name, type, table, foreignKeys, referenceKeys }: ModelRelation,
): RelationOfModel {
  return {
    model,
    name,
    type,
    table,
    foreign_key: foreignKeys.join(','),
    reference_key: referenceKeys.join(','),
  };
}

function sentence(createdCount: number, alteredCount: number, dryRun: boolean): string {
  if (dryRun)
    return `${count(createdCount, 'table')} would be created, ${alteredCount} altered. Nothing was kept.`;
  return `${count(createdCount, 'table')} created, ${alteredCount} altered.`;
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}
