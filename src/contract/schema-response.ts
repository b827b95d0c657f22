import { z } from 'zod';
import { body, named } from './named-schema.ts';

const reference = named(
  'Reference',
  'The column that a foreign key column references.',
  z.object({ table: z.string(), column: z.string() }),
);

const column = named(
  'Column',
  'A column.',
  z.object({
    name: z.string(),
    type: z.string().describe('The type as the database itself writes it.'),
    is_primary_key: z.boolean(),
    is_nullable: z.boolean(),
    default_value: z
      .string()
      .describe("The default's expression as stored; empty when there is none."),
    is_foreign_key: z.boolean(),
    ordinal: z.int().describe('Its position, from 1.'),
    comment: z.string(),
    is_unique: z
      .boolean()
      .describe('Whether a primary key or unique key consists of this column alone.'),
    is_auto_increment: z.boolean(),
    is_generated: z.boolean(),
    kind: z
      .string()
      .describe('The database-independent kind of type: `integer`, `text`, `timestamp` …'),
    generated_expression: z.string().optional(),
    is_stored: z
      .boolean()
      .optional()
      .describe('For a generated column: whether its values are stored.'),
    enum_values: z.array(z.string()).optional(),
    references: reference.optional(),
  }),
);

/** One entry of a table's relations. The response of the relation route repeats it. */
export const relation = named(
  'Relation',
  'A relation to rows of another table. Composite keys are joined with `,` and also given as arrays.',
  z.object({
    name: z.string().describe('Its name in the path of the relation route.'),
    type: z.enum(['has_one', 'has_many', 'belongs_to', 'many_to_many']),
    table: z.string().describe('The related table.'),
    foreign_key: z.string(),
    reference_key: z.string(),
    foreign_keys: z.array(z.string()).optional(),
    reference_keys: z.array(z.string()).optional(),
    join_table: z.string().optional(),
    join_foreign_key: z.string().optional(),
    join_reference_key: z.string().optional(),
    join_foreign_keys: z.array(z.string()).optional(),
    join_reference_keys: z.array(z.string()).optional(),
    polymorphic_type: z
      .string()
      .optional()
      .describe(
        'For a polymorphic relation of a model: the column of the related table that names the type of the owner.',
      ),
    polymorphic_value: z
      .string()
      .optional()
      .describe('The value of that column for rows of this table.'),
  }),
);

const indexPart = named(
  'IndexPart',
  'One part of an index: a column or an expression.',
  z.object({
    column: z.string().optional(),
    expression: z.string().optional(),
    descending: z.boolean().optional(),
    prefix_length: z.int().optional(),
    collation: z.string().optional(),
    operator_class: z.string().optional(),
  }),
);

const index = named(
  'Index',
  'An index.',
  z.object({
    name: z.string(),
    is_unique: z.boolean(),
    columns: z.array(z.string()).describe('Its columns, or expressions, in order.'),
    parts: z.array(indexPart),
    where: z.string().describe('The condition of a partial index, else empty.'),
    method: z.string().optional(),
    included: z.array(z.string()).optional(),
    is_constraint: z.boolean().describe('Whether it belongs to a UNIQUE constraint.'),
    nulls_not_distinct: z.boolean().optional(),
    comment: z.string().optional(),
  }),
);

const foreignKey = named(
  'ForeignKey',
  'A foreign key.',
  z.object({
    name: z.string(),
    columns: z.array(z.string()),
    references: z.object({ table: z.string(), columns: z.array(z.string()) }),
    on_update: z.string(),
    on_delete: z.string(),
    deferrable: z.enum(['deferred', 'immediate']).optional(),
  }),
);

const table = named(
  'Table',
  'A table or view.',
  z.object({
    name: z.string().describe('`namespace.table` outside the default namespace.'),
    kind: z.enum(['table', 'view', 'materialized_view']),
    schema: z.string().describe('Its namespace; empty where the database has none.'),
    comment: z.string(),
    primary_key: z.array(z.string()).describe('Column names in key order.'),
    row_key: z
      .array(z.string())
      .describe(
        'The columns whose values make the ids of rows, in that order: the primary key, else the first unique key that the database enforces and that holds no NULL; empty where rows have no key.',
      ),
    rolls_back: z
      .literal(false)
      .optional()
      .describe(
        'MySQL and MariaDB: present where the storage engine (MyISAM, Aria, MEMORY …) of the table, or of a table that its triggers write to, cannot undo what a failed request has written.',
      ),
    rowid_member: z
      .string()
      .optional()
      .describe(
        'SQLite: the member of rows that holds the rowid, by which rows without a key are addressed, and as `_rowid_=…` those whose key holds a NULL; `_rowid_` unless a column has that name.',
      ),
    soft_delete_column: z.string().nullable().describe('The column that marks a row as deleted.'),
    columns: z.array(column),
    relations: z.array(relation),
    indexes: z.array(index),
    foreign_keys: z.array(foreignKey),
    checks: z.array(z.object({ name: z.string(), expression: z.string() })),
    definition: z.string().optional().describe('The query of a view.'),
    structure_error: z
      .string()
      .optional()
      .describe(
        "Present while another session's lock keeps defaults, checks, expressions or the definition from being read: why they are missing.",
      ),
    options: z
      .record(z.string(), z.string())
      .optional()
      .describe('Options of the table that are specific to this database.'),
    row_count: z.int().describe('Stored rows.'),
    row_count_exact: z
      .literal(false)
      .optional()
      .describe('Present when `row_count` is an estimate.'),
    row_count_error: z
      .string()
      .optional()
      .describe('Present if the rows could not be counted: the reason.'),
  }),
);

const enumType = named(
  'Enum',
  'An enumerated type.',
  z.object({
    name: z.string(),
    namespace: z.string().optional(),
    values: z.array(z.string()),
    comment: z.string().optional(),
  }),
);

const capabilities = named(
  'Capabilities',
  'What the studio can do with databases of this kind, apart from reading them. A request that needs more is rejected with an error whose `capability` names the missing member.',
  z.object({
    write: z
      .boolean()
      .describe(
        'Rows can be created, updated and deleted. If not, `read_only` of the configuration is true.',
      ),
    load: z.boolean().describe('Data files can be imported, if `write` is true too.'),
    script: z
      .boolean()
      .describe('Rows can be exported as INSERT statements, and such files can be imported.'),
    sql: z
      .boolean()
      .describe('Raw SQL can be run. If not, `disable_sql` of the configuration is true.'),
    ddl: z
      .boolean()
      .describe('The structure can be exported as SQL and, if `write` is true too, imported.'),
    gorm: z
      .boolean()
      .describe(
        'GORM has a driver for the database: with `ddl`, Go models can be exported and imported.',
      ),
  }),
);

/** The whole structure. */
// Not `Schema`: openapi-generator for Java has a class of that name itself.
export const schemaResponse = body('DatabaseSchema', "The database's structure, with row counts.", {
  schema: z.object({
    tables: z.array(table),
    driver: z.string().describe('`sqlite`, `postgres`, `mysql` or `sqlserver`.'),
    database: z.string(),
    server_version: z.string(),
    capabilities,
    views: z.array(table).describe('Views, in the format of tables.'),
    enums: z.array(enumType),
  }),
  example: {
    driver: 'sqlite',
    database: 'shop.db',
    server_version: '3.54.1',
    capabilities: { write: true, load: true, script: true, sql: true, ddl: true, gorm: true },
    enums: [],
    views: [],
    tables: [
      {
        name: 'users',
        kind: 'table',
        schema: '',
        comment: '',
        primary_key: ['id'],
        row_key: ['id'],
        soft_delete_column: null,
        columns: [
          {
            name: 'id',
            type: 'INTEGER',
            is_primary_key: true,
            is_nullable: false,
            default_value: '',
            is_foreign_key: false,
            ordinal: 1,
            comment: '',
            is_unique: true,
            is_auto_increment: true,
            is_generated: false,
            kind: 'integer',
          },
        ],
        relations: [
          {
            name: 'Posts',
            type: 'has_many',
            table: 'posts',
            foreign_key: 'user_id',
            reference_key: 'id',
          },
        ],
        indexes: [],
        foreign_keys: [],
        checks: [],
        row_count: 2,
      },
    ],
  },
});
