/**
 * Imports a SQL file with structure and rows: all of it, or nothing. The file is read twice: first for
 * its structure, then for its rows, as by any import of rows.
 */
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { readStructureText } from '../../formats/sql/structure-text.ts';
import { StudioError } from '../../model/errors.ts';
import { withExisting } from './created-schema.ts';
import { createAndLoad, programsAfterRows } from './create-and-load.ts';
import { detectImportKind } from './recognize-file.ts';
import { openDumpArchive, singleFile } from './dump-files.ts';
import { readImportOptions } from './import-options.ts';
import { createColumnMapper } from './map-columns.ts';
import { withoutMissingTargets } from './missing-targets.ts';
import { mapRows } from './map-rows.ts';
import { onlyFile } from './only-file.ts';
import { createDumpReader, sqlOptions } from './read-file-rows.ts';
import { readSchemaUpload } from './schema/read-schema-upload.ts';
import { planWithoutRejected, withoutObject } from './schema/plan-without-rejected.ts';
import { RejectedObject } from './schema/rejected-object.ts';
import { selectPrograms } from './schema/select-programs.ts';
import { withStoredNames } from './schema/stored-names.ts';
import { withNumbersOf } from './schema/number-columns.ts';
import { withTransactionalTables } from './transactional-tables.ts';
import { uploadParameters } from './upload-parameters.ts';
import { unlessBeingCreated } from './schema/running-imports.ts';
import { unlessCreatedMeanwhile } from './schema/schema-plan.ts';
import { progressOfPass } from './pass-progress.ts';
import type { ScriptProgram } from '../../model/stored-program.ts';
import type { Schema } from '../../model/schema.ts';
import type { JobOutput, Upload, UploadedFile } from '../core/job.ts';
import type { NewTablesContext } from './create-and-load.ts';
import type { DumpFiles } from './dump-files.ts';
import type { ImportOptions } from './import-options.ts';
import type { RecognizedFile } from './recognize-file.ts';
import type { ImportDataResponse } from './report-import.ts';
import type { ReducedInput, TriedPlan } from './schema/plan-without-rejected.ts';
import type { UploadedSchema } from './schema/read-schema-upload.ts';
import type { SchemaPlan } from './schema/schema-plan.ts';

export interface ImportDumpInput {
  readonly upload: Upload;
  /** The dialect of the file. Detected when absent. */
  readonly dialect?: string | undefined;
  /** The encoding of the file. Detected when absent. */
  readonly encoding?: string | undefined;
  /** The order of dates such as `13.12.1956`. Without it they are errors where the database cannot read them. */
  readonly date_order?: string | undefined;
  /** True, `true` or `1`: everything is rolled back. */
  readonly dry_run?: string | boolean | undefined;
  /** What becomes of triggers and routines. `create` when absent. */
  readonly routines?: string | undefined;
}

export interface ImportDumpResponse extends Omit<ImportDataResponse, 'message'> {
  readonly message: string;
  readonly tables_created: readonly string[];
  /** Triggers and routines, such as `trigger film_ins`. */
  readonly routines_created: readonly string[];
  readonly statements: readonly string[];
}

interface Dump {
  readonly file: RecognizedFile;
  readonly files: DumpFiles;
  readonly structure: UploadedSchema;
  readonly options: ImportOptions;
  readonly routines: 'create' | 'skip';
}

export async function importDump(
  context: NewTablesContext,
  input: ImportDumpInput,
  output: JobOutput,
): Promise<ImportDumpResponse> {
  const upload = await openUpload(context, input.upload);
  try {
    return await unlessBeingCreated(context, () =>
      importOpened(context, { input, upload }, output),
    );
  } finally {
    upload.files.close();
  }
}

interface OpenUpload {
  readonly file: RecognizedFile;
  readonly files: DumpFiles;
}

async function openUpload(
  { maxUploadBytes }: NewTablesContext,
  upload: Upload,
): Promise<OpenUpload> {
  const uploaded = onlyFile(upload, 'A dump import');
  const kind = await detectImportKind(uploaded, { hasTable: true });
  const file = { ...uploaded, name: uploaded.name === '' ? 'the input' : uploaded.name, kind };
  if (kind === 'sql') return { file, files: singleFile(file) };
  if (kind === 'zip') return { file, files: await openDumpArchive(file, 10 * maxUploadBytes) };
  throw new StudioError(
    'unsupported_media_type',
    `A dump is a file of SQL, or a .zip file of one and the files that it names; ${file.name} is ${kind}.`,
  );
}

interface DumpUpload {
  readonly input: ImportDumpInput;
  readonly upload: OpenUpload;
}

async function importOpened(
  context: NewTablesContext,
  { input, upload }: DumpUpload,
  output: JobOutput,
): Promise<ImportDumpResponse> {
  const dump = await readDump(context, { input, upload }, output);
  const { schema: existing } = await context.schemas.current();
  const { dialect } = context.database;
  const named = withStoredNames(dump.structure, existing, dialect.ddl);
  const known = withoutMissingTargets(named, existing, dialect.ddl);
  const { structure, storage } = withTransactionalTables(known, dialect);
  const selected = await selectPrograms(structure, context.database, dump.routines);
  const {
    input: reduced,
    plan,
    response,
  } = await unlessCreatedMeanwhile(context, { schema: structure.schema, existsHint }, () =>
    importReduced(context, {
      dump,
      existing,
      output,
      storage,
      input: { structure, omitted: [], omittedExtensions: [], numbers: [], ...selected },
    }),
  );
  const { programs, omittedExtensions, numbers, warnings } = reduced;
  const createdTables = plan.schema.tables.map(({ name }) => name);
  return {
    ...response,
    message: sentence({ ...response, ...plan }, dump.options.dryRun),
    tables_created: createdTables,
    routines_created: routinesOf(programs).map(({ kind, name }) => `${kind} ${name}`),
    statements: [
      ...plan.statements,
      ...plan.afterRows,
      ...storage,
      ...programsAfterRows(programs).map(({ text }) => text),
    ],
    warnings: [
      ...omittedExtensions,
      ...numbers,
      ...warnings,
      ...plan.warnings,
      ...response.warnings,
    ].filter((warning) => !counterOption.test(warning)),
  };
}

/** The reader of the structure leaves out the option, which the load of the rows applies. */
const counterOption = /: its option AUTO_INCREMENT \d+ is left out\.$/;

const existsHint = 'import the dump into an empty database, or only its rows with a data import';

interface DumpImport {
  readonly dump: Dump;
  readonly existing: Schema;
  readonly output: JobOutput;
  readonly input: ReducedInput;
  /** Statements after the commit that give tables their own storage. */
  readonly storage: readonly string[];
}

/** Leaves out views and programs that the database rejects. */
async function importReduced(
  context: NewTablesContext,
  { dump, existing, output, input, storage }: DumpImport,
): Promise<TriedPlan & { readonly response: ImportDataResponse }> {
  const { dialect: ownDialect } = context.database;
  const isOwnDialect = dump.structure.dialect === ownDialect.name;
  const options = {
    ownDialect,
    existing,
    skipExisting: false,
    existsHint,
  };
  const tried = await planWithoutRejected(context, input, options);
  const { plan, created } = tried;
  const schema = withExisting(created, { plan, existing, isOwnDialect });
  const leftOut = new Set<ScriptProgram>();
  const onLeftOut = (program: ScriptProgram): void => void leftOut.add(program);
  try {
    const rows = { plan, schema, output, storage, onLeftOut };
    const response = await importRows(context, dump, rows);
    const programs = tried.input.programs.filter((program) => !leftOut.has(program));
    return {
      ...tried,
      input: { ...tried.input, programs },
      plan: { ...plan, programs },
      response,
    };
  } catch (error) {
    const rest = withoutCause(tried.input, error, isOwnDialect);
    if (rest === undefined) throw error;
    return importReduced(context, { dump, existing, output, storage, input: rest });
  }
}

/** The dump without what has failed, if that can be left out or can get another type. */
function withoutCause(
  input: ReducedInput,
  error: unknown,
  isOwnDialect: boolean,
): ReducedInput | undefined {
  // The trial could not create it, for want of a temporary database.
  if (error instanceof RejectedObject) return withoutObject(input, error);
  return isOwnDialect ? undefined : withNumbersOf(input, error);
}

async function readDump(
  context: NewTablesContext,
  { input, upload: { file, files } }: DumpUpload,
  output: JobOutput,
): Promise<Dump> {
  const parameters = uploadParameters(input, [
    'dialect',
    'encoding',
    'date_order',
    'dry_run',
    'routines',
  ]);
  const routines = parameters.choice('routines', ['create', 'skip']);
  const options: ImportOptions = {
    ...readImportOptions({
      upload: { files: input.upload.files, fields: {} },
      dialect: parameters.text('dialect'),
      encoding: parameters.text('encoding'),
      date_order: parameters.text('date_order'),
    }),
    dryRun: parameters.flag('dry_run'),
    ddl: 'applied',
  };
  const first = await readStructure(context, { file, files, options, output, keepsRows: false });
  const dialect = first.structure.dialect ?? first.dialect;
  // The structure shows another dialect than the beginning of the file, which splits the file in another way.
  if (dialect === first.dialect)
    return { file, files, structure: first.structure, options: first.options, routines };
  const { structure, options: known } = await readStructure(context, {
    file,
    files,
    options: { ...options, dialect },
    output,
    keepsRows: false,
  });
  const { dialectWarning = [] } = first.structure;
  const warnings = [...dialectWarning, ...structure.warnings];
  return { file, files, structure: { ...structure, warnings }, options: known, routines };
}

interface StructureRead extends OpenUpload {
  readonly options: ImportOptions;
  readonly output: JobOutput;
  /** Reads the rows too, since conditions of the file may depend on them. */
  readonly keepsRows: boolean;
}

interface ReadStructure {
  readonly dialect: string;
  readonly structure: UploadedSchema;
  /** With what the file runs within other statements. */
  readonly options: ImportOptions;
}

async function readStructure(
  context: NewTablesContext,
  read: StructureRead,
): Promise<ReadStructure> {
  const { file, files, options, output, keepsRows } = read;
  let [dialect, isAssumed, hasContainers] = ['', true, false];
  let bytes = 0;
  const leftOut: string[] = [];
  const onRead = createPassProgress(file, output);
  const source = files.script(onRead);
  const path = join(context.folder, 'structure.sql');
  const upload: UploadedFile = { ...file, name: source.name, path };
  const textOptions = { ...sqlOptions(context, options), files: files.others?.(onRead), keepsRows };
  const parts = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of readStructureText(source, textOptions)) {
      ({ dialect, isAssumed, hasContainers } = part);
      leftOut.push(...part.warnings);
      bytes += part.bytes.filter((byte) => byte !== lineBreak).length;
      yield part.bytes;
    }
  };
  await pipeline(Readable.from(parts()), createWriteStream(upload.path, { mode: 0o600 }));
  if (hasContainers && !keepsRows) return readStructure(context, { ...read, keepsRows: true });
  const structure = await readSchemaUpload(
    // The line breaks of rows do not count for the limit of the size.
    { ...upload, bytes },
    {
      ownDialect: context.database.dialect,
      dialect: isAssumed ? options.dialect : dialect,
      data: 'loaded',
      hasRows: hasContainers,
      defaultNamespace: (await context.schemas.current()).schema.defaultNamespace,
    },
  );
  const warnings = [...leftOut, ...structure.warnings];
  const { executed } = structure;
  return { dialect, structure: { ...structure, warnings }, options: { ...options, executed } };
}

const lineBreak = 0x0a;

/** Progress of the first of the two passes over the file. */
function createPassProgress(file: UploadedFile, output: JobOutput): (bytes: number) => void {
  const report = progressOfPass({ file, output, pass: 1, passes: 2 });
  let bytes = 0;
  return (more) => {
    bytes += more;
    if (more > 0) report({ bytes, rows: 0 });
  };
}

interface RowsImport {
  readonly plan: SchemaPlan;
  /** As it is once the tables are created. */
  readonly schema: Schema;
  readonly output: JobOutput;
  readonly storage: readonly string[];
  readonly onLeftOut: (program: ScriptProgram) => void;
}

async function importRows(
  context: NewTablesContext,
  { file, files, options }: Dump,
  { plan, schema, output, storage, onLeftOut }: RowsImport,
): Promise<ImportDataResponse> {
  const { dialect } = context.database;
  const reader = createDumpReader(context, { file, files }, options);
  const target = { schema, dialect, findPartition: () => undefined };
  const rows = mapRows(
    reader,
    (problems) => createColumnMapper(target, options, problems),
    options,
  );
  return createAndLoad(context, {
    plan,
    storage,
    rows,
    source: { tables: undefined, schema },
    file,
    options,
    output,
    onLeftOut,
  });
}

function routinesOf(programs: readonly ScriptProgram[]): readonly ScriptProgram[] {
  return programs.filter(({ isStructure }) => isStructure !== true);
}

function sentence(
  {
    schema,
    programs,
    rows_imported: rows,
  }: Pick<SchemaPlan, 'schema' | 'programs'> & Pick<ImportDataResponse, 'rows_imported'>,
  dryRun: boolean,
): string {
  const tableCount = schema.tables.length;
  const tables = `${tableCount} ${tableCount === 1 ? 'table' : 'tables'}`;
  const { length: count } = routinesOf(programs);
  const others =
    count === 0
      ? ''
      : ` and ${count} ${count === 1 ? 'trigger or routine' : 'triggers and routines'}`;
  const imported = `${rows} ${rows === 1 ? 'row' : 'rows'}`;
  return dryRun
    ? `${tables}${others} would be created and ${imported} imported. Nothing was kept.`
    : `${tables}${others} created, ${imported} imported.`;
}
