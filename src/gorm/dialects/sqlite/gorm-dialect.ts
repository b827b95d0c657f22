import { defaultLiteral, indexPartsSql, quoteQualifiedName, undoStatements } from '../gorm-sql.ts';
import { sqliteTableRebuild } from './table-rebuild.ts';
import { sqliteHasType } from './native-type.ts';
import type { GormColumn, GormDialect, GormIndex } from '../../gorm-dialect.ts';

/** Writes DDL as gorm.io/driver/sqlite does. */
export const sqliteGormDialect: GormDialect = {
  driver: 'sqlite',
  maxNameLength: 64,
  quoteName: (name) => quoteQualifiedName(name, (part) => `\`${part.replaceAll('`', '``')}\``),
  columnType,
  hasType: sqliteHasType,
  readsGenerated: false,
  altersKeys: true,
  normalizeDefaultCall: (call) => call,
  // GORM writes texts in double quotes here. SQLite reads them as texts unless a column has that
  // name.
  literal: (value) => defaultLiteral(value, '"'),
  columnSuffix: () => '',
  commentColumn: () => undefined,
  changedComments: 'none',
  changesCommentsOfKeys: false,
  uniqueIndexIsConstraint: false,
  indexesInTable: false,
  tableRebuild: sqliteTableRebuild,
  indexLine: (index) => index.name,
  createIndex,
  undo: undoStatements((name) => sqliteGormDialect.quoteName(name), {
    index: 'DROP INDEX',
    foreignKey: 'CONSTRAINT',
  }),
  addColumn: (table, line) => `ALTER TABLE ${sqliteGormDialect.quoteName(table)} ADD ${line}`,
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
  const { quoteName } = sqliteGormDialect;
  const kind = index.class === '' ? '' : `${index.class} `;
  const using = index.type === '' ? '' : ` USING ${index.type}`;
  const where = index.where === '' ? '' : ` WHERE ${index.where}`;
  const parts = indexPartsSql(index.parts, quoteName, { lengths: false });
  return `CREATE ${kind}INDEX ${quoteName(index.name)}${using} ON ${quoteName(table)}(${parts})${where}`;
}
