import { formatQualifiedName } from './syntax.ts';
import type { Column, ColumnType, EnumType, Schema, Table } from '../../model/schema.ts';

export interface DbmlEnum {
  /** As in DBML: quoted, and qualified by its schema if that is not the default. */
  readonly name: string;
  readonly values: readonly string[];
}

export interface DbmlEnums {
  readonly all: readonly DbmlEnum[];
  /** The enum of a column's type; undefined for other types. */
  ofColumn(column: Column): DbmlEnum | undefined;
}

type Values = Extract<ColumnType, { kind: 'enum' }>;

/** The enums of the schema, and a generated one for each column whose enum type has no name. */
export function createEnums(schema: Schema): DbmlEnums {
  const home = defaultNamespace(schema);
  const namedEnums = schema.enums
    .filter(hasValues)
    .map((type) => ({ type, written: writtenEnum(type, home) }));
  const takenNames = new Set(namedEnums.map(({ type }) => type.name.toLowerCase()));
  const columns = new Map<Column, DbmlEnum>();
  const unnamed: DbmlEnum[] = [];
  for (const { table, column, type } of enumColumns(schema)) {
    const enumType = namedEnums.find((candidate) => isSame(candidate.type, type))?.written;
    const written = enumType ?? { name: freeName(table, column, takenNames), values: type.values };
    if (enumType === undefined) unnamed.push(written);
    columns.set(column, written);
  }
  return {
    all: [...namedEnums.map(({ written }) => written), ...unnamed],
    ofColumn: (column) => columns.get(column),
  };
}

/** The namespace whose tables are named without it. */
export function defaultNamespace({ tables }: Schema): string | undefined {
  return tables.find(({ name, localName }) => name === localName)?.namespace;
}

/** DBML requires a value. */
function hasValues({ values }: Pick<EnumType, 'values'>): boolean {
  return values.length > 0;
}

function writtenEnum({ name, namespace, values }: EnumType, home: string | undefined): DbmlEnum {
  const elsewhere = namespace === home ? undefined : namespace;
  return { name: formatQualifiedName({ localName: name, namespace: elsewhere }), values };
}

interface EnumColumn {
  readonly table: Table;
  readonly column: Column;
  readonly type: Values;
}

function enumColumns({ tables }: Schema): readonly EnumColumn[] {
  return tables.flatMap((table) =>
    table.columns.flatMap((column) =>
      column.type.kind === 'enum' && hasValues(column.type)
        ? [{ table, column, type: column.type }]
        : [],
    ),
  );
}

function isSame(enumType: EnumType, type: Values): boolean {
  return (
    enumType.name === type.name &&
    enumType.values.length === type.values.length &&
    enumType.values.every((value, i) => value === type.values[i])
  );
}

function freeName(table: Table, column: Column, takenNames: Set<string>): string {
  const base = `${table.localName}_${column.name}`;
  let name = base;
  for (let i = 2; takenNames.has(name.toLowerCase()); i++) name = `${base}_${i}`;
  takenNames.add(name.toLowerCase());
  return formatQualifiedName({ localName: name });
}
