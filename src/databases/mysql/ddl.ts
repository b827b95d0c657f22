import type { DdlDialect, IdentityClause, TableNames } from '../../model/ddl-dialect.ts';
import type { Column, ColumnType, Table } from '../../model/schema.ts';

/** How MySQL and MariaDB spell structure. */
export const mysqlDdl: DdlDialect = {
  quoteName,
  quoteText,
  tableName,
  // Its namespaces are databases, which the studio makes none of.
  createNamespace: () => undefined,
  createEnum: () => undefined,
  columnType,
  typeCheck: () => undefined,
  generatedColumn: (type, { expression, stored }) =>
    `${type} GENERATED ALWAYS AS (${expression}) ${stored ? 'STORED' : 'VIRTUAL'}`,
  identity,
  restartIdentity: () => undefined,
  neutralDefault,
  altersKeys: true,
  deferrableKeys: false,
  columnComment: (comment) => `COMMENT ${quoteText(comment)}`,
  indexes: {
    partial: false,
    expressions: false,
    included: false,
    nullsNotDistinct: false,
    method: false,
  },
  // There `||` is OR unless it is told otherwise; what is stored has been read by then.
  neutralSession: {
    begin: ["SET @studio_sql_mode = @@sql_mode, sql_mode = CONCAT(@@sql_mode, ',PIPES_AS_CONCAT')"],
    end: ['SET sql_mode = @studio_sql_mode'],
  },
  createView: () => 'CREATE VIEW',
  tableOptions,
  comments: (table) =>
    table.kind !== 'table' || table.comment === undefined
      ? []
      : [`ALTER TABLE ${tableName(table)} COMMENT = ${quoteText(table.comment)}`],
};

export function quoteName(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`;
}

function tableName({ localName, namespace }: TableNames): string {
  return namespace === undefined
    ? quoteName(localName)
    : `${quoteName(namespace)}.${quoteName(localName)}`;
}

/** AUTO_INCREMENT takes a column that is the first of a key. */
function identity({ name }: Column, { primaryKey }: Pick<Table, 'primaryKey'>): IdentityClause {
  const isFirst = primaryKey?.columns[0] === name;
  return { clause: isFirst ? 'AUTO_INCREMENT' : 'AUTO_INCREMENT UNIQUE', isPrimaryKey: false };
}

const optionOrder = ['ENGINE', 'ROW_FORMAT', 'COLLATE'];

function tableOptions(options: Readonly<Record<string, string>>): string {
  return optionOrder
    .flatMap((name) => (options[name] === undefined ? [] : [`${name}=${options[name]}`]))
    .join(' ');
}

const namesOfNow = /^current_(?:timestamp|date|time)$/i;

/** Whatever is no plain literal, and any default of a type without a length, stands in brackets. */
function neutralDefault(expression: string, type: ColumnType): string {
  if (namesOfNow.test(expression) && type.kind === 'timestamp')
    return `CURRENT_TIMESTAMP(${precisionOf(type)})`;
  if (namesOfNow.test(expression)) return `(${expression})`;
  return /(?:text|blob|json)$/.test(typeName(type)) && expression.startsWith("'")
    ? `(${expression})`
    : expression;
}

function columnType({ type, autoIncrement }: Pick<Column, 'type' | 'autoIncrement'>): string {
  return autoIncrement === true && type.kind !== 'integer' ? 'bigint' : typeName(type);
}

const integerNames = {
  8: 'tinyint',
  16: 'smallint',
  24: 'mediumint',
  32: 'int',
  64: 'bigint',
} as const;

/** In characters of up to four bytes, a row holds 65,535 bytes. */
const longestVarchar = 16_383;
const longestVarbinary = 65_532;
const longestFixed = 255;

type Clock = Extract<ColumnType, { kind: 'time' | 'timestamp' }>;

function typeName(type: ColumnType): string {
  switch (type.kind) {
    case 'boolean':
      return 'tinyint(1)';
    case 'integer':
      return integerNames[type.bits] + (type.unsigned === true ? ' unsigned' : '');
    case 'decimal':
      return decimalName(type);
    case 'float':
      return type.bits === 32 ? 'float' : 'double';
    case 'text':
      return textName(type);
    case 'enum':
    case 'set':
      return `${type.kind}(${type.values.map(quoteText).join(', ')})`;
    case 'uuid':
      return 'char(36)';
    case 'date':
      return 'date';
    case 'time':
      return `time(${precisionOf(type)})`;
    case 'timestamp':
      return `${type.zone === true ? 'timestamp' : 'datetime'}(${precisionOf(type)})`;
    case 'interval':
      return 'varchar(255)';
    case 'json':
    case 'array':
      return 'json';
    case 'binary':
      return binaryName(type);
    case 'bits':
      return bitsName(type);
    default:
      return 'longtext';
  }
}

/** The most that a decimal holds, when nothing says what it is to hold. */
function decimalName({ precision, scale }: Extract<ColumnType, { kind: 'decimal' }>): string {
  if (precision === undefined) return 'decimal(65,30)';
  return `decimal(${Math.min(precision, 65)},${Math.min(scale ?? 0, 30)})`;
}

function textName({ length, fixed }: Extract<ColumnType, { kind: 'text' }>): string {
  if (length === undefined || length > longestVarchar) return 'longtext';
  return fixed === true && length <= longestFixed ? `char(${length})` : `varchar(${length})`;
}

function binaryName({ length, fixed }: Extract<ColumnType, { kind: 'binary' }>): string {
  if (length === undefined || length > longestVarbinary) return 'longblob';
  return fixed === true && length <= longestFixed ? `binary(${length})` : `varbinary(${length})`;
}

function bitsName({ length = 1, varying }: Extract<ColumnType, { kind: 'bits' }>): string {
  if (varying !== true && length <= 64) return `bit(${length})`;
  return length <= longestVarchar ? `varchar(${length})` : 'longtext';
}

const finestPrecision = 6;

function precisionOf({ precision }: Clock): number {
  return Math.min(precision ?? finestPrecision, finestPrecision);
}
