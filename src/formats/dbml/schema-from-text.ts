import { findDialectByName } from '../file-dialect.ts';
import { optionalMember } from '../read-data-type.ts';
import { unknownTypeWarnings } from '../parse-type-name.ts';
import { parseDbml } from './parse-dbml.ts';
import { withRefs } from './read-refs.ts';
import { qualifiedName, readTable, expandPartials } from './read-table.ts';
import type { Database, Enum } from '@dbml/parse';
import type { EnumType } from '../../model/schema.ts';
import type { SchemaContext, ImportedSchema, FileDialect } from '../schema-reader.ts';
import type { DbmlContext, ExpandedTable } from './read-table.ts';

export function schemaFromDbml(text: string, schemaContext: SchemaContext): ImportedSchema {
  const database = parseDbml(text);
  const warnings = [...warningsOf(database)];
  const dialect = dialectOf(database, schemaContext, warnings);
  const partials = new Map(database.tablePartials.map((partial) => [partial.name, partial]));
  const expandedTables = database.tables.map((table) => expandPartials(table, partials));
  const context: DbmlContext = {
    text,
    partials,
    enums: database.enums.map(readEnum),
    types: dialect ?? schemaContext.target,
    isNative: dialect !== undefined,
    unknown: new Map(),
    indexNames: new Set(
      expandedTables.flatMap(({ indexes }) => indexes.flatMap(({ name }) => name ?? [])),
    ),
  };
  warnings.push(...expandedTables.flatMap(customSettings));
  const tables = expandedTables.map((table) => readTable(table, context));
  return {
    schema: {
      database: database.project?.name ?? schemaContext.database,
      serverVersion: '',
      tables: withRefs(database, { text, tables, expandedTables }),
      views: [],
      enums: context.enums,
    },
    ...optionalMember('dialect', dialect?.name),
    warnings: [...warnings, ...unknownTypeWarnings(context.unknown)],
  };
}

/** The dialect of the project's `database_type`; `Generic` is none. */
function dialectOf(
  { project }: Database,
  schemaContext: SchemaContext,
  warnings: string[],
): FileDialect | undefined {
  const name: unknown = (project as Readonly<Record<string, unknown>> | undefined)?.[
    'database_type'
  ];
  return typeof name !== 'string' || /^generic$/i.test(name.trim())
    ? undefined
    : findDialectByName(name, schemaContext, warnings);
}

function readEnum(type: Enum): EnumType {
  const { localName, namespace } = qualifiedName(type);
  return {
    name: localName,
    ...optionalMember('namespace', namespace),
    values: type.values.map(({ name }) => name),
  };
}

/** Project settings that a schema cannot represent. */
function projectSettings(project: Database['project']): readonly string[] {
  return Object.entries(project ?? {})
    .filter(
      ([name, value]) =>
        !readSettings.has(name) && (typeof value === 'string' || isNote(name, value)),
    )
    .map(([name]) => name);
}

const readSettings: ReadonlySet<string> = new Set(['name', 'database_type']);

function isNote(name: string, value: unknown): boolean {
  return name === 'note' && typeof value === 'object' && value !== null;
}

/** The parser accepts any name for a setting with a text value, so a typo becomes a custom setting. */
function customSettings({ table, fields }: ExpandedTable): readonly string[] {
  const settingsByElement = [
    [table.name, table.metadata] as const,
    ...fields.map(({ field }) => [`${table.name}.${field.name}`, field.metadata] as const),
  ];
  return settingsByElement.flatMap(([element, settings]) => {
    const names = Object.keys(settings ?? {});
    return names.length === 0
      ? []
      : [`${element}: unknown settings of DBML are left out: ${names.join(', ')}.`];
  });
}

/** Warns of content that databases have no place for. */
function* warningsOf({ project, tableGroups, notes, records, enums }: Database): Generator<string> {
  const lostSettings = projectSettings(project);
  if (lostSettings.length > 0)
    yield `The project settings (${lostSettings.join(', ')}) are left out: databases have none.`;
  if (tableGroups.length > 0) {
    const names = tableGroups.map(({ name }) => name ?? '').join(', ');
    yield `The table groups (${names}) are left out: databases have none.`;
  }
  if (notes.length > 0) yield `${notes.length} sticky notes are left out: databases have none.`;
  if (enums.some(({ values }) => values.some(({ note }) => note !== undefined))) {
    yield 'The notes of enum values are left out: databases have none.';
  }
  if (records.length > 0) {
    const names = [...new Set(records.map(({ tableName }) => tableName))].join(', ');
    yield `The records of ${names} are left out: a schema import makes tables, not rows.`;
  }
}
