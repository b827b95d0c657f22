import { codeOf } from '../../../portable/lexer/code.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { DdlDialect, IdentityClause, IdentityTable } from '../../../model/ddl-dialect.ts';
import type { Column, ColumnType, Index } from '../../../model/schema.ts';

/** Renders DDL for SQLite. */
export const sqliteDdl: DdlDialect = {
  productNames: ['SQLite'],
  nameLimit: undefined,
  terminator: ';\n',
  quoteName,
  quoteText,
  tableName: (table) => quoteName(table.name),
  createNamespace: () => undefined,
  createEnum: () => [],
  statementsBeforeTables: () => [],
  statementsAfterTables: () => [],
  refreshView: () => undefined,
  columnType: ({ type, autoIncrement }) => (autoIncrement === true ? 'INTEGER' : typeName(type)),
  nativeType: ({ type, nativeType }) =>
    (nativeType === '' && type.kind !== 'untyped') || type.kind === 'enum' ? undefined : nativeType,
  nativeDefault,
  onUpdate: () => undefined,
  invisibleColumn: '',
  unversionedColumn: '',
  notEnforced: undefined,
  nullable: '',
  allowsGeneratedNotNull: () => true,
  typeCheck: (name, type) =>
    type.kind === 'enum' ? `${name} IN (${type.values.map(quoteText).join(', ')})` : undefined,
  generatedColumn: (type, { expression, stored }) =>
    `${type} GENERATED ALWAYS AS (${expression}) ${stored ? 'STORED' : 'VIRTUAL'}`.trimStart(),
  identityClause: identity,
  neutralDefault,
  canAddForeignKeys: false,
  supportsDeferrableKeys: true,
  defaultForeignKeyAction: 'no action',
  foreignKeyAction: (action) => action,
  allowsMultipleCascadePaths: true,
  canReference: () => true,
  maxKeyTextLength: () => undefined,
  maxRowTextLength: undefined,
  isIndexable: () => true,
  columnComment: () => '',
  allowsNoColumns: false,
  maxColumns: 2000,
  supportsComments: false,
  columnSupport: {
    unsigned: () => true,
    setTypes: false,
    secondDigits: undefined,
    offsets: true,
    lastZonedYear: undefined,
    decimals: undefined,
    virtual: true,
    expressionsOnIdentity: true,
    expressionsOnChangedKeys: true,
  },
  indexSupport: {
    partial: true,
    expressions: true,
    included: false,
    nullsNotDistinct: false,
    prefixes: false,
    nullsAreEqual: false,
    inline: false,
    keywords: ({ method }: Index) => (method === undefined ? { before: '', using: '' } : undefined),
  },
  neutralSession: { begin: [], end: [] },
  createView: () => ({ create: 'CREATE VIEW', options: '', check: '' }),
  createVirtual: ({ name, options }) =>
    options?.['VIRTUAL'] === undefined
      ? undefined
      : `CREATE VIRTUAL TABLE ${quoteName(name)} USING ${options['VIRTUAL']}`,
  columnChecks: false,
  tableModifier: () => '',
  tableConstraints: () => '',
  renderedOptions: ['VIRTUAL'],
  tableOptions: (options) =>
    ['STRICT', 'WITHOUT ROWID'].filter((name) => name in options).join(', '),
  ddlUndo: undefined,
  comments: () => [],
};

function quoteName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quoteText(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/**
 * Only a rowid is numbered: a primary key of one INTEGER column. It is also numbered without
 * AUTOINCREMENT, but then numbers of deleted rows may be reused.
 */
function identity(
  column: Column,
  { primaryKey, options = {}, nullableKey }: IdentityTable,
  native: boolean,
): IdentityClause | undefined {
  if (primaryKey?.columns.length !== 1 || primaryKey.columns[0] !== column.name) return undefined;
  const name = primaryKey.name === undefined ? '' : `CONSTRAINT ${quoteName(primaryKey.name)} `;
  const key = (word: string): IdentityClause => ({
    clause: `${name}PRIMARY KEY${word}`,
    isPrimaryKey: true,
  });
  if (column.autoIncrement === true) {
    return key(!native || 'AUTOINCREMENT' in options ? ' AUTOINCREMENT' : '');
  }
  // INTEGER PRIMARY KEY DESC is not a rowid, and is nullable: https://www.sqlite.org/lang_createtable.html#rowid
  const isPlainInteger = native && nullableKey === true && /^integer$/i.test(column.nativeType);
  return isPlainInteger && !('WITHOUT ROWID' in options) ? key(' DESC') : undefined;
}

const singleTokens: ReadonlySet<string> = new Set(['word', 'string', 'number', 'quoted-name']);

/** A word, name or literal, with or without a sign, is written as it is. Other expressions need parentheses. */
function nativeDefault(expression: string): string {
  const [first, ...otherTokens] = codeOf(expression, sqliteLexicalRules);
  const value = first?.kind === 'operator' ? otherTokens : [first];
  const isSingle = value.length === 1 && singleTokens.has(value[0]?.kind ?? '');
  return isSingle && (first?.kind === 'operator' || otherTokens.length === 0)
    ? expression
    : `(${expression})`;
}

/** CURRENT_TIMESTAMP is in UTC but has no offset. A column with a time zone gets the offset. */
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

/** A declared type determines only the affinity, so the most specific name is used for those who read it. */
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
  const definedSizes = sizes.filter((size) => size !== undefined);
  return definedSizes.length === 0 ? '' : `(${definedSizes.join(',')})`;
}
