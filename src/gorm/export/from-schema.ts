/** Tables as Go models that GORM's AutoMigrate leaves as they are. */
import { foldCase, goFieldNames, goStructNames, uniqueNames } from '../../model/go-names.ts';
import { selectField } from './select-field.ts';
import { settingsText, survives, tagLiteral } from './field-tags.ts';
import { fieldTypes, importsOf } from './field-types.ts';
import { tableTags } from './index-tags.ts';
import { columnName, uniqueName } from '../go/names.ts';
import { printFile } from './print.ts';
import { relationField } from './relation-fields.ts';
import type { GoFieldChoice, GoFieldDialect, GoTableFacts } from '../go-field-dialect.ts';
import type { GormDialect } from '../gorm-dialect.ts';
import type { Relation } from '../../model/relations.ts';
import type { Column, ForeignKeyAction, Schema, SoftDelete, Table } from '../../model/schema.ts';
import type { SchemaText } from '../../formats/schema-document.ts';
import type { SelectedField, FieldColumn } from './select-field.ts';
import type { TagSetting } from './field-tags.ts';
import type { NullStyle } from './field-types.ts';
import type { TableTags } from './index-tags.ts';
import type { WrittenField, WrittenStruct } from './print.ts';
import type { NamedField, RelationContext, StructDraft } from './relation-fields.ts';

export interface GoSource {
  readonly schema: Schema;
  relationsOf(table: string): readonly Relation[];
  readonly goFields: GoFieldDialect;
  readonly gorm: GormDialect;
  /** What a foreign key does that says nothing; undefined where versions differ. */
  readonly defaultKeyAction: ForeignKeyAction | undefined;
  /** The statements that made the tables, by name, where GORM reads these. */
  readonly storedStatements: ReadonlyMap<string, string>;
  readonly options: GoOptions;
}

export interface GoOptions {
  readonly packageName: string;
  readonly nulls: NullStyle;
  /** Fields get `json` tags too. */
  readonly json: boolean;
}

/** One file, and a warning for whatever GORM would not leave alone or cannot be told. */
export function writeGoModels(writing: GoSource): SchemaText {
  const { schema, options } = writing;
  const drafts = draftTables(writing);
  const structs = new Map(drafts.map((draft) => [draft.table.name, draft]));
  const written = drafts.map((draft) => writeStruct(draft, writing, contextOf(writing, structs)));
  const unnamed = schema.tables.filter(({ name }) => !structs.has(name));
  const notes = [
    ...unnamed.map(({ name }) => `The table ${name} is left out: GORM cannot be told its name.`),
    ...viewRemarks(schema.views),
  ];
  const types = written.flatMap(({ struct }) => struct.groups.flat().map(({ type }) => type));
  return {
    text: printFile({
      doc: [
        `Package ${options.packageName} has the tables of the database ${schema.database} as GORM models.`,
      ],
      packageName: options.packageName,
      imports: importsOf(types),
      structs: written.map(({ struct }) => struct),
      notes,
    }),
    warnings: [...written.flatMap(({ warnings }) => warnings), ...notes],
  };
}

function viewRemarks(views: readonly Table[]): readonly string[] {
  if (views.length === 0) return [];
  return [
    `Views are left out, since GORM makes none: ${views.map(({ name }) => name).join(', ')}.`,
  ];
}

function contextOf(
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
  readonly facts: GoTableFacts;
  readonly tags: TableTags;
}

/** Join tables come last: of the two that GORM then knows of each the later one counts. */
function draftTables(writing: GoSource): readonly TableDraft[] {
  const { tables } = writing.schema;
  const joins = new Set(
    tables.flatMap(({ name }) =>
      writing.relationsOf(name).flatMap(({ joinTable }) => joinTable ?? []),
    ),
  );
  const ordered = [
    ...tables.filter(({ name }) => !joins.has(name)),
    ...tables.filter(({ name }) => joins.has(name)),
  ];
  const structs = goStructNames(tables.map(({ name }) => name));
  return ordered.flatMap((table) => {
    const tableName = writing.goFields.tableName(table);
    return tableName === undefined || table.columns.length === 0
      ? []
      : [draftTable(table, { tableName, struct: structs.get(table.name) ?? '' }, writing)];
  });
}

function draftTable(
  table: Table,
  names: { readonly tableName: string; readonly struct: string },
  writing: GoSource,
): TableDraft {
  const { gorm, goFields, schema, storedStatements } = writing;
  const facts = goFields.table(table, {
    schema,
    stored: storedStatements.get(table.name),
    uniqueName: (column) =>
      uniqueName({ table: names.tableName, name: column, longest: gorm.longestName }),
  });
  const tags = tableTags(table, facts);
  const fieldNames = goFieldNames(table.columns.map(({ name }) => name));
  const fields = table.columns.filter(isTold).map((column): [string, NamedField] => [
    column.name,
    {
      name: fieldNames.get(column.name) ?? '',
      selected: choose(column, { table, facts, tags }, writing),
    },
  ]);
  return {
    ...names,
    table,
    facts,
    tags,
    fields: new Map(fields),
    relations: new Set(writing.relationsOf(table.name).map(({ name }) => name)),
    findsConstraint: (name) => facts.findsConstraint(name),
  };
}

type Drafting = Pick<TableDraft, 'table' | 'facts' | 'tags'>;

function choose(
  column: Column,
  { table, facts, tags }: Drafting,
  writing: GoSource,
): SelectedField {
  const key = table.primaryKey?.columns ?? [];
  const primaryKey = key.includes(column.name);
  const place: FieldColumn = {
    column,
    reported: facts.reported(column),
    choices: [...softDeletes(table.softDelete, column, facts), ...facts.choices(column)],
    primaryKey,
    prioritized: primaryKey ? key.length === 1 || isId(column) : key.length === 0 && isId(column),
    unique: tags.unique.has(column.name),
  };
  return selectField(place, {
    gorm: writing.gorm,
    jsonType: writing.goFields.jsonType,
    aliases: (type) => writing.goFields.aliases(type),
    nulls: writing.options.nulls,
  });
}

/** No tag can hold a name that ends in a backslash. */
function isTold({ name }: Column): boolean {
  return survives(name);
}

function isId({ name }: Column): boolean {
  return foldCase(name) === 'id';
}

/** The types that hide deleted rows; GORM's own for a moment, its plugin's for a number. */
function softDeletes(
  mark: SoftDelete | undefined,
  column: Column,
  facts: GoTableFacts,
): readonly GoFieldChoice[] {
  if (mark?.column !== column.name) return [];
  if (mark.flavour === 'time')
    return facts
      .choices(column)
      .filter(({ go }) => go === 'time.Time')
      .map((choice) => ({ ...choice, go: 'gorm.DeletedAt' }));
  const more: GoFieldChoice['more'] =
    mark.flavour === 'unix_seconds' ? [] : [['softDelete', softDeleteModes[mark.flavour]]];
  return facts
    .choices(column)
    .filter(({ go }) => ['int', 'uint'].includes(fieldTypes[go].kind))
    .map((choice) => ({ ...choice, ...narrowed(choice), go: 'soft_delete.DeletedAt', more }));
}

const softDeleteModes = {
  unix_milliseconds: 'milli',
  unix_nanoseconds: 'nano',
  flag: 'flag',
} as const;

/** An unsigned number takes a bit more where there are none. */
function narrowed({ go, type }: GoFieldChoice): Partial<GoFieldChoice> {
  const { size } = fieldTypes[go];
  return type !== undefined || size === 64 ? {} : { size: size - 1 };
}

// Structs

interface Written {
  readonly struct: WrittenStruct;
  readonly warnings: readonly string[];
}

function writeStruct(draft: TableDraft, writing: GoSource, context: RelationContext): Written {
  const { table, struct, tags, facts } = draft;
  const names = jsonNames(draft, writing);
  const relations = writeRelations(draft, writing, { context, names });
  const columns = table.columns.filter(isTold).map((column) => writeColumn(column, draft, names));
  const problems =
    facts.problem === undefined ? [] : [`AutoMigrate fails on this table: ${facts.problem}.`];
  const untold = table.columns.filter((column) => !isTold(column));
  const notes = [
    ...problems,
    ...untold.map(({ name }) => `The column ${name} is left out: no tag can hold its name.`),
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

interface WrittenColumn {
  readonly field: WrittenField;
  readonly warning?: string;
}

function writeColumn(
  { name: column, comment }: Column,
  draft: TableDraft,
  json: JsonNames | undefined,
): WrittenColumn {
  const { name, selected } = draft.fields.get(column)!;
  const { settings, go } = selected;
  const note = fieldNote(column, selected);
  const tags: [string, string][] = [
    ['gorm', settingsText([...settings, ...(draft.tags.settings.get(column) ?? [])])],
    ...(json === undefined ? [] : [['json', json.columns.get(column) ?? ''] as [string, string]]),
  ];
  const lines = [
    ...(comment === undefined ? [] : [comment]),
    ...(note === undefined ? [] : [note]),
  ];
  return {
    field: { comment: lines, name, type: go, tag: tagLiteral(tags) },
    ...(note === undefined ? {} : { warning: note }),
  };
}

function fieldNote(column: string, { skippedBecause, untyped }: SelectedField): string | undefined {
  if (untyped === true)
    return `${column} can hold anything: AutoMigrate would alter its default at every run if it were told a type.`;
  if (skippedBecause === undefined) return undefined;
  return `AutoMigrate passes over ${column}, and does not make it: it would alter ${skippedBecause} at every run.`;
}

interface RelationWriting {
  readonly context: RelationContext;
  readonly names: JsonNames | undefined;
}

function writeRelations(
  draft: TableDraft,
  writing: GoSource,
  { context, names }: RelationWriting,
): { readonly fields: readonly WrittenField[]; readonly notes: readonly string[] } {
  const found = writing
    .relationsOf(draft.table.name)
    .map((relation) => ({ relation, made: relationField(relation, draft, context) }));
  const fields = found.flatMap(({ relation: { name }, made }) =>
    made === undefined || typeof made === 'string'
      ? []
      : [
          {
            comment: [],
            name,
            type: made.type,
            tag: relationTag(made.settings, names?.relations.get(name)),
          },
        ],
  );
  const notes = found.flatMap(({ relation: { name }, made }) =>
    typeof made === 'string' ? [`The relation ${name} is left out: ${made}.`] : [],
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
  /** By column. */
  readonly columns: ReadonlyMap<string, string>;
  /** By relation. */
  readonly relations: ReadonlyMap<string, string>;
}

/** Columns have their own names as far as encoding/json takes them. */
function jsonNames(
  { table, fields }: TableDraft,
  { relationsOf, options }: GoSource,
): JsonNames | undefined {
  if (!options.json) return undefined;
  const columns = [...fields.keys()];
  const relations = relationsOf(table.name).map(({ name }) => name);
  const wanted = columns.map((column) => jsonName(column, fields.get(column)?.name ?? ''));
  const names = uniqueNames([...wanted, ...relations.map(columnName)]);
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
