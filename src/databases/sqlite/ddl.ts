import type { DdlDialect, IdentityClause } from '../../model/ddl-dialect.ts';
import type { Column, ColumnType, Table } from '../../model/schema.ts';

/** How SQLite spells structure. */
export const sqliteDdl: DdlDialect = {
  quoteName,
  quoteText,
  tableName: (table) => quoteName(table.name),
  createNamespace: () => undefined,
  createEnum: () => undefined,
  columnType: (column) => (column.autoIncrement === true ? 'INTEGER' : typeName(column.type)),
  typeCheck: (name, type) =>
    type.kind === 'enum' ? `${name} IN (${type.values.map(quoteText).join(', ')})` : undefined,
  generatedColumn: (type, { expression, stored }) =>
    `${type} GENERATED ALWAYS AS (${expression}) ${stored ? 'STORED' : 'VIRTUAL'}`.trimStart(),
  identity,
  restartIdentity: () => undefined,
  neutralDefault,
  altersKeys: false,
  deferrableKeys: true,
  columnComment: () => '',
  indexes: {
    partial: true,
    expressions: true,
    included: false,
    nullsNotDistinct: false,
    method: false,
  },
  neutralSession: { begin: [], end: [] },
  createView: () => 'CREATE VIEW',
  tableOptions: (options) =>
    ['STRICT', 'WITHOUT ROWID'].filter((name) => name in options).join(', '),
  comments: () => [],
};

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Only a rowid can be numbered: the one INTEGER column of the primary key. */
function identity(
  column: Column,
  { primaryKey }: Pick<Table, 'primaryKey'>,
): IdentityClause | undefined {
  if (primaryKey?.columns.length !== 1 || primaryKey.columns[0] !== column.name) return undefined;
  const name = primaryKey.name === undefined ? '' : `CONSTRAINT ${quoteName(primaryKey.name)} `;
  return { clause: `${name}PRIMARY KEY AUTOINCREMENT`, isPrimaryKey: true };
}

/** CURRENT_TIMESTAMP is UTC without saying so; a column with a zone gets it told. */
function neutralDefault(expression: string, type: ColumnType): string {
  const zoned = type.kind === 'timestamp' && type.zone === true;
  if (!zoned || expression.toUpperCase() !== 'CURRENT_TIMESTAMP') return expression;
  return "strftime('%Y-%m-%d %H:%M:%S+00:00', 'now')";
}

const integerNames = {
  8: 'TINYINT',
  16: 'SMALLINT',
  24: 'MEDIUMINT',
  32: 'INT',
  64: 'INTEGER',
} as const;

/** Declared types are SQLite's affinity and a reader's hint: the name that says most. */
function typeName(type: ColumnType): string {
  switch (type.kind) {
    case 'boolean':
      return 'BOOLEAN';
    case 'integer':
      return integerNames[type.bits] + (type.unsigned === true ? ' UNSIGNED' : '');
    case 'decimal':
      return `DECIMAL${sized(type.precision, type.scale)}`;
    case 'float':
      return type.bits === 32 ? 'FLOAT4' : 'REAL';
    case 'text':
      return type.length === undefined
        ? 'TEXT'
        : `${type.fixed === true ? 'CHAR' : 'VARCHAR'}${sized(type.length)}`;
    case 'uuid':
      return 'UUID';
    case 'date':
      return 'DATE';
    case 'time':
      return `${type.zone === true ? 'TIMETZ' : 'TIME'}${sized(type.precision)}`;
    case 'timestamp':
      return `${type.zone === true ? 'TIMESTAMPTZ' : 'TIMESTAMP'}${sized(type.precision)}`;
    case 'json':
    case 'array':
      return 'JSON';
    case 'binary':
      return `BLOB${sized(type.length)}`;
    case 'untyped':
      return '';
    default:
      return 'TEXT';
  }
}

function sized(...sizes: readonly (number | undefined)[]): string {
  const given = sizes.filter((size) => size !== undefined);
  return given.length === 0 ? '' : `(${given.join(',')})`;
}
