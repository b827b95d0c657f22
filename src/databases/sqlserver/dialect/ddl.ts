import { decimalSize } from '../../../sql/decimal-size.ts';
import { readNumbering } from '../../../sql/numbering.ts';
import type {
  DdlDialect,
  IdentityClause,
  IdentityTable,
  TableNames,
} from '../../../model/ddl-dialect.ts';
import type { Column, ColumnType, Index, Table } from '../../../model/schema.ts';

/** Writes DDL for SQL Server. */
export const sqlserverDdl: DdlDialect = {
  productNames: ['SQL Server', 'MSSQL', 'sqlserver'],
  nameLimit: { length: 128, unit: 'characters' },
  terminator: ';\nGO\n',
  quoteName,
  quoteText,
  tableName,
  // CREATE SCHEMA must be the only statement of its batch, hence EXEC.
  createNamespace: (name) =>
    `IF SCHEMA_ID(${quoteText(name)}) IS NULL EXEC (${quoteText(`CREATE SCHEMA ${quoteName(name)}`)})`,
  createEnum: () => [],
  statementsBeforeTables: () => [],
  statementsAfterTables: () => [],
  refreshView: () => undefined,
  columnType,
  nativeType,
  nativeDefault: (expression) => (/^\(.*\)$/s.test(expression) ? expression : `(${expression})`),
  onUpdate: () => undefined,
  invisibleColumn: '',
  unversionedColumn: '',
  notEnforced: undefined,
  nullable: 'NULL',
  // NULL is not allowed for a computed column, and NOT NULL only for a persisted one.
  allowsGeneratedNotNull: () => false,
  // The server stores IN as a list of comparisons, too.
  typeCheck: (name, type) =>
    type.kind === 'enum'
      ? type.values.map((value) => `${name} = ${quoteText(value)}`).join(' OR ')
      : undefined,
  generatedColumn: (_type, { expression, stored }) =>
    `AS (${expression})${stored ? ' PERSISTED' : ''}`,
  identityClause: identity,
  neutralDefault,
  canAddForeignKeys: true,
  supportsDeferrableKeys: false,
  defaultForeignKeyAction: 'no action',
  // Without deferred constraints, RESTRICT equals NO ACTION.
  foreignKeyAction: (action, nullable) => {
    if (action === 'set null' && !nullable) return undefined;
    return action === 'restrict' ? 'no action' : action;
  },
  allowsMultipleCascadePaths: false,
  canReference: (from, to) => typeName(from) === typeName(to),
  // A primary key has at most 900 bytes, with two bytes per character.
  maxKeyTextLength: (columns) => Math.floor(450 / columns),
  maxRowTextLength: undefined,
  isIndexable: (type) =>
    !typeName(type).endsWith('(max)') || type.kind === 'text' || type.kind === 'binary',
  columnComment: () => '',
  allowsNoColumns: false,
  maxColumns: 1024,
  supportsComments: true,
  columnSupport: {
    unsigned: (bits) => bits === 8,
    setTypes: false,
    secondDigits: 7,
    offsets: true,
    lastZonedYear: undefined,
    decimals: { precision: 38, scale: 38 },
    virtual: true,
    expressionsOnIdentity: true,
    expressionsOnChangedKeys: true,
  },
  indexSupport: {
    partial: true,
    expressions: false,
    included: true,
    nullsNotDistinct: false,
    prefixes: false,
    nullsAreEqual: true,
    inline: false,
    keywords: ({ method }: Index) => (method === undefined ? { before: '', using: '' } : undefined),
  },
  neutralSession: { begin: [], end: [] },
  createView: () => ({ create: 'CREATE VIEW', options: '', check: '' }),
  createVirtual: () => undefined,
  columnChecks: false,
  tableModifier: () => '',
  tableConstraints: () => '',
  renderedOptions: [],
  tableOptions: () => '',
  ddlUndo: undefined,
  comments,
};

function quoteName(name: string): string {
  return `[${name.replaceAll(']', ']]')}]`;
}

/** Without N the text would be converted to the database's code page. */
function quoteText(text: string): string {
  return `N'${text.replaceAll("'", "''")}'`;
}

function tableName({ localName, namespace }: Pick<TableNames, 'localName' | 'namespace'>): string {
  return namespace === undefined
    ? quoteName(localName)
    : `${quoteName(namespace)}.${quoteName(localName)}`;
}

/** A table has at most one identity column. Other server-filled columns only have `identityAlways`. */
function identity(column: Column, { columns }: IdentityTable): IdentityClause | undefined {
  const first = columns.find(({ autoIncrement }) => autoIncrement === true);
  if (column.autoIncrement !== true || first !== column) return undefined;
  const { start, step } = readNumbering(column.numbering);
  return { clause: `IDENTITY(${start},${step})`, isPrimaryKey: false };
}

/** Alias types (written in brackets) exist only in their own database. */
function nativeType({ type, nativeType: sqlTypeName }: Column): string | undefined {
  return sqlTypeName === '' || sqlTypeName.startsWith('[') || type.kind === 'enum'
    ? undefined
    : sqlTypeName;
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

/** Statements may omit the default schema, but calls of sp_addextendedproperty may not. */
function comments(table: Table): string[] {
  const kind = table.kind === 'table' ? 'TABLE' : 'VIEW';
  const propertyLevels = `N'SCHEMA', @schema, N'${kind}', ${quoteText(table.localName)}`;
  const commentStatements = (comment: string | undefined, column?: string): string[] =>
    comment === undefined
      ? []
      : [
          `BEGIN DECLARE @schema sysname = ${table.namespace === undefined ? 'SCHEMA_NAME()' : quoteText(table.namespace)}; ` +
            `EXEC sys.sp_addextendedproperty N'MS_Description', ${quoteText(comment)}, ${propertyLevels}` +
            `${column === undefined ? '' : `, N'COLUMN', ${quoteText(column)}`} END`,
        ];
  return [
    ...commentStatements(table.comment),
    ...table.columns.flatMap((column) => commentStatements(column.comment, column.name)),
  ];
}

/** An identity column must be an integer or a decimal with scale 0. */
function columnType({ type, autoIncrement }: Pick<Column, 'type' | 'autoIncrement'>): string {
  const isInteger = type.kind === 'integer' || (type.kind === 'decimal' && type.scale === 0);
  return autoIncrement === true && !isInteger ? 'bigint' : typeName(type);
}

type Decimal = Extract<ColumnType, { kind: 'decimal' }>;
type Clock = Extract<ColumnType, { kind: 'time' | 'timestamp' }>;

const maxTextLength = 4000;
const maxBinaryLength = 8000;

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
      return sized('n', 'char', { ...type, maxLength: maxTextLength });
    case 'binary':
      return sized('', 'binary', { ...type, maxLength: maxBinaryLength });
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
      return type.length === undefined || type.length > maxBinaryLength
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

const maxDigits = 38;
const defaultScale = 10;

/** Without a precision, uses the maximum precision with a scale that suits most values. */
function decimalName(type: Decimal): string {
  const { precision, scale } = decimalSize(type) ?? { precision: maxDigits, scale: defaultScale };
  const digits = Math.min(precision, maxDigits);
  return `decimal(${digits},${Math.min(scale, digits)})`;
}

interface Size {
  readonly length?: number;
  readonly fixed?: boolean;
  readonly maxLength: number;
}

function sized(prefix: string, name: string, { length, fixed, maxLength }: Size): string {
  if (length === undefined || length > maxLength) return `${prefix}var${name}(max)`;
  return `${prefix}${fixed === true ? '' : 'var'}${name}(${Math.max(1, length)})`;
}

const finestPrecision = 7;

function precisionOf({ precision }: Clock): number {
  return Math.min(precision ?? finestPrecision, finestPrecision);
}
