/** Reads what `schema-document.ts` writes, and interface.md's tables, whose columns need only name and type. */
import { tableOptionNames } from '../model/table-options.ts';
import { dialectNamed } from './file-dialect.ts';
import { keysOfRelations } from './keys-of-relations.ts';
import { known } from './read-data-type.ts';
import { readColumn } from './read-document-column.ts';
import { localNameIn } from './schema-document.ts';
import {
  choiceIn,
  documentPath,
  failAt,
  flagIn,
  itemsIn,
  membersOf,
  numberIn,
  objectIn,
  rejectUnknownMembers,
  requiredText,
  textIn,
  textsIn,
  unknownMember,
  wordIn,
} from './schema-document-node.ts';
import { unknownTypeWarnings } from './type-of-text.ts';
import type { JsonNode } from '../model/exact-json.ts';
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
  Surroundings,
  Table,
  TableKind,
} from '../model/schema.ts';
import type { ColumnReading } from './read-document-column.ts';
import type { SchemaHint, SchemaReading } from './schema-reading.ts';
import type { DocumentSource, Members } from './schema-document-node.ts';

export function schemaFromDocument(
  source: DocumentSource,
  root: JsonNode,
  hint: SchemaHint,
): SchemaReading {
  const document = root.kind === 'array' ? wrapped(root) : root;
  const members = membersOf(source, document, documentPath);
  const warnings: string[] = [];
  const named = wordIn(members, 'driver') ?? wordIn(members, 'dialect');
  const dialect = named === undefined ? undefined : dialectNamed(named, hint, warnings);
  const reading: ColumnReading = {
    types: dialect ?? hint.target,
    enums: itemsIn(members, 'enums').map(readEnum),
    unknown: new Map(),
    native: dialect !== undefined,
  };
  const schema = readSchema(members, reading, hint);
  rejectUnknownMembers(source, otherMembers);
  if (!members.byName.has('tables') && schema.views.length === 0)
    throw failAt(source, document, 'The document has no tables');
  return {
    schema,
    ...known('dialect', dialect?.name),
    warnings: [...warnings, ...unknownTypeWarnings(reading.unknown)],
  };
}

function readSchema(members: Members, reading: ColumnReading, hint: SchemaHint): Schema {
  const items = itemsIn(members, 'tables');
  return {
    database: wordIn(members, 'database') ?? hint.database,
    serverVersion: textIn(members, 'server_version') ?? '',
    tables: keysOfRelations(
      items,
      items.map((item) => readTable(item, reading)),
    ),
    views: itemsIn(members, 'views').map((item) => readTable(item, reading)),
    enums: reading.enums,
    ...known('surroundings', readSurroundings(members)),
  };
}

/** What schema answers say beside: it follows from the rest, or is of the rows. */
function otherMembers(path: string): readonly string[] {
  if (/\.columns\[\d+\]$/.test(path))
    return ['is_primary_key', 'is_foreign_key', 'references', 'ordinal', 'is_unique', 'is_generated', 'kind', 'enum_values', 'is_stored']; // prettier-ignore
  if (/^(?:tables|views)\[\d+\]$/.test(path))
    return ['relations', 'row_count', 'row_count_exact', 'row_count_error', 'rolls_back', 'rowid_member', 'primary_key_name', 'soft_delete_flavour']; // prettier-ignore
  if (/\.indexes\[\d+\]$/.test(path)) return ['columns'];
  if (/\.relations\[\d+\]$/.test(path))
    return ['name', 'type', 'table', 'foreign_key', 'reference_key', 'foreign_keys', 'reference_keys', 'join_table', 'join_foreign_key', 'join_reference_key', 'join_foreign_keys', 'join_reference_keys', 'polymorphic_type', 'polymorphic_value']; // prettier-ignore
  return path === documentPath ? ['driver', 'dialect'] : [];
}

/** A bare array is the list of tables. */
function wrapped(list: Extract<JsonNode, { kind: 'array' }>): JsonNode {
  const { start, end } = list;
  return { kind: 'object', start, end, members: [{ name: 'tables', value: list }] };
}

function readEnum(item: Members): EnumType {
  return {
    name: requiredText(item, 'name'),
    ...known('namespace', wordIn(item, 'schema') ?? wordIn(item, 'namespace')),
    values: textsIn(item, 'values') ?? [],
    ...known('comment', wordIn(item, 'comment')),
  };
}

function readSurroundings(members: Members): Surroundings | undefined {
  const item = objectIn(members, 'surroundings');
  if (item === undefined) return undefined;
  return {
    extensions: textsIn(item, 'extensions') ?? [],
    routines: textsIn(item, 'routines') ?? [],
    types: textsIn(item, 'types') ?? [],
  };
}

const tableKinds: readonly TableKind[] = ['table', 'view', 'materialized_view'];

function readTable(item: Members, reading: ColumnReading): Table {
  const name = requiredText(item, 'name');
  const missing = wordIn(item, 'structure_error');
  if (missing !== undefined)
    throw failAt(
      item.source,
      item.byName.get('structure_error')!,
      `The definition of "${name}" is incomplete in this document. ${missing} Export the schema again when the lock is gone`,
    );
  const namespace = wordIn(item, 'schema');
  const columnItems = itemsIn(item, 'columns');
  return {
    name,
    localName: wordIn(item, 'local_name') ?? localNameIn(name, namespace),
    ...known('namespace', namespace),
    kind: choiceIn(item, 'kind', tableKinds) ?? 'table',
    columns: columnItems.map((column) => readColumn(column, reading)),
    ...known('primaryKey', readPrimaryKey(item, columnItems)),
    indexes: itemsIn(item, 'indexes').map(readIndex),
    foreignKeys: itemsIn(item, 'foreign_keys').map(readForeignKey),
    checks: itemsIn(item, 'checks').map(readCheck),
    ...known('rowIdColumn', wordIn(item, 'row_id_column')),
    ...known('nullableKey', flagIn(item, 'nullable_key')),
    ...known('softDelete', readSoftDelete(item)),
    ...known('comment', wordIn(item, 'comment')),
    ...known('definition', textIn(item, 'definition')),
    ...known('needs', wordIn(item, 'needs')),
    ...known('options', readOptions(item)),
  };
}

/** Told as a whole, or column by column. */
function readPrimaryKey(item: Members, columns: readonly Members[]): PrimaryKey | undefined {
  const listed = textsIn(item, 'primary_key');
  const marked = columns
    .filter((column) => flagIn(column, 'is_primary_key') === true)
    .map((column) => requiredText(column, 'name'));
  const key = listed !== undefined && listed.length > 0 ? listed : marked;
  return key.length === 0
    ? undefined
    : { ...known('name', wordIn(item, 'primary_key_name')), columns: key };
}

function readIndex(item: Members): Index {
  const parts = itemsIn(item, 'parts').map(readPart);
  return {
    name: textIn(item, 'name') ?? '',
    unique: flagIn(item, 'is_unique') ?? false,
    parts:
      parts.length > 0 ? parts : (textsIn(item, 'columns') ?? []).map((column) => ({ column })),
    ...known('where', wordIn(item, 'where')),
    ...known('method', wordIn(item, 'method')),
    ...known('included', textsIn(item, 'included')),
    ...known('constraint', flagIn(item, 'is_constraint') === true ? true : undefined),
    ...known('nullsNotDistinct', flagIn(item, 'nulls_not_distinct')),
    ...known('invisible', flagIn(item, 'is_invisible') === true ? true : undefined),
    ...known('needs', wordIn(item, 'needs')),
    ...known('comment', wordIn(item, 'comment')),
  };
}

function readPart(item: Members): IndexPart {
  return {
    ...known('column', textIn(item, 'column')),
    ...known('expression', textIn(item, 'expression')),
    ...known('descending', flagIn(item, 'descending')),
    ...known('prefixLength', numberIn(item, 'prefix_length')),
    ...known('collation', wordIn(item, 'collation')),
    ...known('operatorClass', wordIn(item, 'operator_class')),
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
    ...known('name', wordIn(item, 'name')),
    columns: textsIn(item, 'columns') ?? [],
    table: requiredText(references, 'table'),
    referencedColumns:
      textsIn(references, references === item ? 'referenced_columns' : 'columns') ?? [],
    onUpdate: choiceIn(item, 'on_update', actions) ?? 'no action',
    onDelete: choiceIn(item, 'on_delete', actions) ?? 'no action',
    ...known('deferrable', choiceIn(item, 'deferrable', deferrals)),
  };
}

function readCheck(item: Members): Check {
  return {
    ...known('name', wordIn(item, 'name')),
    expression: requiredText(item, 'expression'),
    ...(flagIn(item, 'is_enforced') === false ? { enforced: false } : {}),
    ...known('needs', wordIn(item, 'needs')),
  };
}

const flavours: readonly SoftDelete['flavour'][] = [
  'time',
  'unix_seconds',
  'unix_milliseconds',
  'unix_nanoseconds',
  'flag',
];

function readSoftDelete(item: Members): SoftDelete | undefined {
  const column = wordIn(item, 'soft_delete_column');
  if (column === undefined) return undefined;
  return { column, flavour: choiceIn(item, 'soft_delete_flavour', flavours) ?? 'time' };
}

function readOptions(item: Members): Table['options'] {
  const options = objectIn(item, 'options');
  if (options === undefined) return undefined;
  const names = [...options.byName.keys()];
  const other = names.find((name) => !tableOptionNames.includes(name));
  if (other !== undefined) {
    const node = options.byName.get(other) ?? options.node;
    throw unknownMember(options, { name: other, node, known: tableOptionNames });
  }
  return Object.fromEntries(names.map((name) => [name, textIn(options, name) ?? '']));
}
