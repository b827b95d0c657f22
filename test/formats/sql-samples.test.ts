/** Sample scripts of other projects have as many rows as in their own database, or are rejected with a reason. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readSql } from '../../src/formats/sql/read.ts';
import { describeSamples } from './describe-samples.ts';
import { readAll, column, sourceOf, table } from './run-reader.ts';
import type { ReadFile } from './run-reader.ts';
import { databaseKinds } from '../databases/registered-databases.ts';

const samples = join(import.meta.dirname, '../../../shared/samples');
const hasSamples = existsSync(join(samples, 'sql'));

interface ExpectedResult {
  readonly dialect: string;
  readonly files: readonly string[];
  readonly tables: readonly {
    readonly name: string;
    readonly kind?: string;
    readonly columns: readonly { readonly name: string }[];
    readonly row_count?: number;
  }[];
}

const expectedResults = (folder: string): Readonly<Record<string, ExpectedResult>> =>
  hasSamples
    ? (JSON.parse(readFileSync(join(samples, folder, 'facts.json'), 'utf8')) as Record<
        string,
        ExpectedResult
      >)
    : {};

const dialectChoices = databaseKinds.map(({ dialect, language, dataScript, ddlReader }) => ({
  name: dialect.name,
  language,
  dataScript: {
    ...dataScript,
    dialectHints: [...dataScript.dialectHints, ...ddlReader.dialectHints],
  },
}));

/** Columns accept any value, because only rows are compared. */
function read(folder: string, file: string, facts: ExpectedResult): Promise<ReadFile> {
  const bytes = readFileSync(join(samples, folder, file));
  const tables = facts.tables
    .filter(({ kind }) => kind !== 'view')
    .map(({ name, columns }) =>
      table(
        name.split('.').at(-1)!.toLowerCase(),
        columns.map((each) =>
          column(each.name.toLowerCase(), { kind: 'untyped' }, { dynamic: true }),
        ),
      ),
    );
  return readAll(tables.length === 0 ? 'any' : tables, (reading) =>
    readSql(
      sourceOf(bytes, { name: file, chunkBytes: 16_384 }),
      {
        ...reading,
        mapColumns: ({ table: naming, columns }) =>
          reading.mapColumns({
            table: typeof naming === 'object' ? naming.parts.at(-1)!.toLowerCase() : naming,
            columns: columns?.map((name) => name.toLowerCase()),
          }),
      },
      { dialect: undefined, ddl: 'skip', ownDialect: 'sqlite', choices: dialectChoices },
    ),
  );
}

/** Scripts that must be rejected, and a part of the message: the statement or expression that is not supported. */
const rejectedScripts: Readonly<Record<string, string>> = {
  'northwind_sqlite.sql': 'line 28: "SELECT * FROM [Categories]" is not an INSERT',
  // A format of MySQL in a script of PostgreSQL.
  'defog-data__broker.sql': 'line 196: only a database can compute',
  'spring-batch__schema-mysql.sql': 'line 82: INSERT is imported with VALUES only',
  'dbml__mysql_ddl_create.in.sql': 'line 241: "truncate table t1" is not an INSERT',
};

/**
 * SQL Server scripts, which no available server can run: their row counts, and where their tables
 * are documented.
 */
const sqlserverScripts: Readonly<Record<string, readonly [rows: number, tablesOf?: string]>> = {
  'chinook_sqlserver.sql': [15_607, 'chinook_sqlite.sql'],
  'northwind_sqlserver.sql': [3308, 'northwind_sqlite.sql'],
  'azimutt__source_06_billing_sqlserver.sql': [14],
  'spring-batch__schema-sqlserver.sql': [0],
  'quartznet__tables_sqlServer.sql': [0],
  'dbml__mssql_check_constraint.in.sql': [0],
  'dbml__mssql_default_parameters.in.sql': [0],
  'dbml__mssql_records.in.sql': [7],
};

/** The table `Region` of Northwind, which the facts of the SQLite script call `Regions`. */
function regionTable(tablesOf: string | undefined): ExpectedResult['tables'] {
  const columns = [{ name: 'RegionID' }, { name: 'RegionDescription' }];
  return tablesOf?.startsWith('northwind') === true ? [{ name: 'Region', columns }] : [];
}

function cases(folder: string): readonly (readonly [name: string, facts: ExpectedResult])[] {
  const facts = expectedResults(folder);
  const scriptsOfSqlserver = Object.entries(sqlserverScripts).map(
    ([name, [, tablesOf]]): [string, ExpectedResult] => [
      name,
      {
        dialect: 'sqlserver',
        files: [name],
        tables: [...(facts[tablesOf ?? '']?.tables ?? []), ...regionTable(tablesOf)],
      },
    ],
  );
  const scriptsWithRowCounts = Object.entries(facts).map(
    ([name, each]): [string, ExpectedResult] => [name, { ...each, files: each.files ?? [name] }],
  );
  return [
    ...scriptsWithRowCounts,
    ...scriptsOfSqlserver.filter(([name]) => existsSync(join(samples, folder, name))),
  ];
}

for (const folder of ['sql', 'sql-small'])
  describeSamples(`the scripts of ${folder}`, hasSamples, () => {
    test.each(cases(folder))(
      '%s has as many rows as its database, or is rejected',
      async (name, facts) => {
        const reads = await Promise.all(facts.files.map((file) => read(folder, file, facts)));
        const failures = reads.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));
        const reason = rejectedScripts[name];
        if (reason !== undefined) {
          expect(failures).toMatchObject([{ message: expect.stringContaining(reason) }]);
          return;
        }
        expect(failures).toEqual([]);
        expect(reads.flatMap(({ errors }) => errors)).toEqual([]);
        const rows = reads.flatMap((each) => each.rows);
        expect(rows).toHaveLength(sqlserverScripts[name]?.[0] ?? rowCountOf(facts));
      },
    );
  });

function rowCountOf({ tables }: ExpectedResult): number {
  const counts = tables.map(({ kind, row_count: rows = 0 }) => (kind === 'view' ? 0 : rows));
  return counts.reduce((sum, rows) => sum + rows, 0);
}
