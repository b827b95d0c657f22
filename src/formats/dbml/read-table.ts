import { optionalMember } from '../read-data-type.ts';
import { parseTypeName } from '../parse-type-name.ts';
import { untypedName } from './syntax.ts';
import { dbmlError } from './parse-dbml.ts';
import { exactDefault } from './exact-default.ts';
import type {
  Column as DbmlColumn,
  Index as DbmlIndex,
  Table as DbmlTable,
  TablePartial,
} from '@dbml/parse';
import type { Check, Column, EnumType, Index, IndexPart, Table } from '../../model/schema.ts';
import type { FileDialect } from '../schema-reader.ts';
import type { ParsedType, UnknownTypes } from '../parse-type-name.ts';

export interface DbmlContext {
  readonly text: string;
  readonly partials: ReadonlyMap<string, TablePartial>;
  readonly enums: readonly EnumType[];
  readonly types: FileDialect;
  /** Whether the file says that its types and defaults are those of this dialect. */
  readonly isNative: boolean;
  readonly unknown: UnknownTypes;
  /** Index names that are in use. */
  readonly indexNames: Set<string>;
}

/** A qualified name. `public` is DBML's default schema and is omitted. */
export function qualifiedName({
  schemaName,
  name,
}: {
  readonly schemaName: string | null;
  readonly name: string;
}): Pick<Table, 'name' | 'localName' | 'namespace'> {
  return schemaName === null || schemaName === 'public'
    ? { name, localName: name }
    : { name: `${schemaName}.${name}`, localName: name, namespace: schemaName };
}

/** A table with the fields, indexes and checks of its partials. Its own fields override those of partials. */
export interface ExpandedTable {
  readonly table: DbmlTable;
  readonly fields: readonly InjectedField[];
  readonly indexes: readonly DbmlIndex[];
  readonly checks: readonly { readonly expression: string; readonly name?: string }[];
  readonly note: string | undefined;
}

/** `isInjected`: the field comes from a partial, so the parser does not include its inline refs in the refs of the file. */
export interface InjectedField {
  readonly field: DbmlColumn;
  readonly isInjected: boolean;
}

/** A later partial overrides an earlier one, and the table overrides both. Fields keep the order of the text. */
export function expandPartials(
  table: DbmlTable,
  partials: ReadonlyMap<string, TablePartial>,
): ExpandedTable {
  const usedPartials = table.partials
    .toSorted((a, b) => b.token.start.offset - a.token.start.offset)
    .flatMap(({ name, token }) => {
      const partial = partials.get(name);
      return partial === undefined ? [] : [{ partial, offset: token.start.offset }];
    });
  const names = new Set(table.fields.map(({ name }) => name));
  const positioned = table.fields.map((field) => ({
    offset: field.token.start.offset,
    fields: [{ field, isInjected: false }],
  }));
  for (const { partial, offset } of usedPartials) {
    const addedFields = partial.fields.filter(({ name }) => !names.has(name));
    for (const { name } of addedFields) names.add(name);
    positioned.push({ offset, fields: addedFields.map((field) => ({ field, isInjected: true })) });
  }
  return {
    table,
    fields: positioned.toSorted((a, b) => a.offset - b.offset).flatMap(({ fields }) => fields),
    indexes: [...table.indexes, ...usedPartials.flatMap(({ partial }) => partial.indexes)],
    checks: [...table.checks, ...usedPartials.flatMap(({ partial }) => partial.checks)],
    note:
      table.note?.value ?? usedPartials.find(({ partial }) => partial.note)?.partial.note?.value,
  };
}

export function readTable(expanded: ExpandedTable, context: DbmlContext): Table {
  const names = qualifiedName(expanded.table);
  const columns = expanded.fields.map(({ field }) => readColumn(field, names.name, context));
  const key = primaryKeyOf(expanded, context.text);
  return {
    ...names,
    kind: 'table',
    columns: columns.map((column) =>
      key?.columns.includes(column.name) === true ? { ...column, nullable: false } : column,
    ),
    ...optionalMember('primaryKey', key),
    indexes: readIndexes(expanded, names.localName, context),
    foreignKeys: [],
    checks: readChecks(expanded),
    ...optionalMember('comment', expanded.note === '' ? undefined : expanded.note),
  };
}

/** From `pk` settings of columns, or of an index. */
function primaryKeyOf(
  { table, fields, indexes }: ExpandedTable,
  text: string,
): Table['primaryKey'] {
  const keyColumns = fields.filter(({ field }) => field.pk === true).map(({ field }) => field.name);
  const [index, another] = indexes.filter(({ pk }) => pk === true);
  const second = keyColumns.length > 0 ? index : another;
  if (second !== undefined)
    throw dbmlError(text, [
      {
        diagnostic: `Table ${table.name} has a second primary key`,
        start: second.token.start.offset,
      },
    ]);
  if (keyColumns.length > 0) return { columns: keyColumns };
  if (index === undefined) return undefined;
  return {
    ...optionalMember('name', index.name),
    columns: partsOf(index).flatMap((part) => part.column ?? []),
  };
}

function readColumn(field: DbmlColumn, table: string, context: DbmlContext): Column {
  const fullTypeName = qualifiedTypeName(field);
  const isSerial = /^(?:small|big)?serial$/i.test(fullTypeName);
  const read =
    fullTypeName === untypedName
      ? untyped
      : parseTypeName(fullTypeName, `${table}.${field.name}`, context);
  const note = field.note?.value;
  return {
    name: field.name,
    ...(isSerial ? { ...read, nativeType: '' } : read),
    nullable: field.not_null !== true && field.pk !== true,
    ...optionalMember('default', readDefault(field, context)),
    ...optionalMember('autoIncrement', field.increment === true || isSerial ? true : undefined),
    ...optionalMember('comment', note === '' ? undefined : note),
  };
}

const untyped: ParsedType = { type: { kind: 'untyped' }, nativeType: '' };

function qualifiedTypeName({ type }: DbmlColumn): string {
  const { schemaName, type_name: name } = type;
  return schemaName === null || schemaName === 'public' ? name : `${schemaName}.${name}`;
}

function readDefault(field: DbmlColumn, context: DbmlContext): string | undefined {
  const dbDefault = field.dbdefault;
  if (dbDefault === undefined) return undefined;
  const value = String(dbDefault.value);
  switch (dbDefault.type) {
    case 'string':
      return context.isNative ? context.types.quoteText(value) : `'${value.replaceAll("'", "''")}'`;
    case 'number':
      return exactDefault(field, context.text) ?? value;
    default:
      return value;
  }
}

function readChecks({ fields, checks }: ExpandedTable): readonly Check[] {
  return [...fields.flatMap(({ field }) => field.checks), ...checks].map(
    ({ name, expression }) => ({
      ...optionalMember('name', name),
      expression,
    }),
  );
}

function readIndexes(
  expanded: ExpandedTable,
  table: string,
  context: DbmlContext,
): readonly Index[] {
  const columnConstraints = expanded.fields
    .filter(({ field }) => field.unique === true && field.pk !== true)
    .map(({ field }): Index => constraintOn([{ column: field.name }]));
  const declaredIndexes = expanded.indexes
    .filter(({ pk }) => pk !== true)
    .map((index) => readIndex(index, table, context));
  return [...columnConstraints, ...declaredIndexes];
}

/** An unnamed UNIQUE constraint. */
function constraintOn(parts: readonly IndexPart[]): Index {
  return { name: '', unique: true, constraint: true, parts };
}

function readIndex(index: DbmlIndex, table: string, context: DbmlContext): Index {
  const parts = partsOf(index);
  const unique = index.unique === true;
  const isPlain = parts.every((part) => part.column !== undefined) && index.type === undefined;
  if (unique && index.name === undefined && isPlain) return constraintOn(parts);
  return {
    name:
      index.name ?? unusedName([table, ...parts.map(nameParts), unique ? 'key' : 'idx'], context),
    unique,
    parts,
    ...optionalMember(
      'method',
      index.type?.toLowerCase() === 'btree' ? undefined : index.type?.toLowerCase(),
    ),
    ...optionalMember('comment', index.note?.value),
  };
}

/** Sorted by position, since the parser does not keep the order of the text. */
function partsOf({ columns }: DbmlIndex): readonly IndexPart[] {
  return columns
    .toSorted((a, b) => a.token.start.offset - b.token.start.offset)
    .map(({ type, value }) => (type === 'expression' ? { expression: value } : { column: value }));
}

function nameParts({ column, expression }: IndexPart): string {
  return column ?? expression?.match(/\w+/g)?.join('_') ?? '';
}

const maxNameLength = 60;

function unusedName(words: readonly string[], { indexNames }: DbmlContext): string {
  const base = words.join('_').slice(0, maxNameLength);
  let name = base;
  for (let i = 2; indexNames.has(name); i++) name = `${base}_${i}`;
  indexNames.add(name);
  return name;
}
