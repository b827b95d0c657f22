/** The responses of imports. */
import { z } from 'zod';
import { body } from './named-schema.ts';

const dryRunField = z
  .literal(true)
  .optional()
  .describe('Present if it was a dry run: nothing was changed.');

const verified = z
  .boolean()
  .optional()
  .describe('For a dry run: false if it could not be tested on the database.');

const warnings = z
  .array(z.string())
  .describe('One sentence for each thing that was skipped or assumed.');

const rowErrors = z
  .array(
    z.object({
      code: z.string(),
      message: z.string(),
      table: z.string(),
      source: z
        .string()
        .optional()
        .describe(
          'The sheet, or the file of an archive, if several are imported: `row` and `line` count within it.',
        ),
      row: z.int().optional(),
      line: z.int().optional(),
      column: z.string().optional(),
      value: z
        .string()
        .nullable()
        .optional()
        .describe(
          'The rejected value as text; null is NULL. Beyond 200 characters it ends with `…`. Absent if the error is not about one value.',
        ),
    }),
  )
  .optional()
  .describe('With `on_error=skip`: the first hundred errors of rows, in the order of the file.');

const errorCount = z
  .int()
  .optional()
  .describe('With `on_error=skip`: the number of all errors. A row can have several.');

const errorRows = z
  .int()
  .optional()
  .describe('With `on_error=skip`: the number of rows with errors.');

const errorCounts = z
  .array(
    z.object({
      table: z.string().optional(),
      column: z.string().optional().describe('Absent for errors that are not about one column.'),
      count: z.int(),
    }),
  )
  .optional()
  .describe('With `on_error=skip`: the number of all errors by column.');

const detectedFormat = z
  .object({ decimal: z.string().optional(), date_order: z.string().optional() })
  .optional()
  .describe(
    'How numbers and dates in texts are written, if the values of the file show it. The members are parameters.',
  );

const createdSchema = z
  .object({
    tables: z.array(
      z.looseObject({
        name: z.string(),
        source: z.string().describe('The name in the file.'),
        comment: z.string().optional(),
        columns: z.array(
          z.looseObject({
            name: z.string(),
            type: z.string().describe('The type in the database. Ignored next to `data_type`.'),
            data_type: z.looseObject({ kind: z.string() }).describe('The type in neutral terms.'),
            is_nullable: z.boolean(),
            comment: z.string().optional(),
            source: z
              .string()
              .optional()
              .describe(
                "The file's column; without it, the column gets its default. The second column of a name is `name (2)`.",
              ),
          }),
        ),
        primary_key: z.array(z.string()).optional(),
      }),
    ),
  })
  .optional()
  .describe(
    'With `create_table`: the tables in the form of a schema file. Send it back as the parameter `schema`, edited as needed: names, types, keys, indexes; columns of the file that no `source` names are skipped.',
  );

const rowCounts = z.record(
  z.string(),
  z.object({
    rows_imported: z.int(),
    rows_updated: z.int(),
    rows_skipped: z.int(),
  }),
);

export const dataImported = body('DataImported', 'The numbers of imported rows.', {
  schema: z.object({
    message: z.string(),
    dry_run: dryRunField,
    rows_imported: z.int(),
    tables: rowCounts,
    errors: rowErrors,
    error_count: errorCount,
    error_rows: errorRows,
    error_counts: errorCounts,
    rejected_rows: z
      .int()
      .optional()
      .describe('With `keep_rejected`: the number of rows in the file of rejected rows.'),
    rejected_format: z
      .enum(['csv', 'ndjson', 'zip'])
      .optional()
      .describe('The format of that file.'),
    rejected_file: z
      .string()
      .optional()
      .describe('Its id in `/import/rejected/:file`. Absent if no row was rejected.'),
    warnings,
    tables_created: z.array(z.string()).optional().describe('With `create_table`: the new tables.'),
    statements: z
      .array(z.string())
      .optional()
      .describe('With `create_table`: the SQL that was run, or would be.'),
    schema: createdSchema,
    format: detectedFormat,
    verified,
  }),
  example: {
    message: 'imported',
    rows_imported: 2,
    tables: { users: { rows_imported: 2, rows_updated: 0, rows_skipped: 0 } },
    warnings: [],
  },
});

export const dumpImported = body('DumpImported', 'The tables that were created and their rows.', {
  schema: z.object({
    message: z.string(),
    dry_run: dryRunField,
    tables_created: z.array(z.string()),
    routines_created: z
      .array(z.string())
      .describe('Triggers, rules, functions, procedures and events, such as `trigger users_ins`.'),
    statements: z.array(z.string()).describe('The SQL that was run, or would be.'),
    rows_imported: z.int(),
    tables: rowCounts,
    warnings,
    verified,
  }),
  example: {
    message: '1 table created, 2 rows imported.',
    tables_created: ['users'],
    routines_created: [],
    statements: ['CREATE TABLE "users" ("id" INTEGER PRIMARY KEY)'],
    rows_imported: 2,
    tables: { users: { rows_imported: 2, rows_updated: 0, rows_skipped: 0 } },
    warnings: [],
  },
});

export const schemaImported = body('SchemaImported', 'The tables that were created.', {
  schema: z.object({
    message: z.string(),
    dry_run: dryRunField,
    tables_created: z.array(z.string()),
    go_code: z.string().describe('The new tables as Go structs for GORM.'),
    statements: z.array(z.string()).describe('The SQL that was run.'),
    warnings,
    verified,
  }),
  example: {
    message: 'imported',
    tables_created: ['users'],
    go_code: 'package models\n',
    statements: ['CREATE TABLE "users" ("id" INTEGER PRIMARY KEY)'],
    warnings: [],
  },
});

export const modelsImported = body(
  'ModelsImported',
  'The tables that were created or altered for the models.',
  {
    schema: z.object({
      message: z.string(),
      dry_run: dryRunField,
      tables_created: z.array(z.string()),
      tables_altered: z.array(z.string()),
      structs_parsed: z.int(),
      models: z.array(z.object({ struct: z.string(), table: z.string() })),
      structs: z
        .array(
          z.object({
            struct: z
              .string()
              .describe('With its package or folder before a dot if its name is not unique.'),
            imported: z.boolean(),
            doubt: z
              .string()
              .optional()
              .describe('Present if the sources do not clearly show whether it is a model.'),
          }),
        )
        .describe('All structs that are models or show signs of one.'),
      relations: z.array(z.looseObject({ name: z.string(), type: z.string(), table: z.string() })),
      statements: z.array(z.string()).describe('The SQL that was run.'),
      warnings,
      verified,
    }),
    example: {
      message: 'imported',
      tables_created: ['users'],
      tables_altered: [],
      structs_parsed: 1,
      models: [{ struct: 'User', table: 'users' }],
      structs: [{ struct: 'User', imported: true }],
      relations: [],
      statements: ['CREATE TABLE `users` (`id` integer PRIMARY KEY AUTOINCREMENT)'],
      warnings: [],
    },
  },
);
