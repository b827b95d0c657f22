/** Plans the statements that create an uploaded schema in a database. */
import { ddlReaderOf, expressionsOf, kindsWith } from '../../../databases/all.ts';
import { StudioError } from '../../../model/errors.ts';
import { createSchema } from '../../../sql/create-schema.ts';
import { cutNames } from '../../../sql/adapt/cut-names.ts';
import { neutralSyntax } from '../../../sql/expression/neutral.ts';
import { translateSchema } from '../../../sql/translate-schema.ts';
import { withEvidentNumbers } from '../../../sql/truth-columns.ts';
import { tableExistsError } from './structure-transaction.ts';
import type { Context } from '../../core/context.ts';
import type { Dialect } from '../../../model/database.ts';
import type { Column, EnumType, Schema, Table } from '../../../model/schema.ts';
import { neededAs } from '../../../model/stored-program.ts';
import type { ProgramStage, ScriptProgram } from '../../../model/stored-program.ts';
import type { ProgramStatements } from '../../../sql/create-schema.ts';
import type { ExpressionSyntax } from '../../../sql/translate-expression.ts';
import type { UploadedSchema } from './read-schema-upload.ts';

export interface SchemaPlan {
  /** The objects to create. */
  readonly schema: Schema;
  /** Including those of programs that tables or views need. */
  readonly statements: readonly string[];
  /** Statements that follow the rows. */
  readonly afterRows: readonly string[];
  /** Triggers and routines. */
  readonly programs: readonly ScriptProgram[];
  /** The names of tables and views that exist and stay as they are. */
  readonly skipped: readonly string[];
  readonly warnings: readonly string[];
}

export interface PlanOptions {
  readonly ownDialect: Dialect<'ddl'>;
  readonly existing: Schema;
  /** Skips existing tables. Otherwise they are an error. */
  readonly skipExisting: boolean;
  /** What the user can do about a table that exists. */
  readonly existsHint: string;
  /** Triggers and routines that are created with the schema. */
  readonly programs?: readonly ScriptProgram[];
}

export function planSchema(uploaded: UploadedSchema, options: PlanOptions): SchemaPlan {
  const { existing, ownDialect, programs = [] } = options;
  const newObjects = withoutExisting(uploaded, options);
  rejectDrops(uploaded, existing);
  const isNeutral = uploaded.dialect === undefined;
  const typed = isNeutral ? withUsableTypes(newObjects.schema, ownDialect) : newObjects.schema;
  const translated = forDialect({ ...uploaded, schema: typed }, ownDialect);
  const { schema: cutSchema, warnings } = cutNames(translated.schema, ownDialect.ddl);
  const schema = withHome(cutSchema, ownDialect.ddl, existing.defaultNamespace);
  rejectColumnCounts(schema.tables, ownDialect.ddl);
  const native = uploaded.dialect === ownDialect.name;
  const creation = createSchema(schema, ownDialect.ddl, {
    native,
    nativeTypes: native || isNeutral,
    existing: existing.tables,
    programs: statementsOf(programs),
  });
  return {
    schema,
    statements: creation.statements.filter((text) => !createsExisting(text, options)),
    afterRows: creation.afterRows,
    programs,
    skipped: newObjects.skipped,
    warnings: [
      ...uploaded.warnings,
      ...newObjects.skipped.map((name) => `${name} already exists and stays as it is.`),
      ...translated.warnings,
      ...warnings,
      ...creation.warnings,
    ],
  };
}

/** Names that the catalog may have are qualified by the namespace that unqualified names are in. */
function withHome(
  schema: Schema,
  { mayBeCatalogName = () => false }: Dialect<'ddl'>['ddl'],
  namespace: string | undefined,
): Schema {
  if (namespace === undefined) return schema;
  const inHome = <T extends Pick<Table, 'namespace'>>(object: T, names: readonly string[]): T =>
    object.namespace === undefined && names.some(mayBeCatalogName)
      ? { ...object, namespace }
      : object;
  const relation = (table: Table): Table =>
    inHome(table, [table.localName, ...table.indexes.map(({ name }) => name)]);
  return {
    ...schema,
    tables: schema.tables.map(relation),
    views: schema.views.map(relation),
    enums: schema.enums.map((type) => inHome(type, [type.name])),
  };
}

/**
 * CREATE EXTENSION IF NOT EXISTS of an extension that the database has, whatever the extension may do, and CREATE SCHEMA
 * of the default namespace, which needs a privilege even with IF NOT EXISTS.
 */
function createsExisting(
  text: string,
  { ownDialect, existing }: Pick<PlanOptions, 'ownDialect' | 'existing'>,
): boolean {
  const { defaultNamespace: home } = existing;
  if (home !== undefined && text === ownDialect.ddl.createNamespace(home)) return true;
  const extension = ownDialect.ddl.extensionCreatedBy?.(text);
  const extensions = existing.externalObjects?.extensions ?? [];
  return extension !== undefined && extensions.includes(extension);
}

function rejectColumnCounts(
  tables: readonly Table[],
  { allowsNoColumns, maxColumns }: Dialect<'ddl'>['ddl'],
): void {
  const errors = tables.flatMap(({ name, columns: { length } }) => {
    const message =
      length === 0 && !allowsNoColumns
        ? `The table ${name} has no columns, which the database does not support.`
        : length > maxColumns
          ? `The table ${name} would have ${length} columns; the database takes at most ${maxColumns}.`
          : undefined;
    return message === undefined ? [] : [{ code: 'import_failed', message, table: name }];
  });
  if (errors[0] !== undefined)
    throw new StudioError('import_failed', errors[0].message, { errors });
}

function statementsOf(programs: readonly ScriptProgram[]): ProgramStatements {
  const ofStage = (stage: ProgramStage): readonly string[] =>
    programs.filter((program) => program.stage === stage).map(({ text }) => text);
  return {
    namespaces: programs.flatMap(({ namespace }) => namespace ?? []),
    functions: new Set(
      programs.flatMap((program) =>
        program.stage === 'after rows' ? [] : (neededAs(program) ?? []),
      ),
    ),
    beforeTables: ofStage('before tables'),
    beforeViews: ofStage('before views'),
  };
}

/**
 * For files without a dialect: uses a native type name only if no neutral type describes the column and
 * the database knows the name.
 */
function withUsableTypes(schema: Schema, ownDialect: Dialect<'ddl'>): Schema {
  const { knowsType } = ddlReaderOf(ownDialect);
  const usable = (column: Column): Column =>
    column.type.kind === 'other' && knowsType(column.nativeType)
      ? column
      : { ...column, nativeType: '' };
  const tables = schema.tables.map((table) => ({ ...table, columns: table.columns.map(usable) }));
  return { ...schema, tables };
}

/** Translates expressions unless the file has the database's own dialect. */
function forDialect(
  { schema, dialect }: UploadedSchema,
  ownDialect: Dialect<'ddl'>,
): { readonly schema: Schema; readonly warnings: readonly string[] } {
  if (dialect === ownDialect.name) return { schema, warnings: [] };
  const translation = {
    from: syntaxOf(dialect),
    to: expressionsOf(ownDialect),
    ddl: ownDialect.ddl,
  };
  const { schema: translated, warnings } = translateSchema(withEvidentNumbers(schema), translation);
  const extensions = schema.externalObjects?.extensions ?? [];
  return {
    schema: translated,
    warnings: [...extensions.map((name) => `The extension ${name} is left out.`), ...warnings],
  };
}

function syntaxOf(name: string | undefined): ExpressionSyntax {
  const kind = kindsWith('ddl').find(({ dialect }) => dialect.name === name);
  return kind === undefined ? neutralSyntax : kind.expressions;
}

interface NewObjects {
  readonly schema: Schema;
  /** The names of the other tables and views. */
  readonly skipped: readonly string[];
}

/** The tables, views and enums that do not exist yet. */
function withoutExisting(
  { schema }: UploadedSchema,
  { existing, skipExisting, existsHint }: PlanOptions,
): NewObjects {
  const existingNames = new Set([...existing.tables, ...existing.views].map(({ name }) => name));
  const found = [...schema.tables, ...schema.views].filter(({ name }) => existingNames.has(name));
  if (found.length > 0 && !skipExisting) throw tableExistsError(found, existsHint);
  const isNew = ({ name }: Table): boolean => !existingNames.has(name);
  return {
    schema: {
      ...schema,
      tables: schema.tables.filter(isNew),
      views: schema.views.filter(isNew),
      enums: schema.enums.filter((type) => !enumExists(type, existing.enums)),
    },
    skipped: found.map(({ name }) => name),
  };
}

/**
 * Runs statements that create the tables and views of the schema. If a statement fails because another client has
 * created one of them since the plan was made, the error says so, as it does when the plan is made.
 */
export async function unlessCreatedMeanwhile<T>(
  { schemas }: Pick<Context, 'schemas'>,
  { schema, existsHint }: { readonly schema: Schema; readonly existsHint: string },
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // Objects that the import itself has left are named.
    if (!(error instanceof StudioError)) throw error;
    if (error.code !== 'table_exists' && error.details['statement'] === undefined) throw error;
    if (error.details['objects_left'] !== undefined) throw error;
    const { schema: current } = await schemas.refresh();
    const names = new Set([...current.tables, ...current.views].map(({ name }) => name));
    const found = [...schema.tables, ...schema.views].filter(({ name }) => names.has(name));
    throw found.length === 0 ? error : tableExistsError(found, existsHint);
  }
}

/** Whether the enum exists. Fails if it exists with other values, because imports do not change types. */
function enumExists({ name, namespace, values }: EnumType, existing: readonly EnumType[]): boolean {
  const same = existing.find(
    (type) => type.name === name && (namespace ?? 'public') === (type.namespace ?? 'public'),
  );
  if (same === undefined) return false;
  if (same.values.join('\0') === values.join('\0')) return true;
  throw new StudioError(
    'import_failed',
    `The type ${name} exists already with other values: ${same.values.join(', ')}.`,
    { errors: [{ code: 'import_failed', message: `The type ${name} has other values.` }] },
  );
}

/** Rejects a file that drops existing objects. A DROP of missing objects has no effect and is ignored. */
function rejectDrops({ dropped, schema }: UploadedSchema, existing: Schema): void {
  const createdNames = new Set([...schema.tables, ...schema.views].map(({ name }) => name));
  const existingNames = new Set([...existing.tables, ...existing.views].map(({ name }) => name));
  const rejected = dropped.filter(({ name }) => existingNames.has(name) && !createdNames.has(name));
  const [first] = rejected;
  if (first === undefined) return;
  const errors = rejected.map(({ name, line, column }) => ({
    code: 'statement_refused',
    message: `The file drops ${name}, which exists: an import only creates objects.`,
    table: name,
    line,
    column,
  }));
  throw new StudioError('import_failed', errors[0]!.message, { errors });
}
