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
  /** The file says that it is of that dialect. */
  readonly isNative: boolean;
  readonly unknown: UnknownTypes;
  /** Names of indexes that are taken. */
  readonly indexNames: Set<string>;
}

/** A name in a schema; DBML's `public` is the default one, which goes without saying. */
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

/** The fields, indexes and checks of a table with those of its partials; its own come before a partial's of that name. */
export interface ExpandedTable {
  readonly table: DbmlTable;
  readonly fields: readonly InjectedField[];
  readonly indexes: readonly DbmlIndex[];
  readonly checks: readonly { readonly expression: string; readonly name?: string }[];
  readonly note: string | undefined;
}

/** `injected`: it comes from a partial, so that its inline refs are not among the file's refs. */
export interface InjectedField {
  readonly field: DbmlColumn;
  readonly isInjected: boolean;
}

/** A later partial wins over an earlier one, and the table itself over both; each stands where the text has it. */
export function expandPartials(
  table: DbmlTable,
  partials: ReadonlyMap<string, TablePartial>,
): ExpandedTable {
  const used = table.partials
    .toSorted((a, b) => b.token.start.offset - a.token.start.offset)
    .flatMap(({ name, token }) => {
      const partial = partials.get(name);
      return partial === undefined ? [] : [{ partial, offset: token.start.offset }];
    });
  const names = new Set(table.fields.map(({ name }) => name));
  const placed = table.fields.map((field) => ({
    offset: field.token.start.offset,
    fields: [{ field, isInjected: false }],
  }));
  for (const { partial, offset } of used) {
    const added = partial.fields.filter(({ name }) => !names.has(name));
    for (const { name } of added) names.add(name);
    placed.push({ offset, fields: added.map((field) => ({ field, isInjected: true })) });
  }
  return {
    table,
    fields: placed.toSorted((a, b) => a.offset - b.offset).flatMap(({ fields }) => fields),
    indexes: [...table.indexes, ...used.flatMap(({ partial }) => partial.indexes)],
    checks: [...table.checks, ...used.flatMap(({ partial }) => partial.checks)],
    note: table.note?.value ?? used.find(({ partial }) => partial.note)?.partial.note?.value,
  };
}

export function readTable(whole: ExpandedTable, reading: DbmlContext): Table {
  const names = qualifiedName(whole.table);
  const columns = whole.fields.map(({ field }) => readColumn(field, names.name, reading));
  const key = primaryKeyOf(whole, reading.text);
  return {
    ...names,
    kind: 'table',
    columns: columns.map((column) =>
      key?.columns.includes(column.name) === true ? { ...column, nullable: false } : column,
    ),
    ...optionalMember('primaryKey', key),
    indexes: readIndexes(whole, names.localName, reading),
    foreignKeys: [],
    checks: readChecks(whole),
    ...optionalMember('comment', whole.note === '' ? undefined : whole.note),
  };
}

/** Marked column by column, or told as an index. */
function primaryKeyOf(
  { table, fields, indexes }: ExpandedTable,
  text: string,
): Table['primaryKey'] {
  const marked = fields.filter(({ field }) => field.pk === true).map(({ field }) => field.name);
  const [index, another] = indexes.filter(({ pk }) => pk === true);
  const second = marked.length > 0 ? index : another;
  if (second !== undefined)
    throw dbmlError(text, [
      {
        diagnostic: `Table ${table.name} has a second primary key`,
        start: second.token.start.offset,
      },
    ]);
  if (marked.length > 0) return { columns: marked };
  if (index === undefined) return undefined;
  return {
    ...optionalMember('name', index.name),
    columns: partsOf(index).flatMap((part) => part.column ?? []),
  };
}

function readColumn(field: DbmlColumn, table: string, reading: DbmlContext): Column {
  const spelled = typeName(field);
  const isSerial = /^(?:small|big)?serial$/i.test(spelled);
  const read =
    spelled === untypedName ? untyped : parseTypeName(spelled, `${table}.${field.name}`, reading);
  const note = field.note?.value;
  return {
    name: field.name,
    ...(isSerial ? { ...read, nativeType: '' } : read),
    nullable: field.not_null !== true && field.pk !== true,
    ...optionalMember('default', readDefault(field, reading)),
    ...optionalMember('autoIncrement', field.increment === true || isSerial ? true : undefined),
    ...optionalMember('comment', note === '' ? undefined : note),
  };
}

const untyped: ParsedType = { type: { kind: 'untyped' }, nativeType: '' };

function typeName({ type }: DbmlColumn): string {
  const { schemaName, type_name: name } = type;
  return schemaName === null || schemaName === 'public' ? name : `${schemaName}.${name}`;
}

function readDefault(field: DbmlColumn, reading: DbmlContext): string | undefined {
  const preset = field.dbdefault;
  if (preset === undefined) return undefined;
  const value = String(preset.value);
  switch (preset.type) {
    case 'string':
      return reading.isNative ? reading.types.quoteText(value) : `'${value.replaceAll("'", "''")}'`;
    case 'number':
      return exactDefault(field, reading.text) ?? value;
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

function readIndexes(whole: ExpandedTable, table: string, reading: DbmlContext): readonly Index[] {
  const ofColumns = whole.fields
    .filter(({ field }) => field.unique === true && field.pk !== true)
    .map(({ field }): Index => constraintOn([{ column: field.name }]));
  const told = whole.indexes
    .filter(({ pk }) => pk !== true)
    .map((index) => readIndex(index, table, reading));
  return [...ofColumns, ...told];
}

/** UNIQUE without a name. */
function constraintOn(parts: readonly IndexPart[]): Index {
  return { name: '', unique: true, constraint: true, parts };
}

function readIndex(index: DbmlIndex, table: string, reading: DbmlContext): Index {
  const parts = partsOf(index);
  const unique = index.unique === true;
  const isPlain = parts.every((part) => part.column !== undefined) && index.type === undefined;
  if (unique && index.name === undefined && isPlain) return constraintOn(parts);
  return {
    name: index.name ?? freeName([table, ...parts.map(wordsOf), unique ? 'key' : 'idx'], reading),
    unique,
    parts,
    ...optionalMember(
      'method',
      index.type?.toLowerCase() === 'btree' ? undefined : index.type?.toLowerCase(),
    ),
    ...optionalMember('comment', index.note?.value),
  };
}

/** In the order of the text, which the parser does not keep. */
function partsOf({ columns }: DbmlIndex): readonly IndexPart[] {
  return columns
    .toSorted((a, b) => a.token.start.offset - b.token.start.offset)
    .map(({ type, value }) => (type === 'expression' ? { expression: value } : { column: value }));
}

function wordsOf({ column, expression }: IndexPart): string {
  return column ?? expression?.match(/\w+/g)?.join('_') ?? '';
}

const longestName = 60;

function freeName(words: readonly string[], { indexNames }: DbmlContext): string {
  const base = words.join('_').slice(0, longestName);
  let name = base;
  for (let i = 2; indexNames.has(name); i++) name = `${base}_${i}`;
  indexNames.add(name);
  return name;
}
