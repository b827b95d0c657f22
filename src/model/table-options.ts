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
  'security_barrier',
  'security_invoker',
  // PostgreSQL and MariaDB
  'constraints',
  // Views of PostgreSQL, MySQL and MariaDB
  'check_option',
  // Views of MySQL and MariaDB
  'algorithm',
  'sql_security',
  // MySQL and MariaDB
  'ENGINE',
  'ROW_FORMAT',
  'CHARACTER SET',
  'COLLATE',
  // MariaDB and SQL Server
  'temporal',
];
