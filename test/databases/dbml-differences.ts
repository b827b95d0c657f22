/**
 * The reviewed differences between DBML samples and the databases created from them, with their
 * reasons. Everything else is equal, as import-dbml.full.test.ts verifies, and each difference has
 * a warning.
 */
export interface DbmlDifference {
  readonly description: string;
  readonly files: readonly string[];
  /** By `Dialect.name`. */
  readonly databases: readonly string[];
  /** The import is rejected. */
  readonly rejected?: true;
}

const all = ['sqlite', 'postgres', 'mysql'];

export const dbmlDifferences: readonly DbmlDifference[] = [
  {
    description: 'Foreign keys to columns without a unique key are left out.',
    files: [
      'dbml-renderer__issue-22.dbml',
      'dbml-renderer__merchants.dbml',
      'dbml-renderer__video-rental.dbml',
      'dbml__parser_input_ref_setting.in.dbml',
      'dbml__ref.in.dbml',
      'dbml__ref_name_and_color_setting.in.dbml',
      'dbml__ref_setting.in.dbml',
      'dbml__table_group.in.dbml',
      'pydbml__relationship_settings.dbml',
      'pydbml__relationships_2.dbml',
      'pydbml__relationships_composite.dbml',
    ],
    databases: all,
  },
  {
    description: 'Foreign keys to columns without a unique key are left out.',
    files: ['bench_18k.dbml', 'dbml__multiple_schema.in.dbml', 'pydbml__dbml_schema_def.dbml'],
    databases: ['sqlite'],
  },
  {
    description: 'Foreign keys to columns without a unique key are left out.',
    files: ['bench_18k.dbml'],
    databases: ['postgres'],
  },
  {
    description:
      'As in SQLite; text columns of keys get a maximum length. In tables with hundreds of them some keys are left out, because the row would exceed its maximum size.',
    files: ['bench_18k.dbml'],
    databases: ['mysql'],
  },
  {
    description:
      'As in SQLite; a foreign key column gets the type of the column that it references.',
    files: ['dbml__multiple_schema.in.dbml', 'pydbml__dbml_schema_def.dbml'],
    databases: ['postgres', 'mysql'],
  },
  {
    description: 'Defaults that call functions that the database does not have are left out.',
    files: ['dbml-renderer__issue-13.dbml', 'dbml__default_tables.in.dbml'],
    databases: all,
  },
  {
    description: 'The default of an auto-incrementing key is left out.',
    files: ['pydbml__column_settings.dbml'],
    databases: ['sqlite'],
  },
  {
    description: 'An auto-incrementing column becomes NOT NULL.',
    files: ['pydbml__column_settings.dbml'],
    databases: ['postgres'],
  },
  {
    description: 'An auto-incrementing column becomes NOT NULL and a key.',
    files: ['pydbml__column_settings.dbml'],
    databases: ['mysql'],
  },
  {
    description: 'Indexes on expressions that the database does not support are left out.',
    files: ['dbml__complex_indexes.in.dbml', 'pydbml__index_definition.dbml', 'pydbml__notes.dbml'],
    databases: all,
  },
  {
    description: 'Indexes on expressions that the database does not support are left out.',
    files: ['dbml__multi_notes.in.dbml'],
    databases: ['sqlite', 'mysql'],
  },
  {
    description: 'MariaDB has no indexes on expressions.',
    files: ['dbml-renderer__postgresl_function.dbml'],
    databases: ['mysql'],
  },
  {
    description: 'It calls getdate(), which PostgreSQL does not have.',
    files: ['dbml__multi_notes.in.dbml'],
    databases: ['postgres'],
    rejected: true,
  },
  {
    description: 'It has an auto-incrementing text column.',
    files: ['dbml__increment_type.in.dbml'],
    databases: ['postgres'],
    rejected: true,
  },
  {
    description: 'An auto-incrementing text column becomes an integer.',
    files: ['dbml__increment_type.in.dbml'],
    databases: ['mysql'],
  },
  {
    description: 'It has a decimal(1,2); MariaDB requires a precision of at least the scale.',
    files: ['pydbml__table_definition.dbml'],
    databases: ['mysql'],
    rejected: true,
  },
  {
    description: 'MariaDB has no SET DEFAULT.',
    files: ['pydbml__test_schema.dbml'],
    databases: ['mysql'],
  },
];

export function dbmlDifference(file: string, database: string): DbmlDifference | undefined {
  return dbmlDifferences.find(
    ({ files, databases }) => files.includes(file) && databases.includes(database),
  );
}
