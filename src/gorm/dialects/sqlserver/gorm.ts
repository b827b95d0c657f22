import { defaultLiteral, indexParts, quoteParts, undoWith } from '../gorm-sql.ts';
import type { GormColumn, GormDefault, GormDialect, GormIndex } from '../../gorm-dialect.ts';

/** How gorm.io/driver/sqlserver spells structure. */
export const sqlserverGorm: GormDialect = {
  driver: 'sqlserver',
  longestName: 64,
  quoteName: (name) => quoteParts(name, (part) => `"${part.replaceAll('"', '""')}"`),
  columnType,
  literal,
  columnSuffix: () => '',
  commentColumn,
  indexesInTable: false,
  rebuilding: undefined,
  indexLine: (index) => index.name,
  createIndex,
  undo: undoWith((name) => sqlserverGorm.quoteName(name), {
    index: 'DROP INDEX',
    foreignKey: 'CONSTRAINT',
  }),
  addColumn: (table, line) => `ALTER TABLE ${sqlserverGorm.quoteName(table)} ADD ${line}`,
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

const longestText = 4000;
const indexable = 256;

function stringType({ size, settings, primaryKey }: GormColumn): string {
  const isIndexed = [settings.get('INDEX'), settings.get('UNIQUE')].some(Boolean);
  const length = size === 0 && (primaryKey || isIndexed) ? indexable : size;
  return length > 0 && length <= longestText ? `nvarchar(${length})` : 'nvarchar(MAX)';
}

function createIndex(table: string, index: GormIndex): string {
  const { quoteName } = sqlserverGorm;
  const kind = index.class === '' ? '' : `${index.class} `;
  const where = index.where === '' ? '' : ` WHERE ${index.where}`;
  const option = index.option === '' ? '' : ` ${index.option}`;
  const parts = indexParts(index.parts, quoteName, { lengths: true });
  return `CREATE ${kind}INDEX ${quoteName(index.name)} ON ${quoteName(table)}(${parts})${where}${option}`;
}

function commentColumn(
  table: string,
  { column, comment, settings }: GormColumn,
): string | undefined {
  if (!settings.has('COMMENT')) return undefined;
  const place = [`'SCHEMA'`, '@schema', `'TABLE'`, text(table), `'COLUMN'`, text(column)].join(
    ', ',
  );
  return `BEGIN DECLARE @schema sysname = SCHEMA_NAME(); EXEC sp_addextendedproperty 'MS_Description', N${text(comment)}, ${place} END`;
}

function text(value: string): string {
  return `'${value.replaceAll("'", "''")}'`;
}
