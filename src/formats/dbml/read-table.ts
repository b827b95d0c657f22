import { known } from '../read-data-type.ts';
import { typeOfText } from '../type-of-text.ts';
import { noType } from './spell.ts';
import { dbmlFailure } from './parse-dbml.ts';
import { exactDefault } from './exact-numbers.ts';
import type {
  Column as DbmlColumn,
  Index as DbmlIndex,
  Table as DbmlTable,
  TablePartial,
} from '@dbml/parse';
import type { Check, Column, EnumType, Index, IndexPart, Table } from '../../model/schema.ts';
import type { TypeReader } from '../schema-reading.ts';
import type { TextType, UnknownTypes } from '../type-of-text.ts';

export interface DbmlReading {
  readonly text: string;
  readonly partials: ReadonlyMap<string, TablePartial>;
  readonly enums: readonly EnumType[];
  readonly types: TypeReader;
  /** The file says that it is of that dialect. */
  readonly native: boolean;
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
export interface WholeTable {
  readonly table: DbmlTable;
  readonly fields: readonly InjectedField[];
  readonly indexes: readonly DbmlIndex[];
  readonly checks: readonly { readonly expression: string; readonly name?: string }[];
  readonly note: string | undefined;
}

/** `injected`: it comes from a partial, so that its inline refs are not among the file's refs. */
export interface InjectedField {
  readonly field: DbmlColumn;
  readonly injected: boolean;
}

/** A later partial wins over an earlier one, and the table itself over both; each stands where the text has it. */
export function wholeTable(
  table: DbmlTable,
  partials: ReadonlyMap<string, TablePartial>,
): WholeTable {
  const used = table.partials
    .toSorted((a, b) => b.token.start.offset - a.token.start.offset)
    .flatMap(({ name, token }) => {
      const partial = partials.get(name);
      return partial === undefined ? [] : [{ partial, offset: token.start.offset }];
    });
  const names = new Set(table.fields.map(({ name }) => name));
  const placed = table.fields.map((field) => ({
    offset: field.token.start.offset,
    fields: [{ field, injected: false }],
  }));
  for (const { partial, offset } of used) {
    const added = partial.fields.filter(({ name }) => !names.has(name));
    for (const { name } of added) names.add(name);
    placed.push({ offset, fields: added.map((field) => ({ field, injected: true })) });
  }
  return {
    table,
    fields: placed.toSorted((a, b) => a.offset - b.offset).flatMap(({ fields }) => fields),
    indexes: [...table.indexes, ...used.flatMap(({ partial }) => partial.indexes)],
    checks: [...table.checks, ...used.flatMap(({ partial }) => partial.checks)],
    note: table.note?.value ?? used.find(({ partial }) => partial.note)?.partial.note?.value,
  };
}

export function readTable(whole: WholeTable, reading: DbmlReading): Table {
  const names = qualifiedName(whole.table);
  const columns = whole.fields.map(({ field }) => readColumn(field, names.name, reading));
  const key = primaryKeyOf(whole, reading.text);
  return {
    ...names,
    kind: 'table',
    columns: columns.map((column) =>
      key?.columns.includes(column.name) === true ? { ...column, nullable: false } : column,
    ),
    ...known('primaryKey', key),
    indexes: readIndexes(whole, names.localName, reading),
    foreignKeys: [],
    checks: readChecks(whole),
    ...known('comment', whole.note === '' ? undefined : whole.note),
  };
}

/** Marked column by column, or told as an index. */
function primaryKeyOf({ table, fields, indexes }: WholeTable, text: string): Table['primaryKey'] {
  const marked = fields.filter(({ field }) => field.pk === true).map(({ field }) => field.name);
  const [index, another] = indexes.filter(({ pk }) => pk === true);
  const second = marked.length > 0 ? index : another;
  if (second !== undefined)
    throw dbmlFailure(text, [
      {
        diagnostic: `Table ${table.name} has a second primary key`,
        start: second.token.start.offset,
      },
    ]);
  if (marked.length > 0) return { columns: marked };
  if (index === undefined) return undefined;
  return {
    ...known('name', index.name),
    columns: partsOf(index).flatMap((part) => part.column ?? []),
  };
}

function readColumn(field: DbmlColumn, table: string, reading: DbmlReading): Column {
  const spelled = typeName(field);
  const isSerial = /^(?:small|big)?serial$/i.test(spelled);
  const read =
    spelled === noType ? untyped : typeOfText(spelled, `${table}.${field.name}`, reading);
  const note = field.note?.value;
  return {
    name: field.name,
    ...(isSerial ? { ...read, nativeType: '' } : read),
    nullable: field.not_null !== true && field.pk !== true,
    ...known('default', readDefault(field, reading)),
    ...known('autoIncrement', field.increment === true || isSerial ? true : undefined),
    ...known('comment', note === '' ? undefined : note),
  };
}

const untyped: TextType = { type: { kind: 'untyped' }, nativeType: '' };

function typeName({ type }: DbmlColumn): string {
  const { schemaName, type_name: name } = type;
  return schemaName === null || schemaName === 'public' ? name : `${schemaName}.${name}`;
}

function readDefault(field: DbmlColumn, reading: DbmlReading): string | undefined {
  const preset = field.dbdefault;
  if (preset === undefined) return undefined;
  const value = String(preset.value);
  switch (preset.type) {
    case 'string':
      return reading.native ? reading.types.quoteText(value) : `'${value.replaceAll("'", "''")}'`;
    case 'number':
      return exactDefault(field, reading.text) ?? value;
    default:
      return value;
  }
}

function readChecks({ fields, checks }: WholeTable): readonly Check[] {
  return [...fields.flatMap(({ field }) => field.checks), ...checks].map(
    ({ name, expression }) => ({
      ...known('name', name),
      expression,
    }),
  );
}

function readIndexes(whole: WholeTable, table: string, reading: DbmlReading): readonly Index[] {
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

function readIndex(index: DbmlIndex, table: string, reading: DbmlReading): Index {
  const parts = partsOf(index);
  const unique = index.unique === true;
  const isPlain = parts.every((part) => part.column !== undefined) && index.type === undefined;
  if (unique && index.name === undefined && isPlain) return constraintOn(parts);
  return {
    name: index.name ?? freeName([table, ...parts.map(wordsOf), unique ? 'key' : 'idx'], reading),
    unique,
    parts,
    ...known(
      'method',
      index.type?.toLowerCase() === 'btree' ? undefined : index.type?.toLowerCase(),
    ),
    ...known('comment', index.note?.value),
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

function freeName(words: readonly string[], { indexNames }: DbmlReading): string {
  const base = words.join('_').slice(0, longestName);
  let name = base;
  for (let i = 2; indexNames.has(name); i++) name = `${base}_${i}`;
  indexNames.add(name);
  return name;
}
