/** What the conditions of a T-SQL script can read: functions of the catalog, variables, and rows that the script adds. */
import { isSameName } from '../../../sql/ddl/change-table.ts';
import { findTable, findView } from '../../../sql/ddl/draft.ts';
import { isObjectId, undetermined } from '../../../sql/ddl/guards/value.ts';
import { sqlserverLexicalRules } from '../language/lexical-rules.ts';
import { catalogRelations, objectRows, systemTypes } from './guard-catalog.ts';
import {
  byteLength,
  columnIdOf,
  defaultNamespace,
  objectIdOf,
  schemaIdOf,
} from './guard-table-rows.ts';
import { systemNameParts } from './text-value.ts';
import type { Column, ColumnKind, Table } from '../../../model/schema.ts';
import type { SchemaDraft, TableReference } from '../../../sql/ddl/draft.ts';
import type { AddedRows } from '../../../sql/ddl/guards/added-rows.ts';
import type { GuardRules, Relation, Row } from '../../../sql/ddl/guards/scope.ts';
import type { Value } from '../../../sql/ddl/guards/value.ts';
import type { ScriptObjects } from './guard-catalog.ts';

export interface GuardContext {
  readonly draft: SchemaDraft;
  readonly objects: ScriptObjects;
  readonly addedRows: AddedRows;
  /** The script has its rows. */
  readonly hasRows: boolean;
  readonly variable: (name: string) => Value;
  readonly reads: ConditionReads;
}

/** What the condition that is being evaluated has read. */
export interface ConditionReads {
  catalog: boolean;
  /** Rows of tables that are not of the catalog. */
  rows: boolean;
}

export function sqlserverGuardRules(context: GuardContext): GuardRules {
  return {
    lexical: sqlserverLexicalRules,
    ignoresCase: true,
    hasSets: true,
    ...(context.hasRows && { isComparable }),
    relation: (name, args) => relationOf(context, name, args),
    call: (name, args) => callOf(context, name, args),
    variable: context.variable,
  };
}

// Relations

function relationOf(
  context: GuardContext,
  name: readonly string[],
  args: readonly Value[] | undefined,
): Relation | undefined {
  const { draft, objects, reads } = context;
  const [localName = '', namespace = ''] = name.toReversed().map((part) => part.toLowerCase());
  reads.catalog = true;
  const qualifier = name.at(-3) ?? '';
  if (!isOwnDatabase(draft, qualifier)) return undefined;
  // The name of the database decides about rows only if the script says that it is its own.
  if (context.hasRows && qualifier !== '' && databaseOf(draft) === undefined) return undefined;
  if (args !== undefined)
    return localName === 'fn_listextendedproperty' ? listedProperty(draft, args) : undefined;
  const isCompatibilityView = localName.startsWith('sys') && ['', 'dbo'].includes(namespace);
  const key = `${isCompatibilityView ? 'sys' : namespace}.${localName}`;
  const relation = Object.hasOwn(catalogRelations, key) ? catalogRelations[key] : undefined;
  if (relation !== undefined)
    return { columns: relation.columns, rows: relation.rows({ draft, objects }) };
  if (['sys', 'information_schema', 'master', 'msdb'].includes(namespace)) return undefined;
  return ownRows(context, name);
}

/** The database of the script, if it names one. */
function databaseOf({ database, tablesDatabase }: SchemaDraft): string | undefined {
  return tablesDatabase ?? database;
}

/** Whether a qualifier names the database of the script, as far as the script shows. */
function isOwnDatabase(draft: SchemaDraft, qualifier: string | undefined): boolean {
  if (qualifier === undefined || qualifier === '') return true;
  if (/^(?:master|msdb|model)$/i.test(qualifier)) return false;
  const current = databaseOf(draft);
  return current === undefined || isSameName(current, qualifier);
}

/** The rows that the script adds to a table. In an empty database, there are no others. */
function ownRows(context: GuardContext, name: readonly string[]): Relation | undefined {
  const { draft, addedRows, reads, objects } = context;
  const reference = referenceInCatalog(name);
  reads.rows = true;
  const table = findTable(draft, reference);
  const isTemporary = reference.localName.startsWith('#');
  const isOther = objects.otherObjects.has(otherKey(reference.namespace, reference.localName));
  const isView = findView(draft, reference) !== undefined;
  if (isView || (isOther && !isTemporary)) return undefined;
  // The table may exist in the database of the import, with rows.
  if (context.hasRows && table === undefined && !isTemporary) return undefined;
  const rows = addedRows.rowsOf(reference, table);
  const columns = table && new Set(table.columns.map((column) => column.name.toLowerCase()));
  return rows && { columns, rows };
}

const comparableKinds: ReadonlySet<ColumnKind> = new Set<ColumnKind>([
  'integer',
  'decimal',
  'float',
  'boolean',
  'text',
]);

/** SQL Server converts dates, times and UUIDs, and a column may have a collation of its own. */
function isComparable({ type, collation }: Column): boolean {
  return comparableKinds.has(type.kind) && collation === undefined;
}

/** `fn_listextendedproperty(N'MS_Description', N'SCHEMA', N'dbo', N'TABLE', N't', N'COLUMN', N'c')` */
function listedProperty(draft: SchemaDraft, args: readonly Value[]): Relation | undefined {
  const [property, , namespace, kind, name, part, column] = args;
  if (typeof property !== 'string' || typeof namespace !== 'string' || typeof name !== 'string')
    return undefined;
  const table = findTable(draft, referenceInCatalog([namespace, name]));
  const owner =
    typeof column === 'string'
      ? table?.columns.find((each) => isSameName(each.name, column))
      : table;
  const isKnown = isText(kind, 'TABLE') && (typeof column !== 'string' || isText(part, 'COLUMN'));
  if (!isKnown) return undefined;
  const exists = isSameName(property, 'MS_Description') && owner?.comment !== undefined;
  const row: Row = { name: property, value: owner?.comment ?? null };
  return { columns: new Set(['objtype', 'objname', 'name', 'value']), rows: exists ? [row] : [] };
}

// Functions

export function otherKey(namespace: string | undefined, name: string): string {
  if (name.startsWith('#')) return name.toLowerCase();
  return `${namespace ?? defaultNamespace}.${name}`.toLowerCase();
}

/** Types have names of their own. */
export function typeKey(namespace: string | undefined, name: string): string {
  return `type:${otherKey(namespace, name)}`;
}

/** Resolves the parts of a name in a query; the schema dbo is omitted. */
export function referenceInCatalog(parts: readonly string[]): TableReference {
  const localName = parts.at(-1) ?? '';
  const namespace = parts.at(-2) ?? '';
  const isDefault = namespace === '' || isSameName(namespace, defaultNamespace);
  return isDefault || localName.startsWith('#') ? { localName } : { localName, namespace };
}

type Call = (context: GuardContext, args: readonly Value[]) => Value;

function callOf(context: GuardContext, name: string, args: readonly Value[]): Value {
  const call = Object.hasOwn(calls, name) ? calls[name] : undefined;
  return call === undefined ? undetermined : call(context, args);
}

/** A function of one text. */
function ofText(change: (text: string) => Value): Call {
  return (_context, [text = null]) => {
    if (text === null) return null;
    return typeof text === 'string' ? change(text) : undetermined;
  };
}

function firstNotNull(_context: GuardContext, args: readonly Value[]): Value {
  const first = args.find((each) => each !== null);
  return first ?? null;
}

const calls: Readonly<Record<string, Call>> = {
  OBJECT_ID: objectId,
  COL_LENGTH: columnLength,
  COLUMNPROPERTY: columnProperty,
  INDEXPROPERTY: indexProperty,
  OBJECTPROPERTY: objectProperty,
  OBJECTPROPERTYEX: objectProperty,
  OBJECT_NAME: (context, [id = null]) => objectRow(context, id)?.['name'] ?? undetermined,
  SCHEMA_ID: (context, [name = defaultNamespace]) => namespaceId(context, name),
  SCHEMA_NAME: (_context, args) => (args.length === 0 ? defaultNamespace : undetermined),
  TYPE_ID: typeId,
  DB_NAME: ({ draft }, args) =>
    args.length === 0 ? (draft.database ?? undetermined) : undetermined,
  ISNULL: firstNotNull,
  COALESCE: firstNotNull,
  ERROR_NUMBER: () => null,
  LEN: ofText((text) => text.replace(/ +$/, '').length),
  UPPER: ofText((text) => text.toUpperCase()),
  LOWER: ofText((text) => text.toLowerCase()),
  LTRIM: ofText((text) => text.replace(/^ +/, '')),
  RTRIM: ofText((text) => text.replace(/ +$/, '')),
  QUOTENAME: (_context, [name = null, ...quotes]) =>
    typeof name === 'string' && quotes.length === 0 ? `[${name.replaceAll(']', ']]')}]` : name,
};

const missing = null;

function objectId(
  { draft, objects, reads }: GuardContext,
  [name = null, type = null]: readonly Value[],
): Value {
  reads.catalog = true;
  if (typeof name !== 'string' || (type !== null && typeof type !== 'string')) return undetermined;
  const parts = systemNameParts(name);
  if (parts === undefined) return undetermined;
  const { localName, namespace } = referenceInCatalog(parts);
  const isTemporary = localName.startsWith('#');
  if (!isTemporary && !isOwnDatabase(draft, parts.at(-3))) return undetermined;
  if (isTemporary)
    return objects.otherObjects.has(otherKey(namespace, localName))
      ? objectIdOf(namespace, localName)
      : missing;
  const { id: schemaId } = schemaIdOf(namespace);
  const row = objectRows({ draft, objects }).find(
    (each) => isText(each['name'], localName) && isId(each['schema_id'], schemaId),
  );
  return row === undefined || (type !== null && !isText(row['type'], type.trim()))
    ? missing
    : (row['object_id'] ?? undetermined);
}

function isId(value: Value | undefined, id: string): boolean {
  return value !== undefined && isObjectId(value) && value.id === id;
}

function isText(value: Value | undefined, text: string): boolean {
  return typeof value === 'string' && isSameName(value, text);
}

function objectRow({ draft, objects }: GuardContext, id: Value): Row | undefined {
  if (!isObjectId(id)) return undefined;
  return objectRows({ draft, objects }).find((each) => isId(each['object_id'], id.id));
}

/** The table of a name in a text; undefined for a text that is no name of the script's database. */
function tableNamed(context: GuardContext, name: Value): Table | 'none' | undefined {
  context.reads.catalog = true;
  const { draft, objects } = context;
  const parts = typeof name === 'string' ? systemNameParts(name) : undefined;
  if (parts === undefined || !isOwnDatabase(draft, parts.at(-3))) return undefined;
  const reference = referenceInCatalog(parts);
  const isUnknown =
    findView(draft, reference) !== undefined ||
    objects.otherObjects.has(otherKey(reference.namespace, reference.localName));
  return isUnknown ? undefined : (findTable(draft, reference) ?? 'none');
}

function columnLength(
  context: GuardContext,
  [name = null, column = null]: readonly Value[],
): Value {
  const table = tableNamed(context, name);
  if (table === undefined || typeof column !== 'string') return undetermined;
  if (table === 'none') return missing;
  const found = table.columns.find((each) => isSameName(each.name, unquoted(column)));
  if (found === undefined) return missing;
  const length = byteLength(found.nativeType);
  return length === undetermined ? columnIdOf(table, found.name) : length;
}

function unquoted(name: string): string {
  return systemNameParts(name)?.join('.') ?? name;
}

function tableOf({ draft }: GuardContext, id: Value): Table | undefined {
  if (!isObjectId(id)) return undefined;
  return [...draft.tables.values()].find(({ table }) =>
    isId(objectIdOf(table.namespace, table.localName), id.id),
  )?.table;
}

function columnProperty(
  context: GuardContext,
  [id = null, column = null, property = null]: readonly Value[],
): Value {
  if (id === null) return missing;
  const table = tableOf(context, id);
  if (table === undefined || typeof column !== 'string' || typeof property !== 'string')
    return undetermined;
  const found = table.columns.find((each) => isSameName(each.name, column));
  if (found === undefined) return missing;
  const isKey = table.primaryKey?.columns.some((each) => isSameName(each, column)) === true;
  switch (property.toLowerCase()) {
    case 'columnid':
      return columnIdOf(table, found.name);
    case 'isidentity':
      return Number(found.autoIncrement === true);
    case 'iscomputed':
      return Number(found.generated !== undefined);
    case 'allowsnull':
      return Number(found.nullable && !isKey);
    default:
      return undetermined;
  }
}

function indexProperty(
  context: GuardContext,
  [id = null, name = null, property = null]: readonly Value[],
): Value {
  if (id === null) return missing;
  const table = tableOf(context, id);
  if (table === undefined || typeof name !== 'string' || typeof property !== 'string')
    return undetermined;
  const { primaryKey, indexes } = table;
  const found = [primaryKey, ...indexes].find((each) => isSameName(each?.name, name));
  if (found === undefined) return missing;
  return isSameName(property, 'IndexID') ? { id: `index.${name}`.toLowerCase() } : undetermined;
}

const typesOfProperties: Readonly<Record<string, readonly string[]>> = {
  isusertable: ['U'],
  istable: ['U'],
  isview: ['V'],
  isprocedure: ['P'],
  istrigger: ['TR'],
  isprimarykey: ['PK'],
  isuniquecnst: ['UQ'],
  isforeignkey: ['F'],
  ischeckcnst: ['C'],
  isdefaultcnst: ['D'],
  isconstraint: ['PK', 'UQ', 'F', 'C', 'D'],
  isscalarfunction: ['FN'],
  isinlinefunction: ['IF'],
  istablefunction: ['TF', 'IF'],
};

function objectProperty(
  context: GuardContext,
  [id = null, property = null]: readonly Value[],
): Value {
  if (id === null) return missing;
  const row = objectRow(context, id);
  const name = typeof property === 'string' ? property.toLowerCase() : '';
  if (row === undefined) return undetermined;
  const types = Object.hasOwn(typesOfProperties, name) ? typesOfProperties[name] : undefined;
  if (types !== undefined) return Number(types.some((each) => isText(row['type'], each)));
  const table = tableOf(context, id);
  if (name === 'tablehasprimarykey' && table !== undefined)
    return Number(table.primaryKey !== undefined);
  if (name === 'tablehasidentity' && table !== undefined)
    return Number(table.columns.some(({ autoIncrement }) => autoIncrement === true));
  return undetermined;
}

function namespaceId({ draft, objects, reads }: GuardContext, name: Value): Value {
  reads.catalog = true;
  if (typeof name !== 'string') return undetermined;
  const rows = catalogRelations['sys.schemas']?.rows({ draft, objects }) ?? [];
  const exists = rows.some((row) => isText(row['name'], unquoted(name)));
  return exists ? schemaIdOf(unquoted(name)) : missing;
}

function typeId({ objects, reads }: GuardContext, [name = null]: readonly Value[]): Value {
  reads.catalog = true;
  const parts = typeof name === 'string' ? systemNameParts(name) : undefined;
  if (parts === undefined) return undetermined;
  const localName = (parts.at(-1) ?? '').toLowerCase();
  const isOfSystem = systemTypes.includes(localName) && ['', 'sys'].includes(parts.at(-2) ?? '');
  const isTableType = objects.otherObjects.get(typeKey(parts.at(-2), localName))?.type === 'TT';
  return objects.aliases.has(localName) || isTableType || isOfSystem
    ? { id: `type.${localName}` }
    : parts.length === 1
      ? undetermined
      : missing;
}
