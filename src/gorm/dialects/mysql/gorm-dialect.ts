import { quoteText } from '../../../databases/mysql/dialect/ddl.ts';
import { defaultLiteral, indexPartsSql, quoteQualifiedName, undoStatements } from '../gorm-sql.ts';
import { mysqlHasType } from './native-type.ts';
import type { GormColumn, GormDialect, GormIndex } from '../../gorm-dialect.ts';

/** Writes DDL as gorm.io/driver/mysql does. */
export const mysqlGormDialect: GormDialect = {
  driver: 'mysql',
  maxNameLength: 64,
  quoteName: (name) => quoteQualifiedName(name, (part) => `\`${part.replaceAll('`', '``')}\``),
  columnType,
  hasType: mysqlHasType,
  readsGenerated: false,
  altersKeys: true,
  normalizeDefaultCall,
  literal: (value) => defaultLiteral(value, "'"),
  columnSuffix: ({ settings }) => {
    const comment = settings.get('COMMENT');
    return comment === undefined ? '' : `COMMENT ${quoteText(comment)}`;
  },
  commentColumn: () => undefined,
  changedComments: 'all',
  changesCommentsOfKeys: false,
  uniqueIndexIsConstraint: true,
  indexesInTable: true,
  tableRebuild: undefined,
  indexLine,
  createIndex,
  undo: undoStatements((name) => mysqlGormDialect.quoteName(name), {
    index: 'ALTER TABLE',
    foreignKey: 'FOREIGN KEY',
  }),
  addColumn,
};

/** The server gives the function the precision of the column. */
function normalizeDefaultCall(call: string): string {
  const name = call.replace(/\(\d?\)$/, '');
  return ['now', 'localtime', 'localtimestamp'].includes(name) ? 'current_timestamp' : name;
}

function columnType(column: GormColumn): string {
  const { dataType, size } = column;
  switch (dataType) {
    case 'bool':
      return 'boolean';
    case 'int':
    case 'uint':
      return integerType(column);
    case 'float':
      return floatType(column);
    case 'string':
      return stringType(column);
    case 'time':
      return timeType(column);
    case 'bytes':
      return bytesType(size);
    default:
      return customType(column);
  }
}

function integerType(column: GormColumn): string {
  const unsigned = column.dataType === 'uint' ? ' unsigned' : '';
  const isRandom =
    column.primaryKey && column.hasDefault && /^auto_random\(\)$/i.test(column.defaultText);
  if (isRandom) return `bigint${unsigned} auto_random`;
  return integerName(column.size) + unsigned + (column.autoIncrement ? ' AUTO_INCREMENT' : '');
}

function integerName(size: number): string {
  if (size <= 8) return 'tinyint';
  if (size <= 16) return 'smallint';
  if (size <= 24) return 'mediumint';
  return size <= 32 ? 'int' : 'bigint';
}

function floatType({ precision, scale, size }: GormColumn): string {
  if (precision > 0) return `decimal(${precision}, ${scale})`;
  return size <= 32 ? 'float' : 'double';
}

const maxVarcharLength = 65_535;
const maxMediumLength = 2 ** 24;
/** Maximum length of a utf8mb4 text that every server version can index. */
const indexableLength = 191;

function stringType(column: GormColumn): string {
  const { settings, primaryKey, hasDefault } = column;
  const isIndexed = [settings.get('INDEX'), settings.get('UNIQUE')].some(Boolean);
  const size =
    column.size === 0 && (primaryKey || hasDefault || isIndexed) ? indexableLength : column.size;
  if (size > maxMediumLength || size <= 0) return 'longtext';
  return size > maxVarcharLength ? 'mediumtext' : `varchar(${size})`;
}

const defaultPrecision = 3;

function timeType({ precision, settings, notNull, primaryKey }: GormColumn): string {
  const isExplicit = (settings.get('PRECISION') ?? '') !== '';
  const digits = precision === 0 && !isExplicit ? defaultPrecision : precision;
  const type = digits > 0 ? `datetime(${digits})` : 'datetime';
  return notNull || primaryKey ? type : `${type} NULL`;
}

function bytesType(size: number): string {
  if (size > 0 && size <= maxVarcharLength) return `varbinary(${size})`;
  return size > maxVarcharLength && size <= maxMediumLength ? 'mediumblob' : 'longblob';
}

function customType({ dataType, autoIncrement }: GormColumn): string {
  const hasAutoIncrement = dataType.toLowerCase().includes(' auto_increment');
  return autoIncrement && !hasAutoIncrement ? `${dataType} AUTO_INCREMENT` : dataType;
}

/** The driver ignores `where:`, since MySQL has no partial indexes. */
function indexLine(index: GormIndex): string {
  const { quoteName } = mysqlGormDialect;
  const kind = index.class === '' ? '' : `${index.class} `;
  return `${kind}INDEX ${quoteName(index.name)} (${indexPartsSql(index.parts, quoteName, { lengths: true })})${indexSuffix(index)}`;
}

function createIndex(table: string, index: GormIndex): string {
  const { quoteName } = mysqlGormDialect;
  const kind = index.class === '' ? '' : `${index.class} `;
  const using = index.type === '' ? '' : ` USING ${index.type}`;
  const parts = indexPartsSql(index.parts, quoteName, { lengths: true });
  return `CREATE ${kind}INDEX ${quoteName(index.name)} ON ${quoteName(table)}(${parts})${using}${indexSuffix(index)}`;
}

/**
 * GORM does not escape comments of indexes, and only quotes in those of columns. Its statement then
 * fails or stores another text. The comment of the tag is stored here.
 */
function indexSuffix({ comment, option }: GormIndex): string {
  const suffix = comment === '' ? '' : ` COMMENT ${quoteText(comment)}`;
  return suffix + (option === '' ? '' : ` ${option}`);
}

function addColumn(table: string, line: string, { column, primaryKey }: GormColumn): string {
  const { quoteName } = mysqlGormDialect;
  const isKey = primaryKey || line.toLowerCase().includes('auto_increment');
  const key = isKey ? `, ADD PRIMARY KEY (${quoteName(column)})` : '';
  return `ALTER TABLE ${quoteName(table)} ADD ${line}${key}`;
}
