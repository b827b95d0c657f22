import { z } from 'zod';
import { body } from './named-schema.ts';
import { choice, flag, list, optionalChoice, orFormField, text } from './parameter.ts';
import { jobErrors } from './route.ts';
import type { Route } from './route.ts';

const dryRun = orFormField(
  flag(
    'Does everything, tells what it would have done, and takes it back. What no rollback undoes stays used: numbers that defaults took from a sequence or an identity, and on MySQL, MariaDB and SQL Server the counter of a table, which goes on behind the highest number of the file.',
  ),
);

const dialect = text('The database whose SQL a `.sql` file is in; found out when absent.');

const wasDry = z.literal(true).optional().describe('Nothing of it was kept.');

const verified = z
  .boolean()
  .optional()
  .describe('Of a dry run: false when it could not be tried on the database.');

const warnings = z.array(z.string()).describe('What was left out or assumed, a sentence each.');

const rowErrors = z
  .array(
    z.object({
      code: z.string(),
      message: z.string(),
      table: z.string(),
      row: z.int().optional(),
      line: z.int().optional(),
      column: z.string().optional(),
    }),
  )
  .optional()
  .describe(
    'With `on_error=skip`: why rows were left out, the first hundred, in the order of the file.',
  );

const importErrors = [...jobErrors, 'import_failed', 'parse_failed', 'write_conflict'] as const;

const dataImported = body('DataImported', 'How many rows are in.', {
  schema: z.object({
    message: z.string(),
    dry_run: wasDry,
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
    warnings,
  }),
  example: {
    message: 'imported',
    rows_imported: 2,
    tables: { users: { rows_imported: 2, rows_updated: 0, rows_skipped: 0 } },
    warnings: [],
  },
});

const schemaImported = body('SchemaImported', 'The tables that were made.', {
  schema: z.object({
    message: z.string(),
    dry_run: wasDry,
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

const modelsImported = body('ModelsImported', 'What the models became.', {
  schema: z.object({
    message: z.string(),
    dry_run: wasDry,
    tables_created: z.array(z.string()),
    tables_altered: z.array(z.string()),
    structs_parsed: z.int(),
    models: z.array(z.object({ struct: z.string(), table: z.string() })),
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
    relations: [],
    statements: ['CREATE TABLE `users` (`id` integer PRIMARY KEY AUTOINCREMENT)'],
    warnings: [],
  },
});

const whole =
  ' Each parameter may be a field of the form instead. Whole or not at all: when anything fails, nothing is kept. With `Accept: application/x-ndjson` the answer is ' +
  'lines: `{"progress": {"bytes", "total_bytes", "rows", "table"}}` while it goes on, at last `{"result": …}` or ' +
  'the error. Four imports and exports run at a time; while one waits for others, its lines say how many start before it (`"waiting"`).';

/** What comes in as files. */
export const importRoutes = {
  'import-schema': {
    method: 'POST',
    path: '/import/schema',
    summary: 'Make tables of a schema file',
    description:
      'A `.sql` file in the dialect of any of the four databases, `.json`, `.yaml` or `.dbml`.' +
      whole,
    query: {
      dialect,
      if_exists: optionalChoice('`skip`: leaves tables alone that are there already.', ['skip']),
      data: optionalChoice('`skip`: leaves out statements that write rows.', ['skip']),
      dry_run: dryRun,
    },
    body: { upload: 'A schema file.' },
    answers: { 200: { description: 'The tables are made.', json: schemaImported } },
    errors: [...importErrors, 'table_exists'],
    access: 'write',
  },
  'import-data': {
    method: 'POST',
    path: '/import/data',
    summary: 'Fill tables from a data file',
    description:
      '`.json`, `.ndjson`, `.csv`, a `.zip` of CSV files as they are exported, `.sql` or `.xlsx`. Rows may come in any ' +
      'order of tables: foreign keys hold at the end.' +
      whole,
    query: {
      table: text(
        'The table that is filled: required for `.csv` and `.xlsx`, but for a workbook of all tables as it is exported. It may be a field of the form instead.',
      ),
      on_conflict: orFormField(
        choice(
          'What a row becomes whose key is there already: an error, left out, or the new values of the row that is there.',
          ['error', 'skip', 'update'],
        ),
      ),
      conflict_columns: list(
        'The unique key that `on_conflict` looks at, when it is not the primary key.',
      ),
      on_error: orFormField(
        choice('Whether a row that cannot be taken ends the import or is left out.', [
          'abort',
          'skip',
        ]),
      ),
      mapping: text('JSON: names of columns in the file, and of those in the table.'),
      mode: orFormField(
        choice("`replace`: the file's tables are emptied first.", ['append', 'replace']),
      ),
      ddl: optionalChoice('`skip`: leaves out statements of a `.sql` file that make tables.', [
        'skip',
      ]),
      dialect,
      sheet: text('The sheet of an `.xlsx` file; the first one when absent.'),
      delimiter: text('What parts the fields of a `.csv` file; found out when absent.'),
      encoding: text('The encoding of a `.csv` file; found out when absent.'),
      formulas: optionalChoice("`raw`: a `'` before a formula is part of the text.", ['raw']),
      dry_run: dryRun,
    },
    body: { upload: 'A data file.' },
    answers: { 200: { description: 'The rows are in.', json: dataImported } },
    errors: [...importErrors, 'table_not_found', 'not_writable', 'foreign_key_violation'],
    access: 'write',
  },
  'import-models': {
    method: 'POST',
    path: '/import/models',
    summary: 'Make tables of Go models',
    description:
      "Go files with structs for GORM, one package: the tables that GORM's AutoMigrate makes of them. A table that is " +
      'there already gets what AutoMigrate would add, and loses nothing.' +
      whole,
    query: {
      on_error: orFormField(
        choice('Whether a struct that GORM refuses ends the import or is left out.', [
          'abort',
          'skip',
        ]),
      ),
      dry_run: dryRun,
    },
    body: { upload: 'A `.go` file; several fields called `file` are one package.' },
    answers: { 200: { description: 'The tables are as the models say.', json: modelsImported } },
    errors: importErrors,
    access: 'write',
  },
} as const satisfies Record<string, Route>;
