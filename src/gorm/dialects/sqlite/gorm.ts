import { defaultLiteral, indexParts, quoteParts, undoWith } from '../gorm-sql.ts';
import { sqliteRebuilding } from './gorm-rebuilding.ts';
import type { GormColumn, GormDialect, GormIndex } from '../../gorm-dialect.ts';

/** How gorm.io/driver/sqlite spells structure. */
export const sqliteGorm: GormDialect = {
  driver: 'sqlite',
  longestName: 64,
  quoteName: (name) => quoteParts(name, (part) => `\`${part.replaceAll('`', '``')}\``),
  columnType,
  // GORM writes texts in double quotes here, which SQLite takes for texts where no column is called so.
  literal: (value) => defaultLiteral(value, '"'),
  columnSuffix: () => '',
  commentColumn: () => undefined,
  indexesInTable: false,
  rebuilding: sqliteRebuilding,
  indexLine: (index) => index.name,
  createIndex,
  undo: undoWith((name) => sqliteGorm.quoteName(name), {
    index: 'DROP INDEX',
    foreignKey: 'CONSTRAINT',
  }),
  addColumn: (table, line) => `ALTER TABLE ${sqliteGorm.quoteName(table)} ADD ${line}`,
};

function columnType({ dataType, autoIncrement, settings }: GormColumn): string {
  switch (dataType) {
    case 'bool':
      return 'numeric';
    case 'int':
    case 'uint':
      return autoIncrement ? 'integer PRIMARY KEY AUTOINCREMENT' : 'integer';
    case 'float':
      return 'real';
    case 'string':
      return 'text';
    case 'time':
      return settings.get('TYPE') ?? 'datetime';
    case 'bytes':
      return 'blob';
    default:
      return dataType;
  }
}

function createIndex(table: string, index: GormIndex): string {
  const { quoteName } = sqliteGorm;
  const kind = index.class === '' ? '' : `${index.class} `;
  const using = index.type === '' ? '' : ` USING ${index.type}`;
  const where = index.where === '' ? '' : ` WHERE ${index.where}`;
  const parts = indexParts(index.parts, quoteName, { lengths: false });
  return `CREATE ${kind}INDEX ${quoteName(index.name)}${using} ON ${quoteName(table)}(${parts})${where}`;
}
