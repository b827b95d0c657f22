import { defaultLiteral, indexPartsSql, quoteQualifiedName, undoStatements } from '../gorm-sql.ts';
import { sqlserverHasType } from './native-type.ts';
import type { GormColumn, GormDefault, GormDialect, GormIndex } from '../../gorm-dialect.ts';

/** Writes DDL as gorm.io/driver/sqlserver does. */
export const sqlserverGormDialect: GormDialect = {
  driver: 'sqlserver',
  // SQL Server allows 128, but its driver keeps the default of GORM.
  maxNameLength: 64,
  quoteName: (name) => quoteQualifiedName(name, (part) => `"${part.replaceAll('"', '""')}"`),
  columnType,
  hasType: sqlserverHasType,
  readsGenerated: false,
  altersKeys: true,
  normalizeDefaultCall: (call) => (call === 'current_timestamp' ? 'getdate()' : call),
  literal,
  columnSuffix: () => '',
  commentColumn,
  changedComments: 'of models',
  changesCommentsOfKeys: false,
  uniqueIndexIsConstraint: false,
  indexesInTable: false,
  tableRebuild: undefined,
  indexLine: (index) => index.name,
  createIndex,
  undo: undoStatements((name) => sqlserverGormDialect.quoteName(name), {
    index: 'DROP INDEX',
    foreignKey: 'CONSTRAINT',
  }),
  addColumn: (table, line) => `ALTER TABLE ${sqlserverGormDialect.quoteName(table)} ADD ${line}`,
};

function literal(value: GormDefault): string {
  return value.kind === 'boolean' ? String(Number(value.value)) : defaultLiteral(value, "'");
}

function columnType(column: GormColumn): string {
  const { dataType, precision, scale, size, autoIncrement } = column;
  switch (dataType) {
    case 'bool':
      return 'bit';
    case 'int':
    case 'uint':
      return integerName(size) + (autoIncrement ? ' IDENTITY(1,1)' : '');
    case 'float':
      return decimalType(precision, scale);
    case 'string':
      return stringType(column);
    case 'time':
      return precision > 0 ? `datetimeoffset(${precision})` : 'datetimeoffset';
    case 'bytes':
      return 'varbinary(MAX)';
    default:
      return dataType;
  }
}

function integerName(size: number): string {
  if (size < 16) return 'smallint';
  return size < 31 ? 'int' : 'bigint';
}

function decimalType(precision: number, scale: number): string {
  if (precision <= 0) return 'float';
  return scale > 0 ? `decimal(${precision}, ${scale})` : `decimal(${precision})`;
}

const maxTextLength = 4000;
const indexableLength = 256;

function stringType({ size, settings, primaryKey }: GormColumn): string {
  const isIndexed = [settings.get('INDEX'), settings.get('UNIQUE')].some(Boolean);
  const length = size === 0 && (primaryKey || isIndexed) ? indexableLength : size;
  return length > 0 && length <= maxTextLength ? `nvarchar(${length})` : 'nvarchar(MAX)';
}

function createIndex(table: string, index: GormIndex): string {
  const { quoteName } = sqlserverGormDialect;
  const kind = index.class === '' ? '' : `${index.class} `;
  const where = index.where === '' ? '' : ` WHERE ${index.where}`;
  const option = index.option === '' ? '' : ` ${index.option}`;
  const parts = indexPartsSql(index.parts, quoteName, { lengths: true });
  return `CREATE ${kind}INDEX ${quoteName(index.name)} ON ${quoteName(table)}(${parts})${where}${option}`;
}

function commentColumn(
  table: string,
  { column, comment, settings }: GormColumn,
): string | undefined {
  if (!settings.has('COMMENT')) return undefined;
  const columnPath = [`'SCHEMA'`, '@schema', `'TABLE'`, text(table), `'COLUMN'`, text(column)].join(
    ', ',
  );
  return `BEGIN DECLARE @schema sysname = SCHEMA_NAME(); EXEC sp_addextendedproperty 'MS_Description', N${text(comment)}, ${columnPath} END`;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
