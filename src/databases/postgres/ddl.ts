import type { DdlDialect, IdentityClause, TableNames } from '../../model/ddl-dialect.ts';
import type { Column, ColumnType, EnumType, Generated, Table } from '../../model/schema.ts';

/** How PostgreSQL spells structure. */
export const postgresDdl: DdlDialect = {
  quoteName,
  quoteText,
  tableName,
  createNamespace: (name) => `CREATE SCHEMA IF NOT EXISTS ${quoteName(name)}`,
  createEnum,
  columnType,
  typeCheck: (name, type) =>
    type.kind === 'enum' && type.name === undefined
      ? `${name} IN (${texts(type.values)})`
      : undefined,
  generatedColumn,
  identity,
  restartIdentity: (table, column, next) =>
    `ALTER TABLE ${tableName(table)} ALTER COLUMN ${quoteName(column)} RESTART WITH ${next}`,
  neutralDefault: (expression) => expression,
  altersKeys: true,
  deferrableKeys: true,
  columnComment: () => '',
  indexes: {
    partial: true,
    expressions: true,
    included: true,
    nullsNotDistinct: true,
    method: true,
  },
  neutralSession: { begin: [], end: [] },
  createView: (kind) => (kind === 'materialized_view' ? 'CREATE MATERIALIZED VIEW' : 'CREATE VIEW'),
  tableOptions: () => '',
  comments,
};

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

function texts(values: readonly string[]): string {
  return values.map(quoteText).join(', ');
}

function tableName({ localName, namespace }: Pick<TableNames, 'localName' | 'namespace'>): string {
  return namespace === undefined
    ? quoteName(localName)
    : `${quoteName(namespace)}.${quoteName(localName)}`;
}

function createEnum({ name, namespace, values }: EnumType): string {
  const qualified = namespace === undefined ? { localName: name } : { localName: name, namespace };
  return `CREATE TYPE ${tableName(qualified)} AS ENUM (${texts(values)})`;
}

/** Before version 18 every generated column was stored, so a neutral one is. */
function generatedColumn(type: string, { expression, stored }: Generated, native: boolean): string {
  return `${type} GENERATED ALWAYS AS (${expression}) ${stored || !native ? 'STORED' : 'VIRTUAL'}`;
}

function identity(column: Column): IdentityClause {
  const when = column.identityAlways === true ? 'ALWAYS' : 'BY DEFAULT';
  return { clause: `GENERATED ${when} AS IDENTITY`, isPrimaryKey: false };
}

function comments(table: Table): string[] {
  const name = tableName(table);
  const kind = { table: 'TABLE', view: 'VIEW', materialized_view: 'MATERIALIZED VIEW' }[table.kind];
  const about = (what: string, comment: string | undefined): string[] =>
    comment === undefined ? [] : [`COMMENT ON ${what} IS ${quoteText(comment)}`];
  return [
    ...about(`${kind} ${name}`, table.comment),
    ...table.columns.flatMap((column) =>
      about(`COLUMN ${name}.${quoteName(column.name)}`, column.comment),
    ),
    ...table.indexes.flatMap((index) =>
      about(`INDEX ${tableName({ ...table, localName: index.name })}`, index.comment),
    ),
  ];
}

/** An identity is one of the three integers, also where its column's neutral type asks for a numeric. */
function columnType({ type, autoIncrement }: Pick<Column, 'type' | 'autoIncrement'>): string {
  const name = typeName(type);
  return autoIncrement === true && name.startsWith('numeric') ? 'bigint' : name;
}

type Integer = Extract<ColumnType, { kind: 'integer' }>;
type Text = Extract<ColumnType, { kind: 'text' }>;
type Clock = Extract<ColumnType, { kind: 'time' | 'timestamp' }>;
type Bits = Extract<ColumnType, { kind: 'bits' }>;

function typeName(type: ColumnType): string {
  switch (type.kind) {
    case 'integer':
      return integerName(type);
    case 'decimal':
      return `numeric${sized(type.precision, type.scale)}`;
    case 'float':
      return type.bits === 32 ? 'real' : 'double precision';
    case 'text':
      return textName(type);
    case 'enum':
      return type.name === undefined ? 'text' : quoteName(type.name);
    case 'time':
    case 'timestamp':
      return clockName(type);
    case 'json':
      return type.binary === true ? 'jsonb' : 'json';
    case 'binary':
      return 'bytea';
    case 'bits':
      return bitsName(type);
    case 'array':
      return `${typeName(type.of)}[]`;
    case 'boolean':
    case 'uuid':
    case 'date':
    case 'interval':
      return type.kind;
    default:
      return 'text';
  }
}

const integerNames = {
  8: 'smallint',
  16: 'smallint',
  24: 'integer',
  32: 'integer',
  64: 'bigint',
} as const;
const unsignedNames = {
  8: 'smallint',
  16: 'integer',
  24: 'integer',
  32: 'bigint',
  64: 'numeric(20,0)',
} as const;

function integerName({ bits, unsigned }: Integer): string {
  return (unsigned === true ? unsignedNames : integerNames)[bits];
}

const longestVarchar = 10_485_760;

function textName({ length, fixed }: Text): string {
  if (length === undefined || length > longestVarchar) return 'text';
  return `${fixed === true ? 'character' : 'character varying'}(${length})`;
}

const finestPrecision = 6;

function clockName({ kind, precision, zone }: Clock): string {
  const digits = precision === undefined ? undefined : Math.min(precision, finestPrecision);
  return `${kind}${sized(digits)}${zone === true ? ' with time zone' : ''}`;
}

function bitsName({ length, varying }: Bits): string {
  return `${varying === true ? 'bit varying' : 'bit'}${sized(length)}`;
}

function sized(...sizes: readonly (number | undefined)[]): string {
  const given = sizes.filter((size) => size !== undefined);
  return given.length === 0 ? '' : `(${given.join(',')})`;
}
