/**
 * Imports the rows of a file into tables that it creates. The file is read twice: first to infer the
 * tables (`infer`), unless the request contains them, then as by any import of rows.
 */
import { rowShapes } from '../../formats/json-rows.ts';
import { allFormats } from '../../portable/cells/cell-format.ts';
import { copyError, StudioError } from '../../model/errors.ts';
import { shortText } from '../../model/values/cut-text.ts';
import { mustSupport } from '../core/capabilities.ts';
import { columnWarnings } from './infer/column-warnings.ts';
import { proposalDocument, readProposal, schemaOf } from './infer/proposal-document.ts';
import { proposeTables } from './infer/propose-tables.ts';
import {
  foundFormatMember,
  headerWarnings,
  foundFormat,
  sourceName,
  surveyRows,
} from './survey-rows.ts';
import { createNewTableMapper, missingColumns, skipOtherTables } from './map-new-tables.ts';
import { keepRejectedRows } from './keep-rejected-rows.ts';
import { mapRows } from './map-rows.ts';
import { createAndLoad, describeTables } from './create-and-load.ts';
import { createColumnMapper, writableTable } from './map-columns.ts';
import { createRowsReader } from './read-file-rows.ts';
import { documentContext } from './schema/read-schema-upload.ts';
import { unlessBeingCreated } from './schema/running-imports.ts';
import { withStoredNames } from './schema/stored-names.ts';
import { planSchema, unlessCreatedMeanwhile } from './schema/schema-plan.ts';
import { invalidParameter } from './upload-parameters.ts';
import type { RowError } from '../../model/load.ts';
import type { Schema, Table } from '../../model/schema.ts';
import type { LoadCapability } from '../core/capabilities.ts';
import type { JobContext } from '../core/job.ts';
import type { FileImport, FoundFormat } from './survey-rows.ts';
import type { ProposedTable } from './infer/propose-tables.ts';
import type { ImportOptions } from './import-options.ts';
import type { FileProblems } from './file-problems.ts';
import type { ColumnMapper } from './map-columns.ts';
import type { NewTables } from './map-new-tables.ts';
import type { RowsReader } from './read-file-rows.ts';
import type { RecognizedFile } from './recognize-file.ts';
import type { ImportDataResponse } from './report-import.ts';
import type { NewTablesContext } from './create-and-load.ts';
import type { SchemaPlan } from './schema/schema-plan.ts';

/** Undefined if the request maps every part of the file that has columns to an existing table. */
export async function importIntoNewTables(
  jobContext: JobContext<LoadCapability>,
  request: FileImport,
): Promise<ImportDataResponse | undefined> {
  const context = withDdl(jobContext);
  const { dialect } = context.database;
  mustHaveRows(request.file);
  const proposal = await findProposal(context, request);
  if (proposal === undefined) return undefined;
  const schema = proposalDocument(proposal.proposed, dialect);
  try {
    const response = await unlessBeingCreated(context, () =>
      importProposal(context, request, proposal),
    );
    return { ...response, schema };
  } catch (error) {
    throw error instanceof StudioError && isAboutTables(error)
      ? copyError(error, { details: { ...error.details, schema } })
      : error;
  }
}

/** Whether the client can prevent the error by changing the proposal, for example the name of a table that exists. */
function isAboutTables({ code, details: { statement, errors } }: StudioError): boolean {
  if (code === 'table_exists' || statement !== undefined) return true;
  const areOfRows = (errors as readonly RowError[] | undefined)?.some(
    ({ row, line }) => row !== undefined || line !== undefined,
  );
  return areOfRows === false;
}

async function importProposal(
  context: NewTablesContext,
  request: FileImport,
  { proposed, format, warnings }: Proposal,
): Promise<ImportDataResponse> {
  const { options, file } = request;
  const { dialect } = context.database;
  const formatted = {
    ...request,
    options: { ...options, ...format, ofAnyText: allFormats, isEmptyTextMissing: true },
  };
  const reader = createRowsReader(context, file, formatted.options);
  const { schema: existing } = await context.schemas.current();
  const planned = proposed.map(({ table }) =>
    dialect.ddl.supportsComments ? table : withoutComments(table),
  );
  const existsHint = existsHintFor(proposed);
  const uploaded = { schema: schemaOf(planned), warnings: [], dropped: [], programs: [] };
  const plan = planSchema(withStoredNames(uploaded, existing, dialect.ddl), {
    ownDialect: dialect,
    existing,
    skipExisting: false,
    existsHint,
  });
  const { schema } = plan;
  const { tables } = await unlessCreatedMeanwhile(context, { schema, existsHint }, () =>
    describeTables(context, plan),
  );
  const existingTables = mappedTables(existing, options);
  const target: NewTables = {
    source: sourceName(request),
    tables: proposed.map((each, i) => newTable(each, schema.tables[i]!, tables)),
  };
  const response = await unlessCreatedMeanwhile(context, { schema, existsHint }, () =>
    importRows(context, formatted, {
      plan,
      target,
      reader,
      existing: { schema: existing, tables: existingTables },
    }),
  );
  return {
    ...response,
    warnings: [
      ...warnings,
      ...(dialect.ddl.supportsComments ? [] : renamedWarning(proposed, options)),
      ...plan.warnings,
      ...missingColumns(target),
      ...response.warnings,
    ],
    ...foundFormatMember(format),
    tables_created: schema.tables.map(({ name }) => name),
    statements: plan.statements,
  };
}

/** A request that names the table of its only part by "table" can name another one. */
function existsHintFor(proposed: readonly ProposedTable[]): string {
  const parameter = proposed.length === 1 ? 'table' : 'tables';
  return `import without create_table to add the rows to it, or set ${parameter} to another name`;
}

const maxRenamed = 5;

/** Where a database has comments, they keep the names of the file. */
function renamedWarning(
  proposed: readonly ProposedTable[],
  { schema, header }: ImportOptions,
): readonly string[] {
  // The request has the names of the tables, or the file has none of columns.
  if (schema !== undefined || header === 'absent') return [];
  const renamed = proposed
    .flatMap(({ table }) => [table, ...table.columns])
    .filter(({ name, comment }) => comment !== undefined && isOtherName(name, comment));
  if (renamed.length === 0) return [];
  const pairs = renamed
    .slice(0, maxRenamed)
    .map(({ name, comment = '' }) => `${JSON.stringify(shortText(comment))} is now ${name}`);
  const more = renamed.length > maxRenamed ? ` and ${renamed.length - maxRenamed} more` : '';
  return [
    `Names of the file were changed so that they need no quotes in SQL, and the database has no comments to keep them: ${pairs.join(', ')}${more}.`,
  ];
}

function isOtherName(name: string, original: string): boolean {
  return name.toLowerCase() !== original.toLowerCase();
}

/** Comments of proposed tables repeat the names in the file, so they are omitted without a warning. */
function withoutComments(table: Table): Table {
  const { comment: _ofTable, ...otherMembers } = table;
  const columns = table.columns.map(({ comment: _ofColumn, ...column }) => column);
  return { ...otherMembers, columns };
}

function withDdl(context: JobContext<LoadCapability>): NewTablesContext {
  mustSupport(context.database.dialect, 'ddl');
  return context as NewTablesContext;
}

function mustHaveRows({ kind, name }: RecognizedFile): void {
  if (kind !== 'sql') return;
  throw invalidParameter(
    `${name} is SQL, which names the types of its tables itself. Create them with a schema import, then import the rows without create_table.`,
    'create_table',
  );
}

interface Proposal {
  readonly proposed: readonly ProposedTable[];
  /** The formats that the request names, completed by those that the values show. */
  readonly format: FoundFormat;
  /** One sentence for each column that is text because the file does not show its format. */
  readonly warnings: readonly string[];
}

/** The tables of the request, or else tables inferred from the rows. */
async function findProposal(
  context: NewTablesContext,
  request: FileImport,
): Promise<Proposal | undefined> {
  const { file, options } = request;
  const { dialect } = context.database;
  if (options.schema !== undefined) {
    const proposed = readProposal(options.schema, documentContext(dialect, file.name));
    const { decimal, dateOrder } = options;
    const isKnown = decimal !== undefined && dateOrder !== undefined;
    const surveys = isKnown ? [] : await surveyRows(context, request);
    return { proposed, format: foundFormat(surveys, options), warnings: [] };
  }
  const surveys = await surveyRows(context, request);
  const { table, mapping } = options;
  const format = foundFormat(surveys, options);
  const proposed = proposeTables(surveys, {
    ddl: dialect.ddl,
    format,
    table,
    mapping,
    fileName: options.tables === undefined ? sourceName(request) : undefined,
  });
  if (proposed.length > 1 && table !== undefined) throw severalTablesError(surveys.length);
  if (proposed.length > 0) {
    const warnings = [
      ...headerWarnings(surveys, request),
      ...columnWarnings(surveys, format, dialect.ddl),
    ];
    return { proposed, format, warnings };
  }
  if ([...(options.tables?.values() ?? [])].some((name) => name !== undefined)) return undefined;
  throw noColumnsError(file);
}

function noColumnsError({ name, kind }: RecognizedFile): StudioError {
  const isJson = kind === 'json' || kind === 'ndjson';
  const shapes = isJson ? ` ${rowShapes}` : '';
  return new StudioError('import_failed', `${name} has no columns to create a table of.${shapes}`);
}

function severalTablesError(count: number): StudioError {
  return invalidParameter(
    `The file has ${count} tables, but the request names only one. Leave the parameter "table" out.`,
    'table',
  );
}

function newTable(
  { source, sources }: ProposedTable,
  planned: Table,
  tables: readonly Table[],
): NewTables['tables'][number] {
  const table = tables.find(({ name }) => name === planned.name) ?? planned;
  const columns = sources.flatMap((from, i) => {
    const name = planned.columns[i]?.name;
    const column = table.columns.find((each) => each.name === name);
    const fileType = planned.columns[i]?.type;
    if (from === undefined || column === undefined || fileType === undefined) return [];
    // Some databases store UUIDs, dates or JSON as texts.
    return [[from, { ...column, fileType }] as const];
  });
  return { table, source, columns: new Map(columns), found: new Set() };
}

interface RowsToImport {
  readonly plan: SchemaPlan;
  readonly target: NewTables;
  readonly reader: RowsReader;
  /** The database before the import, and its tables that the request names. */
  readonly existing: { readonly schema: Schema; readonly tables: readonly Table[] };
}

function mappedTables(schema: Schema, { tables }: ImportOptions): readonly Table[] {
  const names = new Set([...(tables?.values() ?? [])].filter((name) => name !== undefined));
  return [...new Set([...names].map((name) => writableTable(schema, name)))];
}

async function importRows(
  context: NewTablesContext,
  request: FileImport,
  { plan, target, reader, existing }: RowsToImport,
): Promise<ImportDataResponse> {
  const { file, options, output } = request;
  const read = skipOtherTables(reader, target, existing.tables);
  const { dialect } = context.database;
  const createMapper = (problems: FileProblems): ColumnMapper => {
    const found = { schema: existing.schema, dialect, findPartition: () => undefined };
    return createNewTableMapper(
      target,
      createColumnMapper(found, { ...options, table: undefined }, problems),
      problems,
    );
  };
  const newTables = new Set(target.tables.map(({ table }) => table));
  const reread = { reader: read, createMapper, newTables };
  return keepRejectedRows(context, { ...request, reread }, (handler) =>
    createAndLoad(context, {
      plan,
      rows: mapRows(read, createMapper, { ...options, ...handler }),
      source: { tables: [...newTables, ...existing.tables] },
      file,
      options: { ...options, ...handler },
      output,
    }),
  );
}
