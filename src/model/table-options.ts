/** All keys of `Table.options`, for all databases. */
export const tableOptionNames: readonly string[] = [
  // SQLite
  'STRICT',
  'WITHOUT ROWID',
  'AUTOINCREMENT',
  'VIRTUAL',
  // PostgreSQL
  'partition_by',
  'inherits',
  'foreign_server',
  'distribution',
  'extension',
  'row_security',
  'persistence',
  // PostgreSQL and MariaDB
  'constraints',
  // MySQL and MariaDB
  'ENGINE',
  'ROW_FORMAT',
  'CHARACTER SET',
  'COLLATE',
  // MariaDB and SQL Server
  'temporal',
];
