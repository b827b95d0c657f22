import { z } from 'zod';
import { body } from './named-schema.ts';
import { choice, flag, list, optionalChoice, orFormField, text } from './parameter.ts';
import { jobErrors } from './route.ts';
import type { Route } from './route.ts';

const dryRun = orFormField(flag('Runs the import, reports its result and rolls it back.'));

const dryRunOfData = orFormField(
  flag(
    'Runs the import, reports its result and rolls it back. A warning names each counter of generated keys that could not be set back.',
  ),
);

const dialect = text('The database whose dialect a `.sql` file uses. Detected by default.');

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

const importErrors = [...jobErrors, 'import_failed', 'parse_failed', 'write_conflict'] as const;

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

const dataImported = body('DataImported', 'The numbers of imported rows.', {
  schema: z.object({
    message: z.string(),
    dry_run: dryRunField,
    rows_imported: z.int(),
    tables: z.record(
      z.string(),
      z.object({
        rows_imported: z.int(),
        rows_updated: z.int(),
        rows_skipped: z.int(),
      }),
    ),
    errors: rowErrors,
    error_count: errorCount,
    error_counts: errorCounts,
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

const schemaImported = body('SchemaImported', 'The tables that were created.', {
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

const modelsImported = body(
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

const commonDescription =
  ' Each parameter may be a field of the form instead. The import is atomic: if anything fails, nothing is changed. With `Accept: application/x-ndjson` the response is ' +
  'a stream of lines: `{"progress": {"bytes", "total_bytes", "rows", "table"}}` during the import, and finally `{"result": …}` or ' +
  'the error. At most four imports and exports run at a time. For a queued one, `"waiting"` is the number of those ahead of it.';

/** Routes that import files. */
export const importRoutes = {
  'import-schema': {
    method: 'POST',
    path: '/import/schema',
    summary: 'Create tables from a schema file',
    description:
      'A `.sql` file in the dialect of any of the four databases, `.json`, `.yaml` or `.dbml`.' +
      commonDescription,
    query: {
      dialect,
      if_exists: optionalChoice('`skip`: skips tables that already exist.', ['skip']),
      data: optionalChoice('`skip`: skips statements that write rows.', ['skip']),
      dry_run: dryRun,
    },
    body: { upload: 'A schema file.' },
    responses: { 200: { description: 'The tables have been created.', json: schemaImported } },
    errors: [...importErrors, 'table_exists'],
    access: 'write',
    needs: ['ddl'],
  },
  'import-data': {
    method: 'POST',
    path: '/import/data',
    summary: 'Import rows from a data file',
    description:
      '`.json`, `.ndjson`, `.csv`, a `.zip` of CSV files as in exports, `.sql` or `.xlsx`. The tables may come in any ' +
      'order: foreign keys are checked at the end. With `create_table`, the tables are created first, in the same transaction; ' +
      'MySQL and MariaDB commit each CREATE TABLE, and the tables are dropped if the import fails.' +
      commonDescription,
    query: {
      table: text(
        'The target table. Required for `.csv` and `.xlsx`, except for an exported workbook of all tables or with `create_table`.',
      ),
      tables: text(
        'The tables of the sheets of a workbook or the files of an archive: a JSON object such as `{"Sheet1":"people","Notes":null}`, or `Sheet1=people,Notes=`. ' +
          'Null leaves one out. The others have the table of their own name, which `create_table` creates.',
      ),
      on_conflict: orFormField(
        choice(
          'What to do if the key of a row already exists: fail, skip the row, or update the existing row.',
          ['error', 'skip', 'update'],
        ),
      ),
      conflict_columns: list(
        'The unique key that `on_conflict` refers to. Default: the primary key.',
      ),
      on_error: orFormField(
        choice('Whether an invalid row aborts the import or is skipped.', ['abort', 'skip']),
      ),
      mapping: text(
        'A JSON object that maps column names of the file to column names of the table, or pairs such as `Full name=name,age=`. Null, or nothing after the `=`, skips a column.',
      ),
      mode: orFormField(
        choice('`replace`: deletes all rows of the tables in the file first.', [
          'append',
          'replace',
        ]),
      ),
      ddl: optionalChoice('`skip`: skips statements of a `.sql` file that create tables.', [
        'skip',
      ]),
      dialect,
      sheet: text('The sheet of an `.xlsx` file. Default: the first one.'),
      delimiter: text('The field delimiter of a `.csv` file. Detected by default.'),
      encoding: text('The encoding of a `.csv` file. Detected by default.'),
      header: optionalChoice(
        '`absent`: the first line of a `.csv` file, or the first row of a sheet, is not one of names. The columns are those of the table in its order, and `column 1`, `column 2` … in `mapping`.',
        ['present', 'absent'],
      ),
      quote: text('The quote of a `.csv` file. Default: a double quote.'),
      decimal: optionalChoice(
        'How numbers in texts are written: `1.234,5` or `1234.5`. Detected where the values of the file leave no doubt, otherwise such numbers are errors.',
        ['comma', 'point'],
      ),
      date_order: optionalChoice(
        'The order of dates such as `13.12.1956`. Detected in the same way; ISO 8601 needs none.',
        ['DMY', 'MDY', 'YMD'],
      ),
      true_words: list(
        'More words for true, besides `true`, `yes`, `on`, `t`, `y`, `1` and those of other languages, such as `ja`.',
      ),
      false_words: list('More words for false.'),
      null_text: text('A text that means NULL, besides an empty field.'),
      trim: orFormField(flag('Ignores white space around texts.')),
      formulas: optionalChoice("`raw`: a `'` before a formula is part of the text.", ['raw']),
      create_table: orFormField(
        flag(
          'Creates the table of the rows: that of the file name or of `table`, and one for each sheet of a workbook, file of an archive or key of a JSON document. ' +
            'Types, NOT NULL and the primary key are inferred from all rows, so that no value is changed. Not for `.sql` files.',
        ),
      ),
      schema: text(
        'With `create_table`: the tables to create, as in `schema` of the response to a dry run, edited or not. By default they are inferred.',
      ),
      dry_run: dryRunOfData,
    },
    body: { upload: 'A data file.' },
    responses: { 200: { description: 'The rows have been imported.', json: dataImported } },
    errors: [
      ...importErrors,
      'table_not_found',
      'table_exists',
      'not_writable',
      'foreign_key_violation',
    ],
    access: 'write',
    needs: ['load'],
  },
  'import-models': {
    method: 'POST',
    path: '/import/models',
    summary: 'Create tables from Go models',
    description:
      "Go files with GORM structs. Creates the tables that GORM's AutoMigrate would create. An existing " +
      'table gets the additions that AutoMigrate would make, and loses nothing: a column that AutoMigrate would change (type, size, NOT NULL, default, comment) ' +
      'stays as it is, with a warning. The files of a folder with the same package clause form a ' +
      'package; `go.mod` files determine the import paths of folders. Tests and files of other build tags are left out. What the files ' +
      'pass to AutoMigrate are the models; if they do not show that, structs with signs of GORM are.' +
      commonDescription,
    query: {
      on_error: orFormField(
        choice('Whether a struct that GORM rejects aborts the import or is skipped.', [
          'abort',
          'skip',
        ]),
      ),
      structs: list('The structs to import. By default, those that the files show to be models.'),
      table_prefix: text(
        '`TablePrefix` of the naming strategy: begins the names of tables that no `TableName` method gives.',
      ),
      singular_tables: orFormField(
        flag('`SingularTable` of the naming strategy: names of tables are not plurals.'),
      ),
      replacements: list(
        '`NameReplacer` of the naming strategy: pairs `old=new` of texts in Go names, such as `OAuth=Oauth`.',
      ),
      foreign_keys: optionalChoice(
        '`skip`: relations create no foreign keys, as with `DisableForeignKeyConstraintWhenMigrating`.',
        ['skip'],
      ),
      dry_run: dryRun,
    },
    body: {
      upload:
        'A `.go` file. Several fields named `file` form a program; their file names may have folders. `go.mod` files may be among them.',
    },
    responses: { 200: { description: 'The tables match the models.', json: modelsImported } },
    errors: importErrors,
    access: 'write',
    needs: ['ddl', 'gorm'],
  },
} as const satisfies Record<string, Route>;
