/** Reads the documents of `schema-document.ts`, and schema responses of the API. A column needs a name and a type only. */
import { tableOptionNames } from '../model/table-options.ts';
import { findDialectByName } from './file-dialect.ts';
import { addKeysOfRelations } from './foreign-keys-of-relations.ts';
import { optionalMember } from './read-data-type.ts';
import { readColumn } from './read-document-column.ts';
import { localNameIn } from './schema-document.ts';
import {
  choiceIn,
  documentPath,
  errorAt,
  booleanIn,
  itemsIn,
  membersOf,
  numberIn,
  objectIn,
  rejectUnknownMembers,
  requiredText,
  textIn,
  textsIn,
  unknownMemberError,
  nonEmptyTextIn,
} from './schema-document-node.ts';
import { unknownTypeWarnings } from './parse-type-name.ts';
import type { JsonNode } from '../model/values/exact-json.ts';
import type {
  Check,
  EnumType,
  ForeignKey,
  ForeignKeyAction,
  Index,
  IndexPart,
  PrimaryKey,
  Schema,
  SoftDelete,
  ExternalObjects,
  Table,
  TableKind,
} from '../model/schema.ts';
import type { ColumnContext } from './read-document-column.ts';
import type { SchemaContext, ImportedSchema } from './schema-reader.ts';
import type { DocumentSource, Members } from './schema-document-node.ts';

export function schemaFromDocument(
  source: DocumentSource,
  root: JsonNode,
  context: SchemaContext,
): ImportedSchema {
  const document = root.kind === 'array' ? wrapTables(root) : root;
  const members = membersOf(source, document, documentPath);
  const warnings: string[] = [];
  const dialectName = nonEmptyTextIn(members, 'driver') ?? nonEmptyTextIn(members, 'dialect');
  const dialect =
    dialectName === undefined ? undefined : findDialectByName(dialectName, context, warnings);
  const reading: ColumnContext = {
    types: dialect ?? context.target,
    enums: itemsIn(members, 'enums').map(readEnum),
    unknown: new Map(),
    isNative: dialect !== undefined,
  };
  const schema = readSchema(members, reading, context);
  rejectUnknownMembers(source, ignoredMembers);
  if (!members.byName.has('tables') && schema.views.length === 0)
    throw errorAt(source, document, 'The document has no tables');
  return {
    schema,
    ...optionalMember('dialect', dialect?.name),
    warnings: [...warnings, ...unknownTypeWarnings(reading.unknown)],
  };
}

function readSchema(members: Members, reading: ColumnContext, context: SchemaContext): Schema {
  const items = itemsIn(members, 'tables');
  return {
    database: nonEmptyTextIn(members, 'database') ?? context.database,
    serverVersion: textIn(members, 'server_version') ?? '',
    tables: addKeysOfRelations(
      items,
      items.map((item) => readTable(item, reading)),
    ),
    views: itemsIn(members, 'views').map((item) => readTable(item, reading)),
    enums: reading.enums,
    ...optionalMember('externalObjects', readExternalObjects(members)),
  };
}

/** Members of schema responses that are ignored: they follow from others, or describe rows. */
function ignoredMembers(path: string): readonly string[] {
  if (/\.columns\[\d+\]$/.test(path))
    return ['is_primary_key', 'is_foreign_key', 'references', 'ordinal', 'is_unique', 'is_generated', 'kind', 'enum_values', 'is_stored']; // prettier-ignore
  if (/^(?:tables|views)\[\d+\]$/.test(path))
    return ['relations', 'row_count', 'row_count_exact', 'row_count_error', 'rolls_back', 'rowid_member', 'primary_key_name', 'soft_delete_mode']; // prettier-ignore
  if (/\.indexes\[\d+\]$/.test(path)) return ['columns'];
  if (/\.relations\[\d+\]$/.test(path))
    return ['name', 'type', 'table', 'foreign_key', 'reference_key', 'foreign_keys', 'reference_keys', 'join_table', 'join_foreign_key', 'join_reference_key', 'join_foreign_keys', 'join_reference_keys', 'polymorphic_type', 'polymorphic_value']; // prettier-ignore
  return path === documentPath ? ['driver', 'dialect'] : [];
}

/** An array at the top level is the list of tables. */
function wrapTables(list: Extract<JsonNode, { kind: 'array' }>): JsonNode {
  const { start, end } = list;
  return { kind: 'object', start, end, members: [{ name: 'tables', value: list }] };
}

function readEnum(item: Members): EnumType {
  return {
    name: requiredText(item, 'name'),
    ...optionalMember(
      'namespace',
      nonEmptyTextIn(item, 'schema') ?? nonEmptyTextIn(item, 'namespace'),
    ),
    values: textsIn(item, 'values') ?? [],
    ...optionalMember('comment', nonEmptyTextIn(item, 'comment')),
  };
}

function readExternalObjects(members: Members): ExternalObjects | undefined {
  const item = objectIn(members, 'external_objects');
  if (item === undefined) return undefined;
  return {
    extensions: textsIn(item, 'extensions') ?? [],
    ...optionalMember('extensionNamespaces', readExtensionNamespaces(item)),
    routines: textsIn(item, 'routines') ?? [],
    types: textsIn(item, 'types') ?? [],
  };
}

function readExtensionNamespaces(item: Members): ExternalObjects['extensionNamespaces'] {
  const namespaces = objectIn(item, 'extension_schemas');
  if (namespaces === undefined) return undefined;
  const names = [...namespaces.byName.keys()];
  return Object.fromEntries(names.map((name) => [name, textIn(namespaces, name) ?? '']));
}

const tableKinds: readonly TableKind[] = ['table', 'view', 'materialized_view'];

function readTable(item: Members, reading: ColumnContext): Table {
  const name = requiredText(item, 'name');
  const structureError = nonEmptyTextIn(item, 'structure_error');
  if (structureError !== undefined)
    throw errorAt(
      item.source,
      item.byName.get('structure_error')!,
      `The definition of "${name}" is incomplete in this document. ${structureError} Export the schema again when the lock is gone`,
    );
  const namespace = nonEmptyTextIn(item, 'schema');
  const columnItems = itemsIn(item, 'columns');
  return {
    name,
    localName: nonEmptyTextIn(item, 'local_name') ?? localNameIn(name, namespace),
    ...optionalMember('namespace', namespace),
    kind: choiceIn(item, 'kind', tableKinds) ?? 'table',
    columns: columnItems.map((column) => readColumn(column, reading)),
    ...optionalMember('primaryKey', readPrimaryKey(item, columnItems)),
    indexes: itemsIn(item, 'indexes').map(readIndex),
    foreignKeys: itemsIn(item, 'foreign_keys').map(readForeignKey),
    checks: itemsIn(item, 'checks').map(readCheck),
    ...optionalMember('rowIdColumn', nonEmptyTextIn(item, 'row_id_column')),
    ...optionalMember('nullableKey', booleanIn(item, 'nullable_key')),
    ...optionalMember('softDelete', readSoftDelete(item)),
    ...optionalMember('comment', nonEmptyTextIn(item, 'comment')),
    ...optionalMember('definition', textIn(item, 'definition')),
    ...optionalMember('needs', nonEmptyTextIn(item, 'needs')),
    ...optionalMember('options', readOptions(item)),
  };
}

/** From the list `primary_key`, or from columns with `is_primary_key`. */
function readPrimaryKey(item: Members, columns: readonly Members[]): PrimaryKey | undefined {
  const keyColumns = textsIn(item, 'primary_key');
  const marked = columns
    .filter((column) => booleanIn(column, 'is_primary_key') === true)
    .map((column) => requiredText(column, 'name'));
  const key = keyColumns !== undefined && keyColumns.length > 0 ? keyColumns : marked;
  return key.length === 0
    ? undefined
    : { ...optionalMember('name', nonEmptyTextIn(item, 'primary_key_name')), columns: key };
}

function readIndex(item: Members): Index {
  const parts = itemsIn(item, 'parts').map(readPart);
  return {
    name: textIn(item, 'name') ?? '',
    unique: booleanIn(item, 'is_unique') ?? false,
    parts:
      parts.length > 0 ? parts : (textsIn(item, 'columns') ?? []).map((column) => ({ column })),
    ...optionalMember('where', nonEmptyTextIn(item, 'where')),
    ...optionalMember('method', nonEmptyTextIn(item, 'method')),
    ...optionalMember('included', textsIn(item, 'included')),
    ...optionalMember('constraint', booleanIn(item, 'is_constraint') === true ? true : undefined),
    ...optionalMember('nullsNotDistinct', booleanIn(item, 'nulls_not_distinct')),
    ...optionalMember('invisible', booleanIn(item, 'is_invisible') === true ? true : undefined),
    ...optionalMember('needs', nonEmptyTextIn(item, 'needs')),
    ...optionalMember('comment', nonEmptyTextIn(item, 'comment')),
  };
}

function readPart(item: Members): IndexPart {
  return {
    ...optionalMember('column', textIn(item, 'column')),
    ...optionalMember('expression', textIn(item, 'expression')),
    ...optionalMember('descending', booleanIn(item, 'descending')),
    ...optionalMember('prefixLength', numberIn(item, 'prefix_length')),
    ...optionalMember('collation', nonEmptyTextIn(item, 'collation')),
    ...optionalMember('operatorClass', nonEmptyTextIn(item, 'operator_class')),
  };
}

const actions: readonly ForeignKeyAction[] = [
  'no action',
  'restrict',
  'cascade',
  'set null',
  'set default',
];

const deferrals = ['deferred', 'immediate'] as const;

function readForeignKey(item: Members): ForeignKey {
  const references = objectIn(item, 'references') ?? item;
  return {
    ...optionalMember('name', nonEmptyTextIn(item, 'name')),
    columns: textsIn(item, 'columns') ?? [],
    table: requiredText(references, 'table'),
    referencedColumns:
      textsIn(references, references === item ? 'referenced_columns' : 'columns') ?? [],
    onUpdate: choiceIn(item, 'on_update', actions) ?? 'no action',
    onDelete: choiceIn(item, 'on_delete', actions) ?? 'no action',
    ...optionalMember('deferrable', choiceIn(item, 'deferrable', deferrals)),
  };
}

function readCheck(item: Members): Check {
  return {
    ...optionalMember('name', nonEmptyTextIn(item, 'name')),
    ...optionalMember('column', nonEmptyTextIn(item, 'column')),
    expression: requiredText(item, 'expression'),
    ...(booleanIn(item, 'is_enforced') === false ? { enforced: false } : {}),
    ...optionalMember('needs', nonEmptyTextIn(item, 'needs')),
  };
}

const softDeleteModes: readonly SoftDelete['mode'][] = [
  'time',
  'unix_seconds',
  'unix_milliseconds',
  'unix_nanoseconds',
  'flag',
];

function readSoftDelete(item: Members): SoftDelete | undefined {
  const column = nonEmptyTextIn(item, 'soft_delete_column');
  if (column === undefined) return undefined;
  return { column, mode: choiceIn(item, 'soft_delete_mode', softDeleteModes) ?? 'time' };
}

function readOptions(item: Members): Table['options'] {
  const options = objectIn(item, 'options');
  if (options === undefined) return undefined;
  const names = [...options.byName.keys()];
  const other = names.find((name) => !tableOptionNames.includes(name));
  if (other !== undefined) {
    const node = options.byName.get(other) ?? options.node;
    throw unknownMemberError(options, { name: other, node, knownNames: tableOptionNames });
  }
  return Object.fromEntries(names.map((name) => [name, textIn(options, name) ?? '']));
}
