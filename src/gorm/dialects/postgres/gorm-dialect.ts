import {
  mayBeCatalogRelation,
  defaultNamespace,
} from '../../../databases/postgres/dialect/catalog-names.ts';
import { defaultLiteral, indexPartsSql, quoteQualifiedName, undoStatements } from '../gorm-sql.ts';
import { postgresHasType } from './native-type.ts';
import type { GormColumn, GormDialect, GormIndex } from '../../gorm-dialect.ts';

/** Writes DDL as gorm.io/driver/postgres does. */
export const postgresGormDialect: GormDialect = {
  driver: 'postgres',
  maxNameLength: 63,
  quoteName: (name) => quoteQualifiedName(name, (part) => `"${part.replaceAll('"', '""')}"`),
  columnType,
  hasType: postgresHasType,
  readsGenerated: true,
  altersKeys: false,
  normalizeDefaultCall: (call) => call,
  literal: (value) => defaultLiteral(value, "'"),
  columnSuffix: () => '',
  commentColumn,
  changedComments: 'of models',
  changesCommentsOfKeys: true,
  uniqueIndexIsConstraint: false,
  indexesInTable: false,
  tableRebuild: undefined,
  indexLine: (index) => index.name,
  createIndex,
  undo: undoStatements((name) => postgresGormDialect.quoteName(name), {
    index: 'DROP INDEX',
    foreignKey: 'CONSTRAINT',
  }),
  addColumn: (table, line) => `ALTER TABLE ${tableName(table)} ADD ${line}`,
};

function columnType(column: GormColumn): string {
  const generated = column.settings.get('GENERATED')?.trim() ?? '';
  if (generated === '' || generated === 'GENERATED') return baseType(column);
  const mode = identityMode(generated);
  return mode === undefined
    ? `${baseType(column)} GENERATED ALWAYS AS (${generated}) STORED`
    : `${integerType(column)} GENERATED ${mode} AS IDENTITY`;
}

/** `identity`, with `always` or `by default` in any order. Any other text is an expression. */
function identityMode(generated: string): string | undefined {
  const words = generated.toLowerCase().split(/\s+/);
  const isIdentity = words.every((word) => ['identity', 'always', 'by', 'default'].includes(word));
  if (!isIdentity || !words.includes('identity')) return undefined;
  return words.includes('always') ? 'ALWAYS' : 'BY DEFAULT';
}

const maxVarcharLength = 10_485_760;
const serials: Readonly<Record<string, string>> = {
  smallint: 'smallserial',
  integer: 'serial',
  bigint: 'bigserial',
};

function baseType(column: GormColumn): string {
  const { dataType, size, precision, scale } = column;
  switch (dataType) {
    case 'bool':
      return 'boolean';
    case 'int':
    case 'uint':
      return column.autoIncrement ? (serials[integerType(column)] ?? '') : integerType(column);
    case 'float':
      return decimalType(precision, scale);
    case 'string':
      return size > 0 && size <= maxVarcharLength ? `varchar(${size})` : 'text';
    case 'time':
      return precision > 0 ? `timestamptz(${precision})` : 'timestamptz';
    case 'bytes':
      return 'bytea';
    default:
      return customType(column);
  }
}

function decimalType(precision: number, scale: number): string {
  if (precision <= 0) return 'decimal';
  return scale > 0 ? `numeric(${precision}, ${scale})` : `numeric(${precision})`;
}

/** An unsigned integer needs one more bit. */
function integerType({ dataType, size }: Pick<GormColumn, 'dataType' | 'size'>): string {
  const bits = dataType === 'uint' ? size + 1 : size;
  if (bits <= 16) return 'smallint';
  return bits <= 32 ? 'integer' : 'bigint';
}

function customType({ dataType, gormDataType, size, autoIncrement }: GormColumn): string {
  if (!autoIncrement || dataType.toLowerCase().includes('serial')) return dataType;
  return serials[integerType({ dataType: gormDataType, size })] ?? dataType;
}

function createIndex(table: string, index: GormIndex): string {
  const { quoteName } = postgresGormDialect;
  const kind = index.class === '' ? '' : `${index.class} `;
  const isConcurrent = index.option.trim().toUpperCase() === 'CONCURRENTLY';
  const parts = indexPartsSql(index.parts, quoteName, { lengths: false });
  const using = index.type === '' ? ` (${parts})` : ` USING ${index.type}(${parts})`;
  // CONCURRENTLY is not allowed in a transaction. The index is the same without it.
  const option = index.option === '' || isConcurrent ? '' : ` ${index.option}`;
  const where = index.where === '' ? '' : ` WHERE ${index.where}`;
  return `CREATE ${kind}INDEX IF NOT EXISTS ${quoteName(index.name)} ON ${tableName(table)}${using}${option}${where}`;
}

function commentColumn(table: string, { column, comment }: GormColumn): string | undefined {
  if (comment === '') return undefined;
  const { quoteName } = postgresGormDialect;
  return `COMMENT ON COLUMN ${tableName(table)}.${quoteName(column)} IS '${comment.replaceAll("'", "''")}'`;
}

/** GORM leaves the schema out, so the server would look into its catalog first. */
function tableName(table: string): string {
  const { quoteName } = postgresGormDialect;
  return quoteName(mayBeCatalogRelation(table) ? `${defaultNamespace}.${table}` : table);
}
