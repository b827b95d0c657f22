import type { DdlDialect, IdentityClause, TableNames } from '../../model/ddl-dialect.ts';
import type { Column, ColumnType, Table } from '../../model/schema.ts';

/** How SQL Server spells structure. */
export const sqlserverDdl: DdlDialect = {
  quoteName,
  quoteText,
  tableName,
  // CREATE SCHEMA stands alone in its batch.
  createNamespace: (name) =>
    `IF SCHEMA_ID(${quoteText(name)}) IS NULL EXEC (${quoteText(`CREATE SCHEMA ${quoteName(name)}`)})`,
  createEnum: () => undefined,
  columnType,
  // As the server itself keeps what is written with IN.
  typeCheck: (name, type) =>
    type.kind === 'enum'
      ? type.values.map((value) => `${name} = ${quoteText(value)}`).join(' OR ')
      : undefined,
  generatedColumn: (_type, { expression, stored }) =>
    `AS (${expression})${stored ? ' PERSISTED' : ''}`,
  identity: (): IdentityClause => ({ clause: 'IDENTITY(1,1)', isPrimaryKey: false }),
  restartIdentity: () => undefined,
  neutralDefault,
  altersKeys: true,
  deferrableKeys: false,
  columnComment: () => '',
  indexes: {
    partial: true,
    expressions: false,
    included: true,
    nullsNotDistinct: false,
    method: false,
  },
  neutralSession: { begin: [], end: [] },
  createView: () => 'CREATE VIEW',
  tableOptions: () => '',
  comments,
};

function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/** With N, or its characters would be those of the database's code page. */
function quoteText(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`;
}

function tableName({ localName, namespace }: Pick<TableNames, 'localName' | 'namespace'>): string {
  return namespace === undefined
    ? quoteName(localName)
    : `${quoteName(namespace)}.${quoteName(localName)}`;
}

const constants: Readonly<Record<string, string>> = {
  true: '1',
  false: '0',
  current_date: 'CAST(SYSDATETIME() AS date)',
  current_time: 'CAST(SYSDATETIME() AS time)',
};

function neutralDefault(expression: string, type: ColumnType): string {
  const name = expression.toLowerCase();
  if (name === 'current_timestamp' && type.kind === 'timestamp')
    return type.zone === true ? 'SYSDATETIMEOFFSET()' : 'SYSDATETIME()';
  return (
    constants[name] ??
    expression.replaceAll(/'(?:[^']|'')*'|\|\|/g, (part) => (part === '||' ? '+' : `N${part}`))
  );
}

/** The names of the schema's own default go without saying in a statement, but not in a call. */
function comments(table: Table): string[] {
  const kind = table.kind === 'table' ? 'TABLE' : 'VIEW';
  const place = `N'SCHEMA', @schema, N'${kind}', ${quoteText(table.localName)}`;
  const about = (comment: string | undefined, column?: string): string[] =>
    comment === undefined
      ? []
      : [
          `BEGIN DECLARE @schema sysname = ${table.namespace === undefined ? 'SCHEMA_NAME()' : quoteText(table.namespace)}; ` +
            `EXEC sys.sp_addextendedproperty N'MS_Description', ${quoteText(comment)}, ${place}` +
            `${column === undefined ? '' : `, N'COLUMN', ${quoteText(column)}`} END`,
        ];
  return [
    ...about(table.comment),
    ...table.columns.flatMap((column) => about(column.comment, column.name)),
  ];
}

/** An identity is an integer or a decimal without places. */
function columnType({ type, autoIncrement }: Pick<Column, 'type' | 'autoIncrement'>): string {
  const isInteger = type.kind === 'integer' || (type.kind === 'decimal' && type.scale === 0);
  return autoIncrement === true && !isInteger ? 'bigint' : typeName(type);
}

type Decimal = Extract<ColumnType, { kind: 'decimal' }>;
type Clock = Extract<ColumnType, { kind: 'time' | 'timestamp' }>;

const longestText = 4000;
const longestBinary = 8000;

function typeName(type: ColumnType): string {
  switch (type.kind) {
    case 'boolean':
      return 'bit';
    case 'integer':
      return (type.unsigned === true ? unsignedNames : integerNames)[type.bits];
    case 'decimal':
      return decimalName(type);
    case 'float':
      return type.bits === 32 ? 'real' : 'float';
    case 'text':
      return sized('n', 'char', { ...type, most: longestText });
    case 'binary':
      return sized('', 'binary', { ...type, most: longestBinary });
    case 'enum':
      return `nvarchar(${Math.max(1, ...type.values.map((value) => value.length))})`;
    case 'uuid':
      return 'uniqueidentifier';
    case 'date':
      return 'date';
    case 'time':
      return `time(${precisionOf(type)})`;
    case 'timestamp':
      return `${type.zone === true ? 'datetimeoffset' : 'datetime2'}(${precisionOf(type)})`;
    case 'interval':
      return 'nvarchar(100)';
    case 'bits':
      return type.length === undefined || type.length > longestBinary
        ? 'varchar(max)'
        : `varchar(${type.length})`;
    default:
      return 'nvarchar(max)';
  }
}

const integerNames = { 8: 'smallint', 16: 'smallint', 24: 'int', 32: 'int', 64: 'bigint' } as const;
const unsignedNames = {
  8: 'tinyint',
  16: 'int',
  24: 'int',
  32: 'bigint',
  64: 'decimal(20,0)',
} as const;

const mostDigits = 38;
const usualScale = 10;

/** Where nothing says what it is to hold, much before the point and enough behind it. */
function decimalName({ precision, scale = 0 }: Decimal): string {
  if (precision === undefined) return `decimal(${mostDigits},${usualScale})`;
  const digits = Math.min(precision, mostDigits);
  return `decimal(${digits},${Math.min(scale, digits)})`;
}

interface Size {
  readonly length?: number;
  readonly fixed?: boolean;
  readonly most: number;
}

function sized(prefix: string, name: string, { length, fixed, most }: Size): string {
  if (length === undefined || length > most) return `${prefix}var${name}(max)`;
  return `${prefix}${fixed === true ? '' : 'var'}${name}(${Math.max(1, length)})`;
}

const finestPrecision = 7;

function precisionOf({ precision }: Clock): number {
  return Math.min(precision ?? finestPrecision, finestPrecision);
}
