/** Writes tables as Go models for which GORM's AutoMigrate changes nothing. */
import { foldCase, goFieldNames, goStructNames, uniqueNames } from '../../model/go-names.ts';
import { selectField } from './select-field.ts';
import { settingsText, canBeInTag, tagLiteral } from './struct-tags.ts';
import { fieldTypes, importsOf } from './field-types.ts';
import { tableTags } from './index-tags.ts';
import { columnName } from '../../model/go-names.ts';
import { uniqueName } from '../go/program/names.ts';
import { printGoFile } from './print-go-file.ts';
import { relationField } from './relation-fields.ts';
import type { GoFieldChoice, GoFieldDialect, ReportedTable } from '../go-field-dialect.ts';
import type { GormDialect } from '../gorm-dialect.ts';
import type { Relation } from '../../model/relations.ts';
import type { Column, ForeignKeyAction, Schema, SoftDelete, Table } from '../../model/schema.ts';
import type { SchemaText } from '../../formats/schema-document.ts';
import type { SelectedField, FieldColumn } from './select-field.ts';
import type { TagSetting } from './struct-tags.ts';
import type { NullStyle } from './field-types.ts';
import type { TableTags } from './index-tags.ts';
import type { PrintedField, PrintedStruct } from './print-go-file.ts';
import type { NamedField, RelationContext, StructDraft } from './relation-fields.ts';

export interface GoSource {
  readonly schema: Schema;
  relationsOf(table: string): readonly Relation[];
  readonly goFields: GoFieldDialect;
  readonly gorm: GormDialect;
  /** The action of a foreign key without ON DELETE or ON UPDATE. Undefined if it depends on the version. */
  readonly defaultKeyAction: ForeignKeyAction | undefined;
  /** The CREATE statements of the tables by name, for databases where GORM reads them. */
  readonly storedStatements: ReadonlyMap<string, string>;
  readonly options: GoModelOptions;
}

export interface GoModelOptions {
  readonly packageName: string;
  readonly nulls: NullStyle;
  /** Fields get `json` tags too. */
  readonly json: boolean;
}

/** Writes one Go file. Returns a warning for all that GORM would alter or that no tag can express. */
export function writeGoModels(input: GoSource): SchemaText {
  const { schema, options } = input;
  const drafts = draftTables(input);
  const structs = new Map(drafts.map((draft) => [draft.table.name, draft]));
  const structResults = drafts.map((draft) =>
    writeStruct(draft, input, relationContext(input, structs)),
  );
  const unaddressable = schema.tables.filter(({ name }) => !structs.has(name));
  const omissions = [
    ...unaddressable.map(({ name }) => `The table ${name} is left out: GORM cannot use its name.`),
    ...viewOmissions(schema.views),
  ];
  const types = structResults.flatMap(({ struct }) => struct.groups.flat().map(({ type }) => type));
  return {
    text: printGoFile({
      doc: [
        `Package ${options.packageName} has the tables of the database ${schema.database} as GORM models.`,
        ...explanations(drafts),
      ],
      packageName: options.packageName,
      imports: importsOf(types),
      structs: structResults.map(({ struct }) => struct),
      trailingComment: omissions,
    }),
    warnings: [...structResults.flatMap(({ warnings }) => warnings), ...omissions],
  };
}

/** Comments in the file that explain unusual settings. */
function explanations(drafts: readonly TableDraft[]): readonly string[] {
  const fields = drafts.flatMap((draft) => [...draft.fields.values()]);
  const isUsed = (setting: string): boolean =>
    fields.some(({ selected }) => selected.settings.some(([name]) => name === setting));
  const hasTypeWithBlank = fields.some(({ selected }) =>
    selected.settings.some(([name, value]) => name === 'type' && value?.endsWith(' ') === true),
  );
  return [
    ...(isUsed('-')
      ? [
          'AutoMigrate does not create the columns with the setting -:migration. It would alter them at every run, because it compares their defaults, types or comments in another form than the database stores.',
        ]
      : []),
    ...(hasTypeWithBlank
      ? ['A blank at the end of a type keeps GORM from taking the word as a type of its own.']
      : []),
  ];
}

function viewOmissions(views: readonly Table[]): readonly string[] {
  if (views.length === 0) return [];
  return [
    `Views are left out, because GORM creates none: ${views.map(({ name }) => name).join(', ')}.`,
  ];
}

function relationContext(
  { defaultKeyAction }: GoSource,
  structs: ReadonlyMap<string, StructDraft>,
): RelationContext {
  const defaultActions: readonly ForeignKeyAction[] =
    defaultKeyAction === undefined ? ['no action', 'restrict'] : [defaultKeyAction];
  return { structs, defaultActions };
}

// Tables

interface TableDraft extends StructDraft {
  readonly tableName: string;
  readonly reportedTable: ReportedTable;
  readonly tags: TableTags;
}

/** Join tables come last: GORM then has two models of each, and uses the later one. */
function draftTables(input: GoSource): readonly TableDraft[] {
  const { tables } = input.schema;
  const joinTables = new Set(
    tables.flatMap(({ name }) =>
      input.relationsOf(name).flatMap(({ joinTable }) => joinTable ?? []),
    ),
  );
  const ordered = [
    ...tables.filter(({ name }) => !joinTables.has(name)),
    ...tables.filter(({ name }) => joinTables.has(name)),
  ];
  const structs = goStructNames(tables.map(({ name }) => name));
  return ordered.flatMap((table) => {
    const tableName = input.goFields.tableName(table);
    return tableName === undefined || table.columns.length === 0
      ? []
      : [draftTable(table, { tableName, struct: structs.get(table.name) ?? '' }, input)];
  });
}

function draftTable(
  table: Table,
  names: { readonly tableName: string; readonly struct: string },
  input: GoSource,
): TableDraft {
  const { gorm, goFields, schema, storedStatements } = input;
  const reportedTable = goFields.table(table, {
    schema,
    storedStatement: storedStatements.get(table.name),
    uniqueName: (column) =>
      uniqueName({ table: names.tableName, name: column, maxLength: gorm.maxNameLength }),
  });
  const tags = tableTags(table, reportedTable);
  const fieldNames = goFieldNames(table.columns.map(({ name }) => name));
  const fields = table.columns.filter(hasTaggableName).map((column): [string, NamedField] => [
    column.name,
    {
      name: fieldNames.get(column.name) ?? '',
      selected: selectColumnField(column, { table, reportedTable, tags }, input),
    },
  ]);
  return {
    ...names,
    table,
    reportedTable,
    tags,
    fields: new Map(fields),
    relations: new Set(input.relationsOf(table.name).map(({ name }) => name)),
    canFindConstraint: (name) => reportedTable.canFindConstraint(name),
  };
}

type TableDraftBasics = Pick<TableDraft, 'table' | 'reportedTable' | 'tags'>;

function selectColumnField(
  column: Column,
  { table, reportedTable, tags }: TableDraftBasics,
  input: GoSource,
): SelectedField {
  const key = table.primaryKey?.columns ?? [];
  const primaryKey = key.includes(column.name);
  const fieldColumn: FieldColumn = {
    column,
    reported: reportedTable.reportedColumn(column),
    choices: [
      ...softDeleteChoices(table.softDelete, column, reportedTable),
      ...reportedTable.choices(column),
    ],
    primaryKey,
    isPrioritizedKey: primaryKey
      ? key.length === 1 || isId(column)
      : key.length === 0 && isId(column),
    unique: tags.unique.has(column.name),
  };
  return selectField(fieldColumn, {
    gorm: input.gorm,
    jsonType: input.goFields.jsonType,
    typeAliases: (type) => input.goFields.typeAliases(type),
    nulls: input.options.nulls,
  });
}

/** A tag cannot contain a name that ends in a backslash. With an empty name, GORM uses the field's. */
function hasTaggableName({ name }: Column): boolean {
  return name !== '' && canBeInTag(name);
}

function isId({ name }: Column): boolean {
  return foldCase(name) === 'id';
}

/** The types of soft-delete fields: GORM's own for a timestamp, its plugin's for a number. */
function softDeleteChoices(
  softDelete: SoftDelete | undefined,
  column: Column,
  reportedTable: ReportedTable,
): readonly GoFieldChoice[] {
  if (softDelete?.column !== column.name) return [];
  if (softDelete.mode === 'time')
    return reportedTable
      .choices(column)
      .filter(({ goType }) => goType === 'time.Time')
      .map((choice) => ({ ...choice, goType: 'gorm.DeletedAt' }));
  const extraSettings: GoFieldChoice['extraSettings'] =
    softDelete.mode === 'unix_seconds' ? [] : [['softDelete', softDeleteModes[softDelete.mode]]];
  return reportedTable
    .choices(column)
    .filter(({ goType }) => ['int', 'uint'].includes(fieldTypes[goType].kind))
    .map((choice) => ({
      ...choice,
      ...narrowedSize(choice),
      goType: 'soft_delete.DeletedAt',
      extraSettings,
    }));
}

const softDeleteModes = {
  unix_milliseconds: 'milli',
  unix_nanoseconds: 'nano',
  flag: 'flag',
} as const;

/** In databases without unsigned integers, an unsigned one needs one more bit. */
function narrowedSize({ goType, type }: GoFieldChoice): Partial<GoFieldChoice> {
  const { size } = fieldTypes[goType];
  return type !== undefined || size === 64 ? {} : { size: size - 1 };
}

// Structs

interface StructResult {
  readonly struct: PrintedStruct;
  readonly warnings: readonly string[];
}

function writeStruct(draft: TableDraft, input: GoSource, context: RelationContext): StructResult {
  const { table, struct, tags, reportedTable } = draft;
  const names = jsonNames(draft, input);
  const relations = writeRelations(draft, input, { context, names });
  const columns = table.columns
    .filter(hasTaggableName)
    .map((column) => writeColumn(column, draft, names));
  const problems =
    reportedTable.migrationProblem === undefined
      ? []
      : [`AutoMigrate fails on this table: ${reportedTable.migrationProblem}.`];
  const untaggable = table.columns.filter((column) => !hasTaggableName(column));
  const notes = [
    ...problems,
    ...untaggable.map(
      ({ name }) => `The column ${name} is left out: a tag cannot contain its name.`,
    ),
    ...tags.notes,
    ...relations.notes,
  ];
  return {
    struct: {
      name: struct,
      doc: [
        `${struct} is a row of the table ${table.name}.`,
        ...(table.comment === undefined ? [] : [table.comment]),
        ...notes,
      ],
      groups: [columns.map(({ field }) => field), relations.fields],
      table: draft.tableName,
    },
    warnings: [...notes, ...columns.flatMap(({ warning }) => warning ?? [])].map(
      (note) => `${table.name}: ${note}`,
    ),
  };
}

interface ColumnResult {
  readonly field: PrintedField;
  readonly warning?: string;
}

function writeColumn(
  { name: column, comment }: Column,
  draft: TableDraft,
  json: JsonNames | undefined,
): ColumnResult {
  const { name, selected } = draft.fields.get(column)!;
  const { settings, go } = selected;
  const note = fieldNote(column, selected);
  const tags: [string, string][] = [
    ['gorm', settingsText([...settings, ...(draft.tags.settings.get(column) ?? [])])],
    ...(json === undefined ? [] : [['json', json.columns.get(column) ?? ''] as [string, string]]),
  ];
  return {
    field: {
      comment: comment === undefined ? [] : [comment],
      name,
      type: go,
      tag: tagLiteral(tags),
    },
    ...(note === undefined ? {} : { warning: note }),
  };
}

function fieldNote(column: string, { skippedBecause }: SelectedField): string | undefined {
  if (skippedBecause === undefined) return undefined;
  return `AutoMigrate skips ${column} and does not create it, because it would alter ${skippedBecause} at every run.`;
}

interface RelationInput {
  readonly context: RelationContext;
  readonly names: JsonNames | undefined;
}

function writeRelations(
  draft: TableDraft,
  input: GoSource,
  { context, names }: RelationInput,
): { readonly fields: readonly PrintedField[]; readonly notes: readonly string[] } {
  const relations = input
    .relationsOf(draft.table.name)
    .map((relation) => ({ relation, field: relationField(relation, draft, context) }));
  const fields = relations.flatMap(({ relation: { name }, field }) =>
    field === undefined || typeof field === 'string'
      ? []
      : [
          {
            comment: [],
            name,
            type: field.type,
            tag: relationTag(field.settings, names?.relations.get(name)),
          },
        ],
  );
  const notes = relations.flatMap(({ relation: { name }, field }) =>
    typeof field === 'string' ? [`The relation ${name} is left out: ${field}.`] : [],
  );
  return { fields, notes };
}

function relationTag(settings: readonly TagSetting[], json: string | undefined): string {
  return tagLiteral([
    ['gorm', settingsText(settings)],
    ...(json === undefined ? [] : [['json', `${json},omitempty`] as const]),
  ]);
}

// JSON

interface JsonNames {
  /** By column name. */
  readonly columns: ReadonlyMap<string, string>;
  /** By relation name. */
  readonly relations: ReadonlyMap<string, string>;
}

/** Columns keep their names in JSON if encoding/json accepts them. */
function jsonNames(
  { table, fields }: TableDraft,
  { relationsOf, options }: GoSource,
): JsonNames | undefined {
  if (!options.json) return undefined;
  const columns = [...fields.keys()];
  const relations = relationsOf(table.name).map(({ name }) => name);
  const preferredNames = columns.map((column) => jsonName(column, fields.get(column)?.name ?? ''));
  const names = uniqueNames([...preferredNames, ...relations.map(columnName)]);
  return {
    columns: new Map(
      columns.map((column, i) => [column, names[i] === '-' ? '-,' : (names[i] ?? '')]),
    ),
    relations: new Map(relations.map((relation, i) => [relation, names[columns.length + i] ?? ''])),
  };
}

function jsonName(column: string, field: string): string {
  return /^[\p{L}\p{Nd}!#$%&()*+\-./:;<=>?@[\]^_{|}~ ]+$/u.test(column)
    ? column
    : columnName(field);
}
