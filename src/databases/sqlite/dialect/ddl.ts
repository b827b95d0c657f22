import { codeOf } from '../../../sql/code.ts';
import { sqliteLexicalRules } from '../language/lexical-rules.ts';
import type { DdlDialect, IdentityClause, IdentityTable } from '../../../model/ddl-dialect.ts';
import type { Column, ColumnType, Index } from '../../../model/schema.ts';

/** How SQLite spells structure. */
export const sqliteDdl: DdlDialect = {
  productNames: ['SQLite'],
  quoteName,
  quoteText,
  tableName: (table) => quoteName(table.name),
  createNamespace: () => undefined,
  createEnum: () => [],
  prepare: () => [],
  finish: () => [],
  columnType: ({ type, autoIncrement }) => (autoIncrement === true ? 'INTEGER' : typeName(type)),
  nativeType: ({ type, nativeType }) =>
    (nativeType === '' && type.kind !== 'untyped') || type.kind === 'enum' ? undefined : nativeType,
  nativeDefault,
  onUpdate: () => undefined,
  invisibleColumn: '',
  notEnforced: undefined,
  nullable: '',
  allowsGeneratedNotNull: () => true,
  typeCheck: (name, type) =>
    type.kind === 'enum' ? `${name} IN (${type.values.map(quoteText).join(', ')})` : undefined,
  generatedColumn: (type, { expression, stored }) =>
    `${type} GENERATED ALWAYS AS (${expression}) ${stored ? 'STORED' : 'VIRTUAL'}`.trimStart(),
  identity,
  moveIdentity: () => undefined,
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
  supportsComments: false,
  columns: { unsigned: () => true, setTypes: false, virtual: true, expressionsOnIdentity: true },
  indexes: {
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
 * Only a rowid can be numbered: the one INTEGER column of the primary key. Of its own it is numbered
 * without AUTOINCREMENT too, but may then get numbers that others had before.
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
  // With DESC there the column is no rowid, and can hold NULL. A file that says neither means a rowid.
  const isPlainInteger = native && nullableKey === true && /^integer$/i.test(column.nativeType);
  return isPlainInteger && !('WITHOUT ROWID' in options) ? key(' DESC') : undefined;
}

const singleTokens: ReadonlySet<string> = new Set(['word', 'string', 'number', 'quoted-name']);

/** One word, name or literal stands as it is, with a sign or without; any other expression in brackets. */
function nativeDefault(expression: string): string {
  const [first, ...others] = codeOf(expression, sqliteLexicalRules);
  const value = first?.kind === 'operator' ? others : [first];
  const isSingle = value.length === 1 && singleTokens.has(value[0]?.kind ?? '');
  return isSingle && (first?.kind === 'operator' || others.length === 0)
    ? expression
    : `(${expression})`;
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
