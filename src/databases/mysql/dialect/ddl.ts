import { StudioError } from '../../../model/errors.ts';
import { decimalSize } from '../../../sql/decimal-size.ts';
import { codeOf } from '../../../portable/lexer/code.ts';
import { mysqlLexicalRules } from '../language/lexical-rules.ts';
import { isRowTime, temporalConstraints, versioningClause } from './temporal-tables.ts';
import { referenceSystemOf } from './types.ts';
import { transactionalTable } from './transactional-table.ts';
import { undoingWith } from './undoing.ts';
import type {
  DdlDialect,
  IdentityClause,
  IdentityTable,
  IndexKeywords,
  TableNames,
  ViewSyntax,
} from '../../../model/ddl-dialect.ts';
import type {
  Column,
  ColumnKind,
  ColumnType,
  Generated,
  Index,
  Table,
} from '../../../model/schema.ts';

/** Writes DDL for MySQL and MariaDB. */
export const mysqlDdl: DdlDialect = {
  productNames: ['MySQL', 'MariaDB'],
  nameLimit: { length: 64, unit: 'characters' },
  terminator: ';\n',
  quoteName,
  quoteText,
  tableName,
  // Servers of all versions have it. It ignores trailing blanks.
  exactCollation: 'utf8mb4_bin',
  transactionalTable: (table) =>
    transactionalTable(
      table,
      (one, options) => `ALTER TABLE ${tableName(one)} ${tableOptions(options)}`,
    ),
  // A namespace would be another database, and the studio creates none.
  createNamespace: () => undefined,
  createEnum: () => [],
  statementsBeforeTables: () => [],
  statementsAfterTables: () => [],
  refreshView: () => undefined,
  columnType,
  nativeType,
  nativeDefault,
  onUpdate: (expression) => `ON UPDATE ${expression}`,
  invisibleColumn: 'INVISIBLE',
  unversionedColumn: 'WITHOUT SYSTEM VERSIONING',
  // MySQL only: MariaDB enforces every check and rejects the keywords.
  notEnforced: 'NOT ENFORCED',
  nullable: 'NULL',
  // MariaDB accepts neither NULL nor NOT NULL for generated columns.
  allowsGeneratedNotNull: () => false,
  typeCheck: () => undefined,
  generatedColumn,
  identityClause: identity,
  neutralDefault,
  canAddForeignKeys: true,
  supportsDeferrableKeys: false,
  defaultForeignKeyAction: undefined,
  // InnoDB rejects SET DEFAULT, and SET NULL for NOT NULL columns.
  foreignKeyAction: (action, nullable) =>
    action === 'set default' || (action === 'set null' && !nullable) ? undefined : action,
  allowsMultipleCascadePaths: true,
  canReference: (from, to) => typeName(from) === typeName(to) || areTexts(from, to),
  // A key has at most 3,072 bytes, with four bytes per character.
  maxKeyTextLength: (columns) => Math.floor(768 / columns),
  // A row has at most 65,535 bytes, with four bytes per character; the rest is for numbers.
  maxRowTextLength: 16_000,
  isIndexable: ({ kind }) => kind !== 'json' && kind !== 'array',
  columnComment: (comment) => `COMMENT ${quoteText(comment)}`,
  allowsNoColumns: false,
  // The limit of InnoDB, which stores the rows of every import.
  maxColumns: 1017,
  supportsComments: true,
  columnSupport: {
    unsigned: () => true,
    setTypes: true,
    secondDigits: 6,
    offsets: false,
    lastZonedYear: 2038,
    decimals: { precision: 65, scale: 30 },
    virtual: true,
    expressionsOnIdentity: false,
    expressionsOnChangedKeys: false,
  },
  indexSupport: {
    partial: false,
    expressions: false,
    included: false,
    nullsNotDistinct: false,
    prefixes: true,
    nullsAreEqual: false,
    inline: true,
    keywords: indexWords,
  },
  // `||` means OR unless PIPES_AS_CONCAT is set. Stored expressions keep the meaning they were parsed with.
  neutralSession: {
    begin: ["SET @studio_sql_mode = @@sql_mode, sql_mode = CONCAT(@@sql_mode, ',PIPES_AS_CONCAT')"],
    end: ['SET sql_mode = @studio_sql_mode'],
  },
  createView,
  createVirtual: () => undefined,
  columnChecks: true,
  tableModifier: () => '',
  tableConstraints: temporalConstraints,
  renderedOptions: ['temporal', 'constraints'],
  tableOptions,
  ddlUndo: undoingWith(quoteName),
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

/** A table has at most one AUTO_INCREMENT column, which must be part of a key. */
function identity(
  column: Column,
  { primaryKey, columns, options }: IdentityTable,
  native: boolean,
): IdentityClause | undefined {
  if (column.autoIncrement !== true) return undefined;
  if (columns.find(({ autoIncrement }) => autoIncrement === true) !== column) return undefined;
  const isFirst = primaryKey?.columns[0] === column.name;
  // In a native schema the column is part of a key, which is created with the table.
  const hasKey = isFirst || (native && options !== undefined);
  return hasKey
    ? { clause: 'AUTO_INCREMENT', isPrimaryKey: false }
    : { clause: 'AUTO_INCREMENT UNIQUE', isPrimaryKey: false, addsKey: true };
}

const textKinds: ReadonlySet<ColumnKind> = new Set(['text', 'uuid']);

function areTexts(first: ColumnType, second: ColumnType): boolean {
  const isText = ({ kind }: ColumnType): boolean => textKinds.has(kind);
  return (isText(first) && isText(second)) || (first.kind === 'binary' && second.kind === 'binary');
}

/** An enum with a type name, as in PostgreSQL, is written from the values of its neutral type. */
function nativeType({ type, nativeType: sqlType }: Column): string | undefined {
  const isNamedEnum = type.kind === 'enum' && !/^enum\(/i.test(sqlType);
  if (sqlType === '' || isNamedEnum) return undefined;
  const referenceSystem = referenceSystemOf(type);
  return referenceSystem === 0 ? sqlType : `${sqlType} SRID ${referenceSystem}`;
}

const literalTokens: ReadonlySet<string> = new Set(['string', 'number', 'word']);
const currentTimePattern =
  /^(?:current_timestamp|now|localtime|localtimestamp)(?:\s*\(\s*\d*\s*\))?$/i;

/** Literals and the current time need no parentheses, other expressions do. */
function nativeDefault(expression: string): string {
  if (currentTimePattern.test(expression) || isInBrackets(expression)) return expression;
  const code = codeOf(expression, mysqlLexicalRules);
  const value = /^[-+]$/.test(code[0]?.word ?? '') ? code.slice(1) : code;
  const isSingle = value.length === 1 && literalTokens.has(value[0]?.kind ?? '');
  return isSingle ? expression : `(${expression})`;
}

function isInBrackets(expression: string): boolean {
  const code = codeOf(expression, mysqlLexicalRules);
  let depth = 0;
  return code.every(({ word }, i) => {
    if (word === '(') depth += 1;
    if (word === ')') depth -= 1;
    return depth > 0 || (i > 0 && i === code.length - 1);
  });
}

/** Each server runs one of these versioned comments. */
const hiddenIndex = ' /*!80000 INVISIBLE */ /*M!100600 IGNORED */';

function indexWords({ method, invisible = false }: Index): IndexKeywords | undefined {
  const hidden = invisible ? hiddenIndex : '';
  if (method === undefined) return { before: '', using: hidden };
  if (method === 'hash' || method === 'btree')
    return { before: '', using: ` USING ${method.toUpperCase()}${hidden}` };
  return method === 'fulltext' || method === 'spatial'
    ? { before: `${method.toUpperCase()} `, using: hidden }
    : undefined;
}

const optionOrder = ['ENGINE', 'ROW_FORMAT', 'CHARACTER SET', 'COLLATE'];

/** Writes only known keywords, since options come from files and may hold anything. */
function createView({ options = {} }: Pick<Table, 'options'>): ViewSyntax {
  const { algorithm = '', sql_security: security = '', check_option: check = '' } = options;
  const words = [
    'CREATE',
    /^(?:MERGE|TEMPTABLE)$/.test(algorithm) ? `ALGORITHM=${algorithm}` : '',
    security === 'INVOKER' ? 'SQL SECURITY INVOKER' : '',
    'VIEW',
  ];
  return {
    create: words.filter((word) => word !== '').join(' '),
    options: '',
    check: /^(?:LOCAL|CASCADED)$/.test(check) ? `WITH ${check} CHECK OPTION` : '',
  };
}

function tableOptions(options: Readonly<Record<string, string>>): string {
  const list = optionOrder.flatMap((name) =>
    options[name] === undefined ? [] : [`${name}=${optionValue(name, options[name])}`],
  );
  return [...list, versioningClause(options)].filter((option) => option !== '').join(' ');
}

function generatedColumn(type: string, { expression, stored }: Generated, native: boolean): string {
  if (native && isRowTime(expression)) return `${type} GENERATED ALWAYS AS ${expression}`;
  return `${type} GENERATED ALWAYS AS (${expression}) ${stored ? 'STORED' : 'VIRTUAL'}`;
}

/** Options come from files. A value that is not a plain name could inject SQL. */
function optionValue(name: string, value: string): string {
  if (/^\w+$/.test(value)) return value;
  const message = `The table option ${name} takes a name such as those of SHOW CREATE TABLE, not ${JSON.stringify(value)}.`;
  throw new StudioError('import_failed', message, {
    errors: [{ code: 'statement_refused', message }],
  });
}

const namesOfNow = /^current_(?:timestamp|date|time)$/i;

/** Adds parentheses around CURRENT_DATE and the like, and around text defaults of TEXT, BLOB and JSON columns. */
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

/** In characters of four bytes: a row has at most 65,535 bytes. */
const maxVarcharLength = 16_383;
const maxVarbinaryLength = 65_532;
const maxFixedLength = 255;

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

/** Without a precision, the type with the most digits. */
function decimalName(type: Extract<ColumnType, { kind: 'decimal' }>): string {
  const { precision, scale } = decimalSize(type) ?? { precision: 65, scale: 30 };
  return `decimal(${Math.min(precision, 65)},${Math.min(scale, 30)})`;
}

function textName({ length, fixed }: Extract<ColumnType, { kind: 'text' }>): string {
  if (length === undefined || length > maxVarcharLength) return 'longtext';
  return fixed === true && length <= maxFixedLength ? `char(${length})` : `varchar(${length})`;
}

function binaryName({ length, fixed }: Extract<ColumnType, { kind: 'binary' }>): string {
  if (length === undefined || length > maxVarbinaryLength) return 'longblob';
  return fixed === true && length <= maxFixedLength ? `binary(${length})` : `varbinary(${length})`;
}

/** Only BIT VARYING has no length without one. */
function bitsName({ length, varying }: Extract<ColumnType, { kind: 'bits' }>): string {
  if (varying !== true && (length ?? 1) <= 64) return `bit(${length ?? 1})`;
  return length !== undefined && length <= maxVarcharLength ? `varchar(${length})` : 'longtext';
}

const finestPrecision = 6;

function precisionOf({ precision }: Clock): number {
  return Math.min(precision ?? finestPrecision, finestPrecision);
}
