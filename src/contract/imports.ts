import { dataImported, dumpImported, modelsImported, schemaImported } from './import-responses.ts';
import {
  choice,
  flag,
  integer,
  list,
  notForCommands,
  optionalChoice,
  orFormField,
  text,
} from './parameter.ts';
import { jobErrors } from './route.ts';
import type { Route } from './route.ts';

const dryRun = orFormField(flag('Runs the import, reports its result and rolls it back.'));

const dryRunOfData = orFormField(
  flag(
    'Runs the import, reports its result and rolls it back. A warning names each counter of generated keys that could not be set back.',
  ),
);

const dialect = text('The database whose dialect a `.sql` file uses. Detected by default.');

const importErrors = [
  ...jobErrors,
  'import_failed',
  'parse_failed',
  'write_conflict',
  'outcome_unknown',
  'state_unavailable',
] as const;

const commonDescription =
  ' Each parameter may be a field of the form instead. The import is atomic: if anything fails, nothing is changed. With `Accept: application/x-ndjson` the response is ' +
  'a stream of lines: `{"progress": {"bytes", "total_bytes", "rows", "table"}}` during the import, and finally `{"result": …}` or ' +
  'the error. At most four imports and exports run at a time. For a queued one, `"waiting"` is the number of those ahead of it. ' +
  'An import with an `Idempotency-Key` goes on if its client disconnects: repeated with the key and the same files, it waits for the end, or gets the result again.';

/** Routes that import files. */
export const importRoutes = {
  'import-schema': {
    method: 'POST',
    path: '/import/schema',
    summary: 'Create tables from a schema file',
    description:
      'A `.sql` file in the dialect of any of the four databases, `.json`, `.yaml` or `.dbml`.' +
      commonDescription,
    supportsIdempotencyKey: true,
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
  'import-dump': {
    method: 'POST',
    path: '/import/dump',
    summary: 'Create tables and import their rows from one SQL file',
    description:
      'A `.sql` file in the dialect of any of the four databases, as `GET /export/dump`, `pg_dump`, `mysqldump` or the `.dump` of SQLite write it: ' +
      'creates its tables and views, imports its rows and creates its triggers, rules, functions, procedures and events, in one transaction. MySQL and MariaDB commit each CREATE, and everything is dropped if the import fails. ' +
      'Triggers are created after the rows and do not run for them. Triggers and routines of another dialect are left out, and so are those that run SQL that their text does not show, administer the server or name another database. One that accesses files, programs or the network rejects the file. ' +
      'What the database cannot represent is left out with a warning that names it. ' +
      'A `.zip` file has a script and the files that it names: rows for `\\copy`, `COPY … FROM`, `LOAD DATA INFILE` and `BULK INSERT`, and scripts for `\\i`, `\\ir`, `source` and `:r`. They are found by their names in the archive; no other file is read.' +
      commonDescription,
    supportsIdempotencyKey: true,
    query: {
      dialect,
      encoding: text('The encoding of the file. Detected by default.'),
      date_order: optionalChoice(
        'The order of dates such as `13.12.1956` in a file of another database. ISO 8601 needs none.',
        ['DMY', 'MDY', 'YMD'],
      ),
      routines: orFormField(
        choice('What to do with triggers and routines: create them, or leave them out.', [
          'create',
          'skip',
        ]),
      ),
      dry_run: dryRun,
    },
    body: {
      upload:
        'A `.sql` file with structure and rows, or a `.zip` file of one and the files that it names.',
    },
    responses: {
      200: { description: 'The tables have been created and filled.', json: dumpImported },
    },
    errors: [...importErrors, 'table_exists', 'table_not_found'],
    access: 'write',
    needs: ['load', 'ddl', 'script'],
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
    supportsIdempotencyKey: true,
    query: {
      table: text(
        'The target table. Required for `.csv` and `.xlsx`, except for an exported workbook of all tables or with `create_table`.',
      ),
      tables: text(
        'The tables of the sheets of a workbook, the files of an archive or the arrays of a JSON document (by their keys: `data`, `response.items`): a JSON object such as `{"Sheet1":"people","Notes":null}`, or `Sheet1=people,Notes=`. ' +
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
      encoding: text(
        'The encoding of a `.csv` file. Detected by default, and by a byte order mark in any case.',
      ),
      header: optionalChoice(
        '`absent`: the first line of a `.csv` file, or the first row of a sheet, is not one of names. The columns are those of the table in its order, and `column 1`, `column 2` … in `mapping`.',
        ['present', 'absent'],
      ),
      skip_rows: orFormField(
        integer(
          'The number of lines of a `.csv` file, or rows of a sheet, that stand before the names of the columns, such as a title. They are left out.',
          { minimum: 0, maximum: 10_000, default: 0 },
        ),
      ),
      quote: text('The quote of a `.csv` file. Default: a double quote.'),
      decimal: optionalChoice(
        'How numbers in texts are written: `1.234,5` or `1,234.5`. Detected where the values of the file leave no doubt, otherwise such numbers are errors.',
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
      keep_rejected: notForCommands(
        orFormField(
          flag(
            'With `on_error=skip`: writes the rows that are left out to a file, each as it was read, with its line and the reason. ' +
              '`rejected_file` of the response names it. Not for `.sql`, whose errors name the statement by its line.',
          ),
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
  'get-rejected-rows': {
    method: 'GET',
    path: '/import/rejected/:file',
    summary: 'The rejected rows of an import',
    description:
      'The rows that an import with `keep_rejected` left out: NDJSON for JSON and NDJSON files, an archive of CSV files for several sheets or files, otherwise CSV. The first column or member, `import_error`, has the line and the reason. ' +
      'Corrected, the file can be imported with the same parameters (without `create_table` and `tables`: it has the names of the tables): `import_error` is skipped unless the table has such a column. ' +
      'It is available for an hour, or until newer files need the space, to the session or credentials of the import. The files together are as large as one upload at most.',
    query: {},
    responses: {
      200: {
        description: 'The file.',
        contentTypes: ['text/csv', 'application/x-ndjson', 'application/zip'],
      },
    },
    errors: ['not_found'],
    // A studio that imports nothing has no such file.
    access: 'write',
    needs: ['load'],
  },
  'import-models': {
    method: 'POST',
    path: '/import/models',
    summary: 'Create tables from Go models',
    description:
      "Go files with GORM structs. Creates the tables that GORM's AutoMigrate would create. An existing " +
      'table gets the additions that AutoMigrate would make, and loses nothing: a column that AutoMigrate would change (type, size, NOT NULL, default, uniqueness, comment) ' +
      'stays as it is, with a warning. The files of a folder with the same package clause form a ' +
      'package; `go.mod` files determine the import paths of folders. Tests and files of other build tags are left out. What the files ' +
      'pass to AutoMigrate are the models; if they do not show that, structs with signs of GORM are.' +
      commonDescription,
    supportsIdempotencyKey: true,
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
