/**
 * The reviewed differences between imported sample schemas and what the database's own client
 * creates, with their reasons. Everything else is equal, as import-samples.ci.test.ts and its long
 * variant verify.
 */
export interface SampleDifference {
  readonly file: string;
  /** By `Dialect.name`. */
  readonly database: string;
  readonly description: string;
  /** The import is rejected. */
  readonly rejected?: true;
}

/** All samples that are compared. Those of SQL Server are only parsed, because there is no client to compare with. */
export const sampleNames: readonly string[] = [
  'azimutt__source_02_identity_mariadb.sql',
  'azimutt__source_04_catalog_postgres.sql',
  'azimutt__source_06_billing_sqlserver.sql',
  'azimutt_pgdump_structure.sql',
  'chinook_mysql.sql',
  'chinook_postgresql.sql',
  'chinook_sqlite.sql',
  'chinook_sqlserver.sql',
  'danbooru_pgdump_structure.sql',
  'dbml__mssql_check_constraint.in.sql',
  'dbml__mssql_default_parameters.in.sql',
  'dbml__mssql_insert_nulls.in.sql',
  'dbml__mssql_records.in.sql',
  'dbml__mysql_checks.in.sql',
  'dbml__mysql_ddl_create.in.sql',
  'dbml__mysql_general_schema.in.sql',
  'dbml__mysql_insert_nulls.in.sql',
  'dbml__mysql_lower_case.in.sql',
  'dbml__mysql_mysqldump_test.in.sql',
  'dbml__mysql_records.in.sql',
  'dbml__postgres_cmd_create_table.in.sql',
  'dbml__postgres_db_dump.in.sql',
  'dbml__postgres_generated_stored.in.sql',
  'dbml__postgres_increment_type.in.sql',
  'dbml__postgres_integer_literals.in.sql',
  'dbml__postgres_nulls_not_distinct.in.sql',
  'dbml__postgres_records.in.sql',
  'dbml__postgres_timestampz_and_timetz_type.in.sql',
  'defog-data__academic.sql',
  'defog-data__atis.sql',
  'defog-data__broker.sql',
  'defog-data__geography.sql',
  'defog-data__yelp.sql',
  'northwind_mysql_data.sql',
  'northwind_mysql_schema.sql',
  'northwind_sqlite.sql',
  'northwind_sqlserver.sql',
  'postgres-sample-dbs__periodic_table.sql',
  'quartznet__tables_mysql_innodb.sql',
  'quartznet__tables_postgres.sql',
  'quartznet__tables_sqlServer.sql',
  'quartznet__tables_sqlite.sql',
  'sakila_mysql_schema.sql',
  'sakila_postgres_data_copy.sql',
  'sakila_postgres_schema.sql',
  'sakila_sqlite_schema.sql',
  'spring-batch__schema-mysql.sql',
  'spring-batch__schema-postgresql.sql',
  'spring-batch__schema-sqlite.sql',
  'spring-batch__schema-sqlserver.sql',
];

const ownFunctions =
  'The file depends on functions that it defines, which are left out with a warning each: ';
const server = "MariaDB's own client rejects a statement too: ";

export const sampleDifferences: readonly SampleDifference[] = [
  {
    file: 'danbooru_pgdump_structure.sql',
    database: 'postgres',
    description: `${ownFunctions}eight indexes call \`lower\` or \`array_initials\`, which the file defines.`,
  },
  {
    file: 'danbooru_pgdump_structure.sql',
    database: 'sqlite',
    description:
      'Indexes by GIN, of arrays and of functions that SQLite does not have are left out.',
  },
  {
    file: 'danbooru_pgdump_structure.sql',
    database: 'mysql',
    description:
      'Indexes by GIN, of expressions and unique ones of some rows are left out, and so are non-empty defaults of arrays.',
  },
  {
    file: 'northwind_mysql_schema.sql',
    database: 'postgres',
    description: 'PostgreSQL creates no second index where UNIQUE repeats the primary key.',
  },
  {
    file: 'northwind_sqlite.sql',
    database: 'postgres',
    description: 'A key column may hold NULL in SQLite only.',
  },
  {
    file: 'northwind_sqlite.sql',
    database: 'mysql',
    description: 'A key column may hold NULL in SQLite only.',
  },
  ...['sqlite', 'postgres'].map((database) => ({
    file: 'sakila_mysql_schema.sql',
    database,
    description: 'The full-text index is left out.',
  })),
  {
    file: 'sakila_postgres_schema.sql',
    database: 'sqlite',
    description: 'The GiST index of a text search is left out.',
  },
  {
    file: 'sakila_postgres_schema.sql',
    database: 'postgres',
    description:
      'The column of a domain gets its base type and its check; three views need an aggregate of the file, which is left out.',
  },
  {
    file: 'sakila_postgres_schema.sql',
    database: 'mysql',
    description:
      'As in SQLite; SET NULL of a NOT NULL column has no effect; AUTO_INCREMENT columns without a key get one, because MariaDB requires it.',
  },
  ...['sqlite', 'postgres'].map((database) => ({
    file: 'dbml__mysql_checks.in.sql',
    database,
    description: `${server}one check uses the current date. Here the table is created without it.`,
  })),
  {
    file: 'dbml__mysql_checks.in.sql',
    database: 'mysql',
    rejected: true,
    description: `${server}one check uses the current date.`,
  },
  ...['sqlite', 'postgres', 'mysql'].map((database) => ({
    file: 'dbml__mysql_ddl_create.in.sql',
    database,
    rejected: true as const,
    description:
      'It tests a parser: the client finds 127 errors in it, and it alters tables that it does not create.',
  })),
  ...['dbml__mysql_general_schema.in.sql', 'dbml__mysql_lower_case.in.sql'].flatMap((file) => [
    {
      file,
      database: 'sqlite',
      rejected: true as const,
      description: 'Two tables differ by letter case only, which SQLite treats as equal.',
    },
    {
      file,
      database: 'postgres',
      description: `${server}three tables have a collation of MySQL 8. Here they are created.`,
    },
    {
      file,
      database: 'mysql',
      description: `${server}three tables have a collation of MySQL 8. Here they get the nearest one of MariaDB.`,
    },
  ]),
  ...['sqlite', 'postgres'].map((database) => ({
    file: 'dbml__mysql_mysqldump_test.in.sql',
    database,
    description: `${server}all three tables have a collation of MySQL 8. Here they are created.`,
  })),
  {
    file: 'dbml__mysql_mysqldump_test.in.sql',
    database: 'mysql',
    description: `${server}all three tables have a collation of MySQL 8. Here they get the nearest one of MariaDB.`,
  },
  ...['sqlite', 'postgres', 'mysql'].map((database) => ({
    file: 'dbml__postgres_cmd_create_table.in.sql',
    database,
    description:
      'It tests a parser: a table inherits from one that does not exist and is created without it, an exclusion constraint is left out.',
  })),
  {
    file: 'dbml__postgres_db_dump.in.sql',
    database: 'postgres',
    rejected: true,
    description: 'A view calls crosstab(), which runs the text that it is given.',
  },
  {
    file: 'dbml__postgres_db_dump.in.sql',
    database: 'mysql',
    description: 'Numbered columns that are no key get one, which AUTO_INCREMENT asks for.',
  },
  ...['sqlite', 'mysql'].map((database) => ({
    file: 'dbml__postgres_increment_type.in.sql',
    database,
    description:
      "PostgreSQL's own client rejects a statement too: one table has an auto-incrementing text column. Here it is created.",
  })),
  {
    file: 'dbml__postgres_increment_type.in.sql',
    database: 'postgres',
    rejected: true,
    description:
      "PostgreSQL's own client rejects a statement too: one table has an auto-incrementing text column.",
  },
  ...['sqlite', 'mysql'].map((database) => ({
    file: 'dbml__postgres_integer_literals.in.sql',
    database,
    description: 'Defaults in binary and octal digits are left out.',
  })),
];
